/** What every ledger gives the morning after: documents as a report counts them, and as answers to the ERP report them. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { WrittenReceipt } from '../../src/ledger/contract/receipt-store.ts';
import { headOf } from '../../src/model/chain-link.ts';
import { definedOnly } from '../../src/model/defined-only.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { NOT_PASSED } from '../../src/model/ledger-entry.ts';
import { AT, admit, all, INTENT, send } from '../ledger/acts.ts';
import { answer, clock, documentOf, faulty, NOT_SENT, nextLink, valid } from '../ledger/make.ts';
import type { LedgerUnderTest } from './ledger.ts';

const BLOCK = 'sage RET_{n}.csv';
const PERSON = { by: 'anna', at: AT, reason: 'asked for it' };
/** More than one page of a report, and than one INSERT takes. */
const MANY = 270;
const FEW = 30;

const windowOf = (since: string, run: string) => ({ run, isWhole: true, since, after: 0, until: new Date(8.64e15) });

export function morningContract(name: string, { open }: LedgerUnderTest): void {
  const opened = async () => (await open({ now: clock().now })).ledger;

  describe(`${name}: the morning after`, () => {
    test('a report counts documents as they are, with the longest answer of the night', async () => {
      const ledger = await opened();
      await admit(ledger, [warned('F-1', 2), faulty({ number: 'F-2', row: 3 }), valid({ number: 'F-3', row: 4 })]);
      const since = '2026-11-20T22:10:00.000Z';
      await sendAt(ledger, '2026-11-20T22:09:00.000Z', 900, NOT_SENT);
      await sendAt(ledger, AT, 40, answer(8, 'contingency'));
      await sendAt(ledger, AT, 30, answer(6, 'rejected'));
      const [aside] = await all(ledger.queries.find({ states: ['invalid'] }));
      await ledger.submissions.resolve(aside!.id, { ...PERSON, as: 'invalid' });
      const [later] = await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 1);
      await consult(ledger, later!, 'run-2');
      expect(
        (await all(ledger.reports.documentsIn(windowOf('2026-11-20T21:00:00.000Z', 'run-1')))).flat(),
      ).toHaveLength(3);
      const documents = (await all(ledger.reports.documentsIn(windowOf(since, 'run-2')))).flat();
      const entries = await all(ledger.queries.find({ since }));
      expect(documents).toHaveLength(entries.length);
      for (const [at, entry] of entries.entries()) {
        const { state, faults, facts, file, attempts, evidence, closed, class: documentClass } = entry;
        const ms = attempts.filter((one) => one.at >= since).map((one) => one.ms ?? 0);
        expect(documents[at]).toEqual({
          ...{ state, facts, file, class: documentClass, ...(evidence && { evidence }), ...(closed && { closed }) },
          warned: !NOT_PASSED.includes(state) && faults.some(({ level }) => level === 'warning'),
          longestMs: Math.max(0, ...ms),
          acts: new Set(attempts.filter(({ run }) => run === 'run-2').map(({ act }) => act)),
        });
      }
      expect(documents.map((one) => [one.state, one.warned, one.longestMs, one.acts.size])).toEqual([
        ['rejected', true, 30, 0],
        ['invalid', false, 0, 0],
        ['authorized', false, 40, 1],
      ]);
    });

    test('a report that began is unfinished until it is recorded or dropped, and of another run while that works', async () => {
      const ledger = await opened();
      const start = { kind: 'run' as const, startedAt: AT, version: '0', host: 'here', pid: 1 };
      await ledger.runs.beginRun({ ...start, id: 'run-1' });
      for (const run of ['run-1', 'run-2']) await ledger.reports.beginReport({ id: `2026-11-20/${run}`, run });
      expect(await ledger.reports.unfinishedReports()).toEqual(['2026-11-20/run-1', '2026-11-20/run-2']);
      expect(await ledger.reports.unfinishedReports('run-3')).toEqual(['2026-11-20/run-2']);
      expect(await ledger.reports.unfinishedReports('run-1')).toHaveLength(2);
      await ledger.runs.endRun('run-1', { outcome: 'stopped' });
      expect(await ledger.reports.unfinishedReports('run-3')).toHaveLength(2);
      await ledger.reports.dropReport('2026-11-20/run-2');
      const [id, run, day, at, since] = ['2026-11-20/run-1', 'run-1', '2026-11-20', AT, AT];
      const hashes = { sha256: 'a'.repeat(64), pageSha256: 'b'.repeat(64) };
      const link = { n: 1, what: 'report' as const, id, revision: 1, state: 'good', attempts: 0, run, at };
      await ledger.reports.recordReport(
        { id, run, day, at, since, ...hashes, events: 0 },
        { ...link, sha256: hashes.sha256, payloadSha256: hashes.pageSha256 },
        [],
      );
      expect(await ledger.reports.unfinishedReports()).toEqual([]);
    });

    test('an export is of the night of the run that took it in, until a report has it', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid({ number: 'F-1', row: 2 }), faulty({ number: 'F-2', row: 3 })]);
      const nightOf = async (run: string) => {
        const read: string[] = [];
        for await (const some of ledger.reports.documentsOfNight(run)) read.push(...some.map(({ state }) => state));
        return [
          (await ledger.queries.filesOfNight(run)).length,
          read.toSorted(),
          await ledger.queries.counts({ night: run }),
        ];
      };
      const whole = [1, ['invalid', 'ready'], { invalid: 1, ready: 1 }];
      expect(await nightOf(file.run)).toEqual(whole);
      const report = {
        day: '2026-11-20',
        at: AT,
        since: AT,
        sha256: 'a'.repeat(64),
        pageSha256: 'b'.repeat(64),
        events: 0,
      };
      for (const [n, run] of ['later', 'latest'].entries()) {
        const id = `2026-11-20/${run}`;
        const link = { n: n + 1, what: 'report' as const, id, revision: 1, state: 'good', attempts: 0, run, at: AT };
        const { sha256, pageSha256: payloadSha256 } = report;
        const previous = (await ledger.receipts.chainHead())?.hash;
        await ledger.reports.recordReport(
          { ...report, id, run },
          definedOnly({ ...link, sha256, payloadSha256, previous }),
          [file.id, 'unknown'],
        );
      }
      expect(await nightOf('later')).toEqual(whole);
      expect(await nightOf(file.run)).toEqual([0, [], {}]);
      expect(await nightOf('latest')).toEqual([0, [], {}]);
    });

    test('what is due for the ERP comes with what can be reported, page by page', async () => {
      const ledger = await opened();
      const file = await admit(
        ledger,
        Array.from({ length: FEW }, (_, n) =>
          n === 0 ? warned('F-0', 2) : (n === 1 ? faulty : valid)({ number: `F-${n}`, row: n + 2 }),
        ),
      );
      await send(ledger, answer(2, 'authorized'));
      const entries = await all(ledger.queries.entriesOf(file.id));
      const unknown = { answers: BLOCK, file: file.id, firstRow: 9000, entry: 'unknown' };
      const due = entries.map(({ id, rows }) => ({ answers: BLOCK, file: file.id, firstRow: rows[0]!, entry: id }));
      await ledger.answers.answerAgain([...due, unknown], PERSON);
      const first = await ledger.answers.dueOutcomes({ document: false }, BLOCK, file.id, undefined, 20);
      const rest = await ledger.answers.dueOutcomes({ document: true }, BLOCK, file.id, first.at(-1), 20);
      const pages = [...first, ...rest];
      expect(pages).toHaveLength(FEW + 1);
      expect(pages.map(({ outcome: _, ...one }) => one)).toEqual(
        await ledger.answers.dueAnswers(BLOCK, file.id, undefined, 2 * FEW),
      );
      expect(pages.at(-1)).toEqual({ entry: 'unknown', firstRow: 9000, changes: 1, again: true });
      for (const [at, entry] of entries.entries()) {
        const { id, revision, state, since, rows, faults, name, kind, class: documentClass, facts, identity } = entry;
        const whole = { name, kind, class: documentClass, facts, keys: identity.keys };
        expect(pages[at]?.outcome).toEqual({
          ...{ id, revision, state, since, file: entry.file, rows },
          ...(entry.answer ? { answer: entry.answer, faults: [] } : { faults }),
          ...(at < 20 ? {} : { document: whole }),
        });
      }
      expect(entries.filter((one) => one.answer || one.faults.length > 0)).toHaveLength(2);
      const some = [entries[3]!.id, 'unknown', entries[0]!.id];
      expect(await ledger.answers.answerOutcomes(some, { document: false })).toEqual([
        first[3]?.outcome,
        first[0]?.outcome,
      ]);
    });

    test('a duplicate comes with what became of the document that it repeats, and is found from there', async () => {
      const ledger = await opened();
      const same = () => [valid({ number: 'F-1', row: 2 }), valid({ number: 'F-2', row: 3 })];
      await admit(ledger, same());
      const again = await admit(ledger, same(), { name: 'again.csv', sha256: 'ff' });
      await send(ledger, answer(6, 'rejected'));
      const entries = await all(ledger.queries.find({}));
      const [rejected] = entries.filter(({ state }) => state === 'rejected');
      const repeats = entries.filter(({ state }) => state === 'duplicate');
      expect(repeats).toHaveLength(2);
      const outcomes = await ledger.answers.answerOutcomes(
        repeats.map(({ id }) => id),
        { document: false },
      );
      expect(outcomes.map((one) => [one.state, one.file.id, one.repeats?.state, one.repeats?.answer?.code])).toEqual(
        repeats.map(({ first }) => [
          ...['duplicate', again.id],
          ...(first?.id === rejected!.id ? ['rejected', 6] : ['ready', undefined]),
        ]),
      );
      const found = await ledger.answers.repeatsOf([rejected!.id, 'unknown']);
      const repeat = repeats.find(({ first }) => first?.id === rejected!.id)!;
      const firstRow = repeat.rows[0];
      expect(found).toEqual([
        { entry: repeat.id, of: rejected!.id, mapping: repeat.file.mapping?.id, file: again.id, firstRow },
      ]);
    });

    test('what is due for a block that is gone is due for those in its place, once each', async () => {
      const ledger = await opened();
      const file = await admit(ledger, [valid({ number: 'F-1', row: 2 }), valid({ number: 'F-2', row: 3 })]);
      const entries = await all(ledger.queries.entriesOf(file.id));
      const mark = (answers: string, n: number) => {
        const { id, rows } = entries[n]!;
        return { answers, file: file.id, firstRow: rows[0]!, entry: id };
      };
      await ledger.answers.answerAgain([mark('m a', 0), mark('m a', 1), mark('m b', 0), mark('x c', 0)], PERSON);
      expect(await ledger.answers.dueBlocks()).toEqual(['m a', 'm b', 'x c']);
      expect(await Promise.all(['m', 'x', 'm a', ''].map(ledger.answers.documentsDueOf))).toEqual([2, 1, 0, 0]);
      await ledger.answers.moveDueAnswers('m a', ['m b', 'm d']);
      await ledger.answers.moveDueAnswers('x c', []);
      expect(await ledger.answers.dueBlocks()).toEqual(['m b', 'm d']);
      const dueOf = async (block: string) =>
        (await ledger.answers.dueAnswers(block, file.id, undefined, 9)).map(({ changes, again }) => [changes, again]);
      // Once more is asked of a block that reported it: a new one reports it anyway.
      expect([await dueOf('m b'), await dueOf('m d')]).toEqual([
        [
          [2, true],
          [1, false],
        ],
        [
          [1, false],
          [1, false],
        ],
      ]);
    });

    test('receipts mark what is due once for each, and a file reports all of its documents', async () => {
      const ledger = await opened();
      const outcomes = Array.from({ length: MANY }, (_, n) => valid({ number: `F-${n}`, row: n + 2 }));
      const file = await admit(ledger, outcomes);
      const entries = await all(ledger.queries.entriesOf(file.id));
      const pages = await all(ledger.reports.documentsIn(windowOf('2026-11-20T21:00:00.000Z', 'run-1')));
      expect(pages.map((page) => page.length)).toEqual([250, 20]);
      for (let from = 0; from < MANY; from += 90) {
        await recordAll(ledger, file.id, entries.slice(from, from + 90));
      }
      await recordAll(ledger, file.id, entries.slice(0, 3));
      const marks = await ledger.answers.dueAnswers(BLOCK, file.id, undefined, 2 * MANY);
      expect(marks.map(({ changes }) => changes)).toEqual(entries.map((_, n) => (n < 3 ? 2 : 1)));
      const made = { answers: BLOCK, folder: 'answers', file: file.id, run: 'run-1', at: AT };
      const { id } = await ledger.answers.beginAnswerFile({ ...made, nameOf: (n) => `RET_${n}.csv` });
      const reported = marks.map(({ entry, changes }, n) => ({
        ...{ entry, state: 'authorized', digest: `digest ${n}`, changes },
        ...(n % 2 === 0 ? { code: 2 } : {}),
      }));
      // The last one changed meanwhile.
      await ledger.answers.addAnswered(id, [...reported.slice(0, -1), { ...reported.at(-1)!, changes: 0 }]);
      const lines = reported.map((one) => `${one.entry} authorized ${one.code ?? '-'} ${one.digest}\n`).sort();
      expect(await all(ledger.answers.answeredLines(id))).toEqual(lines);
      const content = { sha256: 'ab', documents: MANY, documentsSha256: 'cd', at: AT };
      await ledger.answers.chooseAnswerFile(id, content);
      expect(await ledger.answers.dueAnswers(BLOCK, file.id, undefined, 10)).toEqual(marks.slice(-1));
    });
  });
}

