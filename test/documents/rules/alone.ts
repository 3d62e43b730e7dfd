/** One rule by itself: no other rule speaks beside it, so a row says exactly what this one allows and what it refuses. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/model/fault.ts';
import type { Example, RulePack } from '../../../src/model/rule.ts';
import { isAt, MODELS, type Model, termsOf, toldBy } from './models.ts';

/** `at`: the pointers at which the rule is broken; none where the document keeps it. */
export type Row = readonly [
  id: string,
  what: string,
  set: Example['set'],
  at: readonly string[],
  more?: Pick<Example, 'class' | 'today'>,
];

const REASON = 'not what is looked at';

type Alone = { readonly model: Model; readonly rules: RulePack };

const ALONE: ReadonlyMap<string, Alone> = new Map(
  MODELS.flatMap((model) => {
    const pack = model.kind.rules;
    const off = Object.fromEntries(pack.rules.map(({ id }) => [id, { level: 'off' as const, reason: REASON }]));
    return pack.rules.map((rule): [string, Alone] => {
      const { [rule.id]: _, ...others } = off;
      return [rule.id, { model, rules: pack.under({ ...termsOf(rule), severity: others }) }];
    });
  }),
);

export function saidBy(id: string, example: Example): readonly Fault[] {
  const { model, rules } = ALONE.get(id)!;
  return toldBy(rules, model, example).filter(({ rule }) => rule === id);
}

/** Rule -> where rows break it. */
const BROKEN = new Map<string, Set<string>>();

export function table(rows: readonly Row[]): void {
  for (const [id, what, set, at, more] of rows) {
    for (const one of at) BROKEN.set(id, (BROKEN.get(id) ?? new Set()).add(one));
    test(`${id}: ${what}`, () => {
      expect(saidBy(id, { set, ...more }).map((fault) => fault.at)).toEqual(at);
    });
  }
}

/** Each field that a rule names (`at`, which docs/reference/rules.md shows) is broken by a row of the tables above or by its example, and no other. */
export function everyFieldIsBroken(ids: RegExp): void {
  const rules = MODELS.flatMap(({ kind }) => kind.rules.rules.filter(({ id }) => ids.test(id)));
  test.each(rules)('$id: each field that it names', ({ id, at, fails }) => {
    const places = [...(BROKEN.get(id) ?? []), ...saidBy(id, fails).map((fault) => fault.at!)];
    expect(at.filter((pattern) => !places.some((place) => isAt(place, pattern)))).toEqual([]);
    expect(places.filter((place) => !at.some((pattern) => isAt(place, pattern)))).toEqual([]);
  });
}
