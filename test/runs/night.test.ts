/** Whole nights through the whole line: what goes where, what is never sent twice, what stops and what goes on. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver, Statements } from '../../src/database/database-driver.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

test('each document ends in the folder of its state, every row in one summary, the source in the archive', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3-X6', 'F4-X8', 'F5-X15', 'F6-X4', 'F7-XLOST', 'F8-X11']));
  const { stops } = await scene.night();
  expect(stops).toEqual([]);
  expect(tally(await scene.entries())).toEqual({
    authorized: 2,
    rejected: 1,
    contingency: 1,
    returned: 1,
    failed: 1,
    'in-doubt': 1,
    invalidated: 1,
  });
  const stems = (folder: string) =>
    scene
      .files(folder)
      .filter((path) => path.endsWith('.receipt.json'))
      .map((path) => path.split('/')[2]!.replace('.receipt.json', ''));
  expect(stems('outbox')).toEqual(['F1', 'F2']);
  expect(stems('pending')).toEqual(['F4-X8']);
  expect(stems('error')).toEqual(['F3-X6', 'F5-X15', 'F6-X4', 'F7-XLOST', 'F8-X11']);
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.files('processing')).toEqual([]);
  expect(scene.files('archive')).toHaveLength(1);
  const summaries = scene.files('error').filter((path) => path.endsWith('.summary.json'));
  expect(summaries).toHaveLength(1);
  const summary = JSON.parse(scene.read(summaries[0]!)) as { rows: unknown };
  expect(summary.rows).toMatchObject({ read: 16, unaccounted: { count: 0 } });
});

test.each([
  ['a header and nothing else', sales([]), 'the file has no data rows, so no document was made from it'],
  [
    'rows that are all left out',
    sales(['F0']),
    'no document was made from this file: rules of the mapping leave out all 2 of its rows',
  ],
])('a file with %s is told and kept', async (_, content, message) => {
  const mapping = SALES_MAPPING.replace('  class: invoice', '  class: invoice\n  keep: = $Num <> "F0"');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', content);
  const { told } = await scene.night();
  const warning = { code: 'intake/no-documents', level: 'warning', message };
  expect(told.find(({ what }) => what === 'file-admitted')).toMatchObject({ faults: [warning] });
  const [summary] = scene.files('outbox');
  expect(JSON.parse(scene.read(summary!))).toMatchObject({ file: { state: 'admitted' }, faults: [warning] });
});

test('the payload next to a receipt equals what the service received, byte by byte', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const [payload] = scene.files('outbox').filter((path) => path.endsWith('.payload.json'));
  const content = await scene.look(async (ledger) => {
    for await (const entry of ledger.queries.find({ ids: ['F1'] })) return await ledger.queries.contentOf(entry.id);
    return undefined;
  });
  expect(scene.read(payload!)).toBe(content);
  expect(content).toContain('"final-amount":50.4');
});

test('the same bytes under any name, the same documents in another file: nothing is sent twice', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  scene.drop('ventes-again.csv', sales(['F1', 'F2']));
  scene.drop('ventes-more.csv', sales(['F2', 'F3']));
  scene.drop('VENTES-crlf.csv', sales(['F1']).replaceAll('\n', '\r\n'));
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'file-duplicate')).toHaveLength(1);
  expect(tally(await scene.entries())).toEqual({ authorized: 3, duplicate: 2 });
  expect(scene.sandbox.requests().fr.submit).toBe(3);
});

test('a correction of a rejected document is sent under its number, other content never', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X6ONCE']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, rejected: 1 });
  scene.drop('ventes-corrected.csv', sales(['F1', 'F2-X6ONCE'], '3'));
  await scene.night();
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 2, conflict: 1 });
  expect(entries.find(({ facts }) => facts.identifier === 'F2-X6ONCE')).toMatchObject({
    revision: 2,
    state: 'authorized',
  });
  const receipts = [...scene.files('error'), ...scene.files('outbox')].filter((path) =>
    /F2-X6ONCE\.receipt/.test(path),
  );
  expect(receipts).toHaveLength(1);
});

test('a document with a fault stays out, the others of its file and other files go on', async () => {
  await using scene = await openScene();
  scene.drop(
    'ventes-a.csv',
    sales(['F1', 'F2']).replace('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2,5O;'),
  );
  scene.drop('ventes-b.csv', `${sales(['F3'])}"F4;never closed`);
  scene.drop('ventes-c.csv', sales(['F5']));
  scene.drop('unknown.csv', 'a;b\n1;2\n');
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  const refused = told.flatMap((one) => (one.what === 'file-refused' ? one.faults.map(({ code }) => code) : []));
  expect(refused.sort()).toEqual(['csv/quote-not-closed', 'intake/no-mapping']);
  expect(scene.sandbox.acceptances().map(({ identity }) => identity.split('|')[4])).toEqual(['F1', 'F5']);
});

test('a damaged file that several mappings accept is reported as damaged, a foreign one for its missing columns', async () => {
  const xml = (id: string, root: string) =>
    SALES_MAPPING.replace('mapping: sales', `mapping: ${id}`)
      .replace('ventes*.csv', 'ventes*.xml')
      .replace(/format: csv\n {2}delimiter: ";"/, `format: xml\n  document: /${root}\n  row: l`)
      .replace(
        / {2}columns: .*/,
        '  columns: { Num: n, Client: c, Lig: g, Date: d, Qte: q, PU: p, Taux: t }\n  types: { Date: date, Qte: number, PU: number, Taux: number }',
      );
  await using scene = await openScene({ mappings: { 'a.yaml': xml('a', 'A'), 'b.yaml': xml('b', 'B') } });
  scene.drop('ventes-cut.xml', '<A><l><n>1</n>');
  scene.drop('ventes-doctype.xml', '<!DOCTYPE A><A/>');
  scene.drop('ventes-foreign.xml', '<C/>');
  const { told } = await scene.night();
  const refused = told.flatMap((one) => (one.what === 'file-refused' ? one.faults.map(({ code }) => code) : []));
  expect(refused).toEqual(['xml/not-well-formed', 'xml/doctype', 'intake/no-mapping-fits']);
});

