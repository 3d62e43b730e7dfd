/** What a person does on a terminal with documents that wait: looked at before, done once, kept with name and reason. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMITTED, faulty, newFile } from '../ledger/make.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

const FAULTY = sales(['F1', 'F2', 'F3']).replaceAll('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2O;');
const WHY = ['--reason', 'letter O for a zero'];

async function entry(scene: Scene, number: string) {
  return (await scene.entries()).find(({ facts }) => facts.identifier === number)!;
}

/** Name and bytes of every file of the instance, and every row of the ledger. */
async function everything(scene: Scene): Promise<unknown> {
  const files = readdirSync(scene.root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.endsWith('/state'))
    .map((one) => join(one.parentPath, one.name))
    .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]);
  const { DatabaseSync } = await import('node:sqlite');
  using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'), { readOnly: true });
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
  return [files.sort(), tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()])];
}

test('a corrected document is sent, and the history has the person and the reason', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  const fixed = await commandIn(scene, 'fix', 'F2', 'Qte@4=20', ...WHY, '--by', 'anna');
  expect(fixed).toMatchObject({ code: 0 });
  expect(fixed.out).toContain('F2: row 4, Qte: "2O" -> "20"');
  expect(fixed.out).toContain('F2: was "to correct", is now "queued", sent by the next run');
  await scene.night();
  expect(await entry(scene, 'F2')).toMatchObject({ state: 'authorized', revision: 2 });
  const shown = (await commandIn(scene, 'show', 'F2')).out;
  expect(shown).toMatch(/corrected row 4, Qte: "2O" -> "20" .* anna: letter O for a zero/);
  expect(shown).toMatch(/read again {2}anna {2}letter O for a zero/);
  const receipt = JSON.parse((await commandIn(scene, '--json', 'show', 'F2')).out);
  expect(receipt.corrections).toMatchObject([{ row: 4, column: 'Qte', by: 'anna' }]);
});

test('what is only looked at changes no byte of the instance', async () => {
  await using scene = await openScene();
  scene.sandbox.script([{ match: { service: 'fr', number: 'F4' }, answer: { code: 4 } }]);
  scene.drop('ventes.csv', `${FAULTY}${sales(['F4']).split('\n').slice(1).join('\n')}`);
  await scene.night();
  const before = await everything(scene);
  const fix = await commandIn(scene, 'fix', 'F2', 'Qte@4=20', '--dry-run');
  expect(fix.out).toContain('F2: "to correct", would become "queued"');
  const still = await commandIn(scene, 'fix', 'F2', 'Qte@4=2A', ...WHY, '--dry-run');
  expect(still.code).toBe(3);
  expect(still.out).toMatch(/F2: still "to correct"\n.*map\/not-a-number/);
  const again = await commandIn(scene, 'reprocess', '--state', 'invalid', ...WHY, '--dry-run');
  expect(again.out).toContain('F2: still "to correct"');
  const retry = await commandIn(scene, 'retry', 'F4', ...WHY, '--dry-run');
  expect(retry.out).toBe('  F4: "contact support", would be sent again by the next run\n');
  expect((await commandIn(scene, 'release', 'F4', ...WHY, '--dry-run')).code).toBe(3);
  expect(await everything(scene)).toEqual(before);
});

