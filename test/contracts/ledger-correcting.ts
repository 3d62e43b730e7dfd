/** What every ledger does with corrections of cells and with files that are read once more for some of their entries. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { BegunConsultation } from '../../src/ledger/contract/submission-store.ts';
import { STEP } from '../../src/ledger/records/finish-staging.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import type { Correction, LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { AT, admit, all, INTENT, reach, send } from '../ledger/acts.ts';
import { ADMITTED, answer, clock, faulty, valid } from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

function correction(changes: Partial<Correction> = {}): Correction {
  return { row: 2, column: 'Qte', from: '1O', to: '10', by: 'anna', at: AT, reason: 'letter O', ...changes };
}

const DECIDED = { by: 'anna', reason: 'letter O', claimedAt: AT, day: '2026-11-20', run: 'run-2' };

/** Reads the file of an entry once more for it alone, and admits what comes of it. */
async function again(ledger: Ledger, entry: LedgerEntry, outcome: DocumentOutcome): Promise<LedgerEntry> {
  const first = entry.file.rereads ?? entry.file.id;
  const file = await ledger.corrections.openReprocess(first, { ...DECIDED, entries: [entry.id], corrections: [] });
  await ledger.corrections.stageRevisions(file.id, [{ entry: entry.id, outcome }]);
  await ledger.intake.admit(file.id, { ...ADMITTED, rows: 1 });
  return (await all(ledger.queries.find({ ids: [entry.id] })))[0]!;
}

async function only(ledger: Ledger): Promise<LedgerEntry> {
  return (await all(ledger.queries.find({})))[0]!;
}