function warned(number: string, row: number): DocumentOutcome {
  const warning = { code: 'map/x', level: 'warning', message: 'look at it', origin: { file: 'x', row } } as const;
  return { document: { ...documentOf({ number, row }), warnings: [warning] } };
}

/** Sends the oldest due document, which has its answer after so long. */
async function sendAt(ledger: Ledger, at: string, ms: number, { exchange, verdict }: ReturnType<typeof answer>) {
  const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
  const sending = (await ledger.submissions.begin(due!, { ...INTENT, at }))!;
  const next = verdict.state === 'contingency' ? { ...verdict, consultAt: 0 } : verdict;
  await ledger.submissions.finishWithExchange(sending, { exchange, ms }, next, at);
}

async function consult(ledger: Ledger, due: Parameters<Ledger['submissions']['beginConsult']>[0], run: string) {
  const { exchange, verdict } = answer(2, 'authorized');
  const begun = await ledger.submissions.beginConsult(due, { requestId: 'c-1', at: AT, run });
  await ledger.submissions.finishConsult(begun!, { exchange, ms: 7 }, verdict, AT);
}

type Entries = readonly { readonly id: string; readonly rows: readonly number[] }[];

/** Receipts in one commit, of a mapping whose block is named twice. */
async function recordAll(ledger: Ledger, file: string, entries: Entries): Promise<void> {
  const written: WrittenReceipt[] = [];
  let link = await nextLink(ledger, entries[0]!.id);
  for (const { id, rows } of entries) {
    const answers = [{ entry: id, blocks: [BLOCK, BLOCK], file, firstRow: rows[0]! }];
    const place = { folder: 'pending', day: '2026-11-20' } as const;
    const nothing = { state: 'ready', since: AT, attempts: 0, ended: 0 } as const;
    written.push({ ...place, ...nothing, id, file, revision: 1, link, answers });
    const { n, hash } = headOf(link);
    link = { ...link, n: n + 1, previous: hash };
  }
  await ledger.receipts.recordReceipts(written);
}