test('what the faults suggest is shown, and taken over only when a person says so', async () => {
  const mapping = SALES_MAPPING.replace('Taux: number }', 'Taux: number, Siren: { text: siren } }').replace(
    'receiver: { name: $Client }',
    'receiver: { name: $Client, identifiers: [{ type: siren, value: $Siren }, { type: other, value: = SIREN-OF(MID($Autre; 2; 20)) }] }',
  );
  await using own = await openScene({ mappings: { 'sales.yaml': mapping } });
  const cells = (siren: string, other: string) => (line: string, n: number) =>
    line === '' ? '' : `${line};${n === 0 ? 'Siren;Autre' : `${siren};${other}`}`;
  own.drop('ventes.csv', sales(['F1']).split('\n').map(cells('5480546', '')).join('\n'));
  own.drop('ventes2.csv', sales(['F2']).split('\n').map(cells('5480547', '')).join('\n'));
  own.drop('ventes3.csv', sales(['F3']).split('\n').map(cells('732829320', 'X5480546')).join('\n'));
  await own.night();
  const [fault] = (await entry(own, 'F1')).faults;
  expect(fault).toMatchObject({ code: 'map/damaged-text', given: '5480546', suggestion: '005480546' });
  expect((await commandIn(own, 'errors')).out).toContain(
    'leading zeros may be missing; the same on row 3: write 005480546',
  );
  expect((await commandIn(own, 'errors', 'F1', '--group', 'cause')).out).toContain(
    'nightpost fix F1 --suggested --reason',
  );
  const receipt = JSON.parse((await commandIn(own, '--json', 'show', 'F1')).out);
  expect(receipt.faults.slice(0, 1)).toMatchObject([
    { suggestion: '005480546', hint: expect.stringContaining('write 005480546') },
  ]);
  await own.night();
  expect((await entry(own, 'F1')).state).toBe('invalid');
  const look = await commandIn(own, 'fix', 'F1', '--suggested', '--dry-run');
  expect(look.out).toContain('F1: row 2, Siren: "5480546" -> "005480546"');
  const fixed = await commandIn(own, 'fix', 'F1', '--suggested', ...WHY);
  // The column stands on every row of the document.
  expect(fixed.out).toContain('F1: row 3, Siren: "5480546" -> "005480546"');
  expect(fixed.out).toContain('F1: was "to correct", is now "queued"');
  expect((await entry(own, 'F3')).faults).toMatchObject([{ given: '5480546', suggestion: '005480546' }]);
  // F3: the cell holds something else than what was found wrong, a formula stands between.
  for (const number of ['F2', 'F3']) {
    const none = await commandIn(own, 'fix', number, '--suggested', ...WHY);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('fix/nothing-suggested') });
  }
});

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
  scene.sandbox.script([{ match: { service: 'fr', number: 'F4' }, answer: { code: 4 } }]);
  scene.drop('ventes.csv', `${FAULTY}${sales(['F4', 'F5-XLOST', 'F6-X8', 'F7-X6']).split('\n').slice(1).join('\n')}`);
  await scene.night();
});
afterAll(() => scene[Symbol.asyncDispose]());

