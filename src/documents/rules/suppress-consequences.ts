/**
 * Breaks of rules come in; those that a person must read come out. A rule that another one, broken near enough,
 * explains (`unless`) is left out, and the cause gets the severity of what it explains: whether a document is refused
 * never depends on what is left out.
 */
import { Decimal } from '../../model/decimal.ts';
import { type Broken, NEARNESS, type Nearness } from '../../model/rule.ts';

/** Keeps the order. Returns the same list if nothing is left out. */
export function withoutConsequences(found: readonly Broken[]): readonly Broken[] {
  if (found.length < 2 || !found.some(({ rule }) => rule.unless)) return found;
  const near = placesOf(found);
  const causes: Causes = new Map(
    found.map((one) => [one, causesOf(one, near)] as const).filter(([, its]) => its.length > 0),
  );
  if (causes.size === 0) return found;
  const lent = new Map<Broken, Broken>();
  for (const one of found) if (one.severity === 'error') for (const root of rootsOf(one, causes)) lent.set(root, one);
  return found.filter((one) => !causes.has(one)).map((one) => asSevereAs(one, lent.get(one)));
}

/** Each break that others explain -> these, at least one. */
type Causes = ReadonlyMap<Broken, readonly Broken[]>;

/** Rule and nearness and the place they share -> where the rule is broken there. */
type Places = ReadonlyMap<string, readonly Broken[]>;

/** Only rules that some `unless` names: a document may be broken in thousands of lines. */
function placesOf(found: readonly Broken[]): Places {
  const asked = new Map<string, Set<Nearness>>();
  for (const { unless = {} } of new Set(found.map(({ rule }) => rule))) {
    for (const near of NEARNESS) {
      for (const id of unless[near] ?? []) asked.set(id, (asked.get(id) ?? new Set()).add(near));
    }
  }
  const places = new Map<string, Broken[]>();
  for (const one of found) {
    for (const near of asked.get(one.rule.id) ?? []) {
      const key = keyOf(one.rule.id, near, one.at);
      const here = places.get(key);
      if (here) here.push(one);
      else places.set(key, [one]);
    }
  }
  return places;
}

function keyOf(id: string, near: Nearness, at: string): string {
  return `${id} ${near} ${shared(near, at)}`;
}

/** What the pointers of two breaks have in common. */
function shared(near: Nearness, at: string): string {
  if (near === 'field') return at;
  if (near === 'block') return at.slice(0, at.lastIndexOf('/'));
  return near === 'part' ? (/^\/[^/]*(?:\/\d+)?/.exec(at)?.[0] ?? '') : '';
}

function causesOf(one: Broken, places: Places): readonly Broken[] {
  const { unless } = one.rule;
  if (!unless) return [];
  return NEARNESS.flatMap((near) =>
    (unless[near] ?? []).flatMap((id) => {
      const broken = places.get(keyOf(id, near, one.at)) ?? [];
      return near === 'amount' ? offAsMuch(one, broken) : broken;
    }),
  );
}

/** Those off by the same amount, to the cent; else all of them, where together they are. */
function offAsMuch({ off }: Broken, broken: readonly Broken[]): readonly Broken[] {
  const known = broken.filter((one) => one.off !== undefined);
  if (off === undefined || known.length === 0) return [];
  const isSame = (other = Decimal.zero) => other.abs().round(2).equals(off.abs().round(2));
  const alone = known.filter((one) => isSame(one.off));
  if (alone.length > 0) return alone;
  const sum = known.reduce((before, one) => before.plus(one.off ?? Decimal.zero), Decimal.zero);
  return isSame(sum) ? known : [];
}

/** The causes that have no cause themselves; empty for a break that is reported. */
function rootsOf(one: Broken, causes: Causes): readonly Broken[] {
  return (causes.get(one) ?? []).flatMap((cause) => (causes.has(cause) ? rootsOf(cause, causes) : [cause]));
}

/** Raises a warning to an error if an error is left out because of it. */
function asSevereAs(one: Broken, consequence: Broken | undefined): Broken {
  if (consequence === undefined || one.severity === 'error') return one;
  return { ...one, severity: 'error', because: `${consequence.rule.id} follows from it` };
}
