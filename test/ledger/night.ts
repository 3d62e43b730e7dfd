/**
 * A small night against one ledger, as the line does it: recover, take files in, send. It can be cut at any instant
 * and started again; the service that it talks to is a callback which is told of every document before its answer.
 */
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import { Numbering } from '../../src/model/draft.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { ADMITTED, answer, faulty, NOT_SENT, newFile, valid } from './make.ts';

export type Night = {
  readonly files: number;
  readonly documents: number;
  /** The document is on the wire. */
  readonly sent: (identifier: string, requestId: string) => void;
};

const AT = '2026-11-20T22:30:00.000Z';
const IN_FLIGHT = 8;

/** The outcomes of a file: numbered documents, one that repeats one of the file before, one that is invalid. */
function outcomesOf(file: number, documents: number): readonly DocumentOutcome[] {
  const note = (n: number, row: number): DocumentOutcome => {
    const numbering = new Numbering('note', ['till'], 'number');
    const content = JSON.stringify({ number: numbering, id: `${file}-${n}` });
    return valid({ numbering, content, keys: [`note ${file}-${n}`], identifier: `D-${file}-${n}`, row });
  };
  const own = Array.from({ length: documents }, (_, n) => note(n, n + 2));
  const repeated = valid({ number: 'R', text: 'always the same', row: 900 });
  return [...own, repeated, faulty({ number: `X-${file}`, row: 901 })];
}

export async function runNight(ledger: Ledger, night: Night): Promise<void> {
  for (const { due, n, exchange } of await ledger.submissions.interruptedSubmissions()) {
    const verdict = exchange ? judge(exchange) : ({ state: 'in-doubt', reason: 'interrupted' } as const);
    await ledger.submissions.finish({ due, n }, verdict, AT);
  }
  for (const file of await ledger.intake.openFiles())
    if (file.state === 'loading') await load(ledger, file.id, file.name, night);
  const known = new Set((await ledger.queries.files({})).map(({ name }) => name));
  for (let n = 0; n < night.files; n++) {
    const name = `file-${n}.csv`;
    if (known.has(name)) continue;
    const file = await ledger.intake.openFile(newFile({ name, sha256: name }));
    await load(ledger, file.id, name, night);
  }
  const slots = Array.from({ length: IN_FLIGHT }, async (_, slot) => await sendAll(ledger, night, slot));
  await Promise.all(slots);
}

async function load(ledger: Ledger, id: string, name: string, night: Night): Promise<void> {
  await ledger.intake.restartFile(id);
  const outcomes = outcomesOf(Number(/\d+/.exec(name)?.[0]), night.documents);
  for (let from = 0; from < outcomes.length; from += 5) await ledger.intake.stage(id, outcomes.slice(from, from + 5));
  await ledger.intake.admit(id, ADMITTED);
}

async function sendAll(ledger: Ledger, night: Night, slot: number): Promise<void> {
  for (;;) {
    const page = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, IN_FLIGHT);
    const due = page[slot % Math.max(page.length, 1)];
    if (!due) return;
    const requestId = `${due.id} ${performance.now()}`;
    const sending = await ledger.submissions.begin(due, { requestId, at: AT, run: 'run' });
    if (!sending) continue;
    // The first try of every third document does not reach the service.
    const lost = due.tries === 0 && due.identifier.endsWith('3');
    if (!lost) night.sent(due.identifier, sending.requestId);
    const { exchange } = lost ? NOT_SENT : answer(2, 'authorized');
    await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, judge(exchange), AT);
  }
}

function judge(exchange: Parameters<Ledger['submissions']['recordExchange']>[1]) {
  return exchange.sent ? answer(2, 'authorized').verdict : NOT_SENT.verdict;
}

/** What is wrong after the night: documents sent twice, lost, unexplained, or numbered wrongly. */
export function flawsOf(
  entries: readonly LedgerEntry[],
  sent: readonly string[],
  { files, documents }: Night,
): readonly string[] {
  const flaws: string[] = [];
  const times = Map.groupBy(sent, (identifier) => identifier);
  for (const [identifier, all] of times) if (all.length > 1) flaws.push(`${identifier} was sent ${all.length} times`);
  const perFile = Map.groupBy(entries, ({ file }) => file.name);
  if (perFile.size !== files) flaws.push(`${perFile.size} files`);
  for (const [name, list] of perFile)
    if (list.length !== documents + 2) flaws.push(`${name} has ${list.length} entries`);
  for (const { state, facts } of entries) {
    if (state === 'authorized' && !times.has(facts.identifier)) flaws.push(`${facts.identifier} was never sent`);
    if (!['authorized', 'in-doubt', 'duplicate', 'invalid'].includes(state))
      flaws.push(`${facts.identifier} is ${state}`);
    if (state === 'duplicate' && facts.identifier !== 'R') flaws.push(`${facts.identifier} is a duplicate`);
  }
  return flaws;
}

/** The numbers given, in order: without gap and repetition they are 1, 2, 3 ... */
export async function numbersOf(ledger: Ledger, entries: readonly LedgerEntry[]): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (const { id } of entries) {
    const number = JSON.parse((await ledger.queries.contentOf(id)) ?? '{}').number;
    if (typeof number === 'number') numbers.push(number);
  }
  return numbers.sort((a, b) => a - b);
}