test.each<[string[], number, string]>([
  [['fix', 'F2', 'Lig=1', ...WHY], 2, 'fix/several-values'],
  [
    ['fix', 'F2', 'Qty@4=20', ...WHY],
    2,
    'fix/no-such-column: the export has no column "Qty"\n  nothing was changed; did you mean Qte?',
  ],
  [['fix', 'F2', 'Qte@2=20', ...WHY], 2, 'fix/no-such-row'],
  [['fix', 'F2', 'Qte', ...WHY], 2, 'fix/not-a-cell'],
  [['fix', 'F2', ...WHY], 2, 'fix/nothing-given'],
  [['fix', 'F2', 'Qte@4=2O', ...WHY], 2, 'fix/nothing-changes'],
  [['fix', 'F2', 'Qte@4=20', '--reason', ' '], 2, 'decide/no-reason'],
  [['fix', 'F2', 'Qte@4=20'], 2, 'decide/no-reason'],
  [['fix', 'F2', 'Qte@4=VALUE', ...WHY], 2, 'fix/printed-value'],
  [['fix', 'F2', 'Qte@4=VALEUR', ...WHY], 2, 'fix/printed-value'],
  [['fix', 'F2', 'Qte@4=VALOR', ...WHY], 2, 'fix/printed-value'],
  [['fix', 'F2', 'Qte= VALUE ', '--dry-run'], 2, 'fix/printed-value'],
  [['fix', 'F2', 'Qte@4=20', '--reason', '...'], 2, 'decide/no-reason'],
  [['retry', 'F4', '--reason', '...'], 2, 'decide/no-reason'],
  [['release', 'F4', '--reason', '...'], 2, 'decide/no-reason'],
  [['reject', 'F2', '--reason', '...'], 2, 'decide/no-reason'],
  [['reprocess', 'F2', '--reason', '...'], 2, 'decide/no-reason'],
  [['resolve', 'F5-XLOST', '--as', 'authorized', '--reason', '...'], 2, 'decide/no-reason'],
  [['resume', 'fr', '--reason', '...'], 2, 'decide/no-reason'],
  [['ledger', 'end-quarantine', '...'], 2, 'decide/no-reason'],
  [['ledger', 'next', 'guias', '58', '...'], 2, 'decide/no-reason'],
  [['reject', 'F2', '--reason', 'TEXTE'], 2, 'decide/no-reason'],
  [['doctor', '--accept-ledger', 'REASON'], 2, 'decide/no-reason'],
  [['fix', 'F1', 'Qte=20', ...WHY], 3, 'reprocess/not-correctable'],
  [['retry', ...WHY], 2, 'select/nothing-named'],
  [['retry', 'nobody', ...WHY], 2, 'select/no-such-document'],
  [['retry', '--state', 'failed', ...WHY], 2, 'select/many-documents'],
  [['retry', '--state', 'in-doubt', ...WHY, '--yes'], 2, 'retry/in-doubt'],
  [['retry', '--state', 'faild', ...WHY], 2, 'Did you mean failed?'],
  [['retry', 'F1', ...WHY], 3, 'the service would issue a second document'],
  [['retry', 'F5-XLOST', ...WHY], 3, 'it is unknown whether it arrived'],
  [['retry', 'F6-X8', ...WHY], 3, 'the service has it'],
  [['retry', 'F7-X6', ...WHY], 3, 'the service would reject the same content again'],
  [['release', 'F4', ...WHY], 3, 'only held documents'],
  [['reject', 'F5-XLOST', ...WHY], 3, 'cannot be set aside'],
  [['set-aside', 'F6-X8', ...WHY], 3, 'cannot be set aside'],
  [['acknowledge', 'F4', ...WHY], 3, 'only invalidated documents'],
  [['undo', 'F1', ...WHY], 3, 'no person has decided'],
  [['undo', 'cash', '--day', '2026-11-30', ...WHY], 2, 'unknown option "--day"'],
  [['waive', 'cash', ...WHY], 2, 'waive/unknown-export: the settings expect no export'],
  [['reprocess', '--state', 'invalid', ...WHY], 2, 'select/many-documents'],
  [['reprocess', 'F7-X6', ...WHY], 3, 'the service already rejected this content'],
  [['reprocess', 'nothing.csv', ...WHY], 2, 'select/no-such-document'],
])('%j -> %i, nothing is changed', async (args, code, says) => {
  const before = tally(await scene.entries());
  const ended = await commandIn(scene, ...args);
  expect(ended.out + ended.err).toContain(says);
  expect(ended.code).toBe(code);
  expect(tally(await scene.entries())).toEqual(before);
});

test('the second of two operators with one document gets the message that it is queued already', async () => {
  await using own = await openScene();
  own.sandbox.script([{ match: { service: 'fr' }, answer: { code: 4 }, times: 1 }]);
  own.drop('ventes.csv', sales(['F1']));
  await own.night();
  // Side by side, one of them may find the instance locked (6); at most one decision is taken.
  const both = await Promise.all([1, 2].map((n) => startIn(own, 'retry', 'F1', '--reason', `ticket ${n}`).ended));
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(both.filter(({ code }) => code !== 0).map(({ code }) => code)).toEqual([expect.toBeOneOf([3, 6])]);
  const third = await commandIn(own, 'retry', 'F1', '--reason', 'ticket 3');
  expect(third).toMatchObject({ code: 3, out: expect.stringContaining('the next run sends it') });
  await own.night();
  expect(own.sandbox.requests().fr.submit).toBe(2);
  const [one] = await own.entries();
  expect(one?.attempts.filter(({ act }) => act === 'resolve')).toHaveLength(1);
});

