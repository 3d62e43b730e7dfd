import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Driver } from '../../src/database/database-driver.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import type { State } from '../../src/model/state.ts';
import { runs } from '../seed.ts';
import { all } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { ADMITTED, answer, faulty, NOT_SENT, newFile, valid } from './make.ts';

const RUNS = runs(120);
const AT = '2026-11-20T22:30:00.000Z';

type Line = { readonly identity: number; readonly text: number; readonly valid: boolean };
type Step =
  | {
      readonly do: 'file';
      readonly lines: readonly Line[];
      readonly end: 'admit' | 'crash' | 'restart' | 'refuse' | 'cut';
    }
  | { readonly do: 'send'; readonly ends: 'authorized' | 'rejected' | 'in-doubt' | 'not-sent' | 'crash' };

const line = fc.record({
  identity: fc.integer({ min: 1, max: 4 }),
  text: fc.integer({ min: 1, max: 2 }),
  valid: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('file' as const),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom('admit', 'admit', 'admit', 'crash', 'restart', 'refuse', 'cut'),
  }),
  fc.record({
    do: fc.constant('send' as const),
    ends: fc.constantFrom('authorized', 'rejected', 'rejected', 'in-doubt', 'not-sent', 'crash'),
  }),
);

/** Each history has a service of its own, so that all of them can share a ledger. */
function outcomeOf(service: string, { identity, text, valid: good }: Line, row: number): DocumentOutcome {
  const numbering = new Numbering('note', [service], 'number');
  const content = JSON.stringify({ number: numbering, identity, text });
  const wish = { service, numbering, content, keys: [`${service} note ${identity}`], identifier: `${identity}`, row };
  return good ? valid(wish) : faulty({ ...wish, number: `${identity}` });
}

/** A driver that stops taking writes once told to: what a crash between two steps leaves. */
function cuttable() {
  let left = Number.POSITIVE_INFINITY;
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async (work) => {
      if (left-- <= 0) throw new LedgerUnavailable('ledger/write-failed', 'cut');
      return await driver.write(work);
    },
  });
  return { through, cutAfter: (writes: number) => (left = writes) };
}

/** Follows what happens outside: what each identity was sent with, how often it was authorized, which number it had. */
function outside() {
  const authorized = new Map<string, number>();
  const numbers = new Map<string, number>();
  return {
    sees: (identifier: string, content: string) => {
      const { number, identity } = JSON.parse(content);
      expect(String(identity)).toBe(identifier);
      expect(authorized.get(identifier) ?? 0).toBe(0);
      expect(numbers.get(identifier) ?? number).toBe(number);
      numbers.set(identifier, number);
      expect(new Set(numbers.values()).size).toBe(numbers.size);
    },
    authorizes: (identifier: string) => authorized.set(identifier, (authorized.get(identifier) ?? 0) + 1),
  };
}

const LIVE = new Set<State>(['ready', 'sending', 'authorized', 'in-doubt', 'rejected']);

/** One entry per identity that can go out or has gone out; every row of an admitted file in one entry. */
async function expectSound(ledger: Ledger, service: string, rows: ReadonlyMap<string, number>): Promise<void> {
  const entries = await all(ledger.queries.find({ service }));
  const live = entries.filter(({ state }) => LIVE.has(state)).map(({ facts }) => facts.identifier);
  expect(live.length).toBe(new Set(live).size);
  const files = new Map<string, number>();
  for (const { file, revision } of entries) {
    expect(file.state).toBe('admitted');
    files.set(file.id, (files.get(file.id) ?? 0) + 1);
    expect(revision).toBeGreaterThan(0);
  }
  // A correction moves an entry to the later file: the earlier one has fewer, the last one has all of its rows.
  for (const [file, count] of files) expect(count).toBeLessThanOrEqual(rows.get(file)!);
  const last = [...rows].at(-1);
  if (last) expect(files.get(last[0])).toBe(last[1]);
}

/** A ledger of many histories, which each of them closes and opens as it needs. */
async function shop(folder: string) {
  const place = { folder, binding: BINDING, now: () => new Date() };
  await initLedger(place);
  let cut = cuttable();
  let ledger = await openLedger({ ...place, through: cut.through });
  return {
    ledger: () => ledger,
    cutAfter: (writes: number) => cut.cutAfter(writes),
    reopen: async () => {
      await ledger[Symbol.asyncDispose]();
      cut = cuttable();
      ledger = await openLedger({ ...place, through: cut.through });
      const inDoubt = { state: 'in-doubt', reason: 'x' } as const;
      for (const { due, n } of await ledger.submissions.interruptedSubmissions())
        await ledger.submissions.finish({ due, n }, inDoubt, AT);
    },
  };
}

async function runHistory(
  steps: readonly Step[],
  service: string,
  at: Awaited<ReturnType<typeof shop>>,
): Promise<void> {
  const rows = new Map<string, number>();
  const world = outside();
  for (const one of steps) {
    if (one.do === 'file') {
      const file = await at.ledger().intake.openFile(newFile());
      const outcomes = one.lines.map((entry, row) => outcomeOf(service, entry, row + 2));
      const stage = async () => {
        await at.ledger().intake.stage(file.id, outcomes.slice(0, 2));
        await at.ledger().intake.stage(file.id, outcomes.slice(2));
      };
      await stage();
      if (one.end === 'crash') await at.reopen();
      if (one.end === 'restart' || one.end === 'crash') {
        await expectSound(at.ledger(), service, rows);
        await at.ledger().intake.restartFile(file.id);
        await stage();
      }
      if (one.end === 'refuse') await at.ledger().intake.refuseFile(file.id, { faults: [], rows: 1, leftOut: [] });
      else {
        // "cut": the file counts, but none of its entries has followed yet when the program stops.
        if (one.end === 'cut') at.cutAfter(1);
        rows.set(file.id, outcomes.length);
        await at
          .ledger()
          .intake.admit(file.id, ADMITTED)
          .catch((error) => expect(error.message).toContain('cut'));
        if (one.end === 'cut') await at.reopen();
      }
    } else {
      const [due] = await at.ledger().submissions.due(service, Number.MAX_SAFE_INTEGER, 1);
      const sending = due && (await at.ledger().submissions.begin(due, { requestId: 'r', at: AT, run: 'r' }));
      if (!sending) continue;
      const { identifier } = sending.due;
      if (one.ends !== 'not-sent') world.sees(identifier, sending.content);
      if (one.ends === 'crash') await at.reopen();
      else {
        const { exchange, verdict } =
          one.ends === 'not-sent'
            ? NOT_SENT
            : answer({ authorized: 2, rejected: 6, 'in-doubt': 99 }[one.ends], one.ends);
        if (one.ends === 'authorized') world.authorizes(identifier);
        await at.ledger().submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
      }
    }
    await expectSound(at.ledger(), service, rows);
  }
}

/** So many histories share a ledger; many more in one would measure its size. */
const OF_A_LEDGER = 200;

describe('random histories', () => {
  test(`${RUNS} of them: one identity is never twice on its way, and keeps its number`, async () => {
    let at = await shop(temporaryFolder());
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        if (run > 0 && run % OF_A_LEDGER === 0) {
          await at.ledger()[Symbol.asyncDispose]();
          at = await shop(temporaryFolder());
        }
        await runHistory(steps, `service-${run++}`, at);
      }),
      { numRuns: RUNS },
    );
    await at.ledger()[Symbol.asyncDispose]();
  });
});
