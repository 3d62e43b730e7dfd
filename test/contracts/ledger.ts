/**
 * What every ledger has to do, whatever the engine. `open` gives a ledger on a fresh database; `reopen` closes it and
 * opens the same database again, as after a clean stop.
 */
import { describe, expect, test } from 'vitest';
import type { Due, Ledger, NewFile, Sending } from '../../src/ledger/ledger.ts';
import type { Outcome } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { State } from '../../src/model/state.ts';
import { ADMITTED, answer, clock, documentOf, faulty, NOT_SENT, newFile, valid } from '../ledger/make.ts';

export type LedgerUnderTest = {
  readonly open: (options: { now: () => Date; sequences?: { [name: string]: number } }) => Promise<{
    ledger: Ledger;
    reopen: () => Promise<Ledger>;
  }>;
};

const AT = '2026-11-20T22:30:00.000Z';
const INTENT = { requestId: 'request-1', at: AT, run: 'run-1' };

export function ledgerContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: files`, () => {
    test('a file goes from loading to archived', async () => {
      const ledger = await opened();
      const file = await ledger.openFile(newFile({ sha256: 'x' }));
      expect(file).toMatchObject({ state: 'loading', rows: 0, changes: 0, sha256: 'x' });
      expect(await ledger.fileBySha256('x')).toBeUndefined();
      await ledger.stage(file.id, [valid()]);
      await ledger.admit(file.id, { ...ADMITTED, encoding: 'utf-8', leftOut: [{ row: 9, rule: 'totals' }] });
      const admitted = await ledger.fileBySha256('x');
      expect(admitted).toMatchObject({ state: 'admitted', rows: 3, encoding: 'utf-8', mapping: ADMITTED.mapping });
      expect(admitted?.leftOut).toEqual([{ row: 9, rule: 'totals' }]);
      await ledger.moveFile(file.id, 'processing/elsewhere.csv');
      expect((await ledger.openFiles())[0]?.path).toBe('processing/elsewhere.csv');
      await ledger.archiveFile(file.id, 'archive/2026-11/x', AT);
      expect(await ledger.openFiles()).toEqual([]);
      expect((await ledger.files({}))[0]).toMatchObject({ path: 'archive/2026-11/x', archivedAt: AT });
    });

    test('a refused file keeps its faults and loses what was staged', async () => {
      const ledger = await opened();
      const file = await ledger.openFile(newFile());
      await ledger.stage(file.id, [valid()]);
      const fault = { code: 'csv/quote-not-closed', level: 'error', message: 'not closed' } as const;
      await ledger.refuseFile(file.id, { faults: [fault], rows: 1, leftOut: [] });
      expect((await ledger.files({ run: 'run-1' }))[0]).toMatchObject({ state: 'refused', faults: [fault] });
      expect(await all(ledger.find({}))).toEqual([]);
      await expect(ledger.stage(file.id, [valid()])).rejects.toThrow('refused, not loading');
      await expect(ledger.admit(file.id, ADMITTED)).rejects.toThrow('cannot be admitted');
      expect(await states(ledger, [valid()])).toEqual(['ready']);
    });

    test('the same bytes again name the first file', async () => {
      const ledger = await opened();
      const first = await admit(ledger, [valid()]);
      const second = await ledger.openFile(newFile());
      await ledger.duplicateFile(second.id, first.id);
      const [found] = await ledger.files({ limit: 1 });
      expect(found).toMatchObject({ state: 'duplicate', first: { id: first.id, name: first.name } });
    });

    test('a summary is due until it knows of the last change', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      const place = { folder: 'error', day: '2026-11-20' } as const;
      const [due] = await ledger.summariesDue(10);
      expect(due?.id).toBe(file.id);
      await send(ledger, answer(2, 'authorized'));
      await ledger.summaryWritten(file.id, due!.changes, place);
      const [again] = await ledger.summariesDue(10);
      expect(again).toMatchObject({ id: file.id, summary: place });
      await ledger.summaryWritten(file.id, again!.changes, place);
      expect(await ledger.summariesDue(10)).toEqual([]);
    });
  });

  describe(`${name}: admission`, () => {
    test('nothing staged is visible before the file is admitted', async () => {
      const ledger = await opened();
      const file = await ledger.openFile(newFile());
      await ledger.stage(file.id, [valid(), faulty({ number: 'F-2' })]);
      expect(await all(ledger.find({}))).toEqual([]);
      expect(await ledger.due('fr', Date.now(), 10)).toEqual([]);
      expect(await ledger.counts()).toEqual({});
      expect(await ledger.receiptsDue(10, { waiting: true })).toEqual([]);
      expect(await all(ledger.entriesOf(file.id))).toEqual([]);
      await ledger.admit(file.id, ADMITTED);
      expect(await ledger.counts()).toEqual({ ready: 1, invalid: 1 });
    });

    test('admitted twice changes nothing', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      const before = await all(ledger.find({}));
      await ledger.admit(file.id, { ...ADMITTED, rows: 99 });
      expect(await all(ledger.find({}))).toEqual(before);
      expect((await ledger.files({}))[0]?.rows).toBe(3);
    });

    test('a file started over leaves no trace, also of corrections', async () => {
      const ledger = await opened();
      await admit(ledger, [faulty({ number: 'F-1' })]);
      const before = await all(ledger.find({}));
      const file = await ledger.openFile(newFile());
      await ledger.stage(file.id, [valid({ number: 'F-1', text: 'b' }), valid({ number: 'F-2' })]);
      await ledger.restartFile(file.id);
      expect(await all(ledger.find({}))).toEqual(before);
      await ledger.stage(file.id, [valid({ number: 'F-1', text: 'c' }), valid({ number: 'F-2' })]);
      await ledger.admit(file.id, ADMITTED);
      expect(await ledger.counts()).toEqual({ ready: 2 });
      expect(await ledger.contentOf(before[0]!.id)).toContain('"c"');
    });

    test('entries come in row order with all that was staged of them', async () => {
      const ledger = await opened();
      const wishes = [30, 4, 100, 7].map((row) => ({ number: `F-${row}`, row }));
      const file = await admit(ledger, wishes.map(valid));
      const entries = await all(ledger.entriesOf(file.id));
      expect(entries.map(({ rows }) => rows[0])).toEqual([4, 7, 30, 100]);
      expect(entries[0]).toMatchObject({ revision: 1, state: 'ready', name: 'F-4', service: 'fr', attempts: [] });
      expect(entries[0]?.facts).toEqual(documentOf({ number: 'F-4' }).facts);
      expect(entries[0]?.file).toMatchObject({ id: file.id, state: 'admitted' });
    });

    test.each<[string, Outcome[], State[]]>([
      ['twice the same in one file', [valid(), valid({ row: 3 })], ['ready', 'duplicate']],
      ['one number twice in one file', [valid(), valid({ text: 'b', row: 3 })], ['ready', 'conflict']],
      ['an invalid one first', [faulty(), valid({ row: 3 })], ['invalid', 'conflict']],
      ['an invalid one second', [valid(), faulty({ row: 3 })], ['ready', 'invalid']],
      ['another number', [valid(), valid({ number: 'F-2', row: 3 })], ['ready', 'ready']],
      [
        'a second identity',
        [valid(), valid({ number: 'F-2', keys: ['k', 'fr invoice 123456789 F-1'], row: 3 })],
        ['ready', 'conflict'],
      ],
    ])('in one file: %s', async (_, outcomes, expected) => {
      const ledger = await opened();
      const file = await admit(ledger, outcomes);
      expect((await all(ledger.entriesOf(file.id))).map(({ state }) => state)).toEqual(expected);
    });

    /** State of the earlier entry; what came before; the outcome that comes; its state; the revision of the earlier. */
    test.each<[State, Outcome, State, number]>([
      ['invalid', valid(), 'ready', 2],
      ['invalid', valid({ text: 'b' }), 'ready', 2],
      ['invalid', faulty(), 'invalid', 2],
      ['rejected', valid(), 'duplicate', 1],
      ['rejected', valid({ text: 'b' }), 'ready', 2],
      ['rejected', faulty({ text: 'b' }), 'invalid', 2],
      ['ready', valid(), 'duplicate', 1],
      ['ready', valid({ text: 'b' }), 'conflict', 1],
      ['ready', faulty({ text: 'b' }), 'invalid', 1],
      ['authorized', valid(), 'duplicate', 1],
      ['authorized', valid({ text: 'b' }), 'conflict', 1],
      ['authorized', faulty(), 'invalid', 1],
      ['in-doubt', valid(), 'duplicate', 1],
      ['in-doubt', valid({ text: 'b' }), 'conflict', 1],
      ['contingency', valid({ text: 'b' }), 'conflict', 1],
      ['failed', valid({ text: 'b' }), 'conflict', 1],
      ['refused', valid({ text: 'b' }), 'conflict', 1],
    ])('after %s comes %#', async (earlier, outcome, expected, revision) => {
      const ledger = await opened();
      await reach(ledger, earlier);
      const [before] = await all(ledger.find({}));
      const file = await admit(ledger, [outcome]);
      const [entry] = await all(ledger.entriesOf(file.id));
      expect(entry?.state).toBe(expected);
      const [first] = await all(ledger.find({ ids: [before!.id] }));
      expect(first?.revision).toBe(revision);
      if (revision === 2)
        expect(entry).toMatchObject({ id: before!.id, name: before!.name, attempts: before!.attempts });
      else expect(first?.state).toBe(earlier);
      if (expected === 'duplicate' || expected === 'conflict') {
        expect(entry?.first).toEqual({ id: before!.id, name: before!.name });
      }
      if (expected !== 'ready')
        expect((await ledger.due('fr', Date.now(), 9)).length).toBe(earlier === 'ready' ? 1 : 0);
    });

    test('what was rejected does not go out again by the way of an invalid correction', async () => {
      const ledger = await opened();
      await reach(ledger, 'rejected');
      await admit(ledger, [faulty({ text: 'b' })]);
      expect(await states(ledger, [valid()])).toEqual(['duplicate']);
      expect(await states(ledger, [valid({ text: 'c' })])).toEqual(['ready']);
    });

    test('two files cannot be read at once where they have the same document', async () => {
      const ledger = await opened();
      const [one, two] = [await ledger.openFile(newFile()), await ledger.openFile(newFile())];
      await ledger.stage(one.id, [valid()]);
      await expect(ledger.stage(two.id, [valid()])).rejects.toThrow('one file after the other');
      await ledger.stage(two.id, [valid({ number: 'F-2' })]);
      await ledger.restartFile(one.id);
      await ledger.stage(two.id, [valid()]);
      await ledger.admit(two.id, ADMITTED);
      expect(await ledger.counts()).toEqual({ ready: 2 });
    });

    test('a large file counts whole, while others read on', async () => {
      const ledger = await opened();
      const file = await ledger.openFile(newFile());
      for (let from = 0; from < 2500; from += 500) {
        await ledger.stage(
          file.id,
          Array.from({ length: 500 }, (_, n) => valid({ number: `G-${from + n}`, row: from + n })),
        );
      }
      const admitting = ledger.admit(file.id, ADMITTED);
      const other = await ledger.openFile(newFile());
      await ledger.stage(other.id, [valid({ number: 'G-2400' }), valid({ number: 'G-2401', text: 'other' })]);
      await admitting;
      await ledger.admit(other.id, ADMITTED);
      expect(await ledger.counts()).toEqual({ ready: 2500, duplicate: 1, conflict: 1 });
      expect((await all(ledger.entriesOf(file.id))).length).toBe(2500);
    });

    test('receipt names are safe and never the same twice', async () => {
      const ledger = await opened();
      const numbers = ['F/1', 'f/1', 'F%2F1', 'CON', '../x', ''];
      const file = await admit(
        ledger,
        numbers.map((number, row) => valid({ number: `${number}`, keys: [`k${row}`], row })),
      );
      const names = (await all(ledger.entriesOf(file.id))).map(({ name: stem }) => stem);
      expect(names.slice(0, 1)).toEqual(['F%2F1']);
      expect(names[1]).toMatch(/^f%2F1~[0-9a-f]{8}$/);
      expect(names.slice(2, 5)).toEqual(['F%252F1', '%43ON', '%2E.%2Fx']);
      expect(names[5]).toMatch(/^ventes-\d+-row-5$/);
    });
  });

  describe(`${name}: numbers`, () => {
    const token = new Numbering('note', ['till-1'], 'text');
    const noted = (id: string, text = 'a', numbering = token): Outcome =>
      valid({
        numbering,
        keys: [id],
        identifier: `S-${numbering.toJSON()}`,
        content: JSON.stringify({ n: numbering, id, text }),
      });

    test('each identity has the next number for ever', async () => {
      const { ledger } = await open({ now: clock().now, sequences: { note: 100 } });
      const file = await ledger.openFile(newFile());
      await ledger.stage(file.id, [noted('a'), noted('b')]);
      await ledger.restartFile(file.id);
      await ledger.stage(file.id, [
        noted('b'),
        noted('a'),
        noted('c'),
        noted('d', 'a', new Numbering('note', ['till-2'], 'number')),
      ]);
      await ledger.admit(file.id, ADMITTED);
      const entries = await all(ledger.find({}));
      expect(entries.map(({ facts }) => facts.identifier)).toEqual(['S-101', 'S-100', 'S-102', 'S-100']);
      expect(await ledger.contentOf(entries[0]!.id)).toBe('{"n":"101","id":"b","text":"a"}');
      expect(await ledger.contentOf(entries[3]!.id)).toBe('{"n":100,"id":"d","text":"a"}');
    });

    test('a correction after rejection keeps the number, a conflict takes none', async () => {
      const ledger = await opened();
      await admit(ledger, [noted('a')]);
      await send(ledger, answer(6, 'rejected'));
      await admit(ledger, [noted('a', 'better')]);
      await admit(ledger, [noted('a', 'best')]);
      await admit(ledger, [noted('b')]);
      const entries = await all(ledger.find({}));
      expect(entries.map(({ state, facts }) => [state, facts.identifier])).toEqual([
        ['ready', 'S-1'],
        ['conflict', 'S-1'],
        ['ready', 'S-2'],
      ]);
      expect(await ledger.contentOf(entries[0]!.id)).toContain('better');
    });

    test('a number that a document has by its own account is passed over', async () => {
      const ledger = await opened();
      const keyed = (id: string) => {
        const document = documentOf({
          numbering: token,
          keys: [id, `note ${token.toJSON()}`],
          content: JSON.stringify({ n: token, id }),
        });
        return { document };
      };
      await admit(ledger, [valid({ number: 'own', keys: ['note 1'] })]);
      await admit(ledger, [keyed('a')]);
      const [, second] = await all(ledger.find({}));
      expect(second?.state).toBe('ready');
      expect(await ledger.contentOf(second!.id)).toContain('"n":"2"');
      expect(await states(ledger, [valid({ number: 'z', keys: ['note 2'] })])).toEqual(['conflict']);
    });

    test('what waits for a number and is invalid has no identity by it', async () => {
      const ledger = await opened();
      const open = (row: number) => faulty({ row, keys: [`note ${token.toJSON()}`] });
      expect(await states(ledger, [open(2), open(3)])).toEqual(['invalid', 'invalid']);
      expect(await states(ledger, [open(2)])).toEqual(['invalid']);
      expect(await ledger.counts()).toEqual({ invalid: 3 });
    });

    test('without any other identity the content is one', async () => {
      const ledger = await opened();
      const bare = valid({ numbering: token, keys: [], content: JSON.stringify({ n: token }) });
      expect(await states(ledger, [bare])).toEqual(['ready']);
      expect(await states(ledger, [bare])).toEqual(['duplicate']);
    });
  });

  describe(`${name}: sending`, () => {
    test('an entry begins once, with its content, and ends by its verdict', async () => {
      const ledger = await opened();
      await admit(ledger, [valid(), valid({ number: 'F-2' })]);
      const [due, next] = await ledger.due('fr', Date.now(), 10);
      expect(due).toMatchObject({ kind: 'fr-invoice', class: 'invoice', identifier: 'F-1', tries: 0, revision: 1 });
      expect(next?.identifier).toBe('F-2');
      expect((await ledger.due('fr', Date.now(), 1)).length).toBe(1);
      expect(await ledger.due('sv', Date.now(), 10)).toEqual([]);
      expect(await ledger.due('fr', Date.now(), 10, ['invoice'])).toEqual([]);
      const [one, two] = await Promise.all([
        ledger.begin(due!, INTENT),
        ledger.begin(due!, { ...INTENT, requestId: 'r2' }),
      ]);
      expect(one).toMatchObject({ n: 1, requestId: 'request-1', content: '{"payload":{"number":"F-1","text":"a"}}' });
      expect(two).toBeUndefined();
      expect(await ledger.counts()).toEqual({ ready: 1, sending: 1 });
      const { exchange, verdict } = answer(2, 'authorized');
      await ledger.answered(one!, exchange, 12);
      await ledger.finish(one!, verdict, AT);
      const [entry] = await all(ledger.find({ ids: ['F-1'] }));
      expect(entry).toMatchObject({ state: 'authorized', since: AT, answer: { code: 2, trackingId: 't-2' } });
      expect(entry?.attempts).toEqual([
        {
          n: 1,
          act: 'submit',
          run: 'run-1',
          requestId: 'request-1',
          at: AT,
          ms: 12,
          http: 200,
          code: 2,
          outcome: 'authorized',
          reason: 'code 2',
          answer: verdict.answer,
        },
      ]);
      expect(await ledger.begin(due!, INTENT)).toBeUndefined();
    });

    test('proven not sent: the same request-id goes out again, later', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      await send(ledger, NOT_SENT);
      const later = Date.parse(AT) + 1000;
      expect(await ledger.due('fr', later - 1, 10)).toEqual([]);
      expect(await ledger.nextDue('fr')).toBe(later);
      const [due] = await ledger.due('fr', later, 10);
      expect(due).toMatchObject({ requestId: 'request-1', tries: 1 });
      const sending = await ledger.begin(due!, { ...INTENT, requestId: 'another' });
      expect(sending).toMatchObject({ n: 2, requestId: 'request-1' });
      expect(await ledger.nextDue('fr')).toBeUndefined();
    });

    test('nothing is concluded without a stored exchange, but that it is in doubt', async () => {
      const ledger = await opened();
      const sending = await begun(ledger);
      const { verdict } = answer(2, 'authorized');
      await expect(ledger.finish(sending, verdict, AT)).rejects.toThrow('no exchange is stored');
      await expect(ledger.finish(sending, NOT_SENT.verdict, AT)).rejects.toThrow('no exchange is stored');
      await ledger.finish(sending, { state: 'in-doubt', reason: 'crash', consultAt: 5000 }, AT);
      expect(await ledger.counts()).toEqual({ 'in-doubt': 1 });
      expect(await ledger.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      expect((await ledger.consultDue('fr', 5000, 10)).length).toBe(1);
    });

    test.each<State>(['ready', 'sending', 'held', 'duplicate', 'conflict', 'invalid'])(
      'a submission never ends as %s',
      async (state) => {
        const ledger = await opened();
        const sending = await begun(ledger);
        await ledger.answered(sending, answer(2, 'authorized').exchange, 1);
        await expect(ledger.finish(sending, { state, reason: 'x' }, AT)).rejects.toThrow('cannot end as');
        expect(await ledger.counts()).toEqual({ sending: 1 });
      },
    );

    test('a verdict of an older attempt, or after a final one, changes nothing', async () => {
      const ledger = await opened();
      const first = await begun(ledger);
      await ledger.answered(first, NOT_SENT.exchange, 1);
      await ledger.finish(first, NOT_SENT.verdict, AT);
      const [due] = await ledger.due('fr', Number.MAX_SAFE_INTEGER, 1);
      const second = (await ledger.begin(due!, INTENT))!;
      await ledger.finish(first, answer(2, 'authorized').verdict, AT);
      expect(await ledger.counts()).toEqual({ sending: 1 });
      const rejected = answer(6, 'rejected');
      await ledger.answered(second, rejected.exchange, 1);
      await ledger.finish(second, rejected.verdict, AT);
      await ledger.finish(second, answer(2, 'authorized').verdict, AT);
      expect(await ledger.counts()).toEqual({ rejected: 1 });
    });

    test('what was under way at a stop is found with its exchange', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      await admit(ledger, [valid(), valid({ number: 'F-2' })]);
      const [one, two] = await ledger.due('fr', Date.now(), 10);
      const sending = (await ledger.begin(one!, INTENT))!;
      await ledger.begin(two!, { ...INTENT, requestId: 'request-2' });
      const { exchange } = answer(2, 'authorized');
      await ledger.answered(sending, exchange, 1);
      const again = await reopen();
      const [first, second] = await again.interrupted();
      expect(first).toMatchObject({ due: { identifier: 'F-1' }, n: 1, requestId: 'request-1' });
      expect(first?.exchange).toEqual({ ...exchange, headers: { 'content-type': 'application/json' } });
      expect(second).toMatchObject({ due: { identifier: 'F-2' }, requestId: 'request-2' });
      expect(second?.exchange).toBeUndefined();
      expect(await again.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });
  });

  describe(`${name}: consulting and resolving`, () => {
    const consultOnce = async (ledger: Ledger, due: Due, verdict: Parameters<Ledger['finishConsult']>[3], at = AT) => {
      const { n } = await ledger.beginConsult(due, { ...INTENT, requestId: 'consult', at });
      await ledger.finishConsult(due, n, { sent: true, status: 200, headers: {}, body: '{}' }, verdict, at, 3);
    };

    test('an answer moves the entry on, and the tracking id is kept', async () => {
      const ledger = await opened();
      await reach(ledger, 'contingency', 7000);
      const [due] = await ledger.consultDue('fr', 7000, 10);
      expect(await ledger.consultDue('fr', 6999, 10)).toEqual([]);
      expect(await ledger.beginConsult(due!, INTENT)).toMatchObject({ n: 1, state: 'contingency', trackingId: 't-8' });
      expect(await ledger.consultDue('fr', 7000, 10)).toEqual([]);
      const verdict = { state: 'authorized', reason: 'code 2', answer: { code: 2 } } as const;
      await ledger.finishConsult(due!, 1, { sent: true, status: 200, headers: {}, body: '{}' }, verdict, AT, 3);
      const [entry] = await all(ledger.find({}));
      expect(entry).toMatchObject({ state: 'authorized', answer: { code: 2, trackingId: 't-8' } });
      expect(entry?.attempts.map(({ act, n }) => [act, n])).toEqual([
        ['submit', 1],
        ['consult', 1],
      ]);
      expect(await ledger.consultDue('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });

    test('a consultation never makes an entry ready, and proves nothing without an answer', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const [due] = await ledger.consultDue('fr', 7000, 10);
      await expect(consultOnce(ledger, due!, NOT_SENT.verdict)).rejects.toThrow('cannot make an entry ready');
      await expect(consultOnce(ledger, due!, { state: 'held', reason: 'x' })).rejects.toThrow('cannot make');
      const { n } = await ledger.beginConsult(due!, INTENT);
      const authorized = { state: 'authorized', reason: 'x' } as const;
      await expect(ledger.finishConsult(due!, n, NOT_SENT.exchange, authorized, AT, 1)).rejects.toThrow('no answer');
      await ledger.finishConsult(
        due!,
        n,
        NOT_SENT.exchange,
        { state: 'in-doubt', reason: 'no answer', consultAt: 9000 },
        AT,
        1,
      );
      expect(await ledger.counts()).toEqual({ 'in-doubt': 1 });
      expect((await ledger.consultDue('fr', 9000, 1)).length).toBe(1);
    });

    test('what a consultation tells after a person has decided is kept, no more', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const [due] = await ledger.consultDue('fr', 7000, 10);
      const { n } = await ledger.beginConsult(due!, INTENT);
      expect(await ledger.resolve(due!.id, { as: 'ready', by: 'anna', at: AT, reason: 'mended' })).toBe(true);
      const sending = await ledger.begin((await ledger.due('fr', Date.now(), 1))[0]!, INTENT);
      const verdict = { state: 'authorized', reason: 'code 2', answer: { code: 2 } } as const;
      await ledger.finishConsult(due!, n, { sent: true, status: 200, headers: {}, body: '{}' }, verdict, AT, 3);
      expect(sending).toBeDefined();
      expect(await ledger.counts()).toEqual({ sending: 1 });
      expect(await ledger.receiptsDue(10, { waiting: true })).toEqual([]);
      const [entry] = await all(ledger.find({}));
      expect(entry?.attempts.map(({ act, outcome }) => [act, outcome])).toEqual([
        ['submit', 'refused'],
        ['consult', 'authorized'],
        ['resolve', 'ready'],
        ['submit', undefined],
      ]);
    });

    test('two "does not exist" an hour apart open the way to a resend by a person, one does not', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const [due] = await ledger.consultDue('fr', 7000, 10);
      const person = { as: 'ready', by: 'anna', at: AT, reason: 'checked' } as const;
      const notFound = { state: 'in-doubt', reason: 'code 18', notFound: true, answer: { code: 18 } } as const;
      await consultOnce(ledger, due!, notFound, '2026-11-21T08:00:00Z');
      expect(await ledger.resolve(due!.id, person)).toBe(false);
      await consultOnce(ledger, due!, notFound, '2026-11-21T08:59:59Z');
      expect(await ledger.resolve(due!.id, person)).toBe(false);
      await consultOnce(ledger, due!, notFound, '2026-11-21T09:00:00Z');
      const [entry] = await all(ledger.find({}));
      expect(entry).toMatchObject({ state: 'in-doubt', notFound: { times: 3, lastAt: '2026-11-21T09:00:00.000Z' } });
      expect(entry?.answer).toBeUndefined();
      expect(await ledger.resolve(due!.id, person)).toBe(true);
      const [again] = await ledger.due('fr', Date.now(), 10);
      expect(again?.requestId).toBeUndefined();
    });

    test.each<[State, State, boolean]>([
      ['in-doubt', 'authorized', true],
      ['in-doubt', 'rejected', true],
      ['in-doubt', 'ready', false],
      ['in-doubt', 'in-doubt', false],
      ['in-doubt', 'sending', false],
      ['contingency', 'authorized', true],
      ['contingency', 'ready', false],
      ['failed', 'ready', true],
      ['failed', 'authorized', false],
      ['refused', 'ready', true],
      ['rejected', 'ready', false],
      ['authorized', 'ready', false],
      ['ready', 'authorized', false],
      ['invalid', 'ready', false],
    ])('a person takes %s to %s: %s', async (from, as, expected) => {
      const ledger = await opened();
      await reach(ledger, from);
      const [before] = await all(ledger.find({}));
      const evidence = { as, by: 'anna', at: AT, reason: 'portal shows it', sha256: 'ab' };
      expect(await ledger.resolve(before!.id, evidence)).toBe(expected);
      const [entry] = await all(ledger.find({}));
      expect(entry?.state).toBe(expected ? as : from);
      if (expected) expect(entry).toMatchObject({ evidence });
      else expect(entry).toEqual(before);
      expect(await ledger.resolve('nobody', evidence)).toBe(false);
    });
  });

  describe(`${name}: reading`, () => {
    test('a receipt is due until it says what the ledger knows', async () => {
      const ledger = await opened();
      await admit(ledger, [valid(), faulty({ number: 'F-2', row: 3 })]);
      const [invalid, ...none] = await ledger.receiptsDue(10);
      expect([invalid?.state, none]).toEqual(['invalid', []]);
      expect((await ledger.receiptsDue(10, { waiting: true })).map(({ state }) => state)).toEqual(['invalid', 'ready']);
      const [ready] = await all(ledger.find({ states: ['ready'] }));
      const written = {
        id: ready!.id,
        revision: 1,
        state: 'ready',
        attempts: 0,
        folder: 'pending',
        day: '2026-11-20',
      } as const;
      await ledger.receiptsWritten([written]);
      expect((await ledger.receiptsDue(10, { waiting: true })).length).toBe(1);
      await send(ledger, answer(2, 'authorized'));
      await ledger.receiptsWritten([{ ...written, state: 'ready' }]);
      const due = (await ledger.receiptsDue(10)).find(({ state }) => state === 'authorized');
      expect(due?.receipt).toEqual({ folder: 'pending', day: '2026-11-20' });
      await ledger.receiptsWritten([{ ...written, state: 'authorized', attempts: 1, folder: 'outbox' }]);
      expect((await ledger.receiptsDue(10)).map(({ state }) => state)).toEqual(['invalid']);
    });

    test('a selector finds by each of its parts', async () => {
      const ledger = await opened();
      await admit(ledger, [valid({ number: 'F-1' }), faulty({ number: 'F-2', row: 3 })], { run: 'run-7' });
      await admit(ledger, [valid({ number: 'F-3', service: 'sv' }), valid({ number: 'F_3', row: 3 })]);
      await send(ledger, answer(6, 'rejected'));
      const found = async (selector: Parameters<Ledger['find']>[0]) =>
        (await all(ledger.find(selector))).map(({ facts }) => facts.identifier);
      expect(await found({})).toEqual(['F-1', 'F-2', 'F-3', 'F_3']);
      expect(await found({ limit: 2 })).toEqual(['F-1', 'F-2']);
      expect(await found({ ids: ['F-3', 'F-1', 'F-3'] })).toEqual(['F-3', 'F-1']);
      expect(await found({ ids: [] })).toEqual([]);
      expect(await found({ states: ['invalid', 'rejected'] })).toEqual(['F-1', 'F-2']);
      expect(await found({ states: [] })).toEqual([]);
      expect(await found({ service: 'sv' })).toEqual(['F-3']);
      expect(await found({ mapping: 'sage-ventes', run: 'run-7' })).toEqual(['F-1', 'F-2']);
      expect(await found({ mapping: 'other' })).toEqual([]);
      expect(await found({ cause: 'map/not-a-number' })).toEqual(['F-2']);
      expect(await found({ cause: 'map/not_a-number' })).toEqual([]);
      expect(await found({ cause: '6' })).toEqual(['F-1']);
      expect(await found({ since: AT })).toEqual(['F-1']);
      expect(await ledger.counts({ run: 'run-7' })).toEqual({ rejected: 1, invalid: 1 });
      expect(await ledger.counts({ ids: ['F-1', 'F-3'] })).toEqual({ rejected: 1, ready: 1 });
    });

    test('more entries than a page are found once each', async () => {
      const ledger = await opened();
      const file = await admit(
        ledger,
        Array.from({ length: 450 }, (_, n) => valid({ number: `P-${n}`, row: n % 7 })),
      );
      expect(new Set((await all(ledger.find({}))).map(({ id }) => id)).size).toBe(450);
      expect(new Set((await all(ledger.entriesOf(file.id))).map(({ id }) => id)).size).toBe(450);
    });

    test('a pause outlives the program', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      const pause = { cause: 'credentials', says: 'refused twice', at: AT, untilMs: 5 };
      await ledger.pause('fr', pause);
      const again = await reopen();
      expect(await again.pauseOf('fr')).toEqual(pause);
      expect(await again.pauseOf('sv')).toBeUndefined();
      await again.pause('fr', undefined);
      expect(await again.pauseOf('fr')).toBeUndefined();
    });
  });
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function admit(ledger: Ledger, outcomes: readonly Outcome[], changes: Partial<NewFile> = {}) {
  const file = await ledger.openFile(newFile(changes));
  await ledger.stage(file.id, outcomes);
  await ledger.admit(file.id, ADMITTED);
  return file;
}

async function states(ledger: Ledger, outcomes: readonly Outcome[]): Promise<State[]> {
  const file = await admit(ledger, outcomes);
  return (await all(ledger.entriesOf(file.id))).map(({ state }) => state);
}

/** Sends the oldest due entry, which ends as the given answer says. */
async function send(ledger: Ledger, { exchange, verdict }: ReturnType<typeof answer>): Promise<void> {
  const [due] = await ledger.due('fr', Number.MAX_SAFE_INTEGER, 1);
  const sending = (await ledger.begin(due!, INTENT))!;
  await ledger.answered(sending, exchange, 1);
  await ledger.finish(sending, verdict, AT);
}

async function begun(ledger: Ledger): Promise<Sending> {
  await admit(ledger, [valid()]);
  const [due] = await ledger.due('fr', Date.now(), 1);
  return (await ledger.begin(due!, INTENT))!;
}

/** Brings one entry, F-1 with text "a", to a state. */
async function reach(ledger: Ledger, state: State, consultAt?: number): Promise<Entry | undefined> {
  await admit(ledger, [state === 'invalid' ? faulty() : valid()]);
  if (state === 'invalid' || state === 'ready') return;
  const codes: { [name in State]?: number } = {
    authorized: 2,
    failed: 4,
    rejected: 6,
    contingency: 8,
    invalidated: 11,
    returned: 15,
  };
  const { exchange, verdict } = answer(codes[state] ?? 0, state);
  const { answer: given, ...rest } = verdict;
  const known = codes[state] === undefined ? {} : { answer: given! };
  await send(ledger, { exchange, verdict: { ...rest, ...known, ...(consultAt === undefined ? {} : { consultAt }) } });
  return;
}
