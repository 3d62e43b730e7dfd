/** Purge: what goes, what never goes, and that nothing can be issued again because it was forgotten. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { ago } from '../../src/instance/retention-age.ts';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import { systemClock } from '../../src/runs/open-run.ts';
import { sha256Hex } from '../../src/text/sha256.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const YEAR_MS = 365 * 86_400_000;
/** Takes all that lies in the inbox, at once: to a clock of then it would seem to come from the future. */
const nightAgo = (there: Scene, years: number) =>
  there.night({
    clock: { ...systemClock, now: () => new Date(Date.now() - years * YEAR_MS) },
    files: there.files('inbox').map((path) => join(there.root, path)),
  });
const keep = { archive: '5y', receipts: '5y', content: '5y', logs: '90d' };
const scene = (settings: object = { keep }) => openScene({ settings });
const purge = (there: Scene, ...args: string[]) => commandIn(there, 'purge', '--reason', 'retention', ...args);
const summaries = (there: Scene) =>
  ['outbox', 'pending', 'error', 'reports'].flatMap((folder) =>
    there.files(folder).filter((path) => /(summary\.json|answers\.xml)$/.test(path)),
  );
const receipts = (there: Scene, folder: string) =>
  there.files(folder).filter((path) => /(receipt|payload)\.json$/.test(path));

test.each([
  ['90d', '2026-11-21T10:00:00Z', '2026-08-23T10:00:00Z'],
  ['90 d', '2026-11-21T10:00:00Z', '2026-08-23T10:00:00Z'],
  ['1y', '2028-02-29T10:00:00Z', '2027-02-28T10:00:00Z'],
  ['10y', '2026-11-21T10:00:00Z', '2016-11-21T10:00:00Z'],
])('%s before %s', (text, now, then) => {
  expect(ago(text, new Date(now))).toBe(Date.parse(then));
});

test('seven years later: receipts, content and export go, and the same export, or its documents, is sent nowhere', async () => {
  await using there = await scene();
  const content = sales(['F1', 'F2']);
  there.drop('ventes.csv', content);
  await nightAgo(there, 7);
  there.drop('ventes-new.csv', sales(['F3']));
  await there.night();
  const dry = await commandIn(there, 'purge', '--dry-run');
  expect(dry.out).toMatch(
    /Would be removed:\n {2}2 receipts with payload \(older than \d{4}-\d\d-\d\d\)\n {2}2 contents in the ledger \(older than .*\)\n/,
  );
  expect(receipts(there, 'outbox')).toHaveLength(6);
  const ended = await purge(there);
  expect(ended).toMatchObject({ code: 0 });
  expect(receipts(there, 'outbox').map((path) => path.split('/')[2])).toEqual(['F3.payload.json', 'F3.receipt.json']);
  expect(there.files('archive').filter((path) => path.endsWith('.csv'))).toHaveLength(1);
  const all = await there.look(async (ledger) => {
    const found = [];
    for await (const entry of ledger.queries.find({}))
      found.push([entry.facts, await ledger.queries.contentOf(entry.id)]);
    return JSON.stringify(found);
  });
  expect(all).not.toContain('Client F1');
  expect(all).toContain('Client F3');
  const sent = there.sandbox.requests().fr.submit;
  there.drop('ventes-same.csv', content);
  there.drop('ventes-again.csv', content.replaceAll('\n', '\r\n'));
  there.drop('ventes-other.csv', sales(['F1'], '3'));
  const { told } = await there.night();
  expect(there.sandbox.requests().fr.submit).toBe(sent);
  expect(told.some(({ what }) => what === 'file-duplicate')).toBe(true);
  expect(tally(await there.entries())).toEqual({ authorized: 3, duplicate: 2, conflict: 1 });
});

test('show, verify and the ledger say who removed what, and why; done again there is nothing to do', async () => {
  await using there = await scene();
  there.drop('ventes.csv', sales(['F1']));
  await nightAgo(there, 7);
  await purge(there, '--by', 'anna');
  const shown = await commandIn(there, 'show', 'F1');
  expect(shown.out).toMatch(
    /receipt and payload, content, names, amounts and responses removed .* by anna: retention; its identity is kept/,
  );
  expect(shown.out).toMatch(/its export removed .* by anna/);
  const proof = await commandIn(there, 'verify');
  expect(proof.out).toMatch(/purged +2 documents and exports/);
  expect(proof.code).toBe(0);
  expect((await purge(there)).out).toMatch(/Removed:\n {2}0 receipts with payload .*\n {2}0 contents/);
});

