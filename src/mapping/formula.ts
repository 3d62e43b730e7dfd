/**
 * Formula text to expression tree. The text is what follows the "="; offsets count its characters from 0.
 */
import type { Decimal } from '../model/decimal.ts';

export type Span = { readonly offset: number; readonly length: number };

/** What is wrong with a formula, found before any file is read. */
export type FormulaProblem = Span & { readonly code: string; readonly message: string; readonly hint?: string };

export type Operator = '+' | '-' | '*' | '/' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Expression = Span &
  (
    | { readonly type: 'literal'; readonly value: string | Decimal | boolean }
    | { readonly type: 'column'; readonly name: string }
    | { readonly type: 'output'; readonly path: string }
    | { readonly type: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
    | { readonly type: 'negative' | 'percent'; readonly of: Expression }
    | { readonly type: 'binary'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  );

/** The names a formula mentions, each once, in order of appearance: columns, output paths, functions in capitals. */
export type References = {
  readonly columns: readonly string[];
  readonly outputs: readonly string[];
  readonly functions: readonly string[];
};

export function parseFormula(
  _text: string,
): { readonly expression: Expression } | { readonly problems: readonly FormulaProblem[] } {
  return { problems: [] };
}

export function referencesOf(_expression: Expression): References {
  return { columns: [], outputs: [], functions: [] };
}
