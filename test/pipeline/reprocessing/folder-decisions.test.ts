/** Decisions by files: a receipt copied or moved to pending/release or pending/reject, and whatever else lies there. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scanDecisionFolder } from '../../../src/inbox/moved-receipts.ts';
import { must } from '../../../src/model/must.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { sha256Hex } from '../../../src/text/sha256.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

async function heldNight(numbers: readonly string[], more: object = {}): Promise<Scene> {
  const scene = await openScene({ settings: { run: { 'give-up-after': '5s', hold: { over: { EUR: 1 } } }, ...more } });
  scene.drop('ventes.csv', sales(numbers));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ held: numbers.length });
  return scene;
}

function receiptOf(scene: Scene, number: string): string {
  const path = ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .find((one) => /\/\d{4}-\d\d-\d\d\//.test(one) && one.endsWith(`/${number}.receipt.json`));
  return join(scene.root, path ?? `no receipt of ${number}`);
}

const into = (scene: Scene, folder: string, name: string) => join(scene.root, 'pending', folder, name);
const leftIn = (told: readonly PipelineEvent[]) => told.filter(({ what }) => what === 'left-in-folder');

test('moved or copied to release it is sent, to reject set aside, with the owner of the file and the reason', async () => {
  await using scene = await heldNight(['F1', 'F2', 'F3']);
  for (const folder of ['release', 'reject'])
    expect(scene.read(`pending/${folder}/README.txt`)).toMatch(/ANS|HELD|SET ASIDE/);
  renameSync(receiptOf(scene, 'F1'), into(scene, 'release', 'F1.receipt.json'));
  copyFileSync(receiptOf(scene, 'F2'), into(scene, 'release', 'F2 (1).receipt.json'));
  copyFileSync(receiptOf(scene, 'F2').replace('receipt', 'payload'), into(scene, 'release', 'F2.payload.json'));
  renameSync(receiptOf(scene, 'F3'), into(scene, 'reject', 'F3.receipt.json'));
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  expect(scene.sandbox.acceptances()).toHaveLength(2);
  expect(leftIn(told)).toEqual([]);
  const evidence = (number: string) => JSON.parse(readFileSync(receiptOf(scene, number), 'utf8')).evidence;
  const by = userInfo().username;
  expect(evidence('F1')).toMatchObject({ as: 'ready', by, reason: 'receipt moved to pending/release' });
  expect(evidence('F3')).toMatchObject({ as: 'invalid', by, reason: 'receipt moved to pending/reject' });
  expect(scene.files('pending')).toEqual(['pending/reject/README.txt', 'pending/release/README.txt']);
});

test('a document about which the service has answered is not sent again by a file, and its receipt says what to do', async () => {
  await using scene = await heldNight(['F1']);
  {
    using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
    db.prepare('UPDATE entry SET hold = ?, receipt_due = 1').run('{"rule":"outcome-arrived","says":"code 2"}');
  }
  await scene.night();
  expect(JSON.parse(readFileSync(receiptOf(scene, 'F1'), 'utf8')).next.en).toContain('nightpost resolve NUMBER');
  renameSync(receiptOf(scene, 'F1'), into(scene, 'release', 'F1.receipt.json'));
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ held: 1 });
  expect(leftIn(told)).toMatchObject([{ folder: 'pending/release', files: ['F1.receipt.json (answered)'] }]);
  expect(existsSync(receiptOf(scene, 'F1'))).toBe(true);
  copyFileSync(receiptOf(scene, 'F1'), into(scene, 'reject', 'F1.receipt.json'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
});

test('the receipt of what was set aside says who, when and why, and what brings it back; verify agrees', async () => {
  await using scene = await heldNight(['F1', 'F2'], { rules: { fr: 'wire', sv: 'wire', language: 'fr' } });
  renameSync(receiptOf(scene, 'F1'), into(scene, 'reject', 'F1.receipt.json'));
  await scene.night();
  await commandIn(scene, 'reject', 'F2', '--reason', 'demande du client', '--by', 'anna');
  const receipt = (number: string) => JSON.parse(readFileSync(receiptOf(scene, number), 'utf8'));
  expect(receipt('F1').words).toEqual({ en: 'Set aside', fr: 'Écarté', es: 'Descartado' });
  expect(receipt('F1').evidence.reason).toBe('reçu déplacé dans pending/reject');
  const { next, evidence } = receipt('F2');
  const at = `${evidence.at.slice(0, 10)} ${evidence.at.slice(11, 16)} UTC`;
  expect(next.en).toContain(`anna set it aside on ${at} ("demande du client"). Nothing was sent`);
  expect(next.fr).toContain(`anna l’a écarté le ${at} (« demande du client »). Rien n’a été envoyé`);
  expect(next.es).toContain(`anna lo descartó el ${at} («demande du client»). No se envió nada`);
  const readme = scene.files('error').find((path) => path.endsWith('README.txt'))!;
  expect(scene.read(readme)).toMatch(/^DOCUMENTS QUI DEMANDENT UNE INTERVENTION/);
  expect(scene.read(readme)).toMatch(/\* Écarté\u00a0: Une personne l’a écarté/);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  unlinkSync(receiptOf(scene, 'F2'));
  await commandIn(scene, 'ledger', 'receipts');
  expect(receipt('F2').next).toEqual(next);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  // The way back that the receipt names: corrected it is held again.
  await commandIn(scene, 'fix', 'F2', 'Client=Dupont', '--reason', 'client corrigé');
  expect(tally(await scene.entries())).toEqual({ invalid: 1, held: 1 });
});

test('to be released and rejected: neither is done, until one of the two is gone', async () => {
  await using scene = await heldNight(['F1', 'F2']);
  copyFileSync(receiptOf(scene, 'F1'), into(scene, 'reject', 'F1 (1).receipt.json'));
  for (const number of ['F1', 'F2'])
    copyFileSync(receiptOf(scene, number), into(scene, 'release', `${number}.receipt.json`));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ held: 1, authorized: 1 });
  for (const note of ['release/F1', 'reject/F1 (1)'])
    expect(scene.read(`pending/${note}.receipt.json.note.txt`)).toContain('pending/reject');
  unlinkSync(into(scene, 'release', 'F1.receipt.json'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1, authorized: 1 });
});

test('an older, edited or foreign receipt, or one not held, is refused with a note, put back and reported once', async () => {
  await using scene = await heldNight(['F1', 'F2', 'F3']);
  const old = readFileSync(receiptOf(scene, 'F1'));
  copyFileSync(receiptOf(scene, 'F1'), into(scene, 'release', 'F1.receipt.json'));
  await scene.night();
  writeFileSync(into(scene, 'release', 'old.receipt.json'), old);
  const done = receiptOf(scene, 'F1');
  renameSync(done, into(scene, 'release', 'F1.receipt.json'));
  const edited = receiptOf(scene, 'F2');
  writeFileSync(into(scene, 'release', 'F2.receipt.json'), readFileSync(edited, 'utf8').replace('"hold"', '"held"'));
  unlinkSync(edited);
  writeFileSync(into(scene, 'release', 'foreign.receipt.json'), '{"id":"x"}');
  writeFileSync(into(scene, 'release', 'broken.json'), '{"id":');
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 2 });
  expect(scene.sandbox.acceptances()).toHaveLength(1);
  expect(existsSync(done) && existsSync(edited)).toBe(true);
  const notes = Object.fromEntries(
    scene
      .files('pending/release')
      .filter((path) => path.endsWith('.note.txt'))
      .map((path) => [basename(path, '.note.txt'), scene.read(path).split('\n')[0]]),
  );
  expect(notes).toMatchObject({
    'F1.receipt.json': expect.stringMatching(/receipt|held/),
    'F2.receipt.json': expect.stringMatching(/receipt|held/),
    'foreign.receipt.json': expect.stringMatching(/receipt|held/),
    'broken.json': expect.stringMatching(/receipt|held/),
  });
  // What was done before a crash could keep the file there is taken away.
  expect(existsSync(into(scene, 'release', 'old.receipt.json'))).toBe(false);
  expect(leftIn(told)).toMatchObject([{ folder: 'pending/release', count: 4 }]);
  // Its very receipt is where it belongs again, and no second one stays here.
  expect(existsSync(into(scene, 'release', 'F1.receipt.json'))).toBe(false);
  // The note goes with its receipt, and what was told is not told every night.
  unlinkSync(into(scene, 'release', 'F2.receipt.json'));
  expect(leftIn((await scene.night()).told)).toEqual([]);
  expect(existsSync(into(scene, 'release', 'F1.receipt.json.note.txt'))).toBe(false);
  expect(existsSync(into(scene, 'release', 'F2.receipt.json.note.txt'))).toBe(false);
});

/** As if another version had written the receipt, in other words: the ledger cannot give the same bytes. */
function rewordReceipt(scene: Scene, number: string): Buffer {
  const path = receiptOf(scene, number);
  const before = readFileSync(path);
  const after = Buffer.from(before.toString('utf8').replace('"en": "Held"', '"en": "On hold"'));
  expect(after.equals(before)).toBe(false);
  writeFileSync(path, after);
  using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  const { changes } = db
    .prepare('UPDATE receipt_link SET sha256 = ? WHERE sha256 = ?')
    .run(sha256Hex(after), sha256Hex(before));
  expect(changes).toBe(1);
  return after;
}