test('held documents: let go, set aside, corrected, and what a correction makes is held as well', async () => {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: 60 } } };
  await using own = await openScene({ settings: { run } });
  own.drop('ventes.csv', sales(['F1', 'F2', 'F3'], '3'));
  await own.night();
  expect(tally(await own.entries())).toEqual({ held: 3 });
  const released = await commandIn(own, 'release', 'F1', '--reason', 'checked with sales');
  expect(released).toMatchObject({ code: 0, out: '  F1: was "held", will be sent by the next run\n' });
  const rejected = await commandIn(own, 'reject', 'F2', '--reason', 'wrong customer');
  expect(rejected).toMatchObject({ code: 0, out: '  F2: was "held", is now set aside; nothing more is sent\n' });
  // It waits for no one any more, and can still be looked up.
  expect((await commandIn(own, 'errors')).out).not.toContain('F2');
  expect(own.files('error').filter((path) => path.includes('to-fix'))).toEqual([]);
  expect((await commandIn(own, 'errors', '--state', 'invalid')).out).toContain('F2');
  const larger = await commandIn(own, 'fix', 'F3', 'Qte=4', '--reason', 'four boxes', '--dry-run');
  expect(larger.out).toContain('F3: "held", would become "held" (its amount of 100.80 EUR exceeds the limit');
  const smaller = await commandIn(own, 'fix', 'F3', 'Qte=1', '--reason', 'one box');
  expect(smaller.out).toContain('F3: row 7, Qte: "3" -> "1"\n  F3: was "held", is now "queued", sent by the next run');
  await own.night();
  expect(tally(await own.entries())).toEqual({ authorized: 2, invalid: 1 });
});

test('a document in doubt is sent a second time only after two consultations without it, and with the proof', async () => {
  await using own = await openScene();
  own.sandbox.script([{ match: { service: 'fr' }, answer: { drop: 'before' }, times: 1 }]);
  own.drop('ventes.csv', sales(['F1']));
  await own.night();
  const [lost] = await own.entries();
  expect(lost!.state).toBe('in-doubt');
  const ask = async (at: string) =>
    await own.look(async (ledger) => {
      const { id, revision, kind, service, class: of, facts } = lost!;
      const due = {
        id,
        revision,
        kind,
        service,
        class: of,
        identifier: facts.identifier,
        mapping: { id: 'sales', sha256: '' },
        tries: 0,
      };
      const asked = await ledger.submissions.beginConsult(due, { requestId: at, at, run: 'run' });
      const verdict = { state: 'in-doubt', reason: 'code 18', answer: { code: 18 } } as const;
      await ledger.submissions.finishConsult(
        asked!,
        { exchange: { sent: true, status: 200, headers: {}, body: '{}' }, ms: 1 },
        verdict,
        at,
      );
    });
  const proof = join(own.root, 'portal.png');
  writeFileSync(proof, 'a picture');
  const retry = ['retry', 'F1', '--reason', 'the portal does not have it'];
  await ask('2026-11-21T10:00:00Z');
  expect((await commandIn(own, ...retry, '--evidence', proof)).out).toContain('so far: 1');
  await ask('2026-11-21T11:00:00Z');
  expect(await commandIn(own, ...retry)).toMatchObject({ code: 3, out: expect.stringContaining('--evidence FILE') });
  await own.night();
  expect(own.sandbox.requests().fr.submit).toBe(1);
  expect(await commandIn(own, ...retry, '--evidence', proof)).toMatchObject({ code: 0 });
  await own.night();
  const [sent] = await own.entries();
  expect(sent).toMatchObject({ state: 'authorized', evidence: { file: 'portal.png' } });
  expect(new Set(sent!.attempts.flatMap(({ act, requestId }) => (act === 'submit' ? [requestId] : []))).size).toBe(2);
});

