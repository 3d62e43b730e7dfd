/** What every ledger does with entries: sent at most once, consulted, resolved by persons, read by selectors. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { DueDocument } from '../../src/ledger/contract/submission-store.ts';
import { headOf, linkHash } from '../../src/model/chain-link.ts';
import type { State } from '../../src/model/state.ts';
import { AT, admit, all, begun, INTENT, reach, send } from '../ledger/acts.ts';
import {
  ADMITTED,
  answer,
  clock,
  faulty,
  NOT_SENT,
  newFile,
  nextLink,
  receiptOf,
  recordReceipt,
  valid,
} from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

const ANSWERED = { exchange: { sent: true, status: 200, headers: {}, body: '{}' }, ms: 3 } as const;

export function sendingContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: sending`, () => {
    test('an entry begins once, with its content, and ends by its verdict', async () => {
      const ledger = await opened();
      await admit(ledger, [valid(), valid({ number: 'F-2' })]);
      const [due, next] = await ledger.submissions.due('fr', Date.now(), 10);
      expect(due).toMatchObject({ kind: 'fr-invoice', class: 'invoice', identifier: 'F-1', tries: 0, revision: 1 });
      expect(next?.identifier).toBe('F-2');
      expect((await ledger.submissions.due('fr', Date.now(), 1)).length).toBe(1);
      expect(await ledger.submissions.due('fr', Date.now(), 10, { after: due })).toEqual([next]);
      expect(await ledger.submissions.due('fr', Date.now(), 10, { after: next })).toEqual([]);
      expect(await ledger.submissions.due('sv', Date.now(), 10)).toEqual([]);
      expect(await ledger.submissions.due('fr', Date.now(), 10, { exceptClasses: ['invoice'] })).toEqual([]);
      const [one, two] = await Promise.all([
        ledger.submissions.begin(due!, INTENT),
        ledger.submissions.begin(due!, { ...INTENT, requestId: 'r2' }),
      ]);
      expect(one).toMatchObject({ n: 1, requestId: 'request-1', content: '{"payload":{"number":"F-1","text":"a"}}' });
      expect(two).toBeUndefined();
      expect(await ledger.queries.counts()).toEqual({ ready: 1, sending: 1 });
      const { exchange, verdict } = answer(2, 'authorized');
      await ledger.submissions.recordExchange(one!, exchange, 12);
      await ledger.submissions.finish(one!, verdict, AT);
      const [entry] = await all(ledger.queries.find({ ids: ['F-1'] }));
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
      expect(await ledger.queries.outcomesById([entry!.id, 'unknown'])).toEqual([{ ...entry, attempts: [] }]);
      expect(await ledger.submissions.begin(due!, INTENT)).toBeUndefined();
    });

    test('a document is not sent while a file being read has other content for it, which is a conflict if it was released', async () => {
      const ledger = await opened();
      const hold = { rule: 'new-mapping', says: 'somebody looks at it first' } as const;
      await admit(ledger, [{ ...valid(), hold }]);
      const [held] = await all(ledger.queries.find({}));
      const file = await ledger.intake.openFile(newFile());
      await ledger.intake.stage(file.id, [valid({ text: 'b' })]);
      const person = { as: 'ready', by: 'anna', at: AT, reason: 'looked at it' } as const;
      expect(await ledger.submissions.resolve(held!.id, person)).toBe(true);
      const due = { ...held!, identifier: 'F-1', mapping: ADMITTED.mapping, tries: 0 };
      expect(await ledger.submissions.begin(due, INTENT)).toBeUndefined();
      expect(await ledger.submissions.due('fr', Date.now(), 10)).toEqual([]);
      expect(await ledger.submissions.nextDue('fr')).toBeUndefined();
      await ledger.intake.admit(file.id, ADMITTED);
      expect(await ledger.queries.counts()).toEqual({ ready: 1, conflict: 1 });
      const [released] = await ledger.submissions.due('fr', Date.now(), 10);
      expect(released).toMatchObject({ id: held!.id, revision: 1 });
      expect(await ledger.submissions.begin(released!, INTENT)).toMatchObject({
        n: 1,
        content: expect.stringContaining('"a"'),
      });
    });

    test('the same request-id is sent later when the first attempt is proven not sent', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      await send(ledger, NOT_SENT);
      const later = Date.parse(AT) + 1000;
      expect(await ledger.submissions.due('fr', later - 1, 10)).toEqual([]);
      expect(await ledger.submissions.nextDue('fr')).toBe(later);
      expect(await ledger.submissions.nextDue('fr', later - 1, { exceptClasses: ['report'] })).toBe(later);
      expect(await ledger.submissions.nextDue('fr', later)).toBeUndefined();
      expect(await ledger.submissions.nextDue('fr', 0, { exceptClasses: ['invoice'] })).toBeUndefined();
      const [due] = await ledger.submissions.due('fr', later, 10);
      expect(due).toMatchObject({ requestId: 'request-1', tries: 1 });
      const sending = await ledger.submissions.begin(due!, { ...INTENT, requestId: 'another' });
      expect(sending).toMatchObject({ n: 2, requestId: 'request-1' });
      expect(await ledger.submissions.nextDue('fr')).toBeUndefined();
    });

    test('what was found due before an attempt begins as the ledger has it now', async () => {
      const ledger = await opened();
      await admit(ledger, [valid()]);
      const [due] = await ledger.submissions.due('fr', Date.now(), 1);
      await send(ledger, NOT_SENT);
      expect(await ledger.submissions.begin(due!, { ...INTENT, requestId: 'another' })).toMatchObject({
        n: 2,
        requestId: 'request-1',
        content: '{"payload":{"number":"F-1","text":"a"}}',
      });
    });

    test('nothing is concluded without a stored exchange, but that it is in doubt', async () => {
      const ledger = await opened();
      const sending = await begun(ledger);
      const { verdict } = answer(2, 'authorized');
      await expect(ledger.submissions.finish(sending, verdict, AT)).rejects.toThrow('no exchange is stored');
      await expect(ledger.submissions.finish(sending, NOT_SENT.verdict, AT)).rejects.toThrow('no exchange is stored');
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'crash', consultAt: 5000 }, AT);
      expect(await ledger.queries.counts()).toEqual({ 'in-doubt': 1 });
      expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      expect((await ledger.submissions.consultDue('fr', 5000, 10)).length).toBe(1);
    });

    test.each<State>(['ready', 'sending', 'held', 'duplicate', 'conflict', 'invalid'])(
      'a submission never ends as %s',
      async (state) => {
        const ledger = await opened();
        const sending = await begun(ledger);
        await ledger.submissions.recordExchange(sending, answer(2, 'authorized').exchange, 1);
        await expect(ledger.submissions.finish(sending, { state, reason: 'x' }, AT)).rejects.toThrow('cannot end as');
        expect(await ledger.queries.counts()).toEqual({ sending: 1 });
      },
    );

    test('a verdict of an older attempt does not end the one under way; a person sees it before a correction', async () => {
      const ledger = await opened();
      const first = await begun(ledger);
      await ledger.submissions.recordExchange(first, NOT_SENT.exchange, 1);
      await ledger.submissions.finish(first, NOT_SENT.verdict, AT);
      const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
      const second = (await ledger.submissions.begin(due!, INTENT))!;
      await ledger.submissions.finish(first, answer(2, 'authorized').verdict, AT);
      expect(await ledger.queries.counts()).toEqual({ sending: 1 });
      const rejected = answer(6, 'rejected');
      await ledger.submissions.recordExchange(second, rejected.exchange, 1);
      await ledger.submissions.finish(second, rejected.verdict, AT);
      expect(await ledger.queries.counts()).toEqual({ held: 1 });
    });

    test('answered and finished at once leaves the same as one after the other', async () => {
      const ends = [answer(2, 'authorized'), answer(6, 'rejected'), answer(99, 'in-doubt'), NOT_SENT];
      const told = async (atOnce: boolean) => {
        const ledger = await opened();
        await admit(
          ledger,
          ends.map((_, n) => valid({ number: `F-${n}` })),
        );
        for (const [n, { exchange, verdict }] of ends.entries()) {
          const due = (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).find(
            (one) => one.identifier === `F-${n}`,
          );
          const sending = (await ledger.submissions.begin(due!, { ...INTENT, requestId: `r-${n}` }))!;
          if (atOnce) await ledger.submissions.finishWithExchange(sending, { exchange, ms: 7 }, verdict, AT);
          else {
            await ledger.submissions.recordExchange(sending, exchange, 7);
            await ledger.submissions.finish(sending, verdict, AT);
          }
        }
        const entries = await all(ledger.queries.find({}));
        const rows = [];
        for (const { id, identity: _, file, ...entry } of entries) {
          const history = (await ledger.queries.historyOf(id)).filter(({ what }) => what !== 'ready');
          const tried = await ledger.queries.attemptsOf(id);
          rows.push({ ...entry, id: undefined, changes: file.changes, history, tried });
        }
        return rows;
      };
      const atOnce = await told(true);
      expect(atOnce).toEqual(await told(false));
      expect(atOnce.map(({ state }) => state)).toEqual(['authorized', 'rejected', 'in-doubt', 'ready']);
    });

    test('a verdict that cannot be leaves the exchange, and nothing is sent again', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      const sending = await begun(ledger);
      const { exchange } = answer(2, 'authorized');
      const told = { exchange, ms: 1 };
      await expect(
        ledger.submissions.finishWithExchange(sending, told, { state: 'held', reason: 'x' }, AT),
      ).rejects.toThrow('cannot end as');
      const again = await reopen();
      expect((await again.submissions.interruptedSubmissions()).map((one) => one.exchange)).toMatchObject([
        { status: 200 },
      ]);
    });

    test('an attempt under way is reported like any other, with its run and its mapping', async () => {
      const ledger = await opened();
      const { due } = await begun(ledger);
      const [entry] = await all(ledger.queries.find({ run: INTENT.run, states: ['sending'] }));
      const attempt = { n: 1, act: 'submit', ...INTENT };
      expect(entry?.attempts).toEqual([attempt]);
      expect(await ledger.queries.attemptsOf(due.id)).toEqual([{ ...attempt, revision: 1 }]);
      expect(await ledger.intake.hasSeen({ of: 'mapping', ...due.mapping })).toBe(true);
      const later = { ...INTENT, run: 'run-9' };
      await admit(ledger, [valid({ number: 'F-2' })]);
      await ledger.submissions.begin((await ledger.submissions.due('fr', Date.now(), 1))[0]!, later);
      expect(await ledger.queries.latestRun()).toBe(later.run);
      expect((await all(ledger.queries.find({ run: later.run }))).map(({ facts }) => facts.identifier)).toEqual([
        'F-2',
      ]);
    });

    test('the latest run is the one that started last, also where the clock was set back', async () => {
      const ledger = await opened();
      const about = { kind: 'run', version: '1', host: 'h', pid: 1 } as const;
      await ledger.runs.beginRun({ ...about, id: '20261025-0250-aaaa', startedAt: '2026-10-25T00:50:00.000Z' });
      await admit(ledger, [valid()], { run: '20261025-0250-aaaa', claimedAt: '2026-10-25T00:50:00.000Z' });
      await ledger.runs.beginRun({ ...about, id: '20261025-0205-bbbb', startedAt: '2026-10-25T01:05:00.000Z' });
      expect(await ledger.queries.latestRun()).toBe('20261025-0250-aaaa');
      await admit(ledger, [valid({ number: 'F-2' })], {
        run: '20261025-0205-bbbb',
        claimedAt: '2026-10-25T01:05:00.000Z',
      });
      expect(await ledger.queries.latestRun()).toBe('20261025-0205-bbbb');
    });

    test('an end that evidence has changed stays in the history, each at its time', async () => {
      const ledger = await opened();
      const sending = await begun(ledger);
      const { exchange, verdict } = answer(99, 'in-doubt');
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, '2026-11-20T22:30:01.000Z');
      await ledger.submissions.finish(sending, answer(2, 'authorized').verdict, '2026-11-20T22:30:02.000Z');
      const history = (await ledger.queries.historyOf(sending.due.id)).filter(({ what }) => what !== 'ready');
      expect(history).toEqual([
        {
          what: 'in-doubt',
          run: 'run-1',
          at: '2026-11-20T22:30:01.000Z',
          detail: { n: 1, code: 99, reason: 'code 99' },
        },
        {
          what: 'authorized',
          run: 'run-1',
          at: '2026-11-20T22:30:02.000Z',
          detail: { n: 1, code: 2, reason: 'code 2' },
        },
      ]);
    });

    test('what an earlier answer has decided stays, whatever is concluded later', async () => {
      const ledger = await opened();
      const first = await begun(ledger);
      await ledger.submissions.finishWithExchange(first, { exchange: NOT_SENT.exchange, ms: 1 }, NOT_SENT.verdict, AT);
      const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
      const second = (await ledger.submissions.begin(due!, INTENT))!;
      const [good, failed] = [answer(2, 'authorized'), answer(4, 'failed')];
      await ledger.submissions.finishWithExchange(first, { exchange: failed.exchange, ms: 1 }, failed.verdict, AT);
      expect(await ledger.queries.counts()).toEqual({ sending: 1 });
      const rejected = answer(6, 'rejected');
      await ledger.submissions.finishWithExchange(second, { exchange: rejected.exchange, ms: 1 }, rejected.verdict, AT);
      await ledger.submissions.finishWithExchange(second, { exchange: good.exchange, ms: 1 }, good.verdict, AT);
      expect(await ledger.queries.counts()).toEqual({ rejected: 1 });
      const [, last] = await ledger.queries.attemptsOf(second.due.id);
      expect(last).toMatchObject({ outcome: 'rejected', code: 6 });
      expect(last?.exchange).toEqual({ ...rejected.exchange, headers: { 'content-type': 'application/json' } });
      const history = (await ledger.queries.historyOf(second.due.id)).map(({ what }) => what);
      expect(history.filter((what) => what === 'second-answer' || what === 'late-verdict')).toHaveLength(4);
    });

    test.each([
      ['rejected', 6],
      ['failed', 4],
      ['returned', 15],
    ] as const)('an answer %s that comes after a person has recorded the outcome changes nothing', async (as, code) => {
      const ledger = await opened();
      const sending = await begun(ledger);
      await ledger.submissions.finish(sending, { state: 'in-doubt', reason: 'given up' }, AT);
      const evidence = { as: 'rejected', by: 'ana', at: AT, reason: 'told by phone' } as const;
      expect(await ledger.submissions.resolve(sending.due.id, evidence)).toBe(true);
      const { exchange, verdict } = answer(code, as);
      await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
      expect(await ledger.queries.counts()).toEqual({ rejected: 1 });
    });

    test('what was under way at a stop is found with its exchange', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      await admit(ledger, [valid(), valid({ number: 'F-2' })]);
      const [one, two] = await ledger.submissions.due('fr', Date.now(), 10);
      const sending = (await ledger.submissions.begin(one!, INTENT))!;
      await ledger.submissions.begin(two!, { ...INTENT, requestId: 'request-2' });
      const { exchange } = answer(2, 'authorized');
      await ledger.submissions.recordExchange(sending, exchange, 1);
      const again = await reopen();
      const [first, second] = await again.submissions.interruptedSubmissions();
      expect(first).toMatchObject({ due: { identifier: 'F-1' }, n: 1, requestId: 'request-1' });
      expect(first?.exchange).toEqual({ ...exchange, headers: { 'content-type': 'application/json' } });
      expect(second).toMatchObject({ due: { identifier: 'F-2' }, requestId: 'request-2' });
      expect(second?.exchange).toBeUndefined();
      expect(await again.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });
  });

  describe(`${name}: consulting and resolving`, () => {
    const consultOnce = async (
      ledger: Ledger,
      due: DueDocument,
      verdict: Parameters<Ledger['submissions']['finishConsult']>[2],
      at = AT,
    ) => {
      const asked = (await ledger.submissions.beginConsult(due, { ...INTENT, requestId: 'consult', at }))!;
      await ledger.submissions.finishConsult(asked, ANSWERED, verdict, at);
    };

    test('an answer moves the entry on, and the tracking id is kept', async () => {
      const ledger = await opened();
      await reach(ledger, 'contingency', 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 10);
      expect(await ledger.submissions.consultDue('fr', 6999, 10)).toEqual([]);
      const asked = (await ledger.submissions.beginConsult(due!, INTENT))!;
      expect(asked).toMatchObject({ n: 1, state: 'contingency', trackingId: 't-8' });
      expect(await ledger.submissions.consultDue('fr', 7000, 10)).toEqual([]);
      const verdict = { state: 'authorized', reason: 'code 2', answer: { code: 2 } } as const;
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, AT)).toBe('counts');
      const [entry] = await all(ledger.queries.find({}));
      expect(entry).toMatchObject({ state: 'authorized', answer: { code: 2, trackingId: 't-8' } });
      expect(entry?.attempts.map(({ act, n }) => [act, n])).toEqual([
        ['submit', 1],
        ['consult', 1],
      ]);
      expect(await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    });

    test('a consultation never makes an entry ready, and proves nothing without an answer', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 10);
      await expect(consultOnce(ledger, due!, NOT_SENT.verdict)).rejects.toThrow('cannot make an entry ready');
      await expect(consultOnce(ledger, due!, { state: 'held', reason: 'x' })).rejects.toThrow('cannot make');
      const asked = (await ledger.submissions.beginConsult(due!, INTENT))!;
      const unanswered = { exchange: NOT_SENT.exchange, ms: 1 };
      const authorized = { state: 'authorized', reason: 'x' } as const;
      await expect(ledger.submissions.finishConsult(asked, unanswered, authorized, AT)).rejects.toThrow('no answer');
      const stillInDoubt = { state: 'in-doubt', reason: 'no answer', consultAt: 9000 } as const;
      await ledger.submissions.finishConsult(asked, unanswered, stillInDoubt, AT);
      expect(await ledger.queries.counts()).toEqual({ 'in-doubt': 1 });
      expect((await ledger.submissions.consultDue('fr', 9000, 1)).length).toBe(1);
    });

    test('the answer of a consultation that comes while the document is sent again does not change its state', async () => {
      const ledger = await opened();
      await reach(ledger, 'refused', 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 10);
      const asked = (await ledger.submissions.beginConsult(due!, INTENT))!;
      expect(await ledger.submissions.resolve(due!.id, { as: 'ready', by: 'anna', at: AT, reason: 'repaired' })).toBe(
        true,
      );
      const sending = await ledger.submissions.begin((await ledger.submissions.due('fr', Date.now(), 1))[0]!, INTENT);
      const verdict = { state: 'authorized', reason: 'code 2', answer: { code: 2 } } as const;
      expect(await ledger.submissions.finishConsult(asked, ANSWERED, verdict, AT)).toBe('marks');
      expect(sending).toBeDefined();
      expect(await ledger.queries.counts()).toEqual({ sending: 1 });
      expect(await ledger.receipts.receiptsDue(10, { waiting: true })).toEqual([]);
      const [entry] = await all(ledger.queries.find({}));
      expect(entry?.attempts.map(({ act, outcome }) => [act, outcome])).toEqual([
        ['submit', 'refused'],
        ['consult', 'authorized'],
        ['resolve', 'ready'],
        ['submit', undefined],
      ]);
    });

    test('of two decisions about one document at the same time one counts, a thousand times', async () => {
      const ledger = await opened();
      const numbers = Array.from({ length: 1000 }, (_, n) => `F-${n}`);
      await admit(
        ledger,
        numbers.map((number, n) => valid({ number, row: n })),
      );
      const { exchange, verdict } = answer(4, 'failed');
      const failing = (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1000)).map(async (due) => {
        const sending = (await ledger.submissions.begin(due, INTENT))!;
        await ledger.submissions.recordExchange(sending, exchange, 1);
        await ledger.submissions.finish(sending, verdict, AT);
      });
      await Promise.all(failing);
      const ids = (await all(ledger.queries.find({}))).map(({ id }) => id);
      const decide = (id: string, by: string) =>
        ledger.submissions.resolve(id, { as: 'ready', by, at: AT, reason: 'ticket' });
      const taken = await Promise.all(ids.map(async (id) => Promise.all([decide(id, 'anna'), decide(id, 'bruno')])));
      expect(taken.filter(([anna, bruno]) => anna !== bruno)).toHaveLength(1000);
      expect(await ledger.queries.counts()).toEqual({ ready: 1000 });
      const entries = await all(ledger.queries.find({}));
      const resolves = entries.map(({ attempts }) => attempts.filter(({ act }) => act === 'resolve').length);
      expect(resolves.every((count) => count === 1)).toBe(true);
    });

    test('two "does not exist" an hour apart open the way to a resend by a person, one does not', async () => {
      const ledger = await opened();
      await reach(ledger, 'in-doubt', 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 10);
      const person = { as: 'ready', by: 'anna', at: AT, reason: 'checked' } as const;
      const notFound = { state: 'in-doubt', reason: 'code 18', answer: { code: 18 } } as const;
      await consultOnce(ledger, due!, notFound, '2026-11-21T08:00:00Z');
      expect(await ledger.submissions.resolve(due!.id, person)).toBe(false);
      await consultOnce(ledger, due!, notFound, '2026-11-21T08:59:59Z');
      expect(await ledger.submissions.resolve(due!.id, person)).toBe(false);
      await consultOnce(ledger, due!, notFound, '2026-11-21T09:00:00Z');
      const [entry] = await all(ledger.queries.find({}));
      expect(entry).toMatchObject({ state: 'in-doubt', notFound: { times: 3, lastAt: '2026-11-21T09:00:00.000Z' } });
      expect(entry?.answer).toBeUndefined();
      // It may have arrived all the same: the proof that it did not belongs to the decision.
      expect(await ledger.submissions.resolve(due!.id, person)).toBe(false);
      expect(await ledger.submissions.resolve(due!.id, { ...person, file: 'portal.png', sha256: 'ab' })).toBe(true);
      const [again] = await ledger.submissions.due('fr', Date.now(), 10);
      expect(again?.requestId).toBeUndefined();
    });

    test.each<[first: State, onlyReturned: boolean]>([
      ['returned', true],
      ['refused', true],
      ['in-doubt', false],
      ['failed', false],
    ])('code 15 after %s: only returned is %s', async (first, onlyReturned) => {
      const ledger = await opened();
      await reach(ledger, first, 7000);
      const [due] = await ledger.submissions.consultDue('fr', 7000, 10);
      if (first !== 'returned') {
        const notFound = { state: first, reason: 'code 18', answer: { code: 18 } } as const;
        if (first === 'in-doubt') {
          await consultOnce(ledger, due!, notFound, '2026-11-21T08:00:00Z');
          await consultOnce(ledger, due!, notFound, '2026-11-21T09:00:00Z');
        }
        const { id } = (await all(ledger.queries.find({})))[0]!;
        expect(
          await ledger.submissions.resolve(id, {
            as: 'ready',
            by: 'anna',
            at: AT,
            reason: 'x',
            file: 'p.png',
            sha256: 'ab',
          }),
        ).toBe(true);
        const sending = (await ledger.submissions.begin(
          (
            await ledger.submissions.due('fr', Date.now(), 1)
          )[0]!,
          INTENT,
        ))!;
        const { exchange, verdict } = answer(15, 'returned');
        await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, { ...verdict, consultAt: 8000 }, AT);
      }
      const [again] = await ledger.submissions.consultDue('fr', 8000, 10);
      const begun = await ledger.submissions.beginConsult(again!, { ...INTENT, requestId: 'asks' });
      expect(begun).toMatchObject({ state: 'returned', onlyReturned });
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
      const [before] = await all(ledger.queries.find({}));
      const evidence = { as, by: 'anna', at: AT, reason: 'portal shows it', sha256: 'ab' };
      expect(await ledger.submissions.resolve(before!.id, evidence)).toBe(expected);
      const [entry] = await all(ledger.queries.find({}));
      expect(entry?.state).toBe(expected ? as : from);
      if (expected) expect(entry).toMatchObject({ evidence });
      else expect(entry).toEqual(before);
      expect(await ledger.submissions.resolve('nobody', evidence)).toBe(false);
    });
  });

  describe(`${name}: reading`, () => {
    test('a receipt is due until it says what the ledger knows', async () => {
      const ledger = await opened();
      await admit(ledger, [valid(), faulty({ number: 'F-2', row: 3 })]);
      const statesDue = async (options?: { waiting: boolean }) =>
        (await ledger.receipts.receiptsDue(10, options)).map(({ entry }) => entry.state);
      expect(await statesDue()).toEqual(['invalid']);
      expect(await statesDue({ waiting: true })).toEqual(['invalid', 'ready']);
      const [ready] = await all(ledger.queries.find({ states: ['ready'] }));
      const written = {
        id: ready!.id,
        file: ready!.file.id,
        revision: 1,
        state: 'ready',
        since: ready!.since,
        attempts: 0,
        ended: 0,
        folder: 'pending',
        day: '2026-11-20',
      } as const;
      const link = () => nextLink(ledger, ready!.id);
      await ledger.receipts.recordReceipts([{ ...written, link: await link() }]);
      expect((await ledger.receipts.receiptsDue(10, { waiting: true })).length).toBe(1);
      await send(ledger, answer(2, 'authorized'));
      await ledger.receipts.recordReceipts([{ ...written, state: 'ready', link: await link() }]);
      const due = (await ledger.receipts.receiptsDue(10)).find(({ entry }) => entry.state === 'authorized');
      expect(due?.entry.receipt).toEqual({ folder: 'pending', day: '2026-11-20' });
      await recordReceipt(ledger, due!.entry);
      expect(await statesDue()).toEqual(['invalid']);
    });

    test('many are read together: each has its own content and attempts, in the order asked for', async () => {
      const ledger = await opened();
      const count = 300;
      const numbers = Array.from({ length: count }, (_, n) => `F-${n + 1}`);
      await admit(
        ledger,
        numbers.map((number, row) => (row === 4 ? faulty : valid)({ number, row: row + 2 })),
      );
      const first = await ledger.submissions.due('fr', Date.now(), count);
      const trying = first.slice(0, -1).map(async (due) => {
        const sending = (await ledger.submissions.begin(due, { ...INTENT, requestId: `of ${due.identifier}` }))!;
        await ledger.submissions.finishWithExchange(
          sending,
          { exchange: NOT_SENT.exchange, ms: 1 },
          NOT_SENT.verdict,
          AT,
        );
      });
      await Promise.all(trying);
      const [again] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, count);
      const due = await ledger.receipts.receiptsDue(count, { waiting: true });
      // One that waits for a person comes before those that wait for their turn.
      const inOrder = [numbers[4], ...numbers.toSpliced(4, 1)];
      expect(due.map(({ entry }) => entry.facts.identifier)).toEqual(inOrder);
      const textOf = (number: string | undefined) => JSON.stringify({ payload: { number, text: 'a' } });
      expect(due.map(({ content }) => content)).toEqual([undefined, ...inOrder.slice(1).map(textOf)]);
      const tried = due.slice(1).map(({ entry: { attempts } }) => attempts.map(({ requestId }) => requestId));
      expect(tried).toEqual([...inOrder.slice(1, -1).map((number) => [`of ${number}`]), []]);
      const sending = (await ledger.submissions.begin(again!, INTENT))!;
      await ledger.submissions.finishWithExchange(
        sending,
        { exchange: NOT_SENT.exchange, ms: 1 },
        NOT_SENT.verdict,
        AT,
      );
      const [entry] = await all(ledger.queries.find({ ids: [sending.due.id] }));
      expect(entry?.attempts.map(({ n }) => n)).toEqual(entry?.attempts.map((_, index) => index + 1));
      expect(await ledger.queries.contentOf(entry!.id)).toBe(textOf(entry!.facts.identifier));
      expect(await ledger.queries.contentOf(due[0]!.entry.id)).toBeUndefined();
      expect(await ledger.queries.contentOf('nobody')).toBeUndefined();
    });

    test('links of receipts follow each other, and nothing else is taken', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid()]);
      expect(await ledger.receipts.chainHead()).toBeUndefined();
      const [entry] = await all(ledger.queries.find({}));
      const place = { folder: 'pending', day: '2026-11-20' } as const;
      const written = { ...receiptOf(entry!), ...place };
      const first = await nextLink(ledger, entry!.id);
      await ledger.receipts.recordReceipts([{ ...written, link: first }]);
      const [found] = await all(ledger.queries.find({}));
      expect(found!.receipt).toEqual({ ...place, link: { n: 1 } });
      const second = await nextLink(ledger, file.id);
      expect(second).toMatchObject({ n: 2, previous: linkHash(first) });
      for (const wrong of [first, { ...second, n: 3 }, { ...second, previous: 'a'.repeat(64) }]) {
        await expect(ledger.receipts.recordReceipts([{ ...written, link: wrong }])).rejects.toThrow('does not follow');
        await expect(
          ledger.receipts.recordSummaries([{ id: file.id, changes: 1, ...place, link: wrong }]),
        ).rejects.toThrow('does not follow');
      }
      await ledger.receipts.recordSummaries([{ id: file.id, changes: 1, ...place, link: second }]);
      expect(await all(ledger.receipts.links())).toEqual([first, second]);
      expect(await ledger.receipts.chainHead()).toEqual(headOf(second));
    });

    test('a selector finds by each of its parts', async () => {
      const ledger = await opened();
      await admit(ledger, [valid({ number: 'F-1' }), faulty({ number: 'F-2', row: 3 })], { run: 'run-7' });
      await admit(ledger, [valid({ number: 'F-3', service: 'sv' }), valid({ number: 'F_3', row: 3 })]);
      await send(ledger, answer(6, 'rejected'));
      const found = async (selector: Parameters<Ledger['queries']['find']>[0]) =>
        (await all(ledger.queries.find(selector))).map(({ facts }) => facts.identifier);
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
      expect(await ledger.queries.counts({ run: 'run-7' })).toEqual({ rejected: 1, invalid: 1 });
      expect(await ledger.queries.counts({ ids: ['F-1', 'F-3'] })).toEqual({ rejected: 1, ready: 1 });
    });

    test('more entries than a page are found once each', async () => {
      const ledger = await opened();
      const file = await admit(
        ledger,
        Array.from({ length: 450 }, (_, n) => valid({ number: `P-${n}`, row: n % 7 })),
      );
      expect(new Set((await all(ledger.queries.find({}))).map(({ id }) => id)).size).toBe(450);
      expect(new Set((await all(ledger.queries.entriesOf(file.id))).map(({ id }) => id)).size).toBe(450);
    });

    test('the instant since the last report survives a restart, and the first one stays', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      expect(await ledger.maintenance.unreportedSince()).toBeUndefined();
      await ledger.maintenance.openReportWindow(AT);
      const again = await reopen();
      await again.maintenance.openReportWindow('2099-01-01T00:00:00.000Z');
      expect(await again.maintenance.unreportedSince()).toEqual({ at: AT, link: 0 });
      await again.maintenance.closeReportWindow();
      expect(await again.maintenance.unreportedSince()).toBeUndefined();
      await again.maintenance.openReportWindow('2099-01-01T00:00:00.000Z');
      expect(await again.maintenance.unreportedSince()).toEqual({ at: '2099-01-01T00:00:00.000Z', link: 0 });
    });

    test('a person ends the pause that they have seen, and not another one that came since', async () => {
      const ledger = await opened();
      const seen = { cause: 'unreachable', says: 'ECONNREFUSED', at: AT };
      const person = { by: 'ana', reason: 'they said so', at: AT };
      expect(await ledger.submissions.pause('fr', { ...seen, cause: 'paused' }, person)).toBe(false);
      await ledger.submissions.pause('fr', seen);
      const since = { cause: 'foreign-echo', says: 'another document', at: '2026-11-20T22:30:01.000Z' };
      await ledger.submissions.pause('fr', since);
      expect(await ledger.submissions.pause('fr', { ...seen, cause: 'paused' }, person)).toBe(false);
      expect(await ledger.submissions.pauseOf('fr')).toEqual(since);
      expect(await ledger.submissions.pause('fr', { ...since, cause: 'paused' }, person)).toBe(true);
      expect(await ledger.submissions.pauseOf('fr')).toEqual({ ...since, cause: 'paused' });
    });

    test('a pause outlives the program', async () => {
      const { ledger, reopen } = await open({ now: clock().now });
      const pause = { cause: 'credentials', says: 'refused twice', at: AT, untilMs: 5 };
      await ledger.submissions.pause('fr', pause);
      const again = await reopen();
      expect(await again.submissions.pauseOf('fr')).toEqual(pause);
      expect(await again.submissions.pauseOf('sv')).toBeUndefined();
      await again.submissions.pause('fr', undefined);
      expect(await again.submissions.pauseOf('fr')).toBeUndefined();
    });
  });
}