test('a receipt of another version, with other words, decides; one that is edited or older is replaced by a new one', async () => {
  await using scene = await heldNight(['F1', 'F2', 'F3']);
  for (const number of ['F1', 'F2', 'F3']) rewordReceipt(scene, number);
  renameSync(receiptOf(scene, 'F1'), into(scene, 'release', 'F1.receipt.json'));
  const edited = receiptOf(scene, 'F2');
  const text = readFileSync(edited, 'utf8').replace('"identifier": "F2"', '"identifier": "F9"');
  writeFileSync(into(scene, 'release', 'F2.receipt.json'), text);
  unlinkSync(edited);
  copyFileSync(receiptOf(scene, 'F3'), into(scene, 'release', 'F3.receipt.json'));
  copyFileSync(receiptOf(scene, 'F3'), into(scene, 'reject', 'F3.receipt.json'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 2 });
  expect(scene.sandbox.acceptances()).toHaveLength(1);
  expect(JSON.parse(readFileSync(edited, 'utf8')).words.en).toBe('Held');
  expect(JSON.parse(readFileSync(receiptOf(scene, 'F3'), 'utf8')).words.en).toBe('On hold');
});

test('a receipt of another version decides when an edited copy of it is read first', async () => {
  await using scene = await heldNight(['F1']);
  const bytes = rewordReceipt(scene, 'F1');
  for (const name of ['a.json', 'b.json']) writeFileSync(into(scene, 'release', name), bytes);
  // Written in place: the order in which the folder is read stays.
  const first = await firstReceiptIn(join(scene.root, 'pending/release'));
  writeFileSync(
    into(scene, 'release', first),
    bytes.toString('utf8').replace('"identifier": "F1"', '"identifier": "F9"'),
  );
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(existsSync(into(scene, 'release', first === 'a.json' ? 'b.json' : 'a.json'))).toBe(false);
  expect(existsSync(into(scene, 'release', `${first}.note.txt`))).toBe(true);
  await scene.night();
  expect(existsSync(into(scene, 'release', first))).toBe(false);
});