test('a fixed mapping accepts the same bytes again; issued documents are duplicates', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('Client F2;1;2;', 'Client F2;1;2.0;'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  const mended = SALES_MAPPING.replace('Qte: number, ', '')
    .replace(/\$Qte/g, 'NUMBER(REPLACE($Qte, ".0", ""))')
    .replace('quantity: NUMBER', 'quantity: = NUMBER');
  writeFileSync(
    join(scene.root, 'mappings/sales.yaml'),
    mended.replace(/quantity: (= NUMBER.*?\)\))/, "quantity: '$1'"),
  );
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('Client F2;1;2;', 'Client F2;1;2.0;'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, duplicate: 1 });
});

test('a service that cannot be reached keeps its documents queued, the other service goes on, and the next run sends', async () => {
  await using scene = await openScene({ settings: { run: { 'give-up-after': '1s' } } });
  await using other = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.sandbox.close();
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ service: 'fr', cause: 'unreachable' }]);
  expect(tally(await scene.entries())).toEqual({ ready: 2 });
  expect(scene.files('pending').filter((path) => path.endsWith('.receipt.json'))).toHaveLength(2);
  rmSync(join(other.root, 'inbox'), { recursive: true });
});

test('a wrong secret stops the service before any document is touched', async () => {
  await using scene = await openScene({ services: { fr: { 'client-id': 'somebody-else' } } });
  scene.drop('ventes.csv', sales(['F1']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ service: 'fr', cause: 'credentials' }]);
  expect(tally(await scene.entries())).toEqual({ ready: 1 });
  expect(scene.sandbox.requests().fr.submit).toBe(0);
});

test('a 401 without a code renews the token once and the document goes out once, with the same request-id', async () => {
  await using scene = await openScene();
  scene.sandbox.script([{ match: { service: 'fr', act: 'submit' }, answer: { http: 401, body: '' }, times: 1 }]);
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({ state: 'authorized' });
  const ids = entry!.attempts.map(({ requestId }) => requestId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(scene.sandbox.acceptances()).toHaveLength(1);
});

test('a 401 with code 15 leaves the document returned, never sends it again by itself, and stops the service', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 1 } } });
  scene.sandbox.script([{ match: { service: 'fr', act: 'submit' }, answer: { http: 401, code: 15 }, times: 1 }]);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ service: 'fr', cause: 'credentials' }]);
  expect(tally(await scene.entries())).toEqual({ returned: 1, ready: 1 });
  const tokens = scene.sandbox.requests().fr.token;
  await scene.night();
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ returned: 1, authorized: 1 });
  expect(entries.map(({ attempts }) => attempts.filter(({ act }) => act === 'submit').length)).toEqual([1, 1]);
  expect(scene.sandbox.requests().fr.token).toBeGreaterThan(tokens);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
});

