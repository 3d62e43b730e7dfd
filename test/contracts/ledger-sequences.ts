/**
 * What every ledger does with sequences of answers and acts: between the beginning and the end of a question, or of an
 * admission, anything may happen to the document. The result is always that of one after the other.
 */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { AnswerEffect, BegunConsultation, DueDocument } from '../../src/ledger/contract/submission-store.ts';
import type { Verdict } from '../../src/model/answer.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { isClosed, type LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { AT, admit, all, begun, INTENT, reach, send } from '../ledger/acts.ts';
import { ADMITTED, answer, clock, faulty, NOT_SENT, newFile, recordReceipt, valid } from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

const ANSWERED = { exchange: { sent: true, status: 200, headers: {}, body: '{}' }, ms: 3 } as const;
const UNANSWERED = { exchange: NOT_SENT.exchange, ms: 3 };
const LATER = '2026-11-21T09:30:00.000Z';
const PERSON = { by: 'ana', at: AT, reason: 'looked at it' } as const;
const PROOF = { file: 'portal.png', sha256: 'ab' } as const;
const DOES_NOT_EXIST = { state: 'in-doubt', reason: 'code 18', answer: { code: 18 } } as const;

function says(code: number, state: State): Verdict {
  return { state, reason: `code ${code}`, answer: { code } };
}

async function only(ledger: Ledger): Promise<LedgerEntry> {
  const [entry] = await all(ledger.queries.find({}));
  return entry!;
}

/** As a consultation finds it. */
async function dueOf(ledger: Ledger): Promise<DueDocument> {
  const { id, revision, kind, service, class: of, facts } = await only(ledger);
  return { id, revision, kind, service, class: of, identifier: facts.identifier, mapping: ADMITTED.mapping, tries: 0 };
}

async function ask(ledger: Ledger, at = AT): Promise<BegunConsultation> {
  const due = await dueOf(ledger);
  return { ...(await ledger.submissions.beginConsult(due, { ...INTENT, requestId: 'consult', at }))!, due };
}

async function told(ledger: Ledger, verdict: Verdict, at = LATER): Promise<AnswerEffect> {
  return await ledger.submissions.finishConsult(await ask(ledger, at), ANSWERED, verdict, at);
}

/** A submission that is taken in, whose answer is lost. */
async function sendLost(ledger: Ledger): Promise<void> {
  await send(ledger, { ...answer(99, 'in-doubt'), verdict: { state: 'in-doubt', reason: 'cut off', consultAt: 7000 } });
}

async function resend(ledger: Ledger): Promise<boolean> {
  const { id } = await only(ledger);
  return await ledger.submissions.resolve(id, { as: 'ready', ...PERSON, ...PROOF });
}

