/**
 * Acts of people under SIGKILL: the holder of the lock and the askers are killed at random instants while decisions are carried
 * out, until all is done; then the queue, the history and the acceptances of the sandbox are joined.
 *
 * Each request has a reason of its own, which the history has: so each event shows the request that made it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { type PersonAct, seenDocument } from '../../src/decisions/act.ts';
import { MOST_TRIES } from '../../src/decisions/requests/answer-request.ts';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { openScene, type Scene, sales } from '../night.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED, finish, load, start } from './lives.ts';
import { type Random, randomFrom } from './random.ts';

export type ActFigures = {
  kills: number;
  requests: number;
  /** Handed in by a program that was killed before they were queued. */
  neverAsked: number;
  accepted: number;
  /** Cut off so often that it is not begun again. */
  deadly: number;
  /** The reading of its file was cut off twice, and is refused. */
  unread: number;
  /** Killed while it was sent. */
  inDoubt: number;
  readonly faults: string[];
};

export type ActPlan = {
  readonly kills: number;
  readonly seed: number;
  readonly limit: TimeLimit;
  readonly report?: (figures: ActFigures) => void;
};

const KILLS_PER_INSTANCE = 40;
const DOCUMENTS = 60;
const SETTINGS = {
  inbox: { settle: '1ms', scan: '100ms' },
  run: { 'give-up-after': '5s', hold: { over: { EUR: '60' } } },
};

export async function killDuringActs({ kills, seed, limit, report }: ActPlan): Promise<ActFigures> {
  const total: ActFigures = {
    kills: 0,
    requests: 0,
    neverAsked: 0,
    accepted: 0,
    deadly: 0,
    unread: 0,
    inDoubt: 0,
    faults: [],
  };
  try {
    while (total.kills < kills && total.faults.length === 0 && !limit.isOver(total.kills)) {
      const now = Math.min(KILLS_PER_INSTANCE, kills - total.kills);
      await oneInstance({ kills: now, seed: seed * 100_003 + total.kills, limit }, total);
      report?.(total);
    }
  } finally {
    rmSync(COMPILED, { recursive: true, force: true });
  }
  return total;
}

/** A document with the one request about it. */
type Asked = { readonly entry: LedgerEntry; readonly reason: string; readonly act: PersonAct; queued: boolean };

async function oneInstance({ kills, seed, limit }: ActPlan, total: ActFigures): Promise<void> {
  const random = randomFrom(seed);
  await using scene = await openScene({
    settings: SETTINGS,
    sandbox: { latencyMs: 5 },
    services: { fr: { concurrency: 4 } },
  });
  for (let n = 0; n < DOCUMENTS; n++) {
    // Every third has a quantity that is no number, the others wait for a release.
    const isWrong = n % 3 === 0;
    scene.drop(`ventes-${n}.csv`, sales([`${isWrong ? 'W' : 'H'}${n}`], isWrong ? '2O' : '3'));
  }
  await scene.night();
  const open = [...(await scene.entries())];
  const asked: Asked[] = [];
  let next = load(scene);
  let serial = 0;
  for (let done = 0; done < kills && !limit.isOver(total.kills); ) {
    const life = next;
    next = load(scene);
    await start(life, scene, random.isOneIn(3) ? 'run' : 'watch');
    const askers: Promise<unknown>[] = [];
    for (let n = random.below(4); n > 0 && open.length > 0; n--) {
      const entry = open.splice(random.below(open.length), 1)[0]!;
      const one: Asked = { entry, reason: `request ${++serial}`, act: actFor(entry, random), queued: false };
      asked.push(one);
      if (random.isOneIn(4)) {
        askers.push(askAndDie(scene, one, random));
        total.kills++;
        done++;
      } else await ask(scene, one);
    }
    // Exports go on arriving: the acts are between commits of a run that works.
    if (random.isOneIn(2))
      scene.drop(`more-${seed}-${serial}-${done}.csv`.replace('more', 'ventes-more'), sales([`F${serial}-${done}`]));
    await Promise.race([wait(random.below(700)), life.gone]);
    if (life.child.exitCode === null && life.child.kill('SIGKILL')) {
      total.kills++;
      done++;
    }
    await Promise.all([life.gone, ...askers]);
  }
  await finish(scene, next, []);
  await finish(scene, load(scene), []);
  total.requests += asked.length;
  total.faults.push(...(await judge(scene, asked, total)).map((fault) => `seed ${seed}: ${fault}`));
}

