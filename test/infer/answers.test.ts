/** The answers that a draft proposes: accepted for every sample and form, and read back by programs of others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import csv from 'csvtojson';
import iconv from 'iconv-lite';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { must } from '../../src/model/must.ts';
import { ANSWER_FORMS, inferMapping } from '../../src/views/preview/infer-mapping.ts';
import { type SampleAnswers, sampleAnswers } from '../../src/views/preview/sample-answers.ts';
import { openShipped, REPOSITORY, type Shipped } from '../samples/instance.ts';
import { KEY } from './score.ts';

let shipped: Shipped;
beforeAll(async () => {
  shipped = await openShipped();
});
afterAll(() => shipped[Symbol.asyncDispose]());

/** Documents of a sample, and the answers of its first block. */
async function answersOf(sample: string, form: (typeof ANSWER_FORMS)[number]) {
  const path = join(REPOSITORY, sample);
  const target = KEY[sample]?.target ?? 'fr-invoice';
  const asked = { bytes: readFileSync(path), file: sample, target, folder: REPOSITORY, answers: form };
  const inferred = await inferMapping(asked);
  const { mapping, faults } = loadMapping(inferred.mapping, 'draft.yaml', mappingWorld(REPOSITORY));
  expect([sample, faults]).toEqual([sample, []]);
  const file = { name: sample, path, claimedAt: '2026-11-15T12:00:00Z' };
  const [made] = await sampleAnswers(shipped.instance, must(mapping, 'a mapping'), file);
  return { ...must(made, 'answers'), documents: inferred.trial.documents };
}

/** Lines of a file by another program. */
const COUNTS = {
  csv: async ({ bytes, block }: SampleAnswers) => {
    const { encoding, delimiter, header } = must(block.format.csv, 'a separated format');
    const read = csv({ delimiter: delimiter === 'tab' ? '\t' : delimiter, noheader: !header });
    return (await read.fromString(iconv.decode(bytes, encoding))).length;
  },
  fixed: async ({ bytes, block }: SampleAnswers) => {
    const lines = iconv.decode(bytes, must(block.format.fixed, 'fixed').encoding).split('\r\n').slice(0, -1);
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
    return lines.length;
  },
  xml: async ({ bytes }: SampleAnswers) => {
    let elements = 0;
    const parser = new SaxesParser();
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name }) => {
      if (name === 'document') elements++;
    });
    parser.write(bytes.toString('utf8')).close();
    return elements;
  },
};

// Each sample in one form: a draft takes most of the time.
it.each(Object.keys(KEY).map((sample, n) => [sample, ANSWER_FORMS[n % 3] ?? 'csv'] as const))(
  '%s as %s',
  async (sample, form) => {
    const made = await answersOf(sample, form);
    expect([made.problems, await COUNTS[form](made)]).toEqual([[], made.documents]);
  },
);