test('the details of events go with the content, and verify still proves each event', async () => {
  await using there = await scene();
  there.drop('ventes.csv', sales(['F1-XLOST', 'F2']));
  await nightAgo(there, 7);
  const doubtful = (await there.entries()).find(({ state }) => state === 'in-doubt')!;
  const by = { by: 'anna', at: '2020-01-01T08:00:00.000Z', reason: 'Client F1 said so' };
  await there.look(async (ledger) => {
    await ledger.submissions.resolve(doubtful.id, { as: 'authorized', ...by });
    await ledger.corrections.recordCorrections(doubtful.file.id, [
      { ...by, row: 2, column: 'Client', from: 'Client F1', to: 'X' },
    ]);
  });
  await there.night();
  const read = () => {
    using db = new DatabaseSync(join(there.root, 'state/ledger.sqlite'), { readOnly: true });
    return db.prepare('SELECT * FROM event ORDER BY n').all();
  };
  expect(JSON.stringify(read())).toContain('Client F1');
  expect(await purge(there)).toMatchObject({ code: 0 });
  expect(JSON.stringify(read())).not.toContain('Client F1');
  expect(await commandIn(there, 'verify')).toMatchObject({ code: 0 });
  // Only a purge may take a detail away.
  {
    using db = new DatabaseSync(join(there.root, 'state/ledger.sqlite'));
    const set = `UPDATE event SET detail = NULL, detail_sha256 = ? WHERE n = ?`;
    const [one] = read().filter(({ detail }) => detail !== null);
    db.prepare(set).run(sha256Hex(String(one!.detail)), one!.n!);
  }
  expect(await commandIn(there, 'verify')).toMatchObject({ code: 3 });
});

test('summaries and answers go with the last of their receipts, and verify misses neither', async () => {
  await using there = await scene({ keep: { receipts: '5y' }, receipts: { answers: 'xml' } });
  there.drop('ventes.csv', sales(['F1', 'F2']));
  there.drop('ventes-2.csv', sales(['F3', 'F4-X6']));
  await nightAgo(there, 7);
  expect(summaries(there)).toHaveLength(4);
  const told = JSON.parse((await commandIn(there, '--json', 'purge', '--dry-run')).out);
  expect(told.summaries).toEqual([expect.stringMatching(/^outbox\/.*\/ventes\.csv\..*summary\.json$/)]);
  expect((await purge(there)).out).toContain('1 summary (older than');
  expect(summaries(there).map((path) => path.replace(/.*\/(ventes.*\.csv).*/, '$1'))).toEqual([
    'ventes-2.csv',
    'ventes-2.csv',
  ]);
  expect((await commandIn(there, 'verify')).code).toBe(0);
  await there.night();
  expect(summaries(there)).toHaveLength(2);
  expect((await purge(there)).out).toMatch(/0 summaries/);
  // The export is still proven: only its summary is gone.
  expect((await commandIn(there, '--json', 'verify')).out).toMatch(/"files": 2/);
});

test('purging one counterparty removes the summary of its export, and rewrites that of a shared export', async () => {
  await using there = await scene({ receipts: { answers: 'xml' } });
  const to = (number: string, name: string) => sales([number]).replaceAll(`Client ${number}`, name);
  there.drop('ventes-1.csv', to('F1', 'Jeanne Dupont'));
  there.drop('ventes-2.csv', `${to('F2', 'Jeanne Dupont')}${to('F3', 'Durand').split('\n').slice(1).join('\n')}`);
  await there.night();
  const [, before] = summaries(there).filter((path) => path.endsWith('.json'));
  await purge(there, '--subject', 'jeanne dupont');
  await there.night();
  expect(summaries(there)).toHaveLength(2);
  const lines = (JSON.parse(there.read(before!)) as { table: { number: string; amount: string | null }[] }).table;
  expect(lines.map(({ number, amount }) => [number, amount])).toEqual([
    ['F2', null],
    ['F3', '50.40'],
  ]);
  expect((await commandIn(there, 'verify')).code).toBe(0);
});

test('a file that documents carried goes with its export, unless another export that stays carries it too', async () => {
  const mapping = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
    'totals:',
    'attachments: [{ filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }]\n  totals:',
  );
  await using there = await openScene({ settings: { keep: { archive: '5y' } }, mappings: { 'sales.yaml': mapping } });
  const carrying = (number: string, pdf: string) =>
    sales([number])
      .split('\n')
      .map((line, n) => (line === '' ? line : `${line};${n === 0 ? 'Pdf' : pdf}`))
      .join('\n');
  const pdfs = () => there.files('archive').flatMap((path) => /-(\w+\.pdf)$/.exec(path)?.[1] ?? []);
  for (const name of ['own.pdf', 'shared.pdf']) there.drop(name, `%PDF ${name}`);
  there.drop('ventes-1.csv', carrying('F1', 'own.pdf'));
  there.drop('ventes-2.csv', carrying('F2', 'shared.pdf'));
  const csv = there.files('inbox').filter((path) => path.endsWith('.csv'));
  await there.night({
    clock: { ...systemClock, now: () => new Date(Date.now() - 7 * YEAR_MS) },
    files: csv.map((path) => join(there.root, path)),
  });
  there.drop('shared.pdf', '%PDF shared.pdf');
  there.drop('ventes-3.csv', carrying('F3', 'shared.pdf'));
  await there.night();
  expect(new Set(pdfs())).toEqual(new Set(['own.pdf', 'shared.pdf']));
  const dry = await commandIn(there, 'purge', '--dry-run');
  expect(dry.out).toContain('2 exports with 1 attachment (older than');
  await purge(there);
  expect(new Set(pdfs())).toEqual(new Set(['shared.pdf']));
  expect((await commandIn(there, 'verify')).code).toBe(0);
});