test('three server errors in a row pause the service: the rest stays queued, the next run sends one probe first', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 1 } } });
  const numbers = Array.from({ length: 12 }, (_, n) => `F${n}`);
  scene.sandbox.script([{ match: { service: 'fr' }, answer: { http: 500, body: '' }, times: 4 }]);
  scene.drop('ventes.csv', sales(numbers));
  const first = await scene.night();
  expect(first.stops).toMatchObject([{ cause: 'paused' }]);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 3, ready: 9 });
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 4, ready: 8 });
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 4, authorized: 8 });
});

test('foreign echoes stop a service until a person resumes it or the settings read the echo elsewhere', async () => {
  await using scene = await openScene();
  const foreign = { match: { service: 'fr', act: 'submit' }, answer: { echo: 'identifier' } } as const;
  scene.sandbox.script([foreign]);
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ service: 'fr', cause: 'foreign-echo', says: expect.stringContaining('"F3-OTHER"') }]);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 3, ready: 3 });
  for (const _ of [1, 2]) expect((await scene.night()).stops).toMatchObject([{ cause: 'foreign-echo' }]);
  expect(scene.sandbox.requests().fr.submit).toBe(3);

  // One document tries, and a foreign echo stops the service again.
  expect(await commandIn(scene, 'resume', 'fr', '--reason', 'the service says it is corrected')).toMatchObject({
    code: 0,
  });
  expect((await scene.night()).stops).toMatchObject([{ cause: 'foreign-echo' }]);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 4, ready: 2 });

  scene.sandbox.script([]);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 4, ready: 2 });
  expect(await commandIn(scene, 'resume', 'fr', '--reason', 'now it is')).toMatchObject({ code: 0 });
  expect((await scene.night()).stops).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 4, authorized: 2 });
});

test.each(['sender-id', 'country'] as const)('an answer that echoes another %s decides nothing', async (echo) => {
  await using scene = await openScene();
  scene.sandbox.script([{ match: { service: 'fr', act: 'submit' }, answer: { echo } }]);
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3', 'F4']));
  expect((await scene.night()).stops).toMatchObject([{ service: 'fr', cause: 'foreign-echo' }]);
  expect(tally(await scene.entries())).toEqual({ 'in-doubt': 3, ready: 1 });
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test('an answer to another sender that was kept before a stop decides nothing after it either', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await commandIn(scene, 'run', '--take-in-only');
  const [{ 'sender-id': sender }] = [scene.instance().settings.services.fr as { readonly 'sender-id': string }];
  await scene.desk(async ({ ledger }) => {
    const due = await ledger.submissions.due('fr', Date.now(), 2);
    for (const [n, echo] of ['another', sender].entries()) {
      const intent = { requestId: `r-${n}`, at: '2026-11-20T01:30:00Z', run: 'stopped' };
      const sending = await ledger.submissions.begin(due[n]!, intent);
      const context = { 'request-id': intent.requestId, 'sender-id': echo };
      const body = JSON.stringify({ context, result: { status: { code: 2 } } });
      await ledger.submissions.recordExchange(sending!, { sent: true, status: 200, headers: {}, body }, 1);
    }
  });
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['authorized', 'in-doubt']);
});

test('a stop for foreign echoes ends by itself once the settings read the echo elsewhere', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  const pause = { cause: 'foreign-echo', says: 'as before', at: '2026-11-20T01:30:00Z' };
  await scene.desk(({ ledger }) => ledger.submissions.pause('fr', { ...pause, echoes: '/elsewhere /identifier' }));
  expect((await scene.night()).stops).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('resume: a service that is not stopped stays as it is, an unknown one and a missing reason are refused', async () => {
  await using scene = await openScene();
  const reason = ['--reason', 'tried'];
  expect(await commandIn(scene, '--json', 'resume', 'fr', ...reason)).toMatchObject({
    code: 0,
    out: expect.stringContaining('"resumed": false'),
  });
  expect(await commandIn(scene, 'resume', 'xx', ...reason)).toMatchObject({
    code: 2,
    err: expect.stringContaining('resume/no-such-service'),
  });
  expect(await commandIn(scene, 'resume', 'fr')).toMatchObject({
    code: 2,
    err: expect.stringContaining('decide/no-reason'),
  });
});

test('403 pauses at once and other documents stay untouched', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 1 } } });
  scene.drop('ventes.csv', sales(['F1-X403', 'F2', 'F3']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ cause: 'credentials' }]);
  expect(tally(await scene.entries())).toEqual({ refused: 1, ready: 2 });
});

