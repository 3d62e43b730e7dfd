/** The settings get another language: what the ledger has is shown in it, and no receipt changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { decimalText, format, type Language, type Message } from '../../src/i18n/message.ts';
import { ANSWER, CONSULTED, REASON } from '../../src/i18n/messages/delivery-messages.ts';
import { HOLD } from '../../src/i18n/messages/pipeline-messages.ts';
import { allMessages, englishIn } from '../catalogue.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const speaking = (language: Language) => ({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language } } });

test('errors and show use the current language; receipts are proven with the words of their time', async () => {
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

const LANGUAGES = ['en', 'fr', 'es'] as const;

function setLanguage(scene: Scene, language: Language): void {
  const path = join(scene.root, 'nightpost.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/language: \w+/, `language: ${language}`));
}

/** F1 exceeds a limit; F3 is in doubt and a consultation does not know it. */
async function sceneWithReasons(language: Language): Promise<Scene> {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: 60 } } };
  const scene = await openScene({ settings: { run, rules: { fr: 'wire', sv: 'wire', language } } });
  scene.sandbox.script([
    { match: { service: 'fr', number: 'F3', act: 'submit' }, answer: { http: 409, body: 'no' } },
    { match: { service: 'fr', number: 'F3', act: 'consult' }, answer: { code: 18 } },
  ]);
  scene.drop('ventes.csv', sales(['F1'], '3'));
  scene.drop('ventes-3.csv', sales(['F3']));
  await scene.night();
  await commandIn(scene, 'consult', 'F3');
  return scene;
}

const AMOUNT = HOLD.amount({ amount: decimalText('75.60'), currency: 'EUR', limit: decimalText('60.00') });

test.each(LANGUAGES)('reasons recorded in %s are shown in the language of the reader', async (recorded) => {
  await using scene = await sceneWithReasons(recorded);
  const [receipt = ''] = scene.files('pending').filter((path) => path.endsWith('F1.receipt.json'));
  const before = scene.read(receipt);
  expect(JSON.parse(before).hold).toEqual({ rule: 'amount-over', says: format(AMOUNT, recorded) });
  for (const language of LANGUAGES) {
    setLanguage(scene, language);
    const shown = async (...args: string[]) => (await commandIn(scene, ...args)).out;
    const words = (message: Message) => format(message, language);
    expect(await shown('errors', 'F1')).toContain(words(AMOUNT));
    expect(await shown('show', 'F1')).toContain(`amount-over: ${words(AMOUNT)}`);
    const [one] = (JSON.parse(await shown('errors', 'F1', '--json')) as { documents: { hold: object }[] }).documents;
    expect(one?.hold).toEqual({ rule: 'amount-over', says: words(AMOUNT) });
    const history = (await shown('show', 'F3')).split('\n');
    const refused = words(REASON.status({ status: 409, why: ANSWER.notJson() }));
    for (const reason of [refused, words(CONSULTED.notKnown())]) {
      expect(history.filter((line) => line.includes(reason))).toHaveLength(2);
    }
  }
  expect(scene.read(receipt)).toBe(before);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('reasons of an earlier version keep their words', async () => {
  await using scene = await sceneWithReasons('en');
  {
    using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
    db.exec("UPDATE entry SET hold = json_remove(hold, '$.phrases') WHERE hold IS NOT NULL");
    db.exec("UPDATE attempt SET phrases = NULL; UPDATE event SET detail = json_remove(detail, '$.phrases')");
  }
  setLanguage(scene, 'fr');
  expect((await commandIn(scene, 'show', 'F1')).out).toContain(format(AMOUNT, 'en'));
  expect((await commandIn(scene, 'show', 'F3')).out).toContain(format(CONSULTED.notKnown(), 'en'));
});