async function firstReceiptIn(folder: string): Promise<string> {
  const { receipts } = await scanDecisionFolder(folder);
  return must(receipts[0], 'a receipt');
}

test('links, pipes, folders and a crowd are left, and hold nothing up', async () => {
  await using scene = await heldNight(['F1', 'F2']);
  const folder = join(scene.root, 'pending/release');
  symlinkSync(receiptOf(scene, 'F2'), join(folder, 'F2.receipt.json'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.receipt.json')]);
  mkdirSync(join(folder, 'folder.receipt.json'));
  for (let n = 0; n < 5000; n++) writeFileSync(join(folder, `${n}.txt`), '');
  copyFileSync(receiptOf(scene, 'F1'), join(folder, 'F1.receipt.json'));
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 1 });
  const [left, ...more] = leftIn(told);
  expect(more).toEqual([]);
  expect(left).toMatchObject({ count: 5003 });
  expect(left && 'files' in left && left.files).toHaveLength(5);
  expect(existsSync(join(folder, 'F2.receipt.json'))).toBe(true);
  // Named once, also by other runs; again when there is more of it.
  expect(leftIn((await scene.night()).told)).toEqual([]);
  writeFileSync(join(folder, 'letter.doc'), '');
  expect(leftIn((await scene.night()).told)).toMatchObject([{ count: 5004 }]);
});