test('a request to end finishes what is under way and starts nothing more', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 20 }, services: { fr: { concurrency: 2 } } });
  const numbers = Array.from({ length: 30 }, (_, n) => `F${n}`);
  scene.drop('ventes.csv', sales(numbers));
  const stop = new AbortController();
  let seen = 0;
  await scene.night({
    stop: stop.signal,
    onEvent: ({ what }) => {
      if (what === 'document' && ++seen === 5) stop.abort();
    },
  });
  const after = tally(await scene.entries());
  expect(after['in-doubt']).toBeUndefined();
  // Five were told; besides, two may be on the wire and as many being recorded.
  expect(after.authorized).toBeLessThanOrEqual(10);
  expect((after.ready ?? 0) + (after.authorized ?? 0)).toBe(30);
  // What still waits has a receipt that says so; of thousands the next run would write those that take too long.
  const receipts = ['outbox', 'pending'].map(
    (folder) => scene.files(folder).filter((path) => /receipt/.test(path)).length,
  );
  expect(receipts).toEqual([after.authorized, after.ready]);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 30 });
  expect(scene.sandbox.acceptances()).toHaveLength(30);
});

test('a class without a configured path stays queued and says so', async () => {
  await using scene = await openScene({
    mappings: {
      'report.yaml': SALES_MAPPING.replace('mapping: sales', 'mapping: report')
        .replace('target: fr-invoice', 'target: fr-report')
        .replace('class: invoice', 'class: report')
        .replace(
          /output:[\s\S]*$/,
          "output:\n  document: { identifier: $Num }\n  issuer: { identifier: '732829320', identifier-type: siren }\n",
        ),
    },
    services: { fr: { 'report-path': undefined } },
  });
  scene.drop('ventes.csv', sales(['R1']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ cause: 'not-configured' }]);
  expect(tally(await scene.entries())).toEqual({ ready: 1 });
});

test('answers for the ERP are written next to the receipts and follow every change', async () => {
  await using scene = await openScene({ settings: { receipts: { answers: 'xml' } } });
  scene.drop('ventes.csv', sales(['F1', 'F2-X6ONCE']));
  await scene.night();
  const [answers] = scene.files('reports');
  expect(scene.read(answers!)).toMatch(/number="F1" class="invoice" state="authorized" code="2"/);
  expect(scene.read(answers!)).toMatch(/number="F2-X6ONCE" class="invoice" state="rejected" code="6"/);
});

test('answers to many small files are written together, before the ledger notes that they are', async () => {
  await using scene = await openScene({ settings: { receipts: { answers: 'xml' } } });
  const count = 60;
  for (let n = 0; n < count; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
  let commits = 0;
  let early = 0;
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async (work) => {
      let files = 0;
      const done = await driver.write(async (sql) => {
        files = 0;
        const run: Statements['run'] = (text, ...values) => {
          if (text.startsWith('UPDATE summary SET written')) {
            files++;
            const piece = String(values[4]).slice(-8);
            if (!scene.files('reports').some((path) => path.includes(piece))) early++;
          }
          return sql.run(text, ...values);
        };
        return await work({ ...sql, run });
      });
      if (files > 0) commits++;
      return done;
    },
  });
  await scene.night({ through });
  expect(tally(await scene.entries())).toEqual({ authorized: count });
  expect(early).toBe(0);
  // One by one it was a commit for each file.
  expect(commits).toBeGreaterThan(0);
  expect(commits).toBeLessThan(count / 2);
  for (const path of scene.files('reports')) expect(scene.read(path)).toMatch(/state="authorized" code="2"/);
  expect(scene.files('reports')).toHaveLength(count);
});

