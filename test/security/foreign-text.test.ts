/** Names, cells and answers full of escape sequences, line ends and direction marks: whole nights and every command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn, type Ended } from '../program.ts';

/** Colours, hides text, sets the title, moves the cursor (also by the one-byte CSI), turns the direction, opens lines. */
const HOSTILE = 'A\u001b[8mB\u001b]0;owned\u0007\u009b2J\u202eC\u2066\u200b\u2028\n  FORGED line\r\n{"forged":true}\tD';
/** The same without what XML 1.0 cannot carry: a document with such a character is refused before it is sent. */
const SENDABLE = HOSTILE.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu, '');
/** Everything that a terminal obeys, beside line ends and tabs. */
const OBEYED =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const FORGED = /^\s*(FORGED|\{"forged")/m;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Documents that are accepted, rejected, lost on the way, invalid; hostile in number, client and a bad number. */
function export_(): string {
  const row = (number: string, client: string, price: string) =>
    `${quoted(number)};05/09/2026;${quoted(client)};1;2;${quoted(price)};20`;
  return [
    'Num;Date;Client;Lig;Qte;PU;Taux',
    row(`F1${SENDABLE}`, SENDABLE, '10,50'),
    row(`F2${SENDABLE}-X6`, SENDABLE, '10,50'),
    row(`F3${SENDABLE}-XLOST`, SENDABLE, '10,50'),
    row('F4', HOSTILE, `12${HOSTILE}`),
    row(`F5${SENDABLE}-X8`, SENDABLE, '10,50'),
    row(`F6${HOSTILE}`, HOSTILE, '10,50'),
    '',
  ].join('\n');
}

function obeyed(text: string): string | undefined {
  const at = text.search(OBEYED);
  if (at >= 0) return JSON.stringify(text.slice(Math.max(0, at - 40), at + 10));
  return FORGED.exec(text)?.[0];
}

async function hostileNight(): Promise<Scene> {
  const scene = await openScene({
    settings: { receipts: { answers: 'xml' } },
    mappings: { 'sales.yaml': SALES_MAPPING.replace('ventes*.csv', '*.csv') },
  });
  const rejected = { result: { status: { code: 6, name: `Rejected${HOSTILE}`, message: HOSTILE } } };
  scene.sandbox.script([{ match: { regex: '(?s).*-X6' }, answer: { body: JSON.stringify(rejected) } }]);
  return scene;
}

const NAME = 'ex\u001b[31m\n  FORGED\u202e.csv';

test('no output of any command carries what a terminal obeys, nor a line that foreign text began', async () => {
  await using scene = await hostileNight();
  scene.drop(NAME, export_());
  scene.drop(`bad${NAME}`, `Num;Date\n"${HOSTILE}`);
  scene.drop(`again${NAME}`, export_());
  scene.drop(
    `more${NAME}`,
    `${export_()}F9;05/09/2026;x;1;2;10,50;20
`,
  );
  const outputs: [string, Ended][] = [];
  const play = async (...args: string[]) => {
    const ended = await commandIn(scene, ...args);
    outputs.push([args.join(' '), ended]);
    return ended;
  };
  const elsewhere = join(scene.root, 'reports', NAME);
  writeFileSync(elsewhere, export_());
  await play('preview', elsewhere);
  await play('infer', elsewhere, '--target', 'fr-invoice');
  expect((await play('run')).code).toBe(3);
  const entries = await scene.entries();
  expect(new Set(entries.map(({ state }) => state))).toEqual(
    new Set(['authorized', 'rejected', 'in-doubt', 'invalid', 'contingency', 'duplicate']),
  );
  // Somebody changed a receipt and laid another file beside it.
  const receipt = join(scene.root, scene.files('outbox').find((path) => path.endsWith('.receipt.json'))!);
  const told = readFileSync(receipt, 'utf8');
  writeFileSync(receipt, told.replace('"authorized"', JSON.stringify(HOSTILE)));
  writeFileSync(join(dirname(receipt), `x${NAME}.receipt.json`), told);
  for (const json of [[], ['--json']]) {
    await play(...json, 'status');
    await play(...json, 'errors');
    await play(...json, 'errors', '--group', 'cause');
    for (const { id } of entries) await play(...json, 'show', id);
    await play(...json, 'preview', elsewhere);
    await play(...json, 'preview', elsewhere, '--format', 'diff');
    await play(...json, 'preview', elsewhere, '--cell', '2:Client');
    await play(...json, 'diff', 'sales', 'sales');
    await play(...json, 'check');
    await play(...json, 'doctor');
    await play(...json, 'show', HOSTILE);
    await play(...json, 'run', join(scene.root, HOSTILE));
    await play(...json, 'explain', HOSTILE);
    for (const { id } of entries)
      await play(...json, 'fix', id, `PU=1${HOSTILE}`, `Client=${HOSTILE}`, '--reason', HOSTILE);
    await play(...json, 'fix', HOSTILE, 'PU=1', '--reason', 'x');
    await play(...json, 'fix', entries[0]!.id, `${HOSTILE}=1`, '--reason', 'x');
    for (const act of ['reprocess', 'retry', 'release', 'reject']) {
      for (const { id } of entries) await play(...json, act, id, '--dry-run', '--reason', HOSTILE);
      await play(...json, act, HOSTILE, '--reason', 'x');
    }
    await play(...json, 'errors', '--cause', HOSTILE);
    await play(...json, 'errors', '--state', HOSTILE);
    await play(...json, 'schedule', HOSTILE);
    await play(...json, 'verify');
    await play(...json, 'verify', HOSTILE);
    await play(...json, 'ledger', 'restore', join(scene.root, HOSTILE));
    await play(...json, 'backup', join(scene.root, HOSTILE, HOSTILE));
    await play(...json, 'resolve', entries[0]!.id, '--as', 'invalid', '--reason', HOSTILE);
    await play(...json, HOSTILE);
  }
  const found = outputs.flatMap(([what, { out, err }]) => {
    const seen = obeyed(out) ?? obeyed(err);
    return seen === undefined ? [] : [`${what}: ${seen}`];
  });
  expect(found).toEqual([]);
  const shown = outputs.find(([what]) => what.startsWith('--json show'))![1].out;
  expect(JSON.parse(shown)).toMatchObject({ source: { file: expect.stringContaining(NAME) } });
});

test('receipts, summaries, answers and log lines are as harmless, and say the same', async () => {
  await using scene = await hostileNight();
  scene.drop(NAME, export_());
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const texts = ['outbox', 'pending', 'error', 'reports', 'logs']
    .flatMap((folder) => scene.files(folder))
    // The payload is what went over the wire, a file to correct what came from the ERP: both to the byte.
    .filter((path) => !path.endsWith('.payload.json') && !path.includes('.to-fix.'))
    .map((path) => ({ path, text: scene.read(path) }));
  expect(texts.filter(({ path }) => path.endsWith('.receipt.json')).length).toBe(6);
  expect(texts.map(({ path, text }) => [path, obeyed(text)]).filter(([, seen]) => seen !== undefined)).toEqual([]);
  expect(scene.files('.').filter((path) => OBEYED.test(path.replace(/^inbox.*/, '')))).toEqual([]);
  const receipt = texts.find(({ text }) => text.includes('"state": "authorized"'))!.text;
  expect(JSON.parse(receipt)).toMatchObject({ document: { counterparty: SENDABLE, identifier: `F1${SENDABLE}` } });
  for (const { path, text } of texts) {
    if (!path.startsWith('logs')) continue;
    for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('run');
  }
});

test('what was sent comes to the byte out of "show --payload" into a pipe', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']).replaceAll('Client F1', 'Cli\u202eent'));
  await scene.night();
  const { out } = await commandIn(scene, 'show', 'F1', '--payload');
  const file = scene.files('outbox').find((path) => path.endsWith('.payload.json'))!;
  expect(out.trimEnd()).toBe(readFileSync(join(scene.root, file), 'utf8').trimEnd());
  expect(out).toContain('\u202e');
});
