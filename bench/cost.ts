/** What a document costs, step by step, in one process: each step is run over the same invoices, round after round. */
import { createReadStream } from 'node:fs';
import { checkDocument } from '../src/documents/check-document.ts';
import { frInvoice } from '../src/documents/fr/fr-invoice.ts';
import { fits } from '../src/documents/schema/shape-encoder.ts';
import type { Draft, JsonObject } from '../src/model/draft.ts';
import { type Batch, originOf, type RowGroup } from '../src/model/row.ts';
import { csvReader } from '../src/readers/csv/csv-reader.ts';
import { benchMapping, FACTS } from './converting.ts';
import { exportFile } from './exports.ts';
import { median } from './median.ts';
import { type Measurement, timed } from './result.ts';

const ROUNDS = 9;

/**
 * Microseconds of processor time per document: reading, grouping, mapping, checking; of the checking the JSON text, the
 * shape and the rules of the default profile, each alone.
 */
export const costOfSteps: Measurement = ({ size }) => {
  const path = exportFile('csv', size);
  const rounds: { readonly [step: string]: number }[] = [];
  return timed(
    async () => {
      for (let round = 0; round < ROUNDS; round++) rounds.push(await oneRound(path, size));
      return size;
    },
    () => {
      const steps = Object.keys(rounds[0]!);
      return Object.fromEntries(steps.map((step) => [step, median(rounds.map((round) => round[step]!))]));
    },
  );
};

/** Under the rules that hold where the settings say nothing else. */
const RULED = { ...frInvoice, rules: frInvoice.rules.under({ profile: 'fr-2026' }) };

/** With the electronic addresses and notes that the rules ask for, which the measured mapping leaves out. */
function completed(draft: Draft): Draft {
  const { issuer, receiver } = draft.payload as { readonly [party: string]: JsonObject };
  const at = (party: JsonObject | undefined): JsonObject => ({
    ...party,
    'e-addresses': [{ type: 'routing-address', value: textOf(party, 'siren') }],
  });
  const seller = { ...at(issuer), identifiers: [...((issuer?.identifiers ?? []) as JsonObject[]), VAT] };
  return { ...draft, payload: { ...draft.payload, issuer: seller, receiver: at(receiver), notes: NOTES } };
}

function textOf(party: JsonObject | undefined, wanted: string): string {
  const identifiers = party?.identifiers as readonly { readonly type: string; readonly value: string }[];
  return identifiers.find(({ type }) => type === wanted)!.value;
}

const VAT: JsonObject = { type: 'vat', value: 'FR25900000019' };

const NOTES: readonly JsonObject[] = [
  { tag: 'fixed-recovery-fee', content: 'Indemnité forfaitaire pour frais de recouvrement : 40 EUR' },
  { tag: 'late-payment-penalty', content: 'Pénalités de retard : trois fois le taux d’intérêt légal' },
  { tag: 'no-early-payment-discount', content: 'Pas d’escompte pour paiement anticipé' },
];

async function oneRound(path: string, size: number): Promise<{ readonly [step: string]: number }> {
  const mapping = benchMapping('csv');
  const batches: Batch[] = [];
  const reading = await microseconds(size, async () => {
    const source = { file: 'bench.csv', source: mapping.source.options };
    for await (const batch of csvReader.read(createReadStream(path), source)) batches.push(batch);
  });
  const bound = mapping.bind(batches[0]!.table);
  if ('faults' in bound) throw new Error(bound.faults[0]!.message);
  const groups: RowGroup[] = [];
  const grouping = await microseconds(size, () => {
    const grouper = bound.grouper(FACTS);
    for (const batch of batches) groups.push(...grouper.push(batch).groups);
    groups.push(...grouper.end().groups);
  });
  const drafts: Draft[] = [];
  const mappingStep = await microseconds(size, () => {
    for (const group of groups) drafts.push(bound.compose(group, FACTS).draft!);
  });
  for (const [at, draft] of drafts.entries()) drafts[at] = completed(draft);
  const checking = await microseconds(size, () => {
    for (const [at, draft] of drafts.entries()) {
      const group = groups[at]!;
      checkDocument(draft, RULED, { found: [], source: { whole: () => originOf(group.table, group.rows[0]!) } });
    }
  });
  const json = await microseconds(size, () => {
    for (const { payload } of drafts) JSON.stringify({ payload });
  });
  const shape = await microseconds(size, () => {
    for (const { payload } of drafts) fits(frInvoice.shape, payload);
  });
  const rules = await microseconds(size, () => {
    for (const { payload, class: documentClass } of drafts) {
      const [broken] = RULED.rules.judge(payload!, documentClass, FACTS.today);
      if (broken) throw new Error(`${broken.rule.id} at ${broken.at}`);
    }
  });
  return { reading, grouping, mapping: mappingStep, checking, json, shape, rules };
}

/** Processor time, which other programs on the machine disturb less than the clock on the wall. */
async function microseconds(documents: number, work: () => Promise<void> | void): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / documents;
}
