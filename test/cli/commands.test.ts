/** The commands as a scheduler or an operator meets them: real processes, their exit codes, what stands on which stream. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { command, commandIn, type Ended, runIn, startIn } from '../program.ts';

const ESC = '\u001b';

function json(ended: Ended): unknown {
  expect(ended.out).not.toContain(ESC);
  return JSON.parse(ended.out);
}

async function until(what: () => boolean): Promise<void> {
  await expect.poll(what).toBe(true);
}

describe('usage', () => {
  test.each([
    [['--nonsense'], '--nonsense'],
    [['stauts'], 'Did you mean status?'],
    [['run', '-c', 'many'], 'whole number'],
    [['errors', '--state', 'autorized'], 'Did you mean authorized?'],
    [['-C', '/nonexistent', 'run'], 'nightpost init'],
  ])('%j -> 2', async (args, says) => {
    const { code, out, err } = await command(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });

  test('help and version are no errors', async () => {
    expect(await command(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect((await command(['run', '--help'])).code).toBe(0);
  });
});

test('an unknown environment, and settings with faults: all of them, marked, on stderr', async () => {
  await using scene = await openScene();
  const environment = await commandIn(scene, '--env', 'prod', 'run');
  expect(environment).toMatchObject({ code: 2, out: '' });
  expect(environment.err).toContain('config/unknown-environment');
  const path = join(scene.root, 'nightpost.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('client-secret:', 'client-secrett:').replace('settle: 1ms', 'settle: soon'));
  const { code, out, err } = await commandIn(scene, 'run');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/nightpost\.yaml:\d+:\d+/);
  expect(err).toContain('client-secrett');
  expect(err).toContain('client-secret');
  expect(err).toContain('expected a duration');
  const check = json(await commandIn(scene, '--json', 'check')) as { errors: number };
  expect(check.errors).toBeGreaterThanOrEqual(2);
});

test('a run changes nothing when a mapping is wrong; commands that only read report it and work', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X6']));
  await scene.night();
  const path = join(scene.root, 'mappings/sales.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('target: fr-invoice', 'target: fr-invoce'));
  scene.drop('ventes-2.csv', sales(['F3']));
  for (const name of ['run', 'watch']) {
    const { code, err } = await commandIn(scene, name);
    expect(code).toBe(2);
    expect(err).toMatch(/mappings\/sales\.yaml:4:9 {2}error map\/no-such-target .*\n.*\n.*did you mean "fr-invoice"/);
    expect(err).toContain('mapping/invalid: a mapping has a fault\n  nothing was taken from the inbox or sent');
  }
  expect(scene.files('inbox')).toEqual(['inbox/ventes-2.csv']);
  const wrong = /NOTHING IS IMPORTED OR SENT until this is corrected: mappings\/sales\.yaml:4:9 .*fr-invoce/;
  for (const args of [['status'], ['errors'], ['errors', '--group', 'cause'], ['show', 'F2-X6'], ['verify', '--all']]) {
    const { code, err, out } = await commandIn(scene, ...args);
    expect(err).toMatch(wrong);
    expect(code, args[0]).toBe(0);
    expect(out).toMatch(/rejected|F2-X6|chain/);
  }
  expect(json(await commandIn(scene, '--json', 'status'))).toMatchObject({
    documents: { authorized: 1, rejected: 1 },
    mappingFaults: [{ code: 'map/no-such-target' }],
  });
  const doctor = await commandIn(scene, 'doctor', '--offline');
  expect(doctor).toMatchObject({ code: 2, out: expect.stringMatching(wrong) });
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  mkdirSync(join(scene.root, 'mappings/folder.yaml'));
  const unreadable = await commandIn(scene, 'run');
  expect(unreadable).toMatchObject({
    code: 2,
    err: expect.stringContaining('mapping/unreadable: mappings/folder.yaml cannot'),
  });
});

describe('a night', () => {
  test('0 and silence with -q; 3 with the table where people are needed; one JSON value with --json', async () => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1', 'F2']));
    expect(await commandIn(scene, '-q', 'run')).toEqual({ code: 0, out: '', err: '' });
    scene.drop('ventes-2.csv', sales(['F3', 'F4-X6', 'F5-X8', 'F6-XLOST']));
    const table = await runIn(scene, 'run');
    expect(table.code).toBe(3);
    expect(table.out + table.err).not.toContain(ESC);
    expect(table.out).toMatch(/ventes-2\.csv +4 +1 +1 +1 +1 +50\.40 EUR/);
    expect(table.out).toContain('1 to correct, 1 to verify');
    scene.drop('ventes-3.csv', sales(['F7-X4']));
    const told = await commandIn(scene, '--json', 'run');
    expect(told.code).toBe(3);
    expect(json(told)).toMatchObject({
      files: [{ file: 'ventes-3.csv', documents: 1, counts: { failed: 1 } }],
      stops: [],
    });
    await expectLooks(scene);
  });

  test('what an earlier run queued counts for the run that sends it', async () => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1', 'F2-X6']));
    expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
    expect(scene.sandbox.requests().fr.submit).toBe(0);
    const { code, out } = await commandIn(scene, 'run', '-c', '2');
    expect(code).toBe(3);
    expect(out).toContain('ventes.csv');
  });

  test('exits with 4 for a wrong secret, 5 without an answer: the documents stay queued', async () => {
    await using scene = await openScene({ settings: { run: { 'give-up-after': '1s' } } });
    scene.drop('ventes.csv', sales(['F1']));
    const args = ['-C', scene.root, 'run'];
    const env = { NIGHTPOST_SANDBOX_FR_SECRET: 'another-password', NIGHTPOST_SANDBOX_SV_CREDENTIALS: 'a:b' };
    const wrong = await command(args, env);
    expect(wrong.code).toBe(4);
    expect(wrong.err).toContain('fr: stopped (sign-in refused)');
    await scene.sandbox.close();
    const down = await command(args, env);
    expect(down.code).toBe(5);
    expect(down.err).toContain('fr: stopped (the service cannot be reached)');
    expect(tally(await scene.entries())).toEqual({ ready: 1 });
  });

  test('6 while another run works, whose end can be asked for: 143, requests drained, and status looks on', async () => {
    await using scene = await openScene({ sandbox: { latencyMs: 150 }, services: { fr: { concurrency: 2 } } });
    scene.drop('ventes.csv', sales(Array.from({ length: 600 }, (_, n) => `F${n}`)));
    const first = startIn(scene, 'run');
    await until(() => scene.sandbox.requests().fr.submit > 3);
    const second = await runIn(scene, 'run');
    expect({ code: second.code, out: second.out }).toEqual({ code: 6, out: '' });
    expect(second.err).toContain('ledger/locked');
    const status = json(await runIn(scene, '--json', 'status'));
    expect(status).toMatchObject({ guard: { send: true }, documents: { sending: expect.any(Number) } });
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    expect(ended.code).toBe(143);
    expect(ended.err).toContain('Stopping: Nightpost finishes the documents in progress');
    const counts = tally(await scene.entries());
    expect(Object.keys(counts).sort()).toEqual(['authorized', 'ready']);
    expect(scene.sandbox.requests().fr.submit).toBe(counts.authorized);
  });

  test('130 on Ctrl+C; a second one ends at once, and what was under way is in doubt afterwards', async () => {
    // No answer: it can end only by the second signal, once the first one was heard.
    await using scene = await openScene({ sandbox: { latencyMs: 60_000 } });
    scene.drop('ventes.csv', sales(['F1']));
    const { child, ended } = startIn(scene, 'run');
    let err = '';
    child.stderr!.on('data', (chunk) => {
      err += chunk;
    });
    await until(() => scene.sandbox.requests().fr.submit === 1);
    child.kill('SIGINT');
    await until(() => err.includes('Stopping: Nightpost finishes the documents in progress'));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    scene.sandbox.tune({ latencyMs: 0 });
    expect((await runIn(scene, 'run')).code).toBe(3);
    expect(tally(await scene.entries())).toEqual({ 'in-doubt': 1 });
  });
});

/** After a night: every command that only looks. */
async function expectLooks(scene: Scene): Promise<void> {
  expect(json(await commandIn(scene, '--json', 'status'))).toMatchObject({ guard: { send: true }, inbox: 0 });
  const status = await commandIn(scene, 'status');
  expect(status.out).not.toContain('NOTHING IS SENT');
  const errors = json(await commandIn(scene, '--json', 'errors')) as { documents: { id: string; name: string }[] };
  expect(errors.documents).toHaveLength(3);
  const grouped = await commandIn(scene, 'errors', '--group', 'cause');
  expect(grouped.out).toMatch(/1 +fr:6/);
  expect(grouped.out).toMatch(/1 +in-doubt/);
  const [{ id, name }] = errors.documents as [{ id: string; name: string }];
  for (const known of [id, name, 'F4-X6']) {
    expect(json(await commandIn(scene, '--json', 'show', known))).toMatchObject({ id });
  }
  const unknown = await commandIn(scene, 'show', 'F99');
  expect({ code: unknown.code, out: unknown.out }).toEqual({ code: 2, out: '' });
}

