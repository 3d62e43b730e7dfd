/** Drafts in an instance: written with their test, they load, pass it, and the sandbox accepts their documents. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readInstance } from '../../../src/instance/instance.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { filledIn, inferMapping } from '../../../src/views/preview/infer-mapping.ts';
import { runAllMappingTests } from '../../../src/views/preview/run-mapping-tests.ts';
import { openShipped, REPOSITORY } from '../../samples/instance.ts';
import { spendNight } from '../../samples/night.ts';

/** Samples whose documents have nothing open but their issuer, and how many of them are right. */
const SAMPLES = [
  ['test/infer/samples/invoices-en-us.csv', 'fr-invoice', 5],
  ['test/infer/samples/sales-nested.xml', 'fr-invoice', 5],
  ['test/infer/samples/payments-en.csv', 'fr-report', 2],
  ['test/infer/samples/remisiones.csv', 'sv-remission-note', 3],
] as const;

it.each(SAMPLES)('%s becomes a mapping that works at once', async (sample, target, good) => {
  await using shipped = await openShipped();
  const { folder } = shipped.instance;
  const out = join(folder, 'mappings/zz-draft.yaml');
  const bytes = readFileSync(join(REPOSITORY, sample));
  const inferred = await inferMapping({ bytes, file: basename(sample), target, folder, out });
  expect(inferred.questions[0]?.at).toMatch(/issuer|emisor/);
  writeFileSync(out, inferred.mapping);
  mkdirSync(dirname(inferred.sample!.path), { recursive: true });
  writeFileSync(inferred.sample!.path, inferred.sample!.bytes);

  const { environment } = describeSandbox(shipped.sandbox);
  const instance = readInstance(folder, { variables: environment });
  expect(instance.warnings).toEqual([]);
  // As it was written, it sends nothing.
  const [untouched] = await runAllMappingTests(instance, ['zz-draft']);
  expect(JSON.stringify(untouched)).toContain('not-filled-in');
  writeFileSync(out, filledIn(inferred.mapping));
  const filled = readInstance(folder, { variables: environment });
  const results = await runAllMappingTests(filled, ['zz-draft']);
  expect(results).toMatchObject([{ mapping: 'zz-draft', differences: [] }]);

  const night = await spendNight(
    { ...shipped, instance: filled } as typeof shipped,
    [join(REPOSITORY, sample)],
    '2026-11-20',
  );
  const states = night.flatMap(({ entries }) => entries.map(({ entry }) => entry.state));
  expect(states).toEqual(Array.from({ length: good }, () => 'authorized'));
});

it('lists what the rules still require of a draft', async () => {
  await using shipped = await openShipped();
  const bytes = Buffer.from('Numero;Date;Client;Libelle;Qte;PU;TVA\nF1;25/09/2026;Moulin SARL;Treuil;2;100,00;20\n');
  const request = { bytes, file: 'v.csv', target: 'fr-invoice', folder: shipped.instance.folder };
  const { trial, mapping } = await inferMapping(request);
  expect(trial.good).toBe(1);
  expect(trial.lacks.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['FR-DAT-4', 'FR-PTY-1', 'FR-PTY-3']));
  // The address of the receiver has a placeholder instead.
  expect(mapping.slice(mapping.indexOf('receiver:'))).toMatch(/e-addresses:.*\n.*routing-address, value: FILL IN/);
});