export function sequencesContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: answers that come late`, () => {
    test('the answer to a question that was asked before a resend does not settle the resent submission', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      expect(await resend(ledger)).toBe(true);
      await sendLost(ledger);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(6, 'rejected'), LATER)).toBe('late');
      const entry = await only(ledger);
      expect(entry).toMatchObject({ state: 'in-doubt' });
      expect(entry.answer).toBeUndefined();
      expect(entry.attempts.map(({ act, outcome }) => [act, outcome])).toEqual([
        ['submit', 'refused'],
        ['consult', 'rejected'],
        ['resolve', 'ready'],
        ['submit', 'in-doubt'],
      ]);
      expect((await ledger.queries.historyOf(entry.id)).at(-1)).toMatchObject({ what: 'late-verdict' });
      await admit(ledger, [valid({ text: 'b' })]);
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });

    test.each<[number, State]>([
      [2, 'authorized'],
      [4, 'failed'],
      [6, 'rejected'],
      [8, 'contingency'],
      [11, 'invalidated'],
    ])('an outcome (code %i) that arrives while a resend is queued holds it', async (code, state) => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      expect(await resend(ledger)).toBe(true);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(code, state), LATER)).toBe('holds');
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      const held = await only(ledger);
      expect(held).toMatchObject({ state: 'held', hold: { rule: 'outcome-arrived' } });
      expect(held.hold?.says).toContain(`code ${code}`);
      // Nothing takes its place under its number, and a person decides: the outcome is recorded, or it is sent again.
      await admit(ledger, [valid({ text: 'b' })]);
      expect((await all(ledger.queries.find({}))).map((one) => one.state)).toEqual(['held', 'conflict']);
      expect(await ledger.submissions.resolve(held.id, { as: 'authorized', ...PERSON, ...PROOF })).toBe(true);
      expect(await ledger.submissions.undo(held.id, PERSON)).toBe('undone');
      expect(await ledger.submissions.resolve(held.id, { as: 'ready', ...PERSON })).toBe(true);
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
    });

    test('no other answer holds a resend that is queued', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      expect(await resend(ledger)).toBe(true);
      const stays = { state: 'refused', reason: 'code 18', answer: { code: 18 } } as const;
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, stays, LATER)).toBe('late');
      expect(await ledger.queries.counts()).toEqual({ ready: 1 });
    });

    test('an outcome holds a resend too whose tries were not sent, and none that was sent', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const [one, other] = [await ask(ledger), await ask(ledger)];
      await resend(ledger);
      await send(ledger, NOT_SENT);
      expect(await ledger.submissions.finishConsult(one, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      await resend(ledger);
      await send(ledger, answer(4, 'failed'));
      await resend(ledger);
      expect(await ledger.submissions.finishConsult(other, ANSWERED, says(6, 'rejected'), LATER)).toBe('late');
      expect(await ledger.queries.counts()).toEqual({ ready: 1 });
    });

    test.each<[number, State]>([
      [2, 'authorized'],
      [8, 'contingency'],
      [11, 'invalidated'],
    ])('code %i holds a resend, though a later submission ended otherwise: the service has it', async (code, state) => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      await resend(ledger);
      await send(ledger, answer(4, 'failed'));
      await resend(ledger);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(code, state), LATER)).toBe('holds');
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });

    test('the outcome of a document that is held for another reason can be recorded', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      await resend(ledger);
      await ledger.submissions.holdReady(
        { service: 'fr', mapping: ADMITTED.mapping.id },
        { rule: 'ledger-accepted', says: 'x' },
        AT,
      );
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      const { id, hold } = await only(ledger);
      expect(hold?.says).toContain('code 2');
      expect(await ledger.submissions.resolve(id, { as: 'authorized', ...PERSON, ...PROOF })).toBe(true);
    });

    test.each<[string, (ledger: Ledger, id: string) => Promise<unknown>, AnswerEffect]>([
      ['set aside', (ledger, id) => ledger.submissions.resolve(id, { as: 'invalid', ...PERSON }), 'marks'],
      ['a later question', async (ledger) => void (await ask(ledger)), 'marks'],
      [
        'sent again, and refused',
        async (ledger) => [await resend(ledger), await send(ledger, answer(0, 'refused'))],
        'marks',
      ],
    ])('an outcome that does not count is asked for again: %s', async (_, act, effect) => {
      const ledger = await opened();
      await reach(ledger, 'refused');
      const asked = await ask(ledger);
      await act(ledger, asked.due.id);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe(effect);
      expect(await ledger.submissions.nextConsult('fr')).toBe(Date.parse(LATER));
      await told(ledger, says(2, 'authorized'), LATER);
      const found = await only(ledger);
      expect([found.state, found.hold]).toEqual(['authorized', undefined]);
      expect(await ledger.submissions.nextConsult('fr')).toBeUndefined();
    });

    test('the answer to an earlier question leaves a document as it is that the service has issued by the later one', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused');
      const asked = await ask(ledger);
      await told(ledger, says(2, 'authorized'), AT);
      const { since } = await only(ledger);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('late');
      const entry = await only(ledger);
      expect([entry.state, entry.since, entry.hold]).toEqual(['authorized', since, undefined]);
    });

    test('a person who looked before an outcome marked the document decides nothing about it', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused');
      const { id, revision, state, since } = await only(ledger);
      const [asked] = [await ask(ledger), await ask(ledger)];
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('marks');
      const seen = { revision, state, since };
      expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON, ...PROOF }, { seen })).toBe(false);
      expect((await only(ledger)).state).toBe('refused');
      const now = await only(ledger);
      const again = { revision: now.revision, state: now.state, since: now.since };
      expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON, ...PROOF }, { seen: again })).toBe(true);
    });

    test('the late answer to a submission holds the resend that is queued after it', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      const sending = (await ledger.submissions.begin(
        (
          await ledger.submissions.due('fr', Date.now(), 1)
        )[0]!,
        INTENT,
      ))!;
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up', consultAt: 7000 }, AT);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T08:00:00Z');
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T09:00:00Z');
      expect(await resend(ledger)).toBe(true);
      const { exchange, verdict } = answer(2, 'authorized');
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, LATER);
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      expect(await only(ledger)).toMatchObject({ state: 'held', hold: { rule: 'outcome-arrived' } });
    });

    test.each<[string, (ledger: Ledger) => Promise<() => Promise<unknown>>, object]>([
      [
        'an answer that leaves the document as it is',
        async (ledger) => {
          await reach(ledger, 'in-doubt', 7000);
          const asked = await ask(ledger);
          return () => ledger.submissions.finishConsult(asked, ANSWERED, DOES_NOT_EXIST, LATER);
        },
        { attempts: [{ act: 'submit' }, { act: 'consult', code: 18 }], notFound: { times: 1 } },
      ],
      [
        'the late answer to a submission of a document that is held already',
        async (ledger) => {
          await admit(ledger, [valid()]);
          const sending = (await ledger.submissions.begin(
            (
              await ledger.submissions.due('fr', Date.now(), 1)
            )[0]!,
            INTENT,
          ))!;
          await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up', consultAt: 7000 }, AT);
          await told(ledger, DOES_NOT_EXIST, '2026-11-21T08:00:00Z');
          await told(ledger, DOES_NOT_EXIST, '2026-11-21T09:00:00Z');
          await resend(ledger);
          const [mapping, hold] = [ADMITTED.mapping.id, { rule: 'ledger-accepted', says: 'x' } as const];
          await ledger.submissions.holdReady({ service: 'fr', mapping }, hold, AT);
          const { exchange, verdict } = answer(2, 'authorized');
          return () => ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, LATER);
        },
        { hold: { rule: 'outcome-arrived' } },
      ],
    ])('a receipt is due again if it was composed before %s', async (_, begin, shown) => {
      const ledger = await opened();
      const ends = await begin(ledger);
      const [before] = await ledger.receipts.receiptsDue(10);
      await ends();
      await recordReceipt(ledger, before!.entry);
      const [again] = await ledger.receipts.receiptsDue(10);
      expect(again?.entry).toMatchObject(shown);
      await recordReceipt(ledger, again!.entry);
      expect(await ledger.receipts.receiptsDue(10)).toEqual([]);
    });

    test('an outcome of the content before holds its correction, unless the service has rejected it', async () => {
      for (const [verdict, expected] of [
        [says(2, 'authorized'), 'held'],
        [says(6, 'rejected'), 'ready'],
      ] as const) {
        const ledger = await opened();
        await reach(ledger, 'in-doubt', 7000);
        const asked = await ask(ledger);
        await ledger.submissions.resolve(asked.due.id, { as: 'rejected', ...PERSON });
        await admit(ledger, [valid({ text: 'b' })]);
        await ledger.submissions.finishConsult(asked, ANSWERED, verdict, LATER);
        expect(await ledger.queries.counts()).toEqual({ [expected]: 1 });
      }
    });

    test.each<[string, readonly string[], (ledger: Ledger, asked: BegunConsultation) => Promise<unknown>, string[]]>([
      ['the outcome is recorded about what was sent', ['b'], async () => {}, ['conflict']],
      [
        'also after a correction of the correction',
        ['b', 'c'],
        async (ledger, { due }) => await ledger.submissions.withdraw(due.id, 'rejected', PERSON),
        ['conflict'],
      ],
    ])('a correction waits when the service has the content before: %s', async (_, texts, between, others) => {
      for (const verdict of HAS_IT) {
        const ledger = await opened();
        await reach(ledger, 'in-doubt', 7000);
        const before = await only(ledger);
        const asked = await ask(ledger);
        await ledger.submissions.resolve(asked.due.id, { as: 'rejected', ...PERSON });
        for (const [n, text] of texts.entries()) {
          if (n > 0) await between(ledger, asked);
          await admit(ledger, [valid({ text })]);
        }
        expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, LATER)).toBe('holds');
        expect((await only(ledger)).contentSha256).not.toBe(before.contentSha256);
        const recorded = { as: verdict.state, ...PERSON, at: LATER, ...PROOF };
        expect(await ledger.submissions.resolve(asked.due.id, recorded)).toBe(true);
        const [entry, ...rest] = await all(ledger.queries.find({}));
        expect(entry).toMatchObject({
          state: verdict.state,
          contentSha256: before.contentSha256,
          file: { id: before.file.id },
          facts: before.facts,
        });
        expect(rest.map(({ state }) => state)).toEqual(others);
        expect(rest[0]).toMatchObject({ first: { id: before.id } });
        expect(await correct(ledger)).toEqual([]);
        // What was sent is in its own file alone, and a decision that is taken back leaves what was sent.
        const inFile = await all(ledger.queries.correctedOf(before.file.id));
        expect(inFile).toEqual([]);
        expect(await ledger.submissions.undo(entry!.id, { ...PERSON, at: LATER })).toBe('undone');
        expect((await all(ledger.queries.find({})))[0]).toMatchObject({
          state: 'held',
          contentSha256: before.contentSha256,
        });
      }
    });

    /** Content "a" is in doubt, asked about, and recorded as rejected; `corrected` brings its correction. */
    const corrected = async (...outcomes: Parameters<typeof admit>[1]) => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const before = await only(ledger);
      const asked = await ask(ledger);
      await ledger.submissions.resolve(before.id, { as: 'rejected', ...PERSON });
      await admit(ledger, outcomes);
      return { ledger, before, asked };
    };
    const recorded = { as: 'authorized', ...PERSON, at: LATER, ...PROOF } as const;

    test('an outcome is recorded about what was sent also while a correction of the correction is read', async () => {
      const hold = { rule: 'amount-over', says: 'large' } as const;
      const { ledger, before, asked } = await corrected({ ...valid({ text: 'b' }), hold });
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid({ text: 'c' })]);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      expect(await ledger.submissions.resolve(before.id, recorded)).toBe(true);
      await ledger.intake.admit(file.id, ADMITTED);
      const [entry, ...rest] = await all(ledger.queries.find({}));
      expect(entry).toMatchObject({ state: 'authorized', contentSha256: before.contentSha256 });
      expect(rest.map(({ state, first }) => [state, first?.id])).toEqual([
        ['conflict', before.id],
        ['conflict', before.id],
      ]);
    });

    test('what was sent is no conflict with itself, if its outcome is taken back and recorded again', async () => {
      const { ledger, before, asked } = await corrected(valid({ text: 'b' }));
      await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER);
      expect(await ledger.submissions.resolve(before.id, recorded)).toBe(true);
      expect(await ledger.submissions.undo(before.id, { ...PERSON, at: '2026-11-21T09:31:00.000Z' })).toBe('undone');
      expect(await ledger.submissions.resolve(before.id, { ...recorded, at: '2026-11-21T09:32:00.000Z' })).toBe(true);
      const entries = await all(ledger.queries.find({}));
      expect(entries.map(({ state, file: { id } }) => [state, id === before.file.id])).toEqual([
        ['authorized', true],
        ['conflict', false],
      ]);
    });

    test.each<[string, State, (ledger: Ledger) => Promise<unknown>]>([
      ['was rejected', 'rejected', async () => {}],
      ['failed', 'failed', async () => {}],
      ['was rejected, as a later question shows', 'in-doubt', (ledger) => told(ledger, says(6, 'rejected'))],
    ])('an outcome is not recorded about a correction that %s', async (_, end, then) => {
      const { ledger, before, asked } = await corrected(valid({ text: 'b' }));
      await send(ledger, answer(6, end));
      await then(ledger);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      expect(await ledger.submissions.resolve(before.id, recorded)).toBe(true);
      const [entry] = await all(ledger.queries.find({}));
      expect(entry).toMatchObject({ state: 'authorized', contentSha256: before.contentSha256 });
    });

    test('of two late outcomes that counts by which the service has the document', async () => {
      const { ledger, before, asked } = await corrected(valid({ text: 'b' }));
      await sendLost(ledger);
      const next = await ask(ledger);
      await ledger.submissions.resolve(before.id, { as: 'rejected', ...PERSON });
      await admit(ledger, [valid({ text: 'c' })]);
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      expect(await ledger.submissions.finishConsult(next, ANSWERED, says(6, 'rejected'), LATER)).toBe('late');
      expect(await ledger.submissions.resolve(before.id, recorded)).toBe(true);
      const [entry] = await all(ledger.queries.find({}));
      expect(entry).toMatchObject({ state: 'authorized', contentSha256: before.contentSha256 });
    });

    /** What the service has, whatever a person has recorded meanwhile. */
    const HAS_IT = [says(2, 'authorized'), says(8, 'contingency'), says(11, 'invalidated')] as const;
    const doubted = async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      return { ledger, asked: await ask(ledger) };
    };
    /** A corrected export and one more; resolves to what would be sent. */
    const correct = async (ledger: Ledger) => {
      await admit(ledger, [valid({ text: 'b' })]);
      await admit(ledger, [valid({ text: 'c' })]);
      return await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10);
    };

    test.each<State>(['rejected', 'failed'])('an outcome holds what a person has recorded as %s', async (as) => {
      for (const verdict of HAS_IT) {
        const { ledger, asked } = await doubted();
        await ledger.submissions.resolve(asked.due.id, { as, ...PERSON });
        expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, LATER)).toBe('holds');
        expect(await correct(ledger)).toEqual([]);
        const [held, ...others] = await all(ledger.queries.find({}));
        expect(held).toMatchObject({ state: 'held', revision: 1, hold: { rule: 'outcome-arrived' } });
        expect(others.map(({ state }) => state)).toEqual(['conflict', 'conflict']);
        expect(await ledger.submissions.resolve(asked.due.id, { as: verdict.state, ...PERSON, ...PROOF })).toBe(true);
      }
    });

    test('an outcome holds what a person has recorded as rejected also after its correction was taken back', async () => {
      const { ledger, before, asked } = await corrected(valid({ text: 'b' }));
      expect(await ledger.submissions.withdraw(before.id, 'rejected', { ...PERSON, at: LATER })).toBe(true);
      expect((await only(ledger)).evidence).toMatchObject({ as: 'rejected', at: AT });
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('holds');
      expect(await correct(ledger)).toEqual([]);
    });

    test('of what the service has rejected no person is named after its correction was taken back', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      await told(ledger, says(6, 'rejected'));
      const { id } = await only(ledger);
      for (const [n, text] of ['b', 'c'].entries()) {
        await admit(ledger, [valid({ text })]);
        const at = `2026-11-21T10:0${n}:00.000Z`;
        expect(await ledger.submissions.withdraw(id, 'rejected', { ...PERSON, at })).toBe(true);
        expect(await only(ledger)).toMatchObject({ state: 'rejected' });
        expect((await only(ledger)).evidence).toBeUndefined();
      }
    });

    test('a correction is taken back from the content that it made, and from no later one', async () => {
      const { ledger, before } = await corrected(valid({ text: 'b' }));
      const cell = { row: 2, column: 'Qte', from: '1', to: '2', ...PERSON, at: LATER };
      const { revision, file } = await only(ledger);
      const back = (of: number) =>
        ledger.submissions.withdraw(
          before.id,
          'rejected',
          { ...PERSON, at: LATER },
          { revision: of, corrections: [cell] },
        );
      expect(await back(revision - 1)).toBe(false);
      expect(await ledger.queries.correctionsOf(file.id)).toEqual([]);
      expect(await back(revision)).toBe(true);
      expect(await ledger.queries.correctionsOf(file.id)).toMatchObject([{ to: '2' }]);
    });

    test('a correction that may be out is not taken back', async () => {
      const { ledger, before, asked } = await corrected(valid({ text: 'b' }));
      await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER);
      expect(await ledger.submissions.withdraw(before.id, 'rejected', PERSON)).toBe(false);
      expect(await only(ledger)).toMatchObject({ state: 'held', hold: { rule: 'outcome-arrived' } });
    });

    test('an answer that the service has changed since, to a later question, holds nothing', async () => {
      for (const verdict of HAS_IT) {
        const { ledger, asked } = await doubted();
        await told(ledger, says(6, 'rejected'), LATER);
        expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, LATER)).toBe('late');
        expect(await correct(ledger)).toHaveLength(1);
      }
    });

    test('the late answer to a submission holds the document that a person has recorded as rejected', async () => {
      const ledger = await opened();
      const sending = await begun(ledger);
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up' }, AT);
      await ledger.submissions.resolve(sending.due.id, { as: 'rejected', ...PERSON });
      const { exchange, verdict } = answer(2, 'authorized');
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, LATER);
      expect(await correct(ledger)).toEqual([]);
      expect(await ledger.submissions.resolve(sending.due.id, { as: 'authorized', ...PERSON, ...PROOF })).toBe(true);
    });

    test.each<[string, (ledger: Ledger) => Promise<unknown>, State]>([
      ['recorded its outcome', async () => {}, 'authorized'],
      ['set an invalid correction aside', async (ledger) => await admit(ledger, [faulty()]), 'invalid'],
    ])('the late answer to a submission is in the next receipt, after a person has %s', async (_, then, state) => {
      const ledger = await opened();
      const sending = await begun(ledger);
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up' }, AT);
      await ledger.submissions.resolve(sending.due.id, { as: state === 'invalid' ? 'rejected' : state, ...PERSON });
      await then(ledger);
      await recordReceipt(ledger, await only(ledger));
      const { exchange, verdict } = answer(2, 'authorized');
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, LATER);
      const [due] = await ledger.receipts.receiptsDue(10);
      expect(due?.entry).toMatchObject({ state, attempts: [{ http: 200, outcome: 'in-doubt' }, {}] });
      expect(due?.entry.hold?.rule).toBe(state === 'invalid' ? 'outcome-arrived' : undefined);
    });

    test('an outcome marks a document that was in doubt when it was asked for, and whose own late answer refused it', async () => {
      const ledger = await opened();
      const sending = await begun(ledger);
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up', consultAt: 7000 }, AT);
      const asked = await ask(ledger);
      const refusal = { sent: true, status: 400, headers: {}, body: '' } as const;
      await ledger.submissions.finishWithExchange(
        sending,
        { exchange: refusal, ms: 1 },
        { state: 'refused', reason: '400' },
        AT,
      );
      expect(await only(ledger)).toMatchObject({ state: 'refused' });
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('marks');
      expect(await correct(ledger)).toEqual([]);
    });

    test.each<[number, State]>([
      [6, 'rejected'],
      [4, 'failed'],
    ])('an outcome holds a document whose own late answer, code %i, came after the question', async (code, state) => {
      for (const found of HAS_IT) {
        const ledger = await opened();
        const sending = await begun(ledger);
        await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up', consultAt: 7000 }, AT);
        const asked = await ask(ledger);
        const { exchange, verdict } = answer(code, state);
        await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
        expect(await only(ledger)).toMatchObject({ state });
        expect(await ledger.submissions.finishConsult(asked, ANSWERED, found, LATER)).toBe('holds');
        expect(await correct(ledger)).toEqual([]);
      }
    });

    test.each<[string, Verdict, AnswerEffect, State]>([
      ['says that it has it', says(8, 'contingency'), 'holds', 'held'],
      ['does not know it', { ...DOES_NOT_EXIST, state: 'contingency' }, 'late', 'rejected'],
      ['says nothing', { state: 'contingency', reason: 'no code' }, 'late', 'rejected'],
    ])('a late answer about a contingency, recorded as rejected since, %s', async (_, verdict, effect, state) => {
      const ledger = await opened();
      await reach(ledger, 'contingency', 7000);
      const asked = await ask(ledger);
      await ledger.submissions.resolve(asked.due.id, { as: 'rejected', ...PERSON });
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, LATER)).toBe(effect);
      expect(await only(ledger)).toMatchObject({ state });
    });

    test.each(['before', 'while'] as const)(
      'an outcome that comes %s a correction of an invalid one is read holds it, and the next ones',
      async (when) => {
        const { ledger, asked } = await doubted();
        await ledger.submissions.resolve(asked.due.id, { as: 'rejected', ...PERSON });
        await admit(ledger, [faulty()]);
        const comes = () => ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER);
        if (when === 'before') expect(await comes()).toBe('marks');
        if (when === 'before') await admit(ledger, [faulty()]);
        const file = await ledger.intake.openFile(newFile());
        await ledger.intake.stage(file.id, [valid({ text: 'b' })]);
        if (when === 'while') expect(await comes()).toBe('marks');
        await ledger.intake.admit(file.id, ADMITTED);
        expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
        expect(await only(ledger)).toMatchObject({ state: 'held', hold: { rule: 'outcome-arrived' } });
      },
    );

    test.each<[State, State, string | undefined]>([
      ['rejected', 'held', 'outcome-arrived'],
      ['failed', 'held', 'outcome-arrived'],
      ['in-doubt', 'in-doubt', 'outcome-arrived'],
      ['authorized', 'authorized', undefined],
    ])('an outcome that comes while a resend is sent, which ends as %s', async (end, state, rule) => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      await resend(ledger);
      const sending = (await ledger.submissions.begin(
        (
          await ledger.submissions.due('fr', Date.now(), 1)
        )[0]!,
        INTENT,
      ))!;
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('marks');
      const { exchange, verdict } = answer(6, end);
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, LATER);
      const entry = await only(ledger);
      expect([entry.state, entry.hold?.rule]).toEqual([state, rule]);
      expect(entry.attempts.at(-1)).toMatchObject({ act: 'submit', outcome: end });
      if (end === 'in-doubt') expect(await told(ledger, says(6, 'rejected'))).toBe('holds');
      expect(await correct(ledger)).toEqual([]);
    });

    test('a decision of a person that an outcome has followed is not taken back over it', async () => {
      const { ledger, asked } = await doubted();
      await ledger.submissions.resolve(asked.due.id, { as: 'rejected', ...PERSON });
      await admit(ledger, [faulty()]);
      await ledger.submissions.resolve(asked.due.id, { as: 'invalid', ...PERSON, at: LATER });
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER)).toBe('marks');
      expect(await ledger.submissions.undo(asked.due.id, PERSON)).toBe('moved-on');
    });

    test.each<[string, DocumentOutcome]>([
      ['invalid', faulty()],
      ['held', { ...valid({ text: 'b' }), hold: { rule: 'amount-over', says: 'large' } }],
    ])(
      'a correction that was %s and set aside needs action again, once an outcome of the content before has come',
      async (_, outcome) => {
        for (const verdict of HAS_IT) {
          const { ledger, before, asked } = await corrected(outcome);
          await ledger.submissions.resolve(before.id, { as: 'invalid', ...PERSON, at: LATER });
          expect(isClosed(await only(ledger))).toBe(true);
          expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, '2026-11-21T09:40:00.000Z')).toBe(
            'marks',
          );
          const entry = await only(ledger);
          expect([entry.state, entry.hold?.rule, isClosed(entry)]).toEqual(['invalid', 'outcome-arrived', false]);
          expect(
            await ledger.submissions.resolve(before.id, { as: 'invalid', ...PERSON, at: '2026-11-21T09:50:00.000Z' }),
          ).toBe(true);
          expect(isClosed(await only(ledger))).toBe(true);
        }
      },
    );

    test('a resend that was not sent waits too, if an outcome has come while it was tried', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const asked = await ask(ledger);
      await resend(ledger);
      const sending = (await ledger.submissions.begin(
        (
          await ledger.submissions.due('fr', Date.now(), 1)
        )[0]!,
        INTENT,
      ))!;
      await ledger.submissions.finishConsult(asked, ANSWERED, says(2, 'authorized'), LATER);
      await ledger.submissions.finishWithExchange(
        sending,
        { exchange: NOT_SENT.exchange, ms: 1 },
        NOT_SENT.verdict,
        LATER,
      );
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      expect(await only(ledger)).toMatchObject({ state: 'held', hold: { rule: 'outcome-arrived' } });
    });

    test.each(['restored', 'ledger-accepted', 'outcome-arrived'] as const)(
      'other content is held under the number of a document that was held by %s and set aside',
      async (rule) => {
        const ledger = await opened();
        await admit(ledger, [{ ...valid(), hold: { rule, says: 'may be out' } }]);
        const { id } = await only(ledger);
        await ledger.submissions.resolve(id, { as: 'invalid', ...PERSON });
        expect(await correct(ledger)).toEqual([]);
        expect((await all(ledger.queries.find({}))).map(({ state, hold }) => [state, hold?.rule])).toEqual([
          ['held', rule],
          ['conflict', undefined],
        ]);
        expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON })).toBe(true);
        expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
      },
    );

    test.each(['restored', 'ledger-accepted', 'outcome-arrived'] as const)(
      'another spelling of the number of a document that was held by %s and set aside is held too',
      async (rule) => {
        const ledger = await opened();
        const spelled = (number: string) => valid({ number, keys: [`fr|123456789|invoice||${number}|2026`] });
        await admit(ledger, [{ ...spelled('F-1'), hold: { rule, says: 'may be out' } }]);
        await ledger.submissions.resolve((await only(ledger)).id, { as: 'invalid', ...PERSON });
        await admit(ledger, [spelled('f-1')]);
        expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
        expect((await all(ledger.queries.find({}))).map(({ state, hold }) => [state, hold?.rule])).toEqual([
          ['invalid', rule],
          ['held', 'number-spelling'],
        ]);
      },
    );

    test.each<[string, (ledger: Ledger, id: string) => Promise<unknown>, State]>([
      ['a decision', (ledger, id) => ledger.submissions.resolve(id, { as: 'authorized', ...PERSON }), 'authorized'],
      ['contingency', (ledger, id) => ledger.submissions.resolve(id, { as: 'contingency', ...PERSON }), 'contingency'],
      ['another answer', async (ledger) => await told(ledger, says(11, 'invalidated'), LATER), 'invalidated'],
      ['a later question', async (ledger) => void (await ask(ledger)), 'in-doubt'],
    ])('after %s any answer is stored and changes nothing', async (_, act, expected) => {
      for (const [response, verdict] of [
        [UNANSWERED, { state: 'in-doubt', reason: 'no answer', consultAt: 9000 }],
        [ANSWERED, { state: 'in-doubt', reason: '503', consultAt: 9000 }],
        [ANSWERED, DOES_NOT_EXIST],
        [ANSWERED, says(11, 'invalidated')],
        [ANSWERED, says(2, 'authorized')],
      ] as const) {
        const ledger = await opened();
        await reach(ledger, 'in-doubt', 7000);
        const asked = await ask(ledger);
        await act(ledger, asked.due.id);
        const before = await only(ledger);
        expect(await ledger.submissions.finishConsult(asked, response, verdict, LATER)).toBe('late');
        const { state, answer: known, since } = await only(ledger);
        expect({ state, known, since }).toEqual({ state: expected, known: before.answer, since: before.since });
        const [, first] = await ledger.queries.attemptsOf(asked.due.id);
        expect(first).toMatchObject({ outcome: verdict.state, exchange: response.exchange });
      }
    });

    test('a contingency that a person has recorded is asked about, until the decision is undone', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const { id } = await only(ledger);
      expect(await ledger.submissions.resolve(id, { as: 'contingency', ...PERSON }, { consultAt: 9000 })).toBe(true);
      expect([await ledger.submissions.nextConsult('fr'), await ledger.submissions.consultDue('fr', 8999, 1)]).toEqual([
        9000,
        [],
      ]);
      await ledger.submissions.undo(id, PERSON);
      expect(await ledger.submissions.nextConsult('fr')).toBe(7000);
      await ledger.submissions.resolve(id, { as: 'contingency', ...PERSON }, { consultAt: 9000 });
      await ledger.submissions.resolve(id, { as: 'invalidated', ...PERSON });
      expect(await ledger.submissions.nextConsult('fr')).toBeUndefined();
      await ledger.submissions.undo(id, PERSON);
      expect(await ledger.submissions.nextConsult('fr')).toBe(9000);
      await told(ledger, says(2, 'authorized'), LATER);
      expect(await only(ledger)).toMatchObject({ state: 'authorized' });
    });

    test('nothing is asked about a document that was settled, sent or corrected since it was found due', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 1);
      await ledger.submissions.resolve(due!.id, { as: 'rejected', ...PERSON });
      expect(await ledger.submissions.beginConsult(due!, INTENT)).toBeUndefined();
      await admit(ledger, [valid({ text: 'b' })]);
      expect(await ledger.submissions.beginConsult(due!, INTENT)).toBeUndefined();
      await sendLost(ledger);
      expect(await ledger.submissions.beginConsult(due!, INTENT)).toBeUndefined();
      expect((await only(ledger)).attempts.filter(({ act }) => act === 'consult')).toEqual([]);
    });
  });

  describe(`${name}: what proves that a document was not processed`, () => {
    const doubted = async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T08:00:00Z');
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T09:00:00Z');
      return ledger;
    };

    test('"does not exist" of one submission proves nothing about the next', async () => {
      const ledger = await doubted();
      expect(await resend(ledger)).toBe(true);
      await sendLost(ledger);
      expect((await only(ledger)).notFound).toBeUndefined();
      expect(await resend(ledger)).toBe(false);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T10:00:00Z');
      expect(await resend(ledger)).toBe(false);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T11:00:00Z');
      const notFound = { times: 2, firstAt: '2026-11-21T10:00:00.000Z', lastAt: '2026-11-21T11:00:00.000Z' };
      expect((await only(ledger)).notFound).toEqual(notFound);
      expect(await resend(ledger)).toBe(true);
    });

    test('the schedule of consultations begins anew with each submission', async () => {
      const ledger = await doubted();
      expect((await ask(ledger)).asked).toBe(2);
      expect(await resend(ledger)).toBe(true);
      await sendLost(ledger);
      expect(await ask(ledger)).toMatchObject({ n: 4, asked: 0 });
    });

    test.each<[string, Verdict]>([
      ['code 8', says(8, 'in-doubt')],
      ['code 15', says(15, 'in-doubt')],
      ['a code without meaning', says(3, 'in-doubt')],
    ])('%s ends the row of "does not exist"', async (_, verdict) => {
      const ledger = await doubted();
      await told(ledger, verdict, '2026-11-21T10:00:00Z');
      expect((await only(ledger)).notFound).toBeUndefined();
      expect(await resend(ledger)).toBe(false);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T11:00:00Z');
      expect((await only(ledger)).notFound?.times).toBe(1);
      expect(await resend(ledger)).toBe(false);
    });

    test('an answer to an earlier question that comes late ends the row too', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      await sendLost(ledger);
      const [early, next] = [await ask(ledger, '2026-11-21T08:00:00Z'), await ask(ledger, '2026-11-21T08:10:00Z')];
      await ledger.submissions.finishConsult(next, ANSWERED, DOES_NOT_EXIST, '2026-11-21T08:11:00Z');
      expect(await ledger.submissions.finishConsult(early, ANSWERED, says(6, 'rejected'), '2026-11-21T08:12:00Z')).toBe(
        'late',
      );
      expect((await only(ledger)).notFound).toBeUndefined();
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T09:30:00Z');
      expect((await only(ledger)).notFound?.times).toBe(1);
      expect(await resend(ledger)).toBe(false);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T10:40:00Z');
      expect(await resend(ledger)).toBe(true);
    });

    test('a question without a trusted answer neither counts nor ends the row', async () => {
      const ledger = await doubted();
      await told(ledger, { state: 'in-doubt', reason: '503' }, '2026-11-21T10:00:00Z');
      expect((await only(ledger)).notFound?.times).toBe(2);
      expect(await resend(ledger)).toBe(true);
    });

    test('tries that the service has limited are counted apart, since a person decided', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      const limited = async () => (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1))[0]?.rateLimited ?? 0;
      const { exchange } = answer(0, 'ready');
      const verdict = { state: 'ready', reason: '429', resend: { kind: 'rate-limited', afterMs: 1 } } as const;
      const tooMany = { exchange: { ...exchange, status: 429 }, verdict } as const;
      for (let n = 0; n < 5; n++) await send(ledger, NOT_SENT);
      expect(await limited()).toBe(0);
      await send(ledger, tooMany);
      await send(ledger, NOT_SENT);
      await send(ledger, tooMany);
      expect(await limited()).toBe(2);
      const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
      expect(due).toMatchObject({ tries: 8 });
      await ledger.submissions.begin(due!, INTENT);
      expect((await ledger.submissions.interruptedSubmissions())[0]?.due).toMatchObject({ tries: 8, rateLimited: 2 });
      await ledger.submissions.finish({ due: due!, n: 9 }, { state: 'in-doubt', reason: 'cut off' }, AT);
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T08:00:00Z');
      await told(ledger, DOES_NOT_EXIST, '2026-11-21T09:00:00Z');
      await resend(ledger);
      expect(await limited()).toBe(0);
      await send(ledger, tooMany);
      expect(await limited()).toBe(1);
    });
  });

  describe(`${name}: acts between staging and admission`, () => {
    /** What every act of every person and answer does to one document; the result is what the act resolves to. */
    const ACTS: { readonly [name: string]: (ledger: Ledger, entry: LedgerEntry) => Promise<unknown> } = {
      nothing: async () => undefined,
      undo: (ledger, { id }) => ledger.submissions.undo(id, PERSON),
      release: (ledger, { id }) => ledger.submissions.resolve(id, { as: 'ready', ...PERSON }),
      'set aside': (ledger, { id }) => ledger.submissions.resolve(id, { as: 'invalid', ...PERSON }),
      'as authorized': (ledger, { id }) => ledger.submissions.resolve(id, { as: 'authorized', ...PERSON }),
      withdraw: (ledger, { id }) => ledger.submissions.withdraw(id, 'invalid', PERSON),
      consult: async (ledger) => (await ledger.submissions.beginConsult(await dueOf(ledger), INTENT))?.n,
      'hold the queue': (ledger) =>
        ledger.submissions.holdReady(
          { service: 'fr', mapping: ADMITTED.mapping.id },
          { rule: 'same-cause', says: 'x' },
          AT,
        ),
      send: async (ledger, { id }) => {
        const due = (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9)).find((one) => one.id === id);
        return due && (await ledger.submissions.begin(due, INTENT))?.n;
      },
    };
    /** Documents that a correction may replace, each as decisions of people have left it. */
    const REPLACEABLE: { readonly [name: string]: (ledger: Ledger) => Promise<unknown> } = {
      invalid: (ledger) => reach(ledger, 'invalid'),
      rejected: (ledger) => reach(ledger, 'rejected'),
      held: (ledger) => admit(ledger, [{ ...valid(), hold: { rule: 'amount-over', says: 'large' } }]),
      'held, set aside': async (ledger) => {
        await admit(ledger, [{ ...valid(), hold: { rule: 'restored', says: 'restored' } }]);
        await ledger.submissions.resolve((await only(ledger)).id, { as: 'invalid', ...PERSON });
      },
      'in doubt, recorded as rejected': async (ledger) => {
        await reach(ledger, 'in-doubt', 7000);
        await ledger.submissions.resolve((await only(ledger)).id, { as: 'rejected', ...PERSON });
      },
    };
    const cases = Object.keys(REPLACEABLE).flatMap((from) => Object.keys(ACTS).map((act) => [from, act] as const));

    test.each(cases)('%s, %s between the two: as before or after them', async (from, name) => {
      const [reachState, act] = [REPLACEABLE[from]!, ACTS[name]!];
      const course = async (order: 'first' | 'between' | 'last') => {
        const ledger = await opened();
        await reachState(ledger);
        const entry = await only(ledger);
        const file = await ledger.intake.openFile(newFile({ name: 'corrected.csv' }));
        const decided: unknown[] = [];
        if (order === 'first') decided.push(await act(ledger, entry));
        await ledger.intake.stage(file.id, [valid({ text: 'b' })]);
        // The sender waits for the file: it begins neither content.
        if (order === 'between' && name !== 'send') decided.push(await act(ledger, entry));
        if (order === 'between' && name === 'send') expect(await act(ledger, entry)).toBeUndefined();
        await ledger.intake.admit(file.id, ADMITTED);
        if (order === 'last' || (order === 'between' && name === 'send')) decided.push(await act(ledger, entry));
        const entries = await all(ledger.queries.find({}));
        const queued = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 9);
        return {
          decided,
          entries: entries.map(({ state, revision, hold, evidence, first, attempts, closed }) => {
            const acts = attempts.map((one) => [one.act, one.outcome]);
            return { state, revision, rule: hold?.rule, evidence, isOther: first !== undefined, acts, closed };
          }),
          contents: await Promise.all(queued.map(({ id }) => ledger.queries.contentOf(id))),
        };
      };
      const [first, between, last] = [await course('first'), await course('between'), await course('last')];
      expect([first, last]).toContainEqual(between);
    });

    test('a decision that is undone while its correction is read leaves the document as it was', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const { id } = await only(ledger);
      await ledger.submissions.resolve(id, { as: 'rejected', ...PERSON });
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid({ text: 'b' })]);
      expect(await ledger.submissions.undo(id, PERSON)).toBe('undone');
      await ledger.intake.admit(file.id, ADMITTED);
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      const [first, second] = await all(ledger.queries.find({}));
      expect(first).toMatchObject({ id, state: 'in-doubt', revision: 1 });
      expect(second).toMatchObject({ state: 'conflict', revision: 1, first: { id }, file: { id: file.id } });
    });

    test('a person decides about the version that was looked at, or not at all', async () => {
      const ledger = await opened();
      const hold = { rule: 'amount-over', says: 'a large amount' } as const;
      await admit(ledger, [{ ...valid(), hold }]);
      const { id, revision, state, since } = await only(ledger);
      const seen = { revision, state, since };
      await admit(ledger, [{ ...valid({ text: 'b' }), hold }]);
      expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON }, { seen })).toBe(false);
      expect(await ledger.queries.counts()).toEqual({ held: 1 });
      const now = await only(ledger);
      const half = { ...seen, revision: now.revision };
      expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON }, { seen: half })).toBe(false);
      expect(await ledger.submissions.resolve(id, { as: 'ready', ...PERSON }, { seen: now })).toBe(true);
    });
  });
}
