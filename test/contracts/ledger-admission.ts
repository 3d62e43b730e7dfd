/** What every ledger does with files: staged, admitted whole or not at all, numbered once for ever. */
import { describe, expect, test } from 'vitest';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { AT, admit, all, reach, send, states } from '../ledger/acts.ts';
import {
  ADMITTED,
  answer,
  clock,
  documentOf,
  faulty,
  NOT_SENT,
  newFile,
  nextLink,
  recordReceipt,
  valid,
} from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

export function admissionContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: files`, () => {
    test('a file goes from loading to archived', async () => {
      const ledger = await opened();
      const file = await ledger.intake.openFile(newFile({ sha256: 'x' }));
      expect(file).toMatchObject({ state: 'loading', rows: 0, changes: 0, sha256: 'x' });
      expect(await ledger.intake.fileBySha256('x')).toBeUndefined();
      await ledger.intake.stage(file.id, [valid()]);
      await ledger.intake.admit(file.id, { ...ADMITTED, encoding: 'utf-8', leftOut: [{ row: 9, rule: 'totals' }] });
      const admitted = await ledger.intake.fileBySha256('x');
      expect(admitted).toMatchObject({ state: 'admitted', rows: 3, encoding: 'utf-8', mapping: ADMITTED.mapping });
      expect(admitted?.leftOut).toEqual([{ row: 9, rule: 'totals' }]);
      await ledger.intake.moveFile(file.id, 'processing/elsewhere.csv');
      expect((await ledger.intake.openFiles())[0]?.path).toBe('processing/elsewhere.csv');
      await ledger.intake.archiveFile(file.id, 'archive/2026-11/x', AT);
      expect(await ledger.intake.openFiles()).toEqual([]);
      expect((await ledger.queries.files({}))[0]).toMatchObject({ path: 'archive/2026-11/x', archivedAt: AT });
    });

    test('a copy that is missing is recorded once, with the documents as they are; never of a file that is still read', async () => {
      const ledger = await opened();
      const file = await ledger.intake.openFile(newFile({ sha256: 'x' }));
      const fault = { code: 'intake/source-missing', level: 'error', message: 'gone' } as const;
      await ledger.intake.recordMissing(file.id, fault, AT);
      expect((await ledger.intake.openFiles())[0]).toMatchObject({ state: 'loading', faults: [] });
      await ledger.intake.stage(file.id, [valid()]);
      await ledger.intake.admit(file.id, ADMITTED);
      for (const _ of [1, 2]) await ledger.intake.recordMissing(file.id, fault, AT);
      expect(await ledger.intake.openFiles()).toEqual([]);
      expect((await ledger.queries.files({}))[0]).toMatchObject({ state: 'admitted', faults: [fault], archivedAt: AT });
      expect(await ledger.queries.counts()).toEqual({ ready: 1 });
    });

    test('open files come in pages, oldest first, and archived ones drop out', async () => {
      const ledger = await opened();
      const ids: string[] = [];
      for (const n of [1, 2, 3, 4, 5])
        ids.push((await ledger.intake.openFile(newFile({ name: `${n}.csv`, sha256: `${n}` }))).id);
      const behind = async (id: string) => (await ledger.intake.openFilesAfter(id, 2)).map((file) => file.id);
      expect(await behind('')).toEqual(ids.slice(0, 2));
      await ledger.intake.archiveFile(ids[2]!, 'archive/3.csv', AT);
      expect(await behind(ids[1]!)).toEqual(ids.slice(3));
      expect(await behind(ids[4]!)).toEqual([]);
    });

    test('a refused file keeps its faults and loses what was staged', async () => {
      const ledger = await opened();
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid()]);
      const fault = { code: 'csv/quote-not-closed', level: 'error', message: 'not closed' } as const;
      await ledger.intake.refuseFile(file.id, { faults: [fault], rows: 1, leftOut: [] });
      expect((await ledger.queries.files({ run: 'run-1' }))[0]).toMatchObject({ state: 'refused', faults: [fault] });
      expect(await all(ledger.queries.find({}))).toEqual([]);
      await expect(ledger.intake.stage(file.id, [valid()])).rejects.toThrow('refused, not loading');
      await expect(ledger.intake.admit(file.id, ADMITTED)).rejects.toThrow('cannot be admitted');
      expect(await states(ledger, [valid()])).toEqual(['ready']);
    });

    test('the same bytes again name the first file', async () => {
      const ledger = await opened();
      const first = await admit(ledger, [valid()]);
      const second = await ledger.intake.openFile(newFile());
      await ledger.intake.duplicateFile(second.id, first.id);
      const [found] = await ledger.queries.files({ limit: 1 });
      expect(found).toMatchObject({ state: 'duplicate', first: { id: first.id, name: first.name } });
    });

    test('files closed together are closed one by one in their order, or none of them is', async () => {
      const ledger = await opened();
      const open = async (name: string) => (await ledger.intake.openFile(newFile({ name, sha256: name }))).id;
      const ids = [await open('a'), await open('b'), await open('c'), await open('d')] as const;
      const fault = { code: 'csv/quote-not-closed', level: 'error', message: 'not closed' } as const;
      const holds = async (outcomes: readonly DocumentOutcome[]) => outcomes;
      const closings = [
        { id: ids[0], outcomes: [valid()], holds, facts: ADMITTED },
        // The same number again: it is decided against the file before it.
        { id: ids[1], outcomes: [valid()], holds, facts: ADMITTED },
        { id: ids[2], refusal: { faults: [fault], rows: 1, leftOut: [] } },
        { id: ids[3], duplicateOf: ids[0] },
      ];
      await expect(ledger.intake.closeFiles([...closings, { ...closings[0]!, id: 'none' }])).rejects.toThrow('none');
      expect((await ledger.intake.loadingFiles()).map(({ id }) => id)).toEqual(ids);
      expect(await all(ledger.queries.find({}))).toEqual([]);
      await ledger.intake.closeFiles(closings);
      expect((await ledger.queries.files({})).map(({ state }) => state)).toEqual([
        'duplicate',
        'refused',
        'admitted',
        'admitted',
      ]);
      expect(await ledger.queries.counts()).toEqual({ ready: 1, duplicate: 1 });
      expect(await ledger.intake.loadingFiles()).toEqual([]);
      expect((await ledger.intake.filesBySha256(['a', 'c', 'd', 'e'])).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    });

    test('a file that comes later is later, also with the clock set back', async () => {
      const time = clock();
      const { ledger, reopen } = await open({ now: time.now });
      const fault = { code: 'map/no-mapping', level: 'error', message: 'none' } as const;
      const refused = await ledger.intake.openFile(newFile({ name: 'other.csv', sha256: '7' }));
      await ledger.intake.refuseFile(refused.id, { faults: [fault], rows: 1, leftOut: [] });
      time.pass(-3_600_000);
      await using again = await reopen();
      const taken = await again.intake.openFile(newFile({ name: 'sales.csv', sha256: '7' }));
      await again.intake.admit(taken.id, ADMITTED);
      expect(await again.queries.laterIntake(refused)).toMatchObject({ byBytes: true });
      expect((await again.intake.fileBySha256('7'))?.id).toBe(taken.id);
    });

    test('of a file with faults it is known what came after it', async () => {
      const ledger = await opened();
      const fault = { code: 'csv/quote-not-closed', level: 'error', message: 'not closed' } as const;
      const refuse = async (name: string, sha256: string) => {
        const file = await ledger.intake.openFile(newFile({ name, sha256 }));
        await ledger.intake.refuseFile(file.id, { faults: [fault], rows: 1, leftOut: [] });
        return file;
      };
      const [first, second] = [await refuse('a.csv', '1'), await refuse('b.csv', '2')];
      await admit(ledger, [valid()]);
      expect((await ledger.queries.filesWithFaults()).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect(await ledger.queries.laterIntake(first)).toEqual({ byName: false, byBytes: false, archived: false });
      const again = await ledger.intake.openFile(newFile({ name: 'a.csv', sha256: '3' }));
      await ledger.intake.admit(again.id, ADMITTED);
      expect(await ledger.queries.laterIntake(first)).toEqual({ byName: true, byBytes: false, archived: false });
      expect(await ledger.queries.laterIntake(again)).toEqual({ byName: false, byBytes: false, archived: false });
      const bytes = await ledger.intake.openFile(newFile({ name: 'c.csv', sha256: '2' }));
      // A correction file that was refused in part takes no one's place.
      const { mapping: _, ...correction } = ADMITTED;
      await ledger.intake.admit(bytes.id, { ...correction, faults: [fault] });
      expect(await ledger.queries.laterIntake(second)).toEqual({ byName: false, byBytes: false, archived: false });
      expect((await ledger.queries.filesWithFaults()).map(({ id }) => id)).toEqual([bytes.id, second.id, first.id]);
    });

    test('a small file is settled once none of its documents is on its way or without its receipt', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      const settled = async () => (await ledger.receipts.settledSummariesDue(10, 100)).map(({ id }) => id);
      const waiting = async (ms: number) =>
        (await ledger.receipts.receiptsWaiting(10, ms, 100)).map(({ entry }) => entry.file.id);
      expect(await settled()).toEqual([]);
      expect(await waiting(Number.MAX_SAFE_INTEGER)).toEqual([file.id]);
      expect(await waiting(0)).toEqual([]);
      expect(await ledger.receipts.receiptsWaiting(10, Number.MAX_SAFE_INTEGER, 0)).toEqual([]);
      await send(ledger, answer(2, 'authorized'));
      expect(await settled()).toEqual([]);
      const [{ entry }] = (await ledger.receipts.receiptsDue(10, { waiting: false })) as [{ entry: LedgerEntry }];
      await recordReceipt(ledger, entry);
      expect(await settled()).toEqual([file.id]);
      expect(await ledger.receipts.settledSummariesDue(10, 0)).toEqual([]);
      expect(
        (await ledger.queries.entriesByFile([file.id])).get(file.id)?.map((place) => 'state' in place && place.state),
      ).toEqual(['authorized']);
    });

    test('a summary is due until it knows of the last change', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      const place = { folder: 'error', day: '2026-11-20' } as const;
      const [due] = await ledger.receipts.summariesDue(10);
      expect(due?.id).toBe(file.id);
      const summarize = async (changes: number) =>
        ledger.receipts.recordSummaries([{ id: file.id, changes, ...place, link: await nextLink(ledger, file.id) }]);
      const again = async () => {
        const [found] = await ledger.receipts.summariesDue(10);
        expect(found).toMatchObject({ id: file.id, summary: place });
        await summarize(found!.changes);
        expect(await ledger.receipts.summariesDue(10)).toEqual([]);
      };
      // Nothing of it became a receipt, so that only the summary can tell that it was tried.
      await send(ledger, NOT_SENT);
      await summarize(due!.changes);
      await again();
      await send(ledger, answer(2, 'authorized'));
      expect(await ledger.receipts.summariesDue(10)).toEqual([]);
      const [{ entry }] = (await ledger.receipts.receiptsDue(10, { waiting: false })) as [{ entry: LedgerEntry }];
      await recordReceipt(ledger, entry);
      await again();
    });
  });

  describe(`${name}: admission`, () => {
    test('nothing staged is visible before the file is admitted', async () => {
      const ledger = await opened();
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid(), faulty({ number: 'F-2' })]);
      expect(await all(ledger.queries.find({}))).toEqual([]);
      expect(await ledger.submissions.due('fr', Date.now(), 10)).toEqual([]);
      expect(await ledger.queries.counts()).toEqual({});
      expect(await ledger.receipts.receiptsDue(10, { waiting: true })).toEqual([]);
      expect(await all(ledger.queries.entriesOf(file.id))).toEqual([]);
      await ledger.intake.admit(file.id, ADMITTED);
      expect(await ledger.queries.counts()).toEqual({ ready: 1, invalid: 1 });
    });

    test('admitted twice changes nothing', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      const before = await all(ledger.queries.find({}));
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 99 });
      expect(await all(ledger.queries.find({}))).toEqual(before);
      expect((await ledger.queries.files({}))[0]?.rows).toBe(3);
    });

    test('a file started over leaves no trace, also of corrections', async () => {
      const ledger = await opened();
      await admit(ledger, [faulty({ number: 'F-1' })]);
      const before = await all(ledger.queries.find({}));
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid({ number: 'F-1', text: 'b' }), valid({ number: 'F-2' })]);
      await ledger.intake.restartFile(file.id);
      expect(await all(ledger.queries.find({}))).toEqual(before);
      await ledger.intake.stage(file.id, [valid({ number: 'F-1', text: 'c' }), valid({ number: 'F-2' })]);
      await ledger.intake.admit(file.id, ADMITTED);
      expect(await ledger.queries.counts()).toEqual({ ready: 2 });
      expect(await ledger.queries.contentOf(before[0]!.id)).toContain('"c"');
    });

    test('entries come in row order with all that was staged of them', async () => {
      const ledger = await opened();
      const wishes = [30, 4, 100, 7].map((row) => ({ number: `F-${row}`, row }));
      const file = await admit(ledger, wishes.map(valid));
      const entries = await all(ledger.queries.entriesOf(file.id));
      expect(entries.map(({ rows }) => rows[0])).toEqual([4, 7, 30, 100]);
      expect(entries[0]).toMatchObject({ revision: 1, state: 'ready', name: 'F-4', service: 'fr', attempts: [] });
      expect(entries[0]?.facts).toEqual(documentOf({ number: 'F-4' }).facts);
      expect(entries[0]?.file).toMatchObject({ id: file.id, state: 'admitted' });
    });

    test.each<[string, DocumentOutcome[], State[]]>([
      ['twice the same in one file', [valid(), valid({ row: 3 })], ['ready', 'duplicate']],
      ['one number twice in one file', [valid(), valid({ text: 'b', row: 3 })], ['held', 'conflict']],
      [
        'one number three times in one file',
        [valid(), valid({ text: 'b', row: 3 }), valid({ row: 4 })],
        ['held', 'conflict', 'duplicate'],
      ],
      ['an invalid one first', [faulty(), valid({ row: 3 })], ['invalid', 'conflict']],
      ['an invalid one second', [valid(), faulty({ row: 3 })], ['held', 'invalid']],
      ['another number', [valid(), valid({ number: 'F-2', row: 3 })], ['ready', 'ready']],
      [
        'a second identity',
        [valid(), valid({ number: 'F-2', keys: ['k', 'fr invoice 123456789 F-1'], row: 3 })],
        ['held', 'conflict'],
      ],
    ])('in one file: %s', async (_, outcomes, expected) => {
      const ledger = await opened();
      const file = await admit(ledger, outcomes);
      expect((await all(ledger.queries.entriesOf(file.id))).map(({ state }) => state)).toEqual(expected);
    });

    test('a number in another spelling waits while the earlier document is sent or may be sent', async () => {
      const ledger = await opened();
      const spelled = (number: string, row = 2) =>
        valid({ number, row, keys: [`fr|123456789|invoice||${number}|2026`] });
      expect(await states(ledger, [spelled('FA-1')])).toEqual(['ready']);
      expect(await states(ledger, [spelled('fa-1'), spelled('FA-2', 3)])).toEqual(['held', 'ready']);
      await send(ledger, answer(2, 'authorized'));
      expect(await states(ledger, [spelled('Fa-1')])).toEqual(['held']);
      const [held] = await all(ledger.queries.find({ states: ['held'] }));
      expect(held?.hold?.rule).toBe('number-spelling');
      // Two in one file: both wait.
      expect(await states(ledger, [spelled('fb-1'), spelled('FB-1', 3)])).toEqual(['held', 'held']);
    });

    /** State of the earlier entry; what came before; the outcome that comes; its state; the revision of the earlier. */
    test.each<[State, DocumentOutcome, State, number]>([
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
      const [before] = await all(ledger.queries.find({}));
      const file = await admit(ledger, [outcome]);
      const [entry] = await all(ledger.queries.entriesOf(file.id));
      expect(entry?.state).toBe(expected);
      const [first] = await all(ledger.queries.find({ ids: [before!.id] }));
      expect(first?.revision).toBe(revision);
      if (revision === 2)
        expect(entry).toMatchObject({ id: before!.id, name: before!.name, attempts: before!.attempts });
      else expect(first?.state).toBe(earlier);
      if (expected === 'duplicate' || expected === 'conflict') {
        expect(entry?.first).toEqual({ id: before!.id, name: before!.name });
      }
      if (expected !== 'ready')
        expect((await ledger.submissions.due('fr', Date.now(), 9)).length).toBe(earlier === 'ready' ? 1 : 0);
    });

    test('an invalid correction does not send a rejected document a second time', async () => {
      const ledger = await opened();
      await reach(ledger, 'rejected');
      await admit(ledger, [faulty({ text: 'b' })]);
      expect(await states(ledger, [valid()])).toEqual(['duplicate']);
      expect(await states(ledger, [valid({ text: 'c' })])).toEqual(['ready']);
    });

    test('a document whose correction was rejected too is not sent again as it was first, whatever came in between', async () => {
      const ledger = await opened();
      await reach(ledger, 'rejected');
      await admit(ledger, [valid({ text: 'b' })]);
      await send(ledger, answer(6, 'rejected'));
      expect(await states(ledger, [valid()])).toEqual(['duplicate']);
      await admit(ledger, [faulty({ text: 'c' })]);
      expect(await states(ledger, [valid(), valid({ text: 'b' })])).toEqual(['duplicate', 'duplicate']);
      const [{ id, file } = {} as LedgerEntry] = await all(ledger.queries.find({ states: ['invalid'] }));
      const reading = await ledger.corrections.openReprocess(file.id, {
        ...{
          entries: [id],
          corrections: [],
          by: 'ana',
          reason: 'as it was',
          claimedAt: AT,
          day: '2026-11-20',
          run: 'run-1',
        },
      });
      expect(await ledger.corrections.stageRevisions(reading.id, [{ entry: id, outcome: valid() }])).toMatchObject([
        { state: 'unchanged' },
      ]);
      await ledger.intake.admit(reading.id, ADMITTED);
      expect(await states(ledger, [valid({ text: 'd' })])).toEqual(['ready']);
    });

    test('two files cannot be read at once where they have the same document', async () => {
      const ledger = await opened();
      const [one, two] = [await ledger.intake.openFile(newFile()), await ledger.intake.openFile(newFile())];
      await ledger.intake.stage(one.id, [valid()]);
      await expect(ledger.intake.stage(two.id, [valid()])).rejects.toThrow('one file after the other');
      await ledger.intake.stage(two.id, [valid({ number: 'F-2' })]);
      await ledger.intake.restartFile(one.id);
      await ledger.intake.stage(two.id, [valid()]);
      await ledger.intake.admit(two.id, ADMITTED);
      expect(await ledger.queries.counts()).toEqual({ ready: 2 });
    });

    test('a stop leaves what is staged of a file to the next start, and the rest of an admitted one', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      // More than one step of those that make staged documents count.
      const numbers = Array.from({ length: 1100 }, (_, n) => `G-${n}`);
      const many = numbers.map((number, row) => valid({ number, row }));
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, many);
      const stop = AbortSignal.abort();
      await ledger.intake.restartFile(file.id, stop);
      // Staged still: the same once more is beside what stands there.
      await expect(ledger.intake.stage((await ledger.intake.openFile(newFile())).id, many.slice(0, 1))).rejects.toThrow(
        'one file',
      );
      await ledger.intake.restartFile(file.id);
      await ledger.intake.stage(file.id, many);
      await ledger.intake.admit(file.id, ADMITTED, stop);
      expect(await ledger.queries.counts()).toEqual({});
      // Nothing is summed up of it before all of it counts.
      expect(await ledger.receipts.summariesDue(9)).toEqual([]);
      const again = await reopen();
      expect(await again.queries.counts()).toEqual({ ready: 1100 });
      expect((await again.receipts.summariesDue(9)).map(({ id }) => id)).toEqual([file.id]);
    });

    test('a large file counts whole, while others read on', async () => {
      const ledger = await opened();
      const file = await ledger.intake.openFile(newFile());
      for (let from = 0; from < 1100; from += 550) {
        await ledger.intake.stage(
          file.id,
          Array.from({ length: 550 }, (_, n) => valid({ number: `G-${from + n}`, row: from + n })),
        );
      }
      const admitting = ledger.intake.admit(file.id, ADMITTED);
      const other = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(other.id, [valid({ number: 'G-1050' }), valid({ number: 'G-1051', text: 'other' })]);
      await admitting;
      await ledger.intake.admit(other.id, ADMITTED);
      expect(await ledger.queries.counts()).toEqual({ ready: 1100, duplicate: 1, conflict: 1 });
      expect((await all(ledger.queries.entriesOf(file.id))).length).toBe(1100);
    });

    test('receipt names are safe and never the same twice', async () => {
      const ledger = await opened();
      const numbers = ['F/1', 'f/1', 'F%2F1', 'CON', '../x', ''];
      const file = await admit(
        ledger,
        numbers.map((number, row) => valid({ number: `${number}`, keys: [`k${row}`], row })),
      );
      const names = (await all(ledger.queries.entriesOf(file.id))).map(({ name: stem }) => stem);
      expect(names.slice(0, 1)).toEqual(['F%2F1']);
      expect(names[1]).toMatch(/^f%2F1~[0-9a-f]{8}$/);
      expect(names.slice(2, 5)).toEqual(['F%252F1', '%43ON', '%2E.%2Fx']);
      expect(names[5]).toMatch(/^ventes-\d+-row-5$/);
    });
  });

  describe(`${name}: numbers`, () => {
    const token = new Numbering('note', ['till-1'], 'text');
    const noted = (id: string, text = 'a', numbering = token): DocumentOutcome =>
      valid({
        numbering,
        keys: [id],
        identifier: `S-${numbering.toJSON()}`,
        content: JSON.stringify({ n: numbering, id, text }),
      });

    test('each identity has the next number for ever', async () => {
      const { ledger } = await open({ now: clock().now, sequences: { note: 100 } });
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [noted('a'), noted('b')]);
      await ledger.intake.restartFile(file.id);
      await ledger.intake.stage(file.id, [
        noted('b'),
        noted('a'),
        noted('c'),
        noted('d', 'a', new Numbering('note', ['till-2'], 'number')),
      ]);
      await ledger.intake.admit(file.id, ADMITTED);
      const entries = await all(ledger.queries.find({}));
      expect(entries.map(({ facts }) => facts.identifier)).toEqual(['S-101', 'S-100', 'S-102', 'S-100']);
      expect(await ledger.queries.contentOf(entries[0]!.id)).toBe('{"n":"101","id":"b","text":"a"}');
      expect(await ledger.queries.contentOf(entries[3]!.id)).toBe('{"n":100,"id":"d","text":"a"}');
    });

    test('a correction after rejection keeps the number, a conflict takes none', async () => {
      const ledger = await opened();
      await admit(ledger, [noted('a')]);
      await send(ledger, answer(6, 'rejected'));
      await admit(ledger, [noted('a', 'better')]);
      await admit(ledger, [noted('a', 'best')]);
      await admit(ledger, [noted('b')]);
      const entries = await all(ledger.queries.find({}));
      expect(entries.map(({ state, facts }) => [state, facts.identifier])).toEqual([
        ['ready', 'S-1'],
        ['conflict', 'S-1'],
        ['ready', 'S-2'],
      ]);
      expect(await ledger.queries.contentOf(entries[0]!.id)).toContain('better');
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
      const [, second] = await all(ledger.queries.find({}));
      expect(second?.state).toBe('ready');
      expect(await ledger.queries.contentOf(second!.id)).toContain('"n":"2"');
      expect(await states(ledger, [valid({ number: 'z', keys: ['note 2'] })])).toEqual(['conflict']);
    });

    test('what waits for a number and is invalid has no identity by it', async () => {
      const ledger = await opened();
      const open = (row: number) => faulty({ row, keys: [`note ${token.toJSON()}`] });
      expect(await states(ledger, [open(2), open(3)])).toEqual(['invalid', 'invalid']);
      expect(await states(ledger, [open(2)])).toEqual(['invalid']);
      expect(await ledger.queries.counts()).toEqual({ invalid: 3 });
    });

    test('without any other identity the content is one', async () => {
      const ledger = await opened();
      const bare = valid({ numbering: token, keys: [], content: JSON.stringify({ n: token }) });
      expect(await states(ledger, [bare])).toEqual(['ready']);
      expect(await states(ledger, [bare])).toEqual(['duplicate']);
    });
  });
}
