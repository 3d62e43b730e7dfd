/**
 * Whole examples of public suites: what we reckon from their lines, discounts and charges must be their own total, exactly;
 * they break no rule of EN 16931 in our wording of it; and one business case in UBL and in CII is one payload.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Decimal } from '../../src/model/decimal.ts';
import type { Json, JsonObject } from '../../src/model/draft.ts';
import { type Comparison, tally } from './suite.ts';
import { isNamed, mappingFor, through } from './through.ts';

const HUNDRED = Decimal.from(100);

export async function compareExamples(suite: string, folders: readonly string[]): Promise<readonly Comparison[]> {
  const totals = tally(`${suite}, totals`);
  const rules = tally(`${suite}, valid by our rules of EN 16931`);
  for (const path of folders.flatMap(xmlBelow)) {
    const text = readFileSync(path, 'utf8');
    const mapping = mappingFor(text);
    if (!mapping) {
      totals.leave('no invoice in UBL or CII');
      continue;
    }
    const about = basename(path);
    const { payload, broken, refused } = await through(text, mapping);
    if (!payload) {
      totals.differ({ about, case: about, found: `no document: ${refused.join(', ')}` });
      continue;
    }
    const off = totalOff(payload);
    if (off === undefined) totals.agree();
    else totals.differ({ about, case: about, found: off });
    const wrong = broken.filter((one) => isNamed(one) && one.severity === 'error');
    if (wrong.length === 0) rules.agree();
    for (const id of new Set(wrong.map(({ rule }) => rule.id))) {
      const values = wrong.find(({ rule }) => rule.id === id)!;
      rules.differ({ about: id, case: about, found: `${id} at ${values.at}` });
    }
  }
  return [totals.done(), rules.done()];
}

function xmlBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.xml$/i.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => join(folder, name))
    .sort();
}

const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const number = (value: Json | undefined): Decimal => (value instanceof Decimal ? value : Decimal.zero);

/** Nets of the lines, discounts and charges, VAT rounded once per treatment and rate: what the document should come to. */
function totalOff(payload: JsonObject): string | undefined {
  const totals = payload.totals as JsonObject;
  const bases = new Map<string, { percent: Decimal; base: Decimal }>();
  const add = (tax: JsonObject | undefined, amount: Decimal) => {
    const percent = number(tax?.percent);
    const key = `${String(tax?.subtype)} ${percent.toText()}`;
    const one = bases.get(key) ?? { percent, base: Decimal.zero };
    bases.set(key, { percent, base: one.base.plus(amount) });
  };
  let sum = Decimal.zero;
  for (const line of list(payload.lines)) {
    add(list(line.taxes)[0], number(line['net-amount']));
    sum = sum.plus(number(line['net-amount']));
  }
  for (const one of list(totals.subtotals)) {
    if (one.type !== 'discount' && one.type !== 'charge') continue;
    const amount = one.sign === 'negative' ? number(one.amount).negated() : number(one.amount);
    add(list(one.subtotals)[0], amount);
    sum = sum.plus(amount);
  }
  for (const { percent, base } of bases.values()) sum = sum.plus(base.times(percent).dividedBy(HUNDRED)!.round(2));
  const final = number(totals['final-amount']);
  return sum.equals(final) ? undefined : `its total is ${final.toText()}, its lines come to ${sum.toText()}`;
}

/** The same case in two syntaxes: each place where the payloads differ is a disagreement. */
export async function compareSyntaxes(folder: string): Promise<Comparison> {
  const count = tally('XRechnung, one case in UBL and in CII');
  for (const path of xmlBelow(folder).filter((name) => name.endsWith('_ubl.xml'))) {
    const twin = path.replace('_ubl.xml', '_uncefact.xml');
    const [ubl, cii] = await Promise.all([payloadOf(path), payloadOf(twin)]);
    if (ubl === undefined || cii === undefined) {
      count.leave('not there in both syntaxes');
      continue;
    }
    const places = differences(ubl, cii, '');
    if (places.length === 0) count.agree();
    for (const { at, found } of places)
      count.differ({ about: at.replaceAll(/\/\d+/g, '/*'), case: basename(path), found: `${at}: ${found}` });
  }
  return count.done();
}

async function payloadOf(path: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const mapping = mappingFor(text);
  const { payload } = mapping ? await through(text, mapping) : {};
  return payload && JSON.parse(JSON.stringify(payload));
}

type Difference = { readonly at: string; readonly found: string };

function differences(a: unknown, b: unknown, path: string): readonly Difference[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const both = [a, b].every((one) => typeof one === 'object' && one !== null);
  if (!both || Array.isArray(a) !== Array.isArray(b))
    return [{ at: path, found: `${brief(a)} in UBL, ${brief(b)} in CII` }];
  if (Array.isArray(a) && a.length !== (b as unknown[]).length) {
    return [{ at: path, found: `${brief(a)} in UBL, ${brief(b)} in CII` }];
  }
  const keys = new Set([...Object.keys(a as object), ...Object.keys(b as object)]);
  return [...keys].flatMap((key) =>
    differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}/${key}`),
  );
}

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