test('preview: every document, one of them, and what is wrong with a file; nothing is recorded', async () => {
  await using scene = await openScene();
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, sales(['F1', 'F2']).replace('Client F2;1;2;', 'Client F2;1;2,5O;'));
  const all = await commandIn(scene, '--json', 'preview', path);
  expect(all.code).toBe(3);
  expect(json(all)).toMatchObject([
    { identifier: 'F1', valid: true },
    { identifier: 'F2', valid: false },
  ]);
  const one = await commandIn(scene, 'preview', path, '--doc', 'F1');
  expect(one.code).toBe(0);
  expect(one.out).toMatch(/\/document\/identifier +"F1" +2:Num/);
  expect(one.out).not.toContain('F2');
  expect(json(await commandIn(scene, '--json', 'preview', path, '--doc', 'F3'))).toEqual([]);
  writeFileSync(path, `${sales(['F1'])}"F2;never closed`);
  const broken = await commandIn(scene, 'preview', path);
  expect(broken.code).toBe(2);
  expect(broken.err).toContain('csv/quote-not-closed');
  expect(await scene.entries()).toEqual([]);
});

test('consult: says what it would ask, then asks; the receipt moves from pending to outbox', async () => {
  const becomes = { code: 2, afterSeconds: 0, afterConsultations: 0 };
  await using scene = await openScene({ sandbox: { becomes } });
  scene.drop('ventes.csv', sales(['F1-X8']));
  await scene.night();
  const receipts = (folder: string) => scene.files(folder).filter((path) => path.endsWith('.receipt.json'));
  expect(receipts('pending')).toHaveLength(1);
  expect(json(await commandIn(scene, '--json', 'consult', '--dry-run', 'F1-X8'))).toMatchObject({
    dryRun: true,
    asked: [{ service: 'fr', documents: [{ number: 'F1-X8' }] }, { service: 'sv' }],
  });
  expect(tally(await scene.entries())).toEqual({ contingency: 1 });
  const asked = await commandIn(scene, '--json', 'consult', 'F1-X8');
  expect(asked.code).toBe(0);
  expect(json(asked)).toMatchObject({
    dryRun: false,
    asked: [{ documents: [{ number: 'F1-X8', state: 'authorized' }] }, { documents: [] }],
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect({ pending: receipts('pending'), outbox: receipts('outbox').length }).toEqual({ pending: [], outbox: 1 });
  expect(scene.files('outbox').filter((path) => path.endsWith('.summary.json'))).toHaveLength(1);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('doctor: everything in place is 0, a refused secret is 2; a copied ledger sends nothing until a person accepts it', async () => {
  await using scene = await openScene();
  const checks = json(await commandIn(scene, '--json', 'doctor')) as { what: string; result: string }[];
  expect(checks.filter(({ result }) => result === 'error')).toEqual([]);
  expect(checks.map(({ what }) => what)).toContain('service fr, credentials');
  const env = { NIGHTPOST_SANDBOX_FR_SECRET: 'another-password', NIGHTPOST_SANDBOX_SV_CREDENTIALS: 'a:b' };
  expect((await command(['-C', scene.root, 'doctor'], env)).code).toBe(2);
  scene.drop('ventes.csv', sales(['F1']));
  const witness = join(scene.root, 'state/installation.json');
  writeFileSync(witness, readFileSync(witness, 'utf8').replace(/"generation":"0/, '"generation":"9'));
  const refused = await commandIn(scene, 'run');
  expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' });
  expect(refused.err).toContain('ledger/older');
  expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);
  expect((await commandIn(scene, 'status')).out).toContain('NOTHING IS SENT (ledger/older)');
  expect((await commandIn(scene, 'doctor', '--accept-ledger', 'the backup is the latest')).code).toBe(0);
  // What was sent since is learnt as far as receipts tell it; until a person has compared, everything is held.
  expect((await commandIn(scene, 'run')).code).toBe(3);
  expect(tally(await scene.entries())).toEqual({ held: 1 });
});

describe('watch', () => {
  test('takes what is dropped, writes its receipts while it stays, ends on SIGTERM with 143', async () => {
    await using scene = await openScene({ settings: { inbox: { settle: '1ms', scan: '100ms' } } });
    const { child, ended } = startIn(scene, 'watch');
    scene.drop('ventes.csv', sales(['F1']));
    await until(() => scene.files('outbox').some((path) => path.endsWith('F1.receipt.json')));
    scene.drop('ventes-2.csv', sales(['F2']).replace('Client F2;1;2;', 'Client F2;1;2,5O;'));
    await until(() => scene.files('error').some((path) => path.endsWith('F2.receipt.json')));
    await until(() => scene.files('archive').length === 2);
    scene.drop('ventes-3.csv', sales(['F1', 'F3']).replaceAll('Client F1', 'Another one'));
    scene.drop('ventes-4.csv', `${sales(['F1'])}\n`);
    await until(() => scene.files('archive').length === 4);
    child.kill('SIGTERM');
    const { code, err } = await ended;
    expect(code).toBe(143);
    expect(err).toContain('ventes.csv: imported, 1 document\n');
    expect(err).toContain('ventes-2.csv: imported, 1 document; 1 to correct; list: nightpost errors\n');
    expect(err).toContain('ventes-3.csv: imported, 2 documents; 1 number already used; list: nightpost errors\n');
    expect(err).toContain('ventes-4.csv: imported, 1 document; 1 duplicate\n');
    expect(tally(await scene.entries())).toMatchObject({ invalid: 1, conflict: 1, duplicate: 1 });
  });
});
