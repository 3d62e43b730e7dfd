/**
 * A member of the group of the shared folders, and the account of an ERP whose folder answers go to, mean harm: pipes, links and forged
 * files at the names that the program reads and writes. Nothing hangs, nothing outside is changed or sent, nothing forged counts.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { groupId } from '../../src/instance/share-folders.ts';
import { attachedFiles } from '../../src/notices/send-mail.ts';
import { keepAnswerNumbers, readAnswerNumbers } from '../../src/receipts/place-answer-file.ts';
import { localDay, lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { accountFiles } from '../../src/views/queries/file-accounts.ts';
import { openScene, type Scene, type SceneOptions, sales, tally } from '../night.ts';
import { runAs } from '../program.ts';

const GROUP = 'users';
const GID = groupId(GROUP) ?? 0;
const OURS = [61_001, GID] as const;
const MEMBER = [61_002, GID] as const;
const asRoot = test.skipIf(process.getuid?.() !== 0 || GID === 0);
const day = localDay(new Date(), machineZone());

function owned(scene: Scene): void {
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  chmodSync(join(scene.root, 'nightpost.yaml'), 0o600);
}

/** One document is sent, one held, one to correct. */
async function sharedNight({ settings, ...options }: SceneOptions = {}): Promise<Scene> {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } };
  const scene = await openScene({ ...options, settings: { share: { group: GROUP }, run, ...settings } });
  owned(scene);
  drop(scene, 'ventes.csv', sales(['F1', 'F2', 'F3']).replace('F2;1;2;', 'F2;1;2O;').replaceAll('F3;1;2;', 'F3;1;90;'));
  expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  return scene;
}

function drop(scene: Scene, name: string, content: string): void {
  scene.drop(name, content);
  chownSync(join(scene.root, 'inbox', name), ...OURS);
}

/** A shell command of the member; the folder of the instance is private, its four shared folders are. */
function memberDoes(scene: Scene, command: string): void {
  const [uid, gid] = MEMBER;
  const line = `umask 022; cd "${scene.root}/pending" && ${command}`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { uid, gid, cwd: '/' });
  expect(status, `${command}: ${stderr}`).toBe(0);
}

/** Ends within the time of the test, as a command that waits for a pipe does not. */
const ends = async (scene: Scene, ...args: string[]) => (await runAs(scene, OURS, ...args)).code;

asRoot(
  'pipes at every name that a run, verify, report and restore read: nothing waits for them',
  async () => {
    await using scene = await sharedNight();
    const shared = ['error', 'pending', 'reports'].flatMap((folder) => scene.files(folder));
    expect(shared.length).toBeGreaterThan(6);
    for (const path of shared) memberDoes(scene, `rm -f "../${path}" && mkfifo -m 666 "../${path}"`);
    memberDoes(scene, 'mkdir -p release reject');
    for (const folder of ['release', 'reject'])
      for (const name of ['left-alone.note.txt', 'README.txt', 'F3.receipt.json', 'x.note.txt'])
        memberDoes(scene, `rm -f ${folder}/${name} && mkfifo -m 666 ${folder}/${name}`);
    memberDoes(scene, 'mkfifo -m 666 ../inbox/ventes-9.csv');
    expect(await ends(scene, 'run')).toBeOneOf([0, 3, 5]);
    expect(await ends(scene, 'verify')).toBe(3);
    expect(await ends(scene, 'status')).toBeOneOf([0, 3]);
    expect(await ends(scene, 'doctor', '--offline')).toBeOneOf([0, 2]);
    expect(await ends(scene, 'report', 'latest')).toBeOneOf([0, 2, 3]);
    rmSync(join(scene.root, 'state/ledger.sqlite'));
    expect(await ends(scene, 'ledger', 'rebuild')).toBe(3);
  },
  120_000,
);

