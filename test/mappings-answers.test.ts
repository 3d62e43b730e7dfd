/** The shipped blocks of answers: with one line and a table in the shipped mapping, they give the golden files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mappingWorld } from '../src/instance/instance.ts';
import { loadMapping } from '../src/mapping/mapping.ts';
import { must } from '../src/model/must.ts';
import { sampleAnswers } from '../src/views/preview/sample-answers.ts';
import { openShipped, REPOSITORY, type Shipped } from './samples/instance.ts';

let shipped: Shipped;
beforeAll(async () => {
  shipped = await openShipped();
});
afterAll(() => shipped[Symbol.asyncDispose]());

it.each([
  ['sage-invoices', 'answers-sage', 'sage-invoices.csv', 'answers-sage.csv'],
  ['as400-invoices', 'answers-as400', 'FACT400-test.txt', 'answers-as400.txt'],
  ['sap-idoc', 'answers-sap', 'sap-idoc.xml', 'answers-sap.xml'],
  ['host-invoices', 'answers-host', 'HOST_INV-test.dat', 'answers-host.dat'],
])('%s with %s', async (id, block, sample, golden) => {
  const text = readFileSync(join(REPOSITORY, 'mappings', `${id}.yaml`), 'utf8');
  const states = 'tables:\n  erp-states: { file: mappings/tables/answer-states.yaml }';
  const whole = `${text.replace(/^tables:$/m, states)}\nanswers: { use: mappings/blocks/${block}.yaml }\n`;
  const { mapping, faults } = loadMapping(whole, `mappings/${id}.yaml`, mappingWorld(REPOSITORY));
  expect(faults).toEqual([]);
  const file = { name: sample, path: join(REPOSITORY, 'mappings/samples', sample), claimedAt: '2026-11-15T12:00:00Z' };
  const [made] = await sampleAnswers(shipped.instance, must(mapping, 'a mapping'), file, ['rejected', 'authorized']);
  const { bytes, problems } = must(made, 'the answers of a block');
  expect(problems).toEqual([]);
  const path = join(REPOSITORY, 'mappings/samples', golden);
  expect(bytes.toString('latin1')).toBe(readFileSync(path, 'latin1'));
});
