/** Wrong settings of report, notices, answers and metrics, and wrong blocks of answers: each is refused in words, with its place. */
import { expect, test } from 'vitest';
import { mappingWorld } from '../src/instance/instance.ts';
import { openSecrets } from '../src/instance/secrets.ts';
import { readConfig } from '../src/instance/settings.ts';
import { loadMapping } from '../src/mapping/mapping.ts';
import { type Fault, localize, type OperatorError } from '../src/model/fault.ts';
import { trySignIn } from '../src/notices/send-mail.ts';
import { SALES_MAPPING } from './night.ts';

const SMTP = 'smtp: { host: localhost, tls: none }';
const MAIL = `mail: { to: [a@b.fr], from: n@b.fr, ${SMTP} }`;
const BEAT = 'heartbeat: { url: { env: PING } }';

const SETTINGS: readonly (readonly [place: string, settings: string])[] = [
  ['report', 'report: "07:00"'],
  ['report.at', 'report: { at: "25:00" }'],
  ['notify', 'notify: mail'],
  ['notify.0', 'notify: [{}]'],
  ['notify.0.mail.to', `notify: [{ mail: { to: a@b.fr, from: n@b.fr, ${SMTP} } }]`],
  ['notify.0.quiet', `notify: [{ ${MAIL}, quiet: "20:00-20:00" }]`],
  ['notify.0.codes', `notify: [{ ${MAIL}, codes: true }]`],
  ['notify.0.for', `notify: [{ ${MAIL}, for: [watch] }]`],
  ['notify.0.on', `notify: [{ ${BEAT}, on: [failed] }]`],
  ['notify.0.attach', `notify: [{ ${BEAT}, attach: html }]`],
  ['notify.0.absent-after', `notify: [{ ${MAIL}, absent-after: 0h }]`],
  ['answers.folders.Erp', 'answers: { folders: { Erp: x } }'],
  ['answers.folders.erp', 'answers: { folders: { erp: "" } }'],
  ['answers.folders.erp', 'answers: { folders: { erp: ./inbox/answers } }'],
  ['answers.every', 'answers: { every: 0s }'],
  ['inbox.scan', 'inbox: { scan: 0s }'],
  ['metrics.textfile', 'metrics: { textfile: a.txt }'],
  ['watch.health.port', 'watch: { health: { port: "8080" } }'],
  ['serve.metrics.token', 'serve: { metrics: { port: 9100, host: 0.0.0.0 } }'],
];

const BLOCKS: readonly (readonly [place: string, keys: string])[] = [
  ['format.csv.delimiter', 'format: { csv: { delimiter: ";;" } }'],
  ['format.csv.header', 'format: { csv: { header: maybe } }'],
  ['format.csv.replace', 'format: { csv: { replace: "??" } }'],
  ['format.xml.root', 'format: { xml: { root: "a b" } }'],
  ['format.xml.namespace', 'format: { xml: { namespace: "" } }'],
  ['format', 'format: {}'],
  ['marker', 'format: { csv: {} }, marker: ok'],
  ['to', 'format: { csv: {} }, to: ERP'],
  ['when', 'format: { csv: {} }, when: changes'],
];

/** What zod says in its own words, and patterns, are for programmers. */
const RAW = /must match|invalid|record|\b1 (?:characters|caractères|caracteres|entries|entrées)\b|\[\\|\^\[/i;

function judge([fault, ...others]: readonly Fault[], place: string): void {
  expect(others).toEqual([]);
  const words = (['en', 'fr', 'es'] as const).flatMap((language) => localize(fault ? [fault] : [], language));
  expect(words.map(({ message }) => message.includes(place) && !RAW.test(message))).toEqual([true, true, true]);
  expect(new Set(words.map(({ message }) => message)).size).toBe(3);
  expect(fault?.mark).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
}

test.each(SETTINGS)('settings: %s', (place, settings) => {
  let faults: readonly Fault[] = [];
  try {
    readConfig(`version: 1\n${settings}\n`, 'nightpost.yaml');
  } catch (error) {
    faults = (error as OperatorError).faults;
  }
  judge(faults, place);
});

test.each(BLOCKS)('a block of answers: %s', (place, keys) => {
  const block = `{ file: "R_{n}.csv", ${keys}, row: { A: $Num } }`;
  const text = `${SALES_MAPPING}\nanswers: [${block}]\n`;
  judge(loadMapping(text, 'sales.yaml', mappingWorld(import.meta.dirname)).faults, `answers.0.${place}`);
});

test.each([
  ['nowhere.pem', /nowhere\.pem under ca cannot be read \(ENOENT\)/],
  ['../package.json', /package\.json under ca has no certificate/],
])('the certificates of a mail server in %s', async (ca, words) => {
  const settings = {
    to: ['a@b.fr'],
    from: 'n@b.fr',
    smtp: { host: 'localhost', port: 1, tls: 'required' as const, ca },
  };
  const place = { folder: import.meta.dirname, secrets: openSecrets(import.meta.dirname, {}) };
  await expect(trySignIn(settings, place, new AbortController().signal)).rejects.toThrow(words);
});

test('a character in place of others that the encoding lacks itself is found', () => {
  const block = '{ file: "R_{n}.csv", format: { csv: { encoding: us-ascii, replace: "é" } }, row: { A: $Num } }';
  const { faults } = loadMapping(
    `${SALES_MAPPING}\nanswers: [${block}]\n`,
    's.yaml',
    mappingWorld(import.meta.dirname),
  );
  expect(faults.map(({ code }) => code)).toEqual(['map/answers-encoding']);
});
