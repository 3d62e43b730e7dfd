/**
 * A pack of rules over one view of the document: the view is made once, and every rule that is in force looks at it.
 */
import type { Decimal } from '../../model/decimal.ts';
import type { JsonObject } from '../../model/draft.ts';
import type { Broken, RuleInfo, RulePack, Severity, Terms, Values } from '../../model/rule.ts';

/** Notes a place where the rule is broken, and by how much an amount is off. */
export type Report = (at: string, values?: Values, off?: Decimal) => void;

export type Rule<View> = RuleInfo & { readonly test: (view: View, broken: Report) => void };

/** What every view shows. */
export type Seen = {
  /** The day of the document, which decides what rules are in force; the day it is checked where it has none. */
  readonly day: string;
  /** The calendar day of the service. */
  readonly today: string;
};

type Look<View> = (payload: JsonObject, documentClass: string, today: string) => View;

/** A rule as it holds under a profile and the settings. */
type InForce<View> = { readonly rule: Rule<View>; readonly severity: Severity; readonly because?: string };

/** Under the profile wire, until somebody asks for another. */
export function rulePack<View extends Seen>(look: Look<View>, rules: readonly Rule<View>[]): RulePack {
  return packUnder(look, rules, { profile: 'wire' });
}

function packUnder<View extends Seen>(look: Look<View>, rules: readonly Rule<View>[], terms: Terms): RulePack {
  const inForce = rules.flatMap((rule) => underTerms(rule, terms));
  return {
    rules,
    profile: shown(rules, terms),
    judge: (payload, documentClass, today) =>
      inForce.length === 0 ? [] : judged(look(payload, documentClass, today), inForce),
    under: (others) => packUnder(look, rules, others),
  };
}

function underTerms<View>(rule: Rule<View>, { profile, severity = {} }: Terms): readonly InForce<View>[] {
  if (!rule.profiles.includes(profile)) return [];
  const change = severity[rule.id];
  if (change === undefined) return [{ rule, severity: rule.severity }];
  return change.level === 'off' ? [] : [{ rule, severity: change.level, because: change.reason }];
}

function judged<View extends Seen>(view: View, inForce: readonly InForce<View>[]): readonly Broken[] {
  const found: Broken[] = [];
  let looking: InForce<View>;
  // One for all rules, because nearly none of them calls it.
  const broken: Report = (at, values, off) => {
    const { rule, severity, because } = looking;
    const said = because === undefined ? {} : { because };
    found.push({ rule, severity, at, ...said, ...(values ? { values } : {}), ...(off ? { off } : {}) });
  };
  for (looking of inForce) {
    const { rule } = looking;
    if (rule.validFrom !== undefined && view.day < rule.validFrom) continue;
    if (rule.validTo !== undefined && view.day > rule.validTo) continue;
    rule.test(view, broken);
  }
  return found;
}

function shown<View>(rules: readonly Rule<View>[], { profile, severity = {} }: Terms): string {
  const changes = Object.entries(severity)
    .filter(([id]) => rules.some((rule) => rule.id === id))
    .map(([id, { level, reason }]) => `${id} ${level}: ${reason}`);
  return [profile, ...changes].join('; ');
}
