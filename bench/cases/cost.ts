/** What a document costs, step by step, in one process: each step is run over the same invoices, round after round. */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkDocument } from '../../src/documents/check-document.ts';
import { fits } from '../../src/documents/schema/shape-encoder.ts';
import type { Draft } from '../../src/model/draft.ts';
import { type Batch, originOf, type RowGroup } from '../../src/model/row.ts';
import { FORMATS } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { median } from '../median.ts';
import { openConverter } from '../program.ts';
import { type Case, timed } from '../result.ts';

const ROUNDS = 9;

/** Microseconds of processor time per document. */
export const costOfSteps: Case = async ({ size, format, exports }) => {
  const { inputOf } = await openConverter(newFolder('cost'), FORMATS[format]);
  const [name = ''] = readdirSync(exports);
  const path = join(exports, name);
  const input = await inputOf(path, name);
  const rounds: { readonly [step: string]: number }[] = [];
  return await timed(
    async () => {
      for (let round = 0; round < ROUNDS; round++) rounds.push(await oneRound(input, path, size));
      return size;
    },
    () => {
      const steps = Object.keys(rounds[0]!);
      return Object.fromEntries(steps.map((step) => [step, median(rounds.map((round) => round[step]!))]));
    },
  );
};

type Input = Awaited<ReturnType<Awaited<ReturnType<typeof openConverter>>['inputOf']>>;

async function oneRound({ mapping, reader, kind, facts, file }: Input, path: string, size: number) {
  const batches: Batch[] = [];
  const reading = await microseconds(size, async () => {
    const source = { file, source: mapping.source.options };
    for await (const batch of reader.read(createReadStream(path), source)) batches.push(batch);
  });
  const bound = mapping.bind(batches[0]!.table);
  if ('faults' in bound) throw new Error(bound.faults[0]!.message);
  const groups: RowGroup[] = [];
  const grouping = await microseconds(size, () => {
    const grouper = bound.grouper(facts);
    for (const batch of batches) groups.push(...grouper.push(batch).groups);
    groups.push(...grouper.end().groups);
  });
  const drafts: Draft[] = [];
  const mappingStep = await microseconds(size, () => {
    for (const group of groups) drafts.push(bound.compose(group, facts).draft!);
  });
  if (drafts.length !== size) throw new Error(`${drafts.length} drafts of ${size} documents`);
  const checking = await microseconds(size, () => {
    for (const [at, draft] of drafts.entries()) {
      const group = groups[at]!;
      const source = { whole: () => originOf(group.table, group.rows[0]!) };
      const outcome = checkDocument(draft, kind, { found: [], source });
      if (!('document' in outcome)) throw new Error(JSON.stringify(outcome.faults[0]));
    }
  });
  const json = await microseconds(size, () => {
    for (const { payload } of drafts) JSON.stringify({ payload });
  });
  const shape = await microseconds(size, () => {
    for (const { payload } of drafts) fits(kind.shape, payload);
  });
  const rules = await microseconds(size, () => {
    for (const { payload, class: documentClass } of drafts) {
      const [broken] = kind.rules.judge(payload!, documentClass, facts.today);
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