test('whatever was corrected and decided, everything belongs together afterwards', async () => {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: 60 } } };
  await using own = await openScene({ settings: { run } });
  own.drop('ventes-1.csv', sales(['F1']).replaceAll('F1;', ';'));
  own.drop('ventes-2.csv', sales(['F2', 'F3-X6', 'F4']).replace(';1;2;', ';1;2O;'));
  own.drop('ventes-3.csv', sales(['F7', 'F8', 'F9'], '3'));
  await own.night();
  const [first, second] = (await own.entries()).filter(({ file }) => file.name === 'ventes-1.csv');
  for (const act of [
    ['fix', first!.id, 'Num=F1'],
    ['fix', second!.id, 'Num=F1'],
    ['fix', 'F2', 'Num@2=F2-A', 'Qte@2=1'],
    ['fix', 'F3-X6', 'Client=Client SA'],
    ['release', 'F7'],
    ['reject', 'F8'],
    ['fix', 'F9', 'Qte=1'],
  ]) {
    expect((await commandIn(own, ...act, '--reason', 'checked')).err).not.toContain('nightpost:');
  }
  expect(await commandIn(own, 'verify')).toMatchObject({ code: 0 });
  await own.night();
  expect(await commandIn(own, 'verify')).toMatchObject({ code: 0 });
  expect(tally(await own.entries())).toEqual({ authorized: 6, rejected: 1, duplicate: 1, invalid: 1 });
});

test('a refused file is read again as a whole, with the current mapping', async () => {
  await using own = await openScene();
  own.drop('exports.csv', sales(['F1', 'F2']));
  await own.night();
  expect(await own.entries()).toEqual([]);
  const mapping = join(own.root, 'mappings/sales.yaml');
  writeFileSync(mapping, SALES_MAPPING.replace('"ventes*.csv"', '["ventes*.csv", "exports*.csv"]'));
  const again = await commandIn(own, 'reprocess', 'exports.csv', '--reason', 'the mapping takes this name now');
  expect(again).toMatchObject({ code: 0, out: '  exports.csv: admitted, 4 rows, 2 documents\n' });
  expect(own.sandbox.requests().fr.submit).toBe(0);
  await own.night();
  expect(tally(await own.entries())).toEqual({ authorized: 2 });
  expect((await commandIn(own, 'errors')).out).toContain('No documents need action.');
});

test('a list that was narrowed down and is empty says so', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', FAULTY);
  own.drop('other.csv', 'Number\n1\n');
  const mapping = SALES_MAPPING.replace('mapping: sales', 'mapping: sales-too');
  writeFileSync(join(own.root, 'mappings/sales-too.yaml'), mapping);
  await own.night();
  const said = async (...words: string[]) => (await commandIn(own, 'errors', ...words)).out;
  expect(await said('--cause', 'zzz')).toBe(
    '  No document that needs action has the cause "zzz". List all causes: nightpost errors --group cause\n',
  );
  expect(await said('--since', '2999-01-01')).toBe('  No matching documents need action. List all: nightpost errors\n');
  expect(await said()).toContain('accepted names: ventes*.csv. Rename');
});

test('an unreadable file is reported with what to do', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', `${sales(['F1'])}F2;05/09/2026;Client;1;2;10,50;20;too;many\n`);
  own.drop('exports.csv', sales(['F9']));
  await own.night();
  const ids = (await own.entries()).filter(({ rows }) => rows.includes(4)).map(({ id }) => id);
  const broken = await commandIn(own, 'fix', ids[0]!, 'Qte=3', ...WHY);
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('fix/row-unreadable') });
  const dry = await commandIn(own, 'reprocess', 'exports.csv', ...WHY, '--dry-run');
  expect(dry.err).toContain('reprocess/preview-instead');
  rmSync(join(own.root, 'archive'), { recursive: true });
  const gone = (await commandIn(own, 'fix', 'F1', 'Client=X', ...WHY)).err;
  expect(gone).toContain('reprocess/source-missing');
  expect(gone).toContain('fix/cannot-read');
  expect((await commandIn(own, 'reprocess', 'exports.csv', ...WHY)).err).toContain('reprocess/cannot-take-again');
});

test('nothing is offered to be written into the number of a tax document', async () => {
  await using own = await openScene();
  await own.look(async (ledger) => {
    const file = await ledger.intake.openFile(newFile());
    const broken = {
      rule: 'FR-NUM-2',
      code: 'fr-invoice/number-characters',
      level: 'error',
      message: 'holds a blank',
    } as const;
    await ledger.intake.stage(file.id, [{ ...faulty({ number: 'F 1', row: 2 }), faults: [broken] }]);
    await ledger.intake.admit(file.id, { ...ADMITTED, rows: 1 });
  });
  const told = (await commandIn(own, 'errors', '--group', 'cause')).out;
  expect(told).toContain(
    'correct it in the ERP and export again. It cannot be changed here: nightpost explain FR-NUM-2',
  );
  expect(told).not.toContain('nightpost fix');
});