function actFor(entry: LedgerEntry, random: Random): PersonAct {
  const document = seenDocument(entry);
  if (entry.state === 'held') return { act: random.isOneIn(3) ? 'set-aside' : 'release', documents: [document] };
  if (random.isOneIn(3)) return { act: 'set-aside', documents: [document] };
  const edits = entry.rows.map((row) => ({ row, column: 'Qte', from: '2O', to: '2' }));
  return { act: 'fix', documents: [{ ...document, edits }] };
}

/** An asker that is killed right after its request was accepted. */
async function ask(scene: Scene, { act, reason }: Asked): Promise<void> {
  await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
  await queue.add({ id: reason, at: new Date().toISOString(), person: 'anna', reason, act: JSON.stringify(act) });
}

/** The command itself, killed at any moment: what it asked for is queued, or nothing of it ever happens. */
async function askAndDie(scene: Scene, { entry, act, reason }: Asked, random: Random): Promise<void> {
  const life = load(scene);
  await life.loaded;
  const words = act.act === 'fix' ? ['fix', entry.id, 'Qte=2'] : [act.act, entry.id];
  life.child.send(['-C', scene.root, '--quiet', ...words, '--reason', reason]);
  await Promise.race([wait(random.below(500)), life.gone]);
  life.child.kill('SIGKILL');
  await life.gone;
}

/** What does not fit together, one line each. */
async function judge(scene: Scene, asked: readonly Asked[], total: ActFigures): Promise<readonly string[]> {
  const faults: string[] = [];
  using queue = new DatabaseSync(join(scene.root, 'state/requests.sqlite'), { readOnly: true });
  const rows = new Map(
    queue
      .prepare('SELECT reason, answer, tries FROM request')
      .all()
      .map((row) => [row.reason, row]),
  );
  const entries = new Map((await scene.entries()).map((entry) => [entry.id, entry]));
  const accepted = new Map(scene.sandbox.acceptances().map((one) => [one.identity.split('|')[4], one.accepted]));
  for (const { entry, act, reason } of asked) {
    const history = await scene.look((ledger) => ledger.queries.historyOf(entry.id));
    const events = history.filter(
      ({ detail }) => (detail as { reason?: string } | undefined)?.reason === reason,
    ).length;
    const number = entry.facts.identifier;
    const times = accepted.get(number) ?? 0;
    total.accepted += times;
    if (!rows.has(reason)) {
      total.neverAsked++;
      if (events > 0 || times > 0) faults.push(`${number}: ${act.act} was never queued, and ${events} events have it`);
      continue;
    }
    const row = rows.get(reason)!;
    const answer = row.answer as string | null;
    if (answer === null) faults.push(`${number}: ${act.act} has no answer`);
    const now = entries.get(entry.id)!;
    // Killed three times during it, it is not begun again, and may be done in part.
    const isDeadly = answer?.includes('act/program-died') === true;
    if (isDeadly && Number(row.tries) < MOST_TRIES) faults.push(`${number}: refused after ${row.tries} tries`);
    // Killed twice while its file was read again, the reading is refused, and the document is what it was.
    const isUnread = !isDeadly && (await isReadingRefused(scene, entry));
    if (isUnread && (act.act !== 'fix' || now.state !== entry.state || times > 0))
      faults.push(
        `${number}: ${act.act} is refused with its reading, and the document is ${now.state}, ${times} times`,
      );
    if (isDeadly) total.deadly++;
    if (isUnread) total.unread++;
    const isRefused = isDeadly || isUnread;
    if (events > 1 || (events === 0 && !isRefused))
      faults.push(`${number}: ${act.act} was done ${events} times: ${answer}`);
    // Killed while it was sent: the service has it or not, and nothing sends it again.
    const isInDoubt = now.state === 'in-doubt' && now.attempts.filter((one) => one.act === 'submit').length === 1;
    if (isInDoubt) total.inDoubt++;
    const isSent = act.act !== 'set-aside' && !isRefused && !isInDoubt;
    if (times > 1 || (isSent && times === 0) || (act.act === 'set-aside' && times > 0)) {
      faults.push(`${number}: ${act.act}, and the service has it ${times} times (${now.state}): ${answer}`);
    }
  }
  for (const [number, times] of accepted) if (times > 1) faults.push(`${number} was accepted ${times} times`);
  const left = await scene.look((ledger) => ledger.intake.loadingFiles());
  if (left.length > 0) faults.push(`${left.length} files are still being read`);
  return faults;
}

/** The program died twice while it read the source of the document again: the reading is refused, the document stays as it was. */
async function isReadingRefused(scene: Scene, { file }: LedgerEntry): Promise<boolean> {
  const files = await scene.look((ledger) => ledger.queries.files({ limit: Number.MAX_SAFE_INTEGER }));
  return files.some((one) => one.rereads === file.id && one.faults[0]?.code === 'intake/program-died');
}