test('a watch carries out decisions too, and reports once the files that it leaves', async () => {
  await using scene = await heldNight(['F1'], { inbox: { settle: '1ms', scan: '50ms' } });
  writeFileSync(into(scene, 'reject', 'letter.doc'), '');
  const stop = new AbortController();
  const told: PipelineEvent[] = [];
  const over = scene.night({ watch: true, stop: stop.signal, onEvent: (one) => told.push(one) });
  await wait(200);
  copyFileSync(receiptOf(scene, 'F1'), into(scene, 'release', 'F1.receipt.json'));
  await expect.poll(() => scene.sandbox.acceptances().length).toBe(1);
  stop.abort();
  await over;
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(leftIn(told)).toHaveLength(1);
});

test('a receipt that was carried off does no harm', async () => {
  await using scene = await heldNight(['F1', 'F2']);
  const release = into(scene, 'release', 'F1.receipt.json');
  copyFileSync(receiptOf(scene, 'F1'), release);
  unlinkSync(receiptOf(scene, 'F1').replace('receipt', 'payload'));
  unlinkSync(receiptOf(scene, 'F1'));
  renameSync(receiptOf(scene, 'F2'), join(scene.root, 'pending', 'F2.receipt.json'));
  await scene.night();
  expect(receiptOf(scene, 'F1')).toContain('/outbox/');
  await scene.look(async (ledger) => {
    for await (const { id } of ledger.queries.find({ ids: ['F2'] })) {
      await ledger.submissions.resolve(id, { as: 'ready', by: 'a', at: new Date().toISOString(), reason: 'r' });
    }
  });
  await scene.night();
  expect(receiptOf(scene, 'F2')).toContain('/outbox/');
});

test.each([
  ['en', /set aside/, 'to correct', /set it aside/],
  ['fr', /écarté/, 'à corriger', /l’a écarté/],
  ['es', /descartado/, 'por corregir', /lo descartó/],
] as const)(
  'a document that a person has set aside is shown as such, and not as one to correct (%s)',
  async (language, word, wrong, says) => {
    await using scene = await heldNight(['F1'], { rules: { fr: 'wire', sv: 'wire', language } });
    renameSync(receiptOf(scene, 'F1'), into(scene, 'reject', 'F1.receipt.json'));
    for (const args of [['run'], ['status'], ['show', 'F1'], ['errors', 'F1'], ['errors', '--group', 'cause', 'F1']]) {
      const { out } = await commandIn(scene, ...args);
      if (args[1] !== '--group') expect(out.toLowerCase()).toMatch(word);
      expect(out.toLowerCase()).not.toContain(wrong);
      expect(out).not.toContain('nightpost fix');
      if (args[0] === 'show' || args[1] === '--group') expect(out).toMatch(says);
    }
  },
);