const WHOLE_FILE_MAPPING = `
mapping: scans
version: 1
target: fr-invoice
accepts: { files: "*.pdf" }
source: { format: file }
documents: { one-per: file, class: invoice, never-twice: [= FILE-STEM()] }
checks:
  - { that: "= NOT(MATCHES(FILE-STEM(), \\"draft.*\\"))", else: error, say: drafts are not sent }
file: { format: pdf, filename: = FILE-NAME(), transport: base64, data: = FILE-CONTENT() }
`;

test('a file that is sent as it is may be answered with the number inside it, and its name is part of it', async () => {
  await using scene = await openScene({ mappings: { 'scans.yaml': WHOLE_FILE_MAPPING } });
  scene.sandbox.script([
    {
      match: { service: 'fr' },
      answer: {
        body: JSON.stringify({
          result: { status: { code: 2 }, content: { document: { identifier: 'the-number-inside' } } },
        }),
      },
    },
  ]);
  scene.drop('draft 1.pdf', '%PDF-1.7 one');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  // The same bytes under the right name are another file; under the same name they are not.
  scene.drop('F1.pdf', '%PDF-1.7 one');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1, authorized: 1 });
  scene.drop('F1.pdf', '%PDF-1.7 one');
  const { told } = await scene.night();
  expect(told.some(({ what }) => what === 'file-duplicate')).toBe(true);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('a file that the program stumbles over is refused, the others go on', async () => {
  await using scene = await openScene();
  scene.drop('ventes-a.csv', sales(['F1']));
  scene.drop('ventes-b.csv', sales(['F2']));
  let writes = 0;
  const { told } = await scene.night({
    through: (driver) => ({
      ...driver,
      // The third write of a night with two files closes both of them, the fourth is for the first one alone.
      write: async (work) => {
        if (++writes === 3 || writes === 4) throw new TypeError('a mistake');
        return await driver.write(work);
      },
    }),
  });
  expect(told.flatMap((one) => (one.what === 'file-refused' ? one.faults : []))).toMatchObject([
    { code: 'intake/internal-error', message: expect.stringContaining('a mistake') },
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

test('a disk error stops new submissions, is reported, and sends no document under way twice', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 10 }, services: { fr: { concurrency: 4 } } });
  scene.drop('ventes.csv', sales(Array.from({ length: 40 }, (_, n) => `F${n}`)));
  let full = false;
  const night = scene.night({
    onEvent: ({ what }) => {
      if (what === 'document') full = true;
    },
    through: (driver) => ({
      ...driver,
      write: async (work) => {
        if (full) throw new LedgerUnavailable('ledger/disk-full', undefined);
        return await driver.write(work);
      },
    }),
  });
  await expect(night).rejects.toMatchObject({ code: 'ledger/disk-full' });
  expect(scene.sandbox.requests().fr.submit).toBeLessThanOrEqual(8);
  await scene.night();
  const counts = tally(await scene.entries());
  expect((counts.authorized ?? 0) + (counts['in-doubt'] ?? 0)).toBe(40);
  expect(scene.sandbox.acceptances().filter(({ requests }) => requests > 1)).toEqual([]);
});

test('the service asks for more patience than the run has: it stops as unreachable, the documents stay queued', async () => {
  await using scene = await openScene({ settings: { run: { 'give-up-after': '1s' } } });
  scene.sandbox.script([
    { match: { service: 'fr', act: 'submit' }, answer: { http: 429, retryAfterSeconds: 600, body: '' } },
  ]);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ service: 'fr', cause: 'unreachable' }]);
  expect(tally(await scene.entries())).toEqual({ ready: 2 });
});

test('a ledger that may not send: the inbox stays as it is', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  const witness = join(scene.root, 'state/installation.json');
  writeFileSync(witness, readFileSync(witness, 'utf8').replace('"generation":"0', '"generation":"9'));
  await expect(scene.night()).rejects.toMatchObject({ code: 'ledger/older' });
  expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);
});

test('a file that cannot be taken yet is named', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  writeFileSync(join(scene.root, 'inbox', 'ventes-empty.csv'), '');
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'left-waiting')).toEqual([
    { what: 'left-waiting', file: 'ventes-empty.csv', why: 'empty' },
  ]);
  expect(scene.files('inbox')).toEqual(['inbox/ventes-empty.csv']);
});