test('cells at fault are corrected where they are; the mapping is looked at where all documents of a file fail', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', sales(['F1', 'F2', 'F3', 'F4']).replaceAll(/(F[12];05\/09\/2026;Client F[12];1;)2/g, '$12O'));
  await own.night();
  const some = (await commandIn(own, 'errors', '--group', 'cause')).out;
  expect(some).toMatch(
    /nightpost fix --cause map\/not-a-number:sales@Qte=2O Qte=VALUE .*correct the cells in error\/\S+ventes\.csv\S+\.to-fix\.xlsx, or in the ERP/,
  );
  expect(some).not.toContain('mapping');
  own.drop('ventes-2.csv', sales(['F5', 'F6', 'F7'], '2.00'));
  await own.night();
  const told = (await commandIn(own, 'errors', '--group', 'cause')).out;
  expect(told).toMatch(
    /all 3 documents of ventes-2\.csv fail for this cause: check the mapping mappings\/sales\.yaml first/,
  );
  expect(told).toContain('nightpost reprocess --cause map/not-a-number:sales@Qte=2.00 --reason "..."');
  expect(told).toMatch(/map\/not-a-number:sales@Qte=2O +all at once: .* correct the cells in error\//);
});

test('5,000 documents with one cause are one line, with an example and the way out', async () => {
  await using own = await openScene();
  await own.look(async (ledger) => {
    const file = await ledger.intake.openFile(newFile());
    const wishes = Array.from({ length: 5000 }, (_, n) => ({ number: `F${n + 1}`, row: n + 2 }));
    await ledger.intake.stage(file.id, wishes.map(faulty));
    await ledger.intake.admit(file.id, { ...ADMITTED, rows: 5000 });
  });
  const told = (await commandIn(own, 'errors', '--group', 'cause')).out.split('\n');
  expect(told.filter((line) => line.includes('map/not-a-number'))).toEqual([
    expect.stringMatching(/^ +5000 {2}map\/not-a-number +600\s000\.00 EUR {2}"x" is not a number +F1, F2, F3, \.\.\.$/),
    expect.stringContaining('nightpost reprocess --cause map/not-a-number --reason "..."'),
  ]);
  expect((await commandIn(own, 'errors', '--group', 'cause', '--since', '2999-01-01')).out).toContain(
    'No matching documents need action',
  );
  const few = (await commandIn(own, 'errors', '--group', 'cause', 'F7', 'F8')).out;
  expect(few).toMatch(/ 2 {2}map\/not-a-number .*F7, F8\n/);
  expect((await commandIn(own, 'reprocess', '--cause', 'map/not-a-number', ...WHY)).err).toContain(
    'this affects 5000 documents',
  );
});

test('all documents of one cause are read again at once, when a person says so', async () => {
  await using own = await openScene();
  const numbers = Array.from({ length: 30 }, (_, n) => `F${n + 1}`);
  own.drop('ventes.csv', sales(numbers).replaceAll(';20\n', ';vingt\n'));
  await own.night();
  const mended = SALES_MAPPING.replace('Taux: number', 'Taux: text')
    .replace('net: = ROUND', 'taux: = NUMBER("20")\n  net: = ROUND')
    .replace('rate: $Taux', 'rate: $taux');
  writeFileSync(join(own.root, 'mappings/sales.yaml'), mended);
  const asked = ['reprocess', '--cause', 'map/not-a-number', '--reason', 'rate in words'];
  expect((await commandIn(own, ...asked)).err).toContain('this affects 30 documents');
  expect(tally(await own.entries())).toEqual({ invalid: 30 });
  expect(await commandIn(own, ...asked, '--yes')).toMatchObject({ code: 0 });
  expect(tally(await own.entries())).toEqual({ ready: 30 });
});