asRoot('the account of an export is not read from what a member has put in the place of its summary', async () => {
  await using scene = await openScene({ settings: { share: { group: GROUP } } });
  owned(scene);
  const many = Array.from({ length: 2600 }, (_, n) => `G${n + 1}`);
  drop(scene, 'ventes.csv', sales(many).replace('G2;1;2;', 'G2;1;2O;'));
  expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  const account = async () => {
    await using ledger = await lookIntoLedgerOf(scene.instance());
    const files = await ledger.queries.files({ limit: 1 });
    const [found] = await accountFiles({ instance: { folder: scene.root }, ledger }, files);
    return found;
  };
  const [summary = ''] = scene.files('error').filter((path) => path.endsWith('.summary.json'));
  const right = await account();
  expect(right?.documents).toMatchObject({ outbox: 2599, error: 1 });
  const text = scene.read(summary);
  memberDoes(scene, `mv "../${summary}" ../error/${day}/was`);
  // Longer than what is read at once, so that its hash was not compared.
  writeFileSync(
    join(scene.root, 'error', day, 'forged'),
    text.replace('"outbox": 2599', '"outbox": 9999').replace(/\n\}\s*$/, `${' '.repeat(600_000)}\n}`),
  );
  chownSync(join(scene.root, 'error', day, 'forged'), ...MEMBER);
  memberDoes(scene, `mv ../error/${day}/forged "../${summary}"`);
  expect((await account())?.documents.outbox).not.toBe(9999);
  memberDoes(scene, `rm "../${summary}" && mkfifo -m 666 "../${summary}"`);
  expect((await account())?.documents.outbox).not.toBe(9999);
  memberDoes(scene, `rm "../${summary}" && mv ../error/${day}/was "../${summary}"`);
  expect(await account()).toEqual(right);
});

asRoot('links and folders of a member in the place of ours: nothing is removed or written there', async () => {
  await using scene = await sharedNight();
  const outbox = () => scene.files('outbox').map((path) => [path, scene.read(path)]);
  const before = outbox();
  memberDoes(scene, `mv release was && ln -s ../outbox/${day} release`);
  expect(await ends(scene, 'run')).toBe(5);
  expect(outbox()).toEqual(before);
  const blocked = async () => {
    const { out } = await runAs(scene, OURS, '--json', 'doctor', '--offline');
    const checks: readonly { readonly what: string; readonly result: string; readonly hint: string }[] =
      JSON.parse(out);
    return checks.filter(({ what, result }) => what === 'writing' && result === 'error').map(({ hint }) => hint !== '');
  };
  expect(await blocked()).toEqual([true]);
  memberDoes(scene, 'rm release && mkdir -m 777 release');
  expect(await ends(scene, 'run')).toBe(5);
  expect(await blocked()).toEqual([true]);
  memberDoes(scene, 'rmdir release && echo mine > release');
  expect(await ends(scene, 'run')).toBe(5);
  expect(await blocked()).toEqual([true]);
  memberDoes(scene, 'rm -r release && mv was release');
  expect(await blocked()).toEqual([]);
  memberDoes(scene, `mv ../error/${day} ../error/was && ln -s ../mappings ../error/${day}`);
  const mappings = scene.files('mappings');
  drop(scene, 'ventes-5.csv', sales(['F5']).replace('F5;1;2;', 'F5;1;2O;'));
  expect(await ends(scene, 'run')).toBe(5);
  expect(scene.files('mappings')).toEqual(mappings);
  expect(await blocked()).toEqual([true]);
  memberDoes(scene, `rm ../error/${day} && mv ../error/was ../error/${day}`);
  expect(await ends(scene, 'run')).toBe(3);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 1, invalid: 2 });
});