test('what waits for a person or a service never goes, nor the export it is in', async () => {
  await using there = await scene();
  const waiting = ['R1-X6', 'D1-XLOST', 'C1-X8', 'S1-X4', 'V1-X11'];
  there.drop('ventes.csv', sales(['F1', ...waiting]));
  there.drop('ventes-bad.csv', sales(['B1']).replace(';2;10,50', ';x;10,50'));
  await nightAgo(there, 7);
  const before = await there.entries();
  const ended = await purge(there);
  expect(ended.out).toContain('5 documents are kept: they still need action');
  expect(there.files('archive').filter((path) => path.endsWith('.csv'))).toHaveLength(2);
  const [gone, ...stay] = [...(await there.entries())].sort((a, b) => Number(!a.purged) - Number(!b.purged));
  expect(gone?.facts).toEqual({ identifier: 'F1', rules: 'wire' });
  expect(stay).toEqual(before.filter(({ id }) => id !== gone?.id));
});

test('everything about one counterparty goes, whatever its age, and nothing of the others', async () => {
  await using there = await scene({});
  const to = (number: string, name: string) => sales([number]).replaceAll(`Client ${number}`, name);
  there.drop('ventes-1.csv', to('F1', 'Jeanne Dupont'));
  there.drop('ventes-2.csv', `${to('F2', 'Jeanne Dupont')}${to('F3', 'Durand').split('\n').slice(1).join('\n')}`);
  await there.night();
  expect((await purge(there, '--subject', 'jeanne dupont')).code).toBe(0);
  expect((await there.entries()).filter(({ purged }) => purged).map(({ facts }) => facts)).toEqual([
    { identifier: 'F1', rules: 'wire' },
    { identifier: 'F2', rules: 'wire' },
  ]);
  expect(receipts(there, 'outbox').map((path) => path.split('/')[2])).toEqual(['F3.payload.json', 'F3.receipt.json']);
  // The second export holds rows of somebody else, too.
  expect(there.files('archive').filter((path) => path.endsWith('.csv'))).toHaveLength(1);
});

test('answers of acts go with the documents that they name, old ones with any purge, and those about others stay', async () => {
  await using there = await openScene({ settings: { run: { hold: { over: { EUR: '60' } } } } });
  const wrong = (number: string, name: string) => sales([number], '2O').replaceAll(`Client ${number}`, name);
  there.drop('ventes-1.csv', wrong('F1', 'Jeanne Dupont'));
  there.drop('ventes-2.csv', wrong('F2', 'Durand'));
  await there.night();
  for (const number of ['F1', 'F2']) {
    await commandIn(there, 'fix', number, 'Qte=3O', '--reason', `first ${number}`);
    await commandIn(there, 'fix', number, 'Qte=2', '--reason', `then ${number}`);
  }
  await there.night();
  const answers = () => {
    using queue = new DatabaseSync(join(there.root, 'state/requests.sqlite'));
    using ledger = new DatabaseSync(join(there.root, 'state/ledger.sqlite'));
    const reasons = queue.prepare('SELECT reason FROM request ORDER BY reason').all();
    return [reasons.map(({ reason }) => reason), ledger.prepare('SELECT result FROM act_step').all().length];
  };
  expect(answers()).toEqual([['first F1', 'first F2', 'then F1', 'then F2'], 4]);
  await purge(there, '--subject', 'jeanne dupont');
  expect(answers()).toEqual([['first F2', 'then F2'], 2]);
  expect(readFileSync(join(there.root, 'state/requests.sqlite')).includes('first F1')).toBe(false);
  const old = new Date(Date.now() - 31 * 86_400_000).toISOString();
  {
    using queue = new DatabaseSync(join(there.root, 'state/requests.sqlite'));
    queue.prepare(`UPDATE request SET done = ? WHERE reason = 'first F2'`).run(old);
    using ledger = new DatabaseSync(join(there.root, 'state/ledger.sqlite'));
    ledger.prepare(`UPDATE act_step SET at = ? WHERE result LIKE '%3O%'`).run(old);
  }
  await purge(there);
  expect(answers()).toEqual([['then F2'], 1]);
});

