/** What a document costs, step by step, in one process: each step is run over the same invoices, round after round. */
import { createReadStream } from 'node:fs';
import { check } from '../src/documents/check.ts';
import { frInvoice } from '../src/documents/fr-invoice.ts';
import type { Draft } from '../src/model/draft.ts';
import { type Batch, type Group, originOf } from '../src/model/row.ts';
import { csvReader } from '../src/reading/csv.ts';
import { benchMapping, FACTS } from './converting.ts';
import { exportFile } from './exports.ts';
import { median } from './median.ts';
import { type Measurement, timed } from './result.ts';

const ROUNDS = 9;

/** Microseconds of processor time per document: reading, grouping, mapping, checking, and of the checking the JSON text alone. */
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

async function oneRound(path: string, size: number): Promise<{ readonly [step: string]: number }> {
  const mapping = benchMapping('csv');
  const batches: Batch[] = [];
  const reading = await microseconds(size, async () => {
    const source = { file: 'bench.csv', source: mapping.source.options };
    for await (const batch of csvReader.read(createReadStream(path), source)) batches.push(batch);
  });
  const bound = mapping.bind(batches[0]!.table);
  if ('faults' in bound) throw new Error(bound.faults[0]!.message);
  const groups: Group[] = [];
  const grouping = await microseconds(size, () => {
    const grouper = bound.grouper(FACTS);
    for (const batch of batches) groups.push(...grouper.push(batch).groups);
    groups.push(...grouper.end().groups);
  });
  const drafts: Draft[] = [];
  const mappingStep = await microseconds(size, () => {
    for (const group of groups) drafts.push(bound.compose(group, FACTS).draft!);
  });
  const checking = await microseconds(size, () => {
    for (const [at, draft] of drafts.entries()) {
      const group = groups[at]!;
      check(draft, frInvoice, { found: [], fallback: originOf(group.table, group.rows[0]!) });
    }
  });
  const json = await microseconds(size, () => {
    for (const { payload } of drafts) JSON.stringify({ payload });
  });
  return { reading, grouping, mapping: mappingStep, checking, json };
}

/** Processor time, which other programs on the machine disturb less than the clock on the wall. */
async function microseconds(documents: number, work: () => Promise<void> | void): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / documents;
}