asRoot('a folder that is renamed while it is made gets the mode, and nothing else does', async () => {
  await using scene = await sharedNight();
  const mode = (path: string) => (statSync(join(scene.root, path)).mode & 0o7777).toString(8);
  const [root, pending] = [mode(''), mode('pending')];
  const loop =
    'n=0; while :; do n=$((n+1)); mv -T release r$n 2>/dev/null && ln -s .. release 2>/dev/null; rm -f release 2>/dev/null; done';
  const [uid, gid] = MEMBER;
  const member = spawn('sh', ['-c', `cd "${scene.root}/pending" && ${loop}`], { uid, gid, stdio: 'ignore' });
  try {
    for (let n = 0; n < 4; n++) await ends(scene, 'run');
  } finally {
    member.kill('SIGKILL');
  }
  expect([mode(''), mode('pending')]).toEqual([root, pending]);
});

asRoot('forged receipts and summaries stop nothing, and a rebuild learns nothing from them', async () => {
  await using scene = await sharedNight();
  memberDoes(scene, `echo '{"summary":1,"file":{"id":"zzz","state":"admitted"}}' > ../error/${day}/zz.summary.json`);
  const receipt = scene.files('error').find((path) => path.endsWith('F2.receipt.json'))!;
  const forged = JSON.parse(readFileSync(join(scene.root, receipt), 'utf8'));
  const id = `${forged.id.slice(0, -4)}ffff`;
  const text = JSON.stringify({ ...forged, id, state: 'authorized' })
    .replaceAll('F2', 'C-777')
    .replaceAll("'", '');
  memberDoes(scene, `printf '%s' '${text}' > ../error/${day}/C-777.receipt.json`);
  drop(scene, 'ventes-2.csv', sales(['F4']));
  expect(await ends(scene, 'run')).toBe(0);
  expect(tally(await scene.entries()).authorized).toBe(2);
  for (const end of ['', '-wal', '-shm']) rmSync(join(scene.root, `state/ledger.sqlite${end}`), { force: true });
  expect(await ends(scene, 'ledger', 'rebuild')).toBe(3);
  const known = (await scene.entries()).map(({ facts }) => facts.identifier);
  expect(known.toSorted()).toEqual(['F1', 'F2', 'F3', 'F4']);
});

asRoot('receipts of a run by root count, in shared and in private folders', async () => {
  await using scene = await sharedNight();
  for (const path of ['outbox', 'error', 'pending'].flatMap((folder) => scene.files(folder))) {
    chownSync(join(scene.root, path), 0, 0);
    chmodSync(join(scene.root, path), 0o644);
  }
  for (const end of ['', '-wal', '-shm']) rmSync(join(scene.root, `state/ledger.sqlite${end}`), { force: true });
  expect(await ends(scene, 'ledger', 'rebuild')).toBe(0);
  expect(await scene.entries()).toHaveLength(3);
});

test('a link in the place of the mark of an answers folder is not followed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-erp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [canary, erp] = [join(folder, 'canary'), join(folder, 'erp')];
  mkdirSync(erp);
  writeFileSync(canary, 'untouched');
  for (const name of ['.nightpost-answers.new', '.nightpost-answers']) symlinkSync(canary, join(erp, name));
  await keepAnswerNumbers(erp, new Map([['sales', 3]]));
  expect(readFileSync(canary, 'utf8')).toBe('untouched');
  expect(await readAnswerNumbers(erp)).toEqual(new Map([['sales', 3]]));
});

asRoot('a mail carries no file that another account has put in the place of a report', async () => {
  await using scene = await sharedNight();
  const [report = ''] = scene.files('reports').filter((path) => path.endsWith('.html'));
  const names = async () => (await attachedFiles([report], scene.root)).map(({ filename }) => filename);
  chownSync(join(scene.root, report), process.getuid!(), GID);
  expect(await names()).toHaveLength(1);
  memberDoes(scene, `rm "../${report}" && echo forged > "../${report}"`);
  expect(await names()).toEqual([]);
  memberDoes(scene, `rm "../${report}" && ln -s ../../secrets/fr "../${report}"`);
  expect(await names()).toEqual([]);
});
