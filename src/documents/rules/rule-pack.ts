/**
 * A pack of rules over one view of the document: the view is made once, and every rule that is in force looks at it.
 */
import type { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { JsonObject } from '../../model/draft.ts';
import {
  type Broken,
  type Made,
  PROFILES_BY_DAY,
  type RuleInfo,
  type RulePack,
  type Severity,
  type Terms,
  type Values,
} from '../../model/rule.ts';
import { type ProfilePeriod, periodOn, periodsOf } from './profile-periods.ts';

/** Notes a place where the rule is broken, and by how much an amount is off. */
export type Report = (at: string, values?: Values, off?: Decimal) => void;

/** A rule with its test: the data of RuleInfo is also the source of the manual. */
export type Rule<View> = RuleInfo & { readonly test: (view: View, broken: Report) => void };

/** What every view shows. */
export type ViewedDocument = {
  /** The day of the document, which decides what rules are in force; the day it is checked where it has none. */
  readonly day: string;
  /** The calendar day of the service. */
  readonly today: string;
};

type Look<View> = (payload: JsonObject, documentClass: string, today: string, made: Made | undefined) => View;

/**
 * A rule as it applies under a profile and the settings. All of these objects have one shape: the rules themselves have
 * many, and reading them for each document would take as long as the tests.
 */
type InForce<View> = {
  readonly rule: RuleInfo;
  readonly test: Rule<View>['test'];
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly severity: Severity;
  readonly because: string | undefined;
};

/** A pack under the profile `wire`; `under` gives it under another one. */
export function rulePack<View extends ViewedDocument>(look: Look<View>, rules: readonly Rule<View>[]): RulePack {
  return packUnder(look, rules, { profile: 'wire' });
}

/** A pack is immutable: `under` gives another one for other terms. */
function packUnder<View extends ViewedDocument>(
  look: Look<View>,
  rules: readonly Rule<View>[],
  terms: Terms,
): RulePack {
  const periods = periodsOf(terms.profile);
  const inForce = rules.flatMap((rule) => underTerms(rule, terms, periods));
  return {
    rules,
    goesByDay: terms.profile in PROFILES_BY_DAY,
    profileOn: shown(rules, terms),
    judge: (payload, documentClass, today, made) =>
      inForce.length === 0 ? [] : judged(look(payload, documentClass, today, made), inForce),
    under: (others) => packUnder(look, rules, others),
  };
}

/** Empty if no profile in these periods has the rule, or the settings turn it off. */
function underTerms<View>(
  rule: Rule<View>,
  { severity = {} }: Terms,
  periods: readonly ProfilePeriod[],
): readonly InForce<View>[] {
  const change = severity[rule.id];
  if (change?.level === 'off') return [];
  const { test, validFrom, validTo } = rule;
  const inForce = { rule, test, severity: change?.level ?? rule.severity, because: change?.reason };
  return joined(periods.filter(({ profile }) => rule.profiles.includes(profile))).map(({ from, to }) => ({
    ...inForce,
    from: later(validFrom, from),
    to: earlier(validTo, to),
  }));
}

/** Periods that follow each other are one, so that a rule of both is tested once, whatever the day. */
function joined(periods: readonly ProfilePeriod[]): readonly Pick<ProfilePeriod, 'from' | 'to'>[] {
  const [first, last] = [periods[0], periods.at(-1)];
  return first && last ? [{ from: first.from, to: last.to }] : [];
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

/** All breaks in the order of the rules; the day of the document decides which rules are in force. */
function judged<View extends ViewedDocument>(view: View, inForce: readonly InForce<View>[]): readonly Broken[] {
  const found: Broken[] = [];
  let looking: InForce<View>;
  // One for all rules, because nearly none of them calls it.
  const broken: Report = (at, values, off) => {
    const { rule, severity, because } = looking;
    const said = because === undefined ? {} : { because };
    found.push(definedOnly({ rule, severity, at, ...said, values, off }));
  };
  for (looking of inForce) {
    const { test, from, to } = looking;
    if (from !== undefined && view.day < from) continue;
    if (to !== undefined && view.day > to) continue;
    test(view, broken);
  }
  return found;
}

function shown<View>(
  rules: readonly Rule<View>[],
  { profile, severity = {}, furtherFields = [] }: Terms,
): RulePack['profileOn'] {
  const changes = Object.entries(severity)
    .filter(([id]) => rules.some((rule) => rule.id === id))
    .map(([id, { level, reason }]) => `${id} ${level}: ${reason}`);
  const fields = furtherFields.length === 0 ? [] : [`further fields: ${furtherFields.join(', ')}`];
  const textOf = (name: string) => [name, ...changes, ...fields].join('; ');
  const periods = periodsOf(profile).map((period) => ({ ...period, text: textOf(period.profile) }));
  const undated = textOf(profile);
  return (day) => (day === undefined ? undated : periodOn(periods, day).text);
}
