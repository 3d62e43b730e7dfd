/** One rule by itself: no other rule speaks beside it, so a row says exactly what this one allows and what it refuses. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/model/fault.ts';
import type { Example, Terms } from '../../../src/model/rule.ts';
import { MODELS, type Model, termsOf, told } from './models.ts';

/** `at`: the pointers at which the rule is broken; none where the document keeps it. */
export type Row = readonly [
  id: string,
  what: string,
  set: Example['set'],
  at: readonly string[],
  more?: Pick<Example, 'class' | 'today'>,
];

const REASON = 'not what is looked at';

type Alone = { readonly model: Model; readonly terms: Terms };

const RULES: ReadonlyMap<string, Alone> = new Map(
  MODELS.flatMap((model) => {
    const off = Object.fromEntries(
      model.kind.rules.rules.map(({ id }) => [id, { level: 'off' as const, reason: REASON }]),
    );
    return model.kind.rules.rules.map((rule): [string, Alone] => {
      const { [rule.id]: _, ...others } = off;
      return [rule.id, { model, terms: { ...termsOf(rule), severity: others } }];
    });
  }),
);

export function saidBy(id: string, example: Example): readonly Fault[] {
  const { model, terms } = RULES.get(id)!;
  return told(model, example, terms).filter(({ rule }) => rule === id);
}

export function table(rows: readonly Row[]): void {
  for (const [id, what, set, at, more] of rows) {
    test(`${id}: ${what}`, () => {
      expect(saidBy(id, { set, ...more }).map((fault) => fault.at)).toEqual(at);
    });
  }
}
