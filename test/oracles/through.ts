/** One file through the shipped mappings and the rules of a profile, as a night would take it, without sending it. */
import { DOCUMENT_KINDS, READERS } from '../../src/catalogue.ts';
import { loadMappings } from '../../src/instance/instance.ts';
import type { Mapping } from '../../src/mapping/mapping.ts';
import type { JsonObject } from '../../src/model/draft.ts';
import { isError } from '../../src/model/fault.ts';
import type { Broken, ProfileName } from '../../src/model/rule.ts';
import { previewDrafts } from '../../src/pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import { REPOSITORY } from '../samples/instance.ts';

export type Passed = {
  readonly class: string;
  /** As JSON of the wire; undefined where the mapping made no document. */
  readonly payload: JsonObject | undefined;
  readonly broken: readonly Broken[];
  /** Codes of what refused the document beside the rules: reading, mapping, shape, identity. */
  readonly refused: readonly string[];
};

const TODAY = '2026-11-20';
const invoices = DOCUMENT_KINDS.find(({ name }) => name === 'fr-invoice')!;
const { mappings } = loadMappings(REPOSITORY);

/** By the root element, as a run chooses. */
const MAPPING_OF: { readonly [root: string]: string } = {
  Invoice: 'ubl-invoice',
  CreditNote: 'ubl-credit-note',
  CrossIndustryInvoice: 'cii',
};

export function mappingFor(text: string): Mapping | undefined {
  const root = /<(?:[\w.-]+:)?(Invoice|CreditNote|CrossIndustryInvoice)[\s>]/.exec(text)?.[1];
  return mappings.find(({ id }) => id === (root === undefined ? '' : MAPPING_OF[root]));
}

export async function through(text: string, mapping: Mapping, profile: ProfileName = 'fr-2026'): Promise<Passed> {
  const pack = invoices.rules.under({ profile });
  const reader = READERS.find(({ format }) => format === mapping.source.format)!;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const facts = { today: TODAY, file: { name: 'a.xml', base64: () => '' } };
  try {
    for await (const { draft, outcome } of previewDrafts({
      bytes,
      file: 'a.xml',
      mapping,
      reader,
      kind: { ...invoices, rules: pack },
      facts,
    })) {
      const faults = 'document' in outcome ? [] : outcome.faults.filter(isError);
      const refused = faults.flatMap(({ code, rule }) => (rule === undefined ? [code] : []));
      const { payload, class: documentClass = '' } = draft ?? {};
      const broken = payload ? pack.judge(payload, documentClass, TODAY) : [];
      return { class: documentClass, payload, broken, refused };
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { class: '', payload: undefined, broken: [], refused: error.faults.map(({ code }) => code) };
  }
  return { class: '', payload: undefined, broken: [], refused: ['no document'] };
}

/** Rules of EN 16931 that the source of a rule of ours names: "BR-S-08, BR-21 to BR-26". */
export function namedRules(source: string): readonly string[] {
  const found = new Set<string>();
  for (const [, prefix, from, to] of source.matchAll(
    /\b(BR-(?!FR)(?:[A-Z]{1,3}-)?)(\d+)(?:(?: to |\.\.)(?:BR-)?(\d+))?/g,
  )) {
    for (let n = Number(from); n <= Number(to ?? from); n++)
      found.add(`${prefix}${String(n).padStart(from!.length, '0')}`);
  }
  return [...found];
}

export function isNamed(one: Broken): boolean {
  return namedRules(one.rule.source).length > 0;
}

/** Rules of EN 16931 that a rule of the profile stands for. */
export function coveredRules(profile: ProfileName): ReadonlyMap<string, readonly string[]> {
  const covered = new Map<string, string[]>();
  for (const { id, source, profiles } of invoices.rules.rules) {
    if (!profiles.includes(profile)) continue;
    for (const rule of namedRules(source)) covered.set(rule, [...(covered.get(rule) ?? []), id]);
  }
  return covered;
}
