/** The settings get another language: what the ledger holds is shown in it, and no receipt changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Language } from '../../src/i18n/message.ts';
import { allMessages, englishIn } from '../catalogue.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const speaking = (language: Language) => ({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language } } });

test('errors and show speak the language of today; receipts are proven with the words of their day', async () => {
  await using scene = await openScene({ ...speaking('en'), mappings: { 'sales.yaml': SALES_MAPPING } });
  scene.drop('ventes-1.csv', sales(['F1']).replaceAll(';2;', ';1x;'));
  scene.drop('inconnu.csv', 'a;b\n1;2\n');
  await scene.night();
  const receipt = scene.files('error').find((path) => path.endsWith('F1.receipt.json'))!;
  const before = scene.read(receipt);

  const one = (text: string) => (JSON.parse(text) as { documents: { faults: { message: string }[] }[] }).documents[0]!;
  const recorded = one((await commandIn(scene, 'errors', '--json')).out).faults[0]!.message;
  expect(before).toContain(JSON.stringify(recorded).slice(1, -1));
  const path = join(scene.root, 'nightpost.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('language: en', 'language: fr'));
  const said = one((await commandIn(scene, 'errors', '--json')).out).faults[0]!.message;
  expect(said).not.toBe(recorded);
  expect(englishIn(said, 'fr', allMessages())).toBeUndefined();
  expect((await commandIn(scene, 'errors')).out).not.toContain(recorded);
  expect((await commandIn(scene, 'show', 'F1')).out).toContain(said);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  expect(scene.read(receipt)).toBe(before);
});
