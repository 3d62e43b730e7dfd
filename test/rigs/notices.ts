/**
 * Notices under SIGKILL: runs are killed at each step of the outbox, while a receiver takes what comes. In the end every notice
 * has arrived at least once under one id, each run that ended has made one, and a killed run has a start without an end.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deliverDue } from '../../src/notices/deliver-notices.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { type WebReceiver, webReceiver } from '../notices/receivers.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED, finish, load, start } from './lives.ts';
import { type Random, randomFrom } from './random.ts';

export type NoticeFigures = {
  kills: number;
  runs: number;
  notices: number;
  /** Notices that came more than once: recognized by their id. */
  repeated: number;
  /** Killed runs whose heartbeat has a start and no end. */
  silent: number;
  readonly faults: string[];
};

export type NoticePlan = {
  readonly kills: number;
  readonly seed: number;
  readonly limit: TimeLimit;
  readonly report?: (figures: NoticeFigures) => void;
};

const KILLS_PER_INSTANCE = 20;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Where a run is killed: before a notice is answered, right after it, at its first or last sign of life, or anywhere. */
const STEPS = ['unanswered', 'answered', 'start', 'end', 'anywhere', 'anywhere'] as const;
type Step = (typeof STEPS)[number];

export async function killWhileNotifying({ kills, seed, limit, report }: NoticePlan): Promise<NoticeFigures> {
  const total: NoticeFigures = { kills: 0, runs: 0, notices: 0, repeated: 0, silent: 0, faults: [] };
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

/** The receiver of one instance. `onEvent` is called with what came, before or after its answer. */
async function openReceiver() {
  const own = { onEvent: (_step: Step) => {} };
  const hook = await webReceiver((response, { path }) => {
    const isSign = path.startsWith('/beat');
    own.onEvent(isSign ? (path.startsWith('/beat/start') ? 'start' : 'end') : 'unanswered');
    response.writeHead(204).end(() => !isSign && own.onEvent('answered'));
  });
  return { hook, own };
}

async function oneInstance({ kills, seed, limit }: NoticePlan, total: NoticeFigures): Promise<void> {
  const random = randomFrom(seed);
  const { hook, own } = await openReceiver();
  await using _hook = hook;
  const webhook = { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } };
  const notify = [
    { webhook: { ...webhook, types: ['night.finished', 'document.changed'] } },
    { heartbeat: { url: { file: 'beat-url' } } },
  ];
  await using scene = await openScene({ settings: { notify, run: { 'give-up-after': '5s' } } });
  const base = new URL(hook.url).origin;
  for (const [name, text] of [
    ['hook-url', `${base}/hook`],
    ['hook-secret', SECRET],
    ['beat-url', `${base}/beat`],
  ] as const) {
    writeFileSync(join(scene.root, name), text, { mode: 0o600 });
  }
  let next = load(scene);
  let serial = 0;
  const before = total.kills;
  while (total.kills - before < kills && !limit.isOver(total.kills)) {
    const life = next;
    next = load(scene);
    const numbers = Array.from({ length: 1 + random.below(3) }, () => `F${++serial}`);
    if (random.isOneIn(2)) scene.drop(`ventes-${serial}.csv`, sales(numbers, random.isOneIn(2) ? 'x' : '2'));
    const step = random.one(STEPS);
    const signs = signsOf(hook).length;
    const reached = theStep(step, random, own);
    await start(life, scene, 'run');
    await Promise.race([reached, life.gone]);
    own.onEvent = () => {};
    if (life.child.exitCode === null && life.child.kill('SIGKILL')) total.kills++;
    await life.gone;
    const signed = signsOf(hook).slice(signs);
    if (signed.includes('start') && !signed.includes('end')) total.silent++;
    if (signed.length > 2) total.faults.push(`seed ${seed}: signs of one run: ${signed.join(', ')}`);
  }
  const signs = signsOf(hook).length;
  await finish(scene, next, []);
  const last = signsOf(hook).slice(signs);
  if (last.at(0) !== 'start' || last.at(-1) !== 'end')
    total.faults.push(`seed ${seed}: a whole run: ${last.join(', ')}`);
  total.faults.push(...(await judge(scene, hook, total)).map((fault) => `seed ${seed}: ${fault}`));
}

/** Resolves when the step is reached, and a moment after it. */
async function theStep(step: Step, random: Random, own: { onEvent: (step: Step) => void }): Promise<void> {
  if (step === 'anywhere') return await wait(random.below(1200));
  const moment = step === 'unanswered' ? 0 : random.below(8);
  await new Promise<void>((resolve) => {
    own.onEvent = (now) => now === step && resolve();
  });
  if (moment > 0) await wait(moment);
}

function signsOf({ received }: WebReceiver): readonly ('start' | 'end')[] {
  return received
    .filter(({ path }) => path.startsWith('/beat'))
    .map(({ path }) => (path.startsWith('/beat/start') ? 'start' : 'end'));
}

/** A try that was cut off is made again a minute later and more: the clock is set forward until nothing waits. */
async function judge(scene: Scene, hook: WebReceiver, total: NoticeFigures): Promise<readonly string[]> {
  const faults: string[] = [];
  const instance = scene.instance();
  await scene.desk(async ({ ledger }) => {
    for (let days = 1; days < 9 && (await ledger.notices.noticeCounts()).waiting > 0; days++) {
      await deliverDue({ instance, ledger, now: () => new Date(Date.now() + days * 86_400_000) });
    }
    const notices = await ledger.notices.list(1_000_000);
    const times = new Map<string, number>();
    for (const { path, headers } of hook.received) {
      const id = String(headers['webhook-id']);
      if (path.startsWith('/hook')) times.set(id, (times.get(id) ?? 0) + 1);
    }
    for (const { id, state } of notices) {
      if (state !== 'sent') faults.push(`notice ${id} is ${state}`);
      if (!times.has(id)) faults.push(`notice ${id} never arrived`);
      if ((times.get(id) ?? 0) > 1) total.repeated++;
      times.delete(id);
    }
    for (const id of times.keys()) faults.push(`${id} arrived, and the ledger does not know it`);
    const runs = (await ledger.runs.list(1_000_000)).filter(({ outcome }) => outcome === 'completed');
    for (const { id } of runs) {
      const made = notices.filter(({ run, kind }) => run === id && kind !== 'change').length;
      if (made !== 1) faults.push(`run ${id} ended, and made ${made} notices`);
    }
    total.notices += notices.length;
    total.runs += runs.length;
  });
  return faults;
}
