/** A block of `answers` after compilation: which files it makes, and how a line of each is composed. Data only. */
import type { TextPage } from '../../text/text-page.ts';
import type { Columns, ValueExpression } from '../expressions/expression-types.ts';
import type { AnswersEntry } from '../file/answers-shape.ts';
import type { NamePattern } from './answer-name-pattern.ts';

/** One field of a line. `width` to `cut` are of fixed-width lines; the others have them too, as bounds. */
export type AnswerField = {
  readonly name: string;
  readonly form: ValueExpression;
  /** In characters. */
  readonly width?: number;
  readonly align: 'left' | 'right';
  readonly fill: string;
  /** A longer text is cut at the right; without it the field stays empty, and the fault is counted. */
  readonly cut: boolean;
};

export type CompiledAnswers = {
  /** Name of the mapping and pattern of the file: what was reported is known by it. */
  readonly id: string;
  readonly name: NamePattern;
  readonly to: string;
  readonly when: AnswersEntry['when'];
  readonly format: AnswersEntry['format'];
  readonly marker?: string;
  readonly each: AnswersEntry['each'];
  readonly head: readonly AnswerField[];
  readonly row: readonly AnswerField[];
  readonly foot: readonly AnswerField[];
  /** A value is of all rows of a document, not of its first row alone. */
  readonly readsRows: boolean;
  readonly readsCorrections: boolean;
  /** A value is one of the document as it was recognized (`@document.*`, `@receipt`). */
  readonly readsDocument: boolean;
  readonly columns: Columns;
  readonly page: TextPage;
  readonly lineEnd: string;
  /** In place of a character that the encoding lacks; undefined where `test` refuses it. */
  readonly replace: string | undefined;
};