export function correctingContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: corrections`, () => {
    test('are kept in order, survive a stop, and belong to the file that was read first', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      const file = await admit(ledger, [faulty()]);
      await ledger.corrections.recordCorrections(file.id, [correction(), correction({ to: '11' })]);
      const after = await reopen();
      expect(await after.queries.correctionsOf(file.id)).toEqual([correction(), correction({ to: '11' })]);
      const { id } = await only(after);
      const later = await after.corrections.openReprocess(file.id, {
        ...DECIDED,
        entries: [id],
        corrections: [correction({ row: 3 })],
      });
      expect(later).toMatchObject({ state: 'loading', rereads: file.id, path: file.path, sha256: file.sha256 });
      await after.corrections.recordCorrections(later.id, [correction({ row: 4 })]);
      expect((await after.queries.correctionsOf(file.id)).map(({ row }) => row)).toEqual([2, 2, 3, 4]);
      // What its reading knows does not grow any more.
      expect((await after.queries.correctionsOf(later.id)).map(({ row }) => row)).toEqual([2, 2, 3]);
      const corrected = (await after.queries.historyOf(id)).find(({ what }) => what === 'read-again');
      expect(corrected).toMatchObject({ person: 'anna', detail: { reason: 'letter O' } });
    });

    test('a reading that was begun is found again with its entries', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      const file = await admit(ledger, [faulty()]);
      const { id } = await only(ledger);
      const begun = await ledger.corrections.openReprocess(file.id, {
        ...DECIDED,
        entries: [id],
        corrections: [correction()],
      });
      await ledger.corrections.stageRevisions(begun.id, [{ entry: id, outcome: valid() }]);
      const after = await reopen();
      expect(await only(after)).toMatchObject({ state: 'invalid', revision: 1 });
      expect((await after.intake.openFiles()).map(({ state, rereads }) => [state, rereads])).toContainEqual([
        'loading',
        file.id,
      ]);
      expect(await after.corrections.entriesToReprocess(begun.id)).toEqual([id]);
      await after.corrections.stageRevisions(begun.id, [{ entry: id, outcome: valid() }]);
      await after.intake.admit(begun.id, { ...ADMITTED, rows: 1 });
      expect(await only(after)).toMatchObject({ id, state: 'ready', revision: 2, file: { id: begun.id } });
      const corrected = await all(after.queries.correctedOf(file.id));
      expect(corrected).toMatchObject([{ rows: [2], correctedBy: { id: begun.id } }]);
    });

    test('a look next to a reading that is under way says what would become of the document', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [faulty()]);
      const { id } = await only(ledger);
      const begun = await ledger.corrections.openReprocess(file.id, {
        ...DECIDED,
        entries: [id],
        corrections: [correction()],
      });
      await ledger.corrections.stageRevisions(begun.id, [{ entry: id, outcome: valid() }]);
      expect(await ledger.corrections.planRevisions([{ entry: id, outcome: valid() }])).toMatchObject([{ entry: id }]);
      await ledger.intake.admit(begun.id, { ...ADMITTED, rows: 1 });
      expect(await only(ledger)).toMatchObject({ id, state: 'ready', revision: 2 });
    });

    test('the same bytes are not known because of a part that was read again', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [faulty()]);
      await again(ledger, await only(ledger), valid());
      expect((await ledger.intake.fileBySha256(file.sha256))?.id).toBe(file.id);
    });
  });

  describe(`${name}: rows that move from one document to another`, () => {
    const HOLD = { hold: { rule: 'amount-over', says: 'large' } } as const;
    const PERSON = { by: 'ana', at: AT, reason: 'looked at it' } as const;
    const ofRows = (rows: readonly number[], wish: Parameters<typeof valid>[0]) => {
      const { document } = valid(wish) as Extract<DocumentOutcome, { document: unknown }>;
      return { document: { ...document, rows } };
    };
    /** Each row with the documents that would be sent with it, or that were. */
    const sentWith = async (ledger: Ledger) => {
      const sent = new Map<number, string[]>();
      for (const { rows, state, facts } of await all(
        ledger.queries.find({ states: ['ready', 'in-doubt', 'authorized'] }),
      ))
        for (const row of rows) sent.set(row, [...(sent.get(row) ?? []), `${facts.identifier} ${state}`]);
      return Object.fromEntries(sent);
    };
    const reread = async (ledger: Ledger, entries: readonly LedgerEntry[]) =>
      await ledger.corrections.openReprocess(entries[0]!.file.id, {
        ...DECIDED,
        entries: entries.map(({ id }) => id),
        corrections: [],
      });

    test('a document that is released while it becomes part of another one is sent alone', async () => {
      const ledger = await opened();
      await admit(ledger, [
        { ...valid(), ...HOLD },
        { ...valid({ number: 'F-2', row: 3 }), ...HOLD },
      ]);
      const [main, other] = (await all(ledger.queries.find({}))) as [LedgerEntry, LedgerEntry];
      const file = await reread(ledger, [main, other]);
      const both = ofRows([2, 3], { text: 'both' });
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: both, absorbs: [other.id] }]);
      expect(await ledger.submissions.resolve(other.id, { as: 'ready', ...PERSON })).toBe(true);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      expect(await sentWith(ledger)).toEqual({ 3: ['F-2 ready'] });
      expect(await all(ledger.queries.find({ ids: [main.id] }))).toMatchObject([
        { state: 'held', revision: 1, rows: [2] },
      ]);
      expect(await all(ledger.queries.find({ states: ['conflict'] }))).toMatchObject([
        { rows: [2, 3], first: { id: main.id } },
      ]);
      // It is joined once the other one is open again.
      expect(await ledger.submissions.undo(other.id, PERSON)).toBe('undone');
      const again = await reread(ledger, [main, other]);
      await ledger.corrections.stageRevisions(again.id, [{ entry: main.id, outcome: both, absorbs: [other.id] }]);
      await ledger.intake.admit(again.id, { ...ADMITTED, rows: 2 });
      expect(await sentWith(ledger)).toEqual({ 2: ['F-1 ready'], 3: ['F-1 ready'] });
    });

    test('what is split from a document takes the place of no document that had its number before', async () => {
      const ledger = await opened();
      await admit(ledger, [ofRows([2, 3], {}), valid({ number: 'F-2', row: 4 })]);
      for (const _ of [1, 2]) await send(ledger, answer(6, 'rejected'));
      const [main, other] = (await all(ledger.queries.find({}))) as [LedgerEntry, LedgerEntry];
      await again(ledger, other, valid({ number: 'F-9', row: 4 }));
      await send(ledger, answer(6, 'rejected'));
      const file = await reread(ledger, [main]);
      const part = valid({ number: 'F-2', text: 'part', row: 3 });
      expect(await ledger.corrections.planRevisions([{ entry: main.id, outcome: part }])).toMatchObject([
        { state: 'conflict' },
      ]);
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [part]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      const now = (await all(ledger.queries.find({}))).map(({ facts, state, rows }) => [facts.identifier, state, rows]);
      expect(now).toEqual([
        ['F-1', 'ready', [2]],
        ['F-9', 'rejected', [4]],
        ['F-2', 'conflict', [3]],
      ]);
    });

    test.each(['staged', 'moved on'] as const)(
      'a document that is released while it is split is sent whole (%s)',
      async (how) => {
        const ledger = await opened();
        await admit(ledger, [{ ...ofRows([2, 3], {}), ...HOLD }]);
        const main = await only(ledger);
        const file = await reread(ledger, [main]);
        const release = async () =>
          expect(await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
        if (how === 'moved on') await release();
        await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
        await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
        if (how === 'staged') await release();
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        expect(await sentWith(ledger)).toEqual({ 2: ['F-1 ready'], 3: ['F-1 ready'] });
        const part = (await all(ledger.queries.find({ states: ['conflict'] }))).find(
          ({ facts }) => facts.identifier === 'F-2',
        );
        expect(part).toMatchObject({ rows: [3], first: { id: main.id } });
        // Its number is free.
        await admit(ledger, [valid({ number: 'F-2', row: 9 })]);
        expect(await ledger.queries.counts({ states: ['ready'] })).toEqual({ ready: 2 });
      },
    );

    /** Two documents in doubt about which the service was asked, and which a person has recorded as rejected. */
    const recorded = async (outcomes: readonly DocumentOutcome[], questions = 1) => {
      const ledger = await opened();
      await admit(ledger, outcomes);
      const lost = { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } as const;
      for (const _ of outcomes) await send(ledger, { ...answer(99, 'in-doubt'), verdict: lost });
      const asked = [];
      for (const entry of await all(ledger.queries.find({}))) {
        const { id, revision, kind, service, class: of, facts } = entry;
        const named = { identifier: facts.identifier, mapping: ADMITTED.mapping, tries: 0 };
        for (let nth = 0; nth < questions; nth++)
          asked.push(
            await ledger.submissions.beginConsult({ id, revision, kind, service, class: of, ...named }, INTENT),
          );
        expect(await ledger.submissions.resolve(id, { as: 'rejected', ...PERSON })).toBe(true);
      }
      return { ledger, asked, entries: await all(ledger.queries.find({})) };
    };
    const found = async (ledger: Ledger, asked: BegunConsultation | undefined, at = AT) => {
      const { exchange, verdict } = answer(2, 'authorized');
      return await ledger.submissions.finishConsult(asked!, { exchange, ms: 1 }, verdict, at);
    };
    const LATER = '2026-11-20T23:30:00.000Z';

    test.each(['before', 'after'] as const)(
      'an answer that the service has a document holds the one that it is part of now (%s the admission)',
      async (when) => {
        const { ledger, asked, entries } = await recorded([valid(), valid({ number: 'F-2', row: 3 })]);
        const [main, other] = entries as [LedgerEntry, LedgerEntry];
        const file = await reread(ledger, entries);
        const both = ofRows([2, 3], { text: 'both' });
        await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: both, absorbs: [other.id] }]);
        if (when === 'before') expect(await found(ledger, asked[1])).toBe('holds');
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        if (when === 'after') expect(await found(ledger, asked[1])).toBe('late');
        expect(await sentWith(ledger)).toEqual({});
        if (when === 'before') return;
        const [held] = await all(ledger.queries.find({ states: ['held'] }));
        expect(held).toMatchObject({ id: main.id, revision: 2, hold: { rule: 'rows-issued' } });
        // It was never sent so: a person cannot say what became of it, but let it go.
        expect(await ledger.submissions.resolve(main.id, { as: 'authorized', ...PERSON })).toBe(false);
        expect(await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
      },
    );

    test.each(['before', 'after', 'while it is sent', 'while it is in doubt'] as const)(
      'an answer that the service has a document holds what was split from it (%s)',
      async (when) => {
        const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
        const file = await reread(ledger, entries);
        await ledger.corrections.stageRevisions(file.id, [{ entry: entries[0]!.id, outcome: valid({ text: 'part' }) }]);
        await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
        if (when === 'before') await found(ledger, asked[0]);
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        const part = async () =>
          (await all(ledger.queries.find({}))).find(({ facts }) => facts.identifier === 'F-2') as LedgerEntry;
        if (when === 'after') await found(ledger, asked[0]);
        if (when === 'while it is sent') {
          const due = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
          const sending = await ledger.submissions.begin(due.find(({ id }) => id !== entries[0]!.id)!, INTENT);
          await found(ledger, asked[0]);
          const { exchange, verdict } = answer(6, 'rejected');
          await ledger.submissions.finishWithExchange(sending!, { exchange, ms: 1 }, verdict, AT);
        }
        if (when === 'while it is in doubt') {
          const due = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
          const sending = await ledger.submissions.begin(due.find(({ id }) => id !== entries[0]!.id)!, INTENT);
          const lost = { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } as const;
          await ledger.submissions.finishWithExchange(
            sending!,
            { exchange: answer(99, 'in-doubt').exchange, ms: 1 },
            lost,
            AT,
          );
          await found(ledger, asked[0]);
          const [one] = await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 9);
          const { exchange, verdict } = answer(6, 'rejected');
          await ledger.submissions.finishConsult(
            (await ledger.submissions.beginConsult(one!, INTENT))!,
            { exchange, ms: 1 },
            verdict,
            AT,
          );
        }
        expect(await sentWith(ledger)).toEqual({});
        const now = await part();
        // What was rejected meanwhile is held once it is corrected.
        if (now.state === 'rejected') await again(ledger, now, valid({ number: 'F-2', text: 'b', row: 3 }));
        expect(await part()).toMatchObject(
          when === 'before' ? { state: 'conflict' } : { state: 'held', hold: { rule: 'rows-issued' } },
        );
        expect(await sentWith(ledger)).toEqual({});
      },
    );

    test('so it does what was split from the export that came after what was sent', async () => {
      const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
      const [{ id }] = entries as [LedgerEntry];
      await admit(ledger, [{ ...ofRows([7, 8], { text: 'corrected' }), ...HOLD }]);
      const main = (await all(ledger.queries.find({ ids: [id] })))[0]!;
      expect(main).toMatchObject({ state: 'held', revision: 2 });
      const file = await reread(ledger, [main]);
      await ledger.corrections.stageRevisions(file.id, [{ entry: id, outcome: valid({ text: 'part', row: 7 }) }]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 8 })]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      expect(await sentWith(ledger)).toEqual({ 7: ['F-1 ready'], 8: ['F-2 ready'] });
      await found(ledger, asked[0]);
      expect(await sentWith(ledger)).toEqual({});
    });

    test.each(['joined', 'split'] as const)(
      'what may be out holds the documents that get its rows (%s)',
      async (how) => {
        const ledger = await opened();
        const restored = { hold: { rule: 'restored', says: 'restored' } } as const;
        const rows = how === 'split' ? [3, 4] : [3];
        await admit(ledger, [faulty(), { ...ofRows(rows, { number: 'F-2' }), ...restored }]);
        const [main, other] = (await all(ledger.queries.find({}))) as [LedgerEntry, LedgerEntry];
        expect(await ledger.submissions.resolve(other.id, { as: 'invalid', ...PERSON })).toBe(true);
        const asked = how === 'joined' ? [main, other] : [other];
        const file = await reread(ledger, asked);
        if (how === 'joined') {
          const basis = [{ entry: main.id, outcome: ofRows([2, 3], { text: 'both' }), absorbs: [other.id] }];
          expect(await ledger.corrections.planRevisions(basis)).toMatchObject([{ state: 'held' }]);
          await ledger.corrections.stageRevisions(file.id, basis);
        } else {
          const part = valid({ number: 'F-2', text: 'part', row: 3 });
          await ledger.corrections.stageRevisions(file.id, [{ entry: other.id, outcome: part }]);
          await ledger.intake.stage(file.id, [valid({ number: 'F-3', row: 4 })]);
        }
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        expect(await sentWith(ledger)).toEqual({});
        expect((await all(ledger.queries.find({ states: ['held'] }))).map(({ hold }) => hold?.rule)).toEqual(
          how === 'joined' ? ['restored'] : ['restored', 'restored'],
        );
      },
    );

    /** F-2, which was split from F-1, after its submission has ended. */
    const partSent = async (ledger: Ledger, entries: readonly LedgerEntry[], end: ReturnType<typeof answer>) => {
      const [main] = entries as [LedgerEntry];
      const file = await reread(ledger, entries);
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      const due = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
      const sending = await ledger.submissions.begin(due.find(({ id }) => id !== main.id)!, INTENT);
      await ledger.submissions.finishWithExchange(sending!, { exchange: end.exchange, ms: 1 }, end.verdict, AT);
      return (await all(ledger.queries.find({}))).find(({ facts }) => facts.identifier === 'F-2') as LedgerEntry;
    };

    test.each([
      ['failed', answer(4, 'failed')],
      ['refused', { ...answer(99, 'in-doubt'), verdict: { state: 'refused', reason: 'HTTP 400' } as const }],
    ] as const)(
      'who looked before such an answer does not send what was split from it again (%s)',
      async (state, end) => {
        const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
        const part = await partSent(ledger, entries, end);
        await found(ledger, asked[0], LATER);
        const { id, revision, since } = part;
        expect(part.state).toBe(state);
        expect((await ledger.queries.historyOf(id)).at(-1)).toMatchObject({ what: 'rows-issued' });
        expect(
          await ledger.submissions.resolve(id, { as: 'ready', ...PERSON }, { seen: { revision, state, since } }),
        ).toBe(true);
        expect(await sentWith(ledger)).toEqual({});
        const now = (await all(ledger.queries.find({ ids: [id] })))[0]!;
        expect(now).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' } });
        // A person who knows it may.
        const seen = { revision, state: now.state, since: now.since };
        expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON }, { seen })).toBe(true);
        expect(await sentWith(ledger)).toEqual({ 3: ['F-2 ready'] });
      },
    );

    test.each(['counts', 'late'] as const)(
      'an answer about a number may be about what was sent before its rows moved (%s)',
      async (effect) => {
        const { ledger, entries } = await recorded([ofRows([2, 3], {})]);
        const [main] = entries as [LedgerEntry];
        const file = await reread(ledger, entries);
        await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
        await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        const due = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
        const sending = await ledger.submissions.begin(due.find(({ id }) => id === main.id)!, INTENT);
        const lost = { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } as const;
        await ledger.submissions.finishWithExchange(
          sending!,
          { exchange: answer(99, 'in-doubt').exchange, ms: 1 },
          lost,
          AT,
        );
        const [one] = await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 9);
        const question = await ledger.submissions.beginConsult(one!, INTENT);
        if (effect === 'late')
          expect(await ledger.submissions.resolve(main.id, { as: 'authorized', ...PERSON })).toBe(true);
        expect(await found(ledger, question)).toBe(effect);
        expect(await sentWith(ledger)).toEqual({ 2: ['F-1 authorized'] });
        expect(await all(ledger.queries.find({ states: ['held'] }))).toMatchObject([{ hold: { rule: 'rows-issued' } }]);
      },
    );

    test('a part that a person has let go waits again after the next answer', async () => {
      const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})], 2);
      const file = await reread(ledger, entries);
      await ledger.corrections.stageRevisions(file.id, [{ entry: entries[0]!.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      await found(ledger, asked[0]);
      const part = (await all(ledger.queries.find({ states: ['held'] }))).find(
        ({ facts }) => facts.identifier === 'F-2',
      )!;
      expect(part.hold?.rule).toBe('rows-issued');
      expect(await ledger.submissions.resolve(part.id, { as: 'ready', ...PERSON })).toBe(true);
      const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
      expect(due?.id).toBe(part.id);
      await found(ledger, asked[1], LATER);
      expect(await ledger.submissions.begin(due!, INTENT)).toBeUndefined();
      expect(await sentWith(ledger)).toEqual({});
    });

    test('what was issued with rows of it shows such an answer in its history', async () => {
      const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
      const { id } = await partSent(ledger, entries, answer(2, 'authorized'));
      await found(ledger, asked[0], LATER);
      expect(await all(ledger.queries.find({ ids: [id] }))).toMatchObject([{ state: 'authorized', revision: 1 }]);
      expect((await ledger.queries.historyOf(id)).at(-1)).toMatchObject({ what: 'rows-issued' });
    });

    test('what a person has set aside is not open again because of such an answer', async () => {
      const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
      const { id } = await partSent(ledger, entries, answer(4, 'failed'));
      expect(await ledger.submissions.resolve(id, { as: 'invalid', ...PERSON })).toBe(true);
      await found(ledger, asked[0], LATER);
      expect(await all(ledger.queries.find({ ids: [id] }))).toMatchObject([
        { state: 'failed', closed: { as: 'set-aside' } },
      ]);
    });

    test.each(['its own answer came late too', 'nothing else'] as const)(
      'a person who records its outcome says nothing about the rows that such an answer was about (%s)',
      async (what) => {
        const { ledger, asked, entries } = await recorded([ofRows([2, 3], {})]);
        const lost = { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } as const;
        const part = await partSent(ledger, entries, { ...answer(99, 'in-doubt'), verdict: lost });
        const [due] = await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 9);
        const own = await ledger.submissions.beginConsult(due!, INTENT);
        await found(ledger, asked[0]);
        const rejected = { as: 'rejected', ...PERSON } as const;
        expect(await ledger.submissions.resolve(part.id, rejected)).toBe(true);
        const only = { rule: 'rows-issued' };
        expect(await all(ledger.queries.find({ ids: [part.id] }))).toMatchObject([{ state: 'rejected' }]);
        if (what !== 'nothing else') {
          expect(await found(ledger, own)).toBe('holds');
          expect(await all(ledger.queries.find({ ids: [part.id] }))).toMatchObject([
            { hold: { rule: 'outcome-arrived' } },
          ]);
          expect(await ledger.submissions.resolve(part.id, { ...rejected, at: LATER })).toBe(true);
          expect(await ledger.submissions.undo(part.id, { ...PERSON, at: LATER })).toBe('undone');
          expect(await ledger.submissions.resolve(part.id, { ...rejected, at: LATER })).toBe(true);
        }
        const file = await reread(ledger, [part]);
        const corrected = valid({ number: 'F-2', text: 'b', row: 3 });
        await ledger.corrections.stageRevisions(file.id, [{ entry: part.id, outcome: corrected }]);
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 1 });
        expect(await all(ledger.queries.find({ ids: [part.id] }))).toMatchObject([{ state: 'held', hold: only }]);
        expect(await sentWith(ledger)).toEqual({});
      },
    );

    test('a part of a document that was sent whole waits for a person once it is corrected', async () => {
      const ledger = await opened();
      await admit(ledger, [{ ...ofRows([2, 3], {}), ...HOLD }]);
      const main = await only(ledger);
      const file = await reread(ledger, [main]);
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
      expect(await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      await send(ledger, answer(2, 'authorized'));
      const part = (await all(ledger.queries.find({ states: ['conflict'] }))).find(
        ({ facts }) => facts.identifier === 'F-2',
      ) as LedgerEntry;
      const corrected = await again(ledger, part, valid({ number: 'F-3', row: 3 }));
      expect(corrected).toMatchObject({ state: 'held', hold: { rule: 'rows-issued' }, facts: { identifier: 'F-3' } });
      expect(await sentWith(ledger)).toEqual({ 2: ['F-1 authorized'], 3: ['F-1 authorized'] });
      // What a person has released so waits no second time.
      expect(await ledger.submissions.resolve(part.id, { as: 'ready', ...PERSON })).toBe(true);
    });

    test('what is split from a part of a document that was sent whole waits as well', async () => {
      const ledger = await opened();
      await admit(ledger, [{ ...ofRows([2, 3, 4], {}), ...HOLD }]);
      const main = await only(ledger);
      const file = await reread(ledger, [main]);
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [ofRows([3, 4], { number: 'F-2' })]);
      expect(await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 3 });
      await send(ledger, answer(2, 'authorized'));
      const part = (await all(ledger.queries.find({ states: ['conflict'] }))).find(
        ({ facts }) => facts.identifier === 'F-2',
      ) as LedgerEntry;
      const next = await reread(ledger, [part]);
      await ledger.corrections.stageRevisions(next.id, [{ entry: part.id, outcome: valid({ number: 'F-3', row: 3 }) }]);
      await ledger.intake.stage(next.id, [valid({ number: 'F-4', row: 4 })]);
      await ledger.intake.admit(next.id, { ...ADMITTED, rows: 2 });
      const waiting = await all(ledger.queries.find({ states: ['held'] }));
      expect(waiting.map(({ facts, hold }) => [facts.identifier, hold?.rule]).sort()).toEqual([
        ['F-3', 'rows-issued'],
        ['F-4', 'rows-issued'],
      ]);
      expect(await ledger.queries.counts({ states: ['ready'] })).toEqual({});
    });

    test('a part waits for no one once the document has given its rows up', async () => {
      const ledger = await opened();
      await admit(ledger, [{ ...ofRows([2, 3], {}), ...HOLD }]);
      const main = await only(ledger);
      const file = await reread(ledger, [main]);
      await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
      expect(await ledger.submissions.resolve(main.id, { as: 'ready', ...PERSON })).toBe(true);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
      await send(ledger, answer(6, 'rejected'));
      const part = (await all(ledger.queries.find({ states: ['conflict'] }))).find(
        ({ facts }) => facts.identifier === 'F-2',
      ) as LedgerEntry;
      const next = await reread(ledger, [main, part]);
      await ledger.corrections.stageRevisions(next.id, [
        { entry: main.id, outcome: valid({ text: 'part' }) },
        { entry: part.id, outcome: valid({ number: 'F-2', row: 3 }) },
      ]);
      await ledger.intake.admit(next.id, { ...ADMITTED, rows: 2 });
      expect(await sentWith(ledger)).toEqual({ 2: ['F-1 ready'], 3: ['F-2 ready'] });
    });

    test.each(['an export', 'an export that is split'] as const)(
      'such an answer holds %s that came after the document with its rows',
      async (what) => {
        const { ledger, asked, entries } = await recorded([valid(), valid({ number: 'F-2', row: 3 })]);
        const [main, other] = entries as [LedgerEntry, LedgerEntry];
        const file = await reread(ledger, entries);
        const both = ofRows([2, 3], { text: 'both' });
        await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: both, absorbs: [other.id] }]);
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 });
        await send(ledger, answer(6, 'rejected'));
        await admit(ledger, [{ ...ofRows([7, 8], { text: 'corrected' }), ...(what !== 'an export' && HOLD) }]);
        const now = (await all(ledger.queries.find({ ids: [main.id] })))[0]!;
        expect(now.revision).toBe(3);
        if (what !== 'an export') {
          const next = await reread(ledger, [now]);
          const part = valid({ text: 'part', row: 7 });
          await ledger.corrections.stageRevisions(next.id, [{ entry: main.id, outcome: part }]);
          await ledger.intake.stage(next.id, [valid({ number: 'F-3', row: 8 })]);
          await ledger.intake.admit(next.id, { ...ADMITTED, rows: 2 });
        }
        expect(Object.keys(await sentWith(ledger))).toEqual(['7', '8']);
        await found(ledger, asked[1]);
        expect(await sentWith(ledger)).toEqual({});
      },
    );

    describe('in a reading of more documents than count in one step', () => {
      /** Between the documents before and after them in the order in which they count. */
      const others = Array.from({ length: STEP }, (_, index) => faulty({ number: `N-${index}`, row: index + 10 }));

      test('what may be out holds what is split from it', async () => {
        const ledger = await opened();
        const restored = { hold: { rule: 'restored', says: 'restored' } } as const;
        await admit(ledger, [{ ...ofRows([2, 3], {}), ...restored }]);
        const main = await only(ledger);
        expect(await ledger.submissions.resolve(main.id, { as: 'invalid', ...PERSON })).toBe(true);
        const file = await reread(ledger, [main]);
        await ledger.corrections.stageRevisions(file.id, [{ entry: main.id, outcome: valid({ text: 'part' }) }]);
        await ledger.intake.stage(file.id, [...others, valid({ number: 'F-2', row: 3 })]);
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 + STEP });
        expect(await sentWith(ledger)).toEqual({});
        expect(await ledger.queries.counts()).toEqual({ held: 2, invalid: STEP });
      });

      test.each([
        ['takes the rows of the last one', 0],
        ['gives its rows to the last one', 1],
      ])('a document that is released after the first step, where the first document %s', async (_, taker) => {
        const { ledger, reopen } = await open({ now: clock().now });
        await admit(ledger, [{ ...valid(), ...HOLD }, ...others, { ...valid({ number: 'F-2', row: 3 }), ...HOLD }]);
        const held = await all(ledger.queries.find({ states: ['held'] }));
        const invalid = await all(ledger.queries.find({ states: ['invalid'] }));
        const [main, absorbed] = [held[taker]!, held[1 - taker]!];
        const file = await reread(ledger, [...held, ...invalid]);
        const both = ofRows([2, 3], { number: main.facts.identifier, text: 'both' });
        await ledger.corrections.stageRevisions(file.id, [
          { entry: main.id, outcome: both, absorbs: [absorbed.id] },
          ...invalid.map(({ id, facts: { identifier: number }, rows: [row] }) => ({
            entry: id,
            outcome: faulty({ number, row: row!, text: 'b' }),
          })),
        ]);
        let steps = 0;
        const afterFirst = {
          get aborted() {
            return steps++ > 0;
          },
        } as AbortSignal;
        await ledger.intake.admit(file.id, { ...ADMITTED, rows: 2 + STEP }, afterFirst);
        for (const { id } of held) await ledger.submissions.resolve(id, { as: 'ready', ...PERSON });
        expect(await sentWith(await reopen())).toEqual({
          2: [`${main.facts.identifier} ready`],
          3: [`${main.facts.identifier} ready`],
        });
      });
    });

    test('they move as long as nothing happens meanwhile, also where another file needs one of them', async () => {
      const ledger = await opened();
      await admit(ledger, [
        { ...ofRows([2, 3], {}), ...HOLD },
        { ...valid({ number: 'F-3', row: 4 }), ...HOLD },
      ]);
      const [main, other] = (await all(ledger.queries.find({}))) as [LedgerEntry, LedgerEntry];
      const file = await reread(ledger, [main, other]);
      await ledger.corrections.stageRevisions(file.id, [
        { entry: main.id, outcome: ofRows([2, 4], { text: 'joined' }), absorbs: [other.id] },
      ]);
      await ledger.intake.stage(file.id, [valid({ number: 'F-2', row: 3 })]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 3 }, AbortSignal.abort());
      await admit(ledger, [valid({ text: 'another' })]);
      expect(await sentWith(ledger)).toEqual({ 2: ['F-1 ready'], 3: ['F-2 ready'], 4: ['F-1 ready'] });
    });
  });

  describe(`${name}: read again`, () => {
    test.each<[string, DocumentOutcome, DocumentOutcome, State]>([
      ['repaired', faulty(), valid(), 'ready'],
      ['still at fault', faulty(), faulty({ text: 'b' }), 'invalid'],
      ['no identity before', faulty({ keys: [], identifier: '' }), valid(), 'ready'],
      ['another identity now', faulty(), valid({ number: 'F-9' }), 'ready'],
      ['no identity any more', faulty(), faulty({ keys: [] }), 'invalid'],
    ])('%s', async (_, before, after, state) => {
      const ledger = await opened();
      await admit(ledger, [before]);
      const was = await only(ledger);
      expect(await ledger.corrections.planRevisions([{ entry: was.id, outcome: after }])).toEqual([
        { entry: was.id, state },
      ]);
      expect(await again(ledger, was, after)).toMatchObject({ id: was.id, name: was.name, state, revision: 2 });
      expect(await all(ledger.queries.find({}))).toHaveLength(1);
    });

    test('a number of another document is a conflict, the same content a duplicate, and both can be corrected', async () => {
      const ledger = await opened();
      await admit(ledger, [valid({ number: 'F-1' }), faulty({ number: 'F-2', row: 3 })]);
      await send(ledger, answer(2, 'authorized'));
      const [first, second] = await all(ledger.queries.find({}));
      const conflict = await again(ledger, second!, valid({ number: 'F-1', text: 'b', row: 3 }));
      expect(conflict).toMatchObject({ state: 'conflict', first: { id: first!.id }, revision: 2 });
      const same = await ledger.corrections.planRevisions([
        { entry: second!.id, outcome: valid({ number: 'F-1', row: 3 }) },
      ]);
      expect(same).toMatchObject([{ state: 'duplicate', first: first!.id }]);
      // It did not take the number from the one that has it, and goes out under its own.
      expect(await again(ledger, conflict, valid({ number: 'F-2', row: 3 }))).toMatchObject({
        state: 'ready',
        revision: 3,
      });
      expect(await ledger.queries.counts()).toEqual({ authorized: 1, ready: 1 });
    });

    test('the content that was rejected is unchanged and nothing is staged of it', async () => {
      const ledger = await opened();
      const first = await admit(ledger, [valid()]);
      await send(ledger, answer(6, 'rejected'));
      const was = await only(ledger);
      const file = await ledger.corrections.openReprocess(first.id, { ...DECIDED, entries: [was.id], corrections: [] });
      const seen = await ledger.corrections.stageRevisions(file.id, [{ entry: was.id, outcome: valid() }]);
      expect(seen).toEqual([{ entry: was.id, state: 'unchanged' }]);
      await ledger.intake.admit(file.id, { ...ADMITTED, rows: 0 });
      expect(await only(ledger)).toMatchObject({ state: 'rejected', revision: 1, answer: { code: 6 } });
      expect(await again(ledger, was, valid({ text: 'b' }))).toMatchObject({ state: 'ready', revision: 2 });
    });

    test('the number of a sequence stays with the document, whatever is corrected', async () => {
      const ledger = await opened();
      const wish = (key: string, text: string) => ({
        keys: [key],
        identifier: '\0number\0',
        content: `{"number":"\\u0000number\\u0000","text":"${text}"}`,
        numbering: new Numbering('invoices', ['2026'], 'number'),
      });
      await admit(ledger, [valid(wish('k1', 'a')), valid({ ...wish('k2', 'a'), row: 3 })]);
      await send(ledger, answer(6, 'rejected'));
      const was = (await all(ledger.queries.find({ states: ['rejected'] })))[0]!;
      expect(was.facts.identifier).toBe('1');
      const now = await again(ledger, was, valid(wish('k1-corrected', 'b')));
      expect(now).toMatchObject({ state: 'ready', facts: { identifier: '1' } });
      expect(await ledger.queries.contentOf(now.id)).toBe('{"number":1,"text":"b"}');
      await admit(ledger, [valid({ ...wish('k3', 'a') })]);
      expect((await all(ledger.queries.find({}))).map(({ facts }) => facts.identifier).sort()).toEqual(['1', '2', '3']);
    });

    test.each<State>([
      'ready',
      'authorized',
      'failed',
      'contingency',
      'invalidated',
      'returned',
      'refused',
      'in-doubt',
    ])('what is %s is never read again', async (state) => {
      const ledger = await opened();
      await reach(ledger, state);
      const { id, file, state: found } = await only(ledger);
      expect(found).toBe(state);
      const again = [{ entry: id, outcome: valid({ text: 'another' }) }];
      const movedOn = again.map(({ entry }) => ({ entry, state: 'moved-on' }));
      expect(await ledger.corrections.planRevisions(again)).toEqual(movedOn);
      const begun = await ledger.corrections.openReprocess(file.id, { ...DECIDED, entries: [id], corrections: [] });
      expect(await ledger.corrections.stageRevisions(begun.id, again)).toEqual(movedOn);
    });
  });
}