test('without an age nothing goes; without a reason, nor a name for the subject, neither', async () => {
  await using there = await scene({});
  there.drop('ventes.csv', sales(['F1']));
  await nightAgo(there, 50);
  expect((await purge(there)).out).toMatch(/Removed:\n {2}0 receipts with payload .*\n {2}0 contents/);
  expect(await commandIn(there, 'purge')).toMatchObject({ code: 2, err: expect.stringContaining('decide/no-reason') });
  expect(await purge(there, '--subject', ' ')).toMatchObject({
    code: 2,
    err: expect.stringContaining('purge/no-subject'),
  });
  expect(receipts(there, 'outbox')).toHaveLength(2);
});

test.each([
  ['Client F1', 'request of CLIENT F1, 3 November', 2],
  ['Élan', 'demandé par elan', 2],
  ['Client F1', 'request 4711 of 3 November', 0],
  ['Or', 'by order of the court', 0],
])('a reason that names the counterparty (%s: %s) would keep the name', async (subject, reason, code) => {
  await using there = await scene({});
  there.drop('ventes.csv', sales(['F1']));
  await nightAgo(there, 50);
  const before = receipts(there, 'outbox');
  const ended = await commandIn(there, 'purge', '--subject', subject, '--reason', reason);
  expect([ended.code, ended.err]).toEqual([code, code === 0 ? '' : expect.stringContaining('purge/named-in-reason')]);
  if (code !== 0) expect(receipts(there, 'outbox')).toEqual(before);
});

test('logs go by the day in their name', async () => {
  await using there = await scene();
  const logs = join(there.root, 'logs');
  for (const name of ['2020-01-01.log', '2020-01-01.txt', '2020-01-01.node-a.example.log'])
    writeFileSync(join(logs, name), '{}\n');
  await purge(there);
  expect(readdirSync(logs).filter((name) => name.startsWith('2020'))).toEqual(['2020-01-01.txt']);
});

test('the history of sign-ins goes with the logs, and its latest part stays', async () => {
  await using there = await scene();
  const at = (now: number, name: string) => {
    using people = openPeople(there.root, () => now);
    people.record({ what: 'sign-in-failed', name, address: '10.0.0.1' });
  };
  at(Date.now() - YEAR_MS, 'old');
  at(Date.now(), 'new');
  const names = () => {
    using people = openPeople(there.root);
    return people.events(9).map(({ name }) => name);
  };
  const dry = JSON.parse((await commandIn(there, '--json', 'purge', '--dry-run')).out) as { signIns: number };
  expect([dry.signIns, names()]).toEqual([1, ['new', 'old']]);
  // Everything of one counterparty is no question of age.
  await purge(there, '--subject', 'old');
  expect(names()).toEqual(['new', 'old']);
  await purge(there);
  expect(names()).toEqual(['new']);
});

test('ended sessions and answers to acts go by their own ages', async () => {
  await using there = await scene({ keep: { sessions: '2d', requests: '3d' } });
  const DAY_MS = 86_400_000;
  for (const days of [1, 4]) {
    using people = openPeople(there.root, () => Date.now() - days * DAY_MS);
    const person = people.named('anna') ?? people.add('anna', 'viewer', { name: 'test', address: 'local' });
    using db = new DatabaseSync(join(there.root, 'state/people.sqlite'));
    const at = Date.now() - days * DAY_MS;
    db.prepare('INSERT INTO session (hash, person, began, seen, address) VALUES (?, ?, ?, ?, ?)').run(
      ...[`${days}`, person.id, at, at, '10.0.0.1'],
    );
  }
  {
    await using queue = await openRequestQueue({ folder: there.root }, 'asks');
    for (const days of [2, 4]) {
      const at = new Date(Date.now() - days * DAY_MS).toISOString();
      await queue.add({ id: `ask-${days}`, at, person: 'anna', reason: 'x', act: '{}' });
      await queue.answer(`ask-${days}`, '{"documents":[]}', at);
    }
  }
  const left = async () => {
    using people = new DatabaseSync(join(there.root, 'state/people.sqlite'));
    await using queue = await openRequestQueue({ folder: there.root }, 'asks');
    const sessions = people
      .prepare('SELECT hash FROM session')
      .all()
      .map(({ hash }) => hash);
    const kept: string[] = [];
    for (const id of ['ask-2', 'ask-4']) if (await queue.find(id)) kept.push(id);
    return [sessions, kept];
  };
  const dry = JSON.parse((await commandIn(there, '--json', 'purge', '--dry-run')).out) as { sessions: number };
  expect([dry.sessions, await left()]).toEqual([
    1,
    [
      ['1', '4'],
      ['ask-2', 'ask-4'],
    ],
  ]);
  await purge(there);
  expect(await left()).toEqual([['1'], ['ask-2']]);
});
