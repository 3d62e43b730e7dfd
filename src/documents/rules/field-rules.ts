/**
 * Makes rules about one field each: it is there, its code is in a list, its text has a length or a form. Missing fields
 * break only `requiredRule`; the other rules are silent about them.
 */
import type { RuleInfo } from '../../model/rule.ts';
import type { Rule } from './rule-pack.ts';

type Info = Omit<RuleInfo, 'severity'> & { readonly severity?: RuleInfo['severity'] };

/** Of what the rule has to say something: the value, and the pointer to it, made only where it is needed. */
export type VisitField<Value> = (value: Value | undefined, at: () => string) => void;

/** Walks over the fields of the document that the rule is about. */
type Fields<View, Value> = (view: View, visit: VisitField<Value>) => void;

/** Breaks for each field that is undefined; the value `field` is its dotted path. */
export function requiredRule<View>({ fields, ...info }: Info & { fields: Fields<View, unknown> }): Rule<View> {
  return {
    severity: 'error',
    ...info,
    test: (view, broken) =>
      fields(view, (value, at) => {
        if (value === undefined) broken(at(), { field: at().split('/').slice(1).join('.') });
      }),
  };
}

type Codes = { readonly name: string; readonly codes: ReadonlyMap<string, string> };

/** Of a longer list the hint shows the first five codes. */
const MOST_CODES = 10;

/** The codes of a list with their names, as hints and the manual show them. */
function listCodes(codes: ReadonlyMap<string, string>): string {
  const named = [...codes].map(([code, name]) => `${code} ${name}`.replace(/\s+/g, ' '));
  return named.length <= MOST_CODES ? named.join(', ') : `${named.slice(0, 5).join(', ')} …`;
}

/** A code of a catalog, which the rule's hint lists as `codes`. */
export function codeRule<View>({
  list,
  fields,
  ...info
}: Info & { list: Codes; fields: Fields<View, string> }): Rule<View> {
  const codes = listCodes(list.codes);
  return {
    severity: 'error',
    formula: codes,
    ...info,
    test: (view, broken) =>
      fields(view, (code, at) => {
        if (code !== undefined && !list.codes.has(code)) broken(at(), { codes });
      }),
  };
}

/** Least and most characters of a text. */
type Lengths<View> = (
  view: View,
  visit: (text: string | undefined, least: number, most: number, at: () => string) => void,
) => void;

/** Lengths count characters, not UTF-16 units; the exact count is made only if a quick test fails. */
export function lengthRule<View>({ fields, ...info }: Info & { fields: Lengths<View> }): Rule<View> {
  return {
    severity: 'error',
    ...info,
    test: (view, broken) =>
      fields(view, (text, least, most, at) => {
        if (text === undefined || (text.length <= most && text.length >= 2 * least)) return;
        const has = [...text].length;
        if (has < least || has > most) broken(at(), { has: String(has), least: String(least), most: String(most) });
      }),
  };
}

/** A text of a certain form. */
type Forms<View> = {
  readonly form: RegExp;
  readonly fields: Fields<View, string>;
};

/** Breaks for each text that does not match the pattern. */
export function formRule<View>({ form, fields, ...info }: Info & Forms<View>): Rule<View> {
  return {
    severity: 'error',
    ...info,
    test: (view, broken) =>
      fields(view, (text, at) => {
        if (text !== undefined && !form.test(text)) broken(at());
      }),
  };
}
