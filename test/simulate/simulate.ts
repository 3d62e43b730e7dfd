/** Lives one after the other, each from its seed; one that breaks a promise is made as short as it can be, and kept. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../rigs/random.ts';
import { judgeExpected } from './expected.ts';
import { judgeReport, judgeViews } from './figures.ts';
import { type House, openHouse, type Program } from './house.ts';
import { drawLife, drawTraits, type LifeEvent, type Trait } from './life.ts';
import {
  type Complaint,
  judgeAnswers,
  judgeArrivals,
  judgeForgotten,
  judgeRefusals,
  judgeRows,
  judgeVerify,
} from './model.ts';
import { judgeNights } from './nights.ts';
import { judgeNotices } from './notices.ts';
import type { Report, Views } from './shapes.ts';

export type Life = {
  readonly seed: number;
  /** What not every life has, so that most of them stay fast. */
  readonly traits?: readonly Trait[];
  readonly events: readonly LifeEvent[];
};
export type Lived = {
  readonly complaints: readonly Complaint[];
  readonly nights: number;
  readonly trace: string;
  /** Of each event, how often its command wrote. */
  readonly writes: readonly number[];
};

const HOUR_MINUTES = 60;
const FORGOTTEN_DAYS = 12;

/** Lives it to its end; ends earlier where something is sent that may not be. */
export async function live(
  program: Program,
  { seed, events, traits = [] }: Life,
  talk?: (line: string) => void,
): Promise<Lived> {
  const house = await openHouse(program, { seed, traits }, talk);
  try {
    const complaints: Complaint[] = [];
    const writes: number[] = [];
    for (const event of events) {
      await house.live(event);
      writes.push(house.history.lastWrites);
      complaints.push(...judgeArrivals(house.history));
      if (complaints.length > 0) break;
    }
    if (complaints.length === 0) {
      await calmDown(house);
      complaints.push(...(await judge(house, traits)));
      const isSound = complaints.every(({ about }) => about === 'figures');
      if (traits.includes('forgotten') && isSound) complaints.push(...(await forget(house)));
    }
    return { complaints, nights: house.history.runs.length, trace: traceOf(house), writes };
  } finally {
    house.close();
  }
}

/** The service is well, an administrator ends what a recovery left open, time passes, what can be settled is settled. */
async function calmDown(house: House): Promise<void> {
  await house.live({ do: 'end-watch' });
  house.history.service.weather = 'fine';
  await house.live({ do: 'clock', minutes: 25 * HOUR_MINUTES });
  await house.live({ do: 'run' });
  await house.recover();
  for (let round = 0; round < 3; round++) {
    await house.live({ do: 'clock', minutes: 25 * HOUR_MINUTES });
    await house.live({ do: 'run' });
    await house.live({ do: 'consult' });
  }
}

async function look({ browse, leave, history }: House): Promise<Views['console']> {
  const paths = ['api/v1/status', 'api/v1/documents?limit=500', 'api/v1/causes', '', 'work'];
  const [status = '', list = '', causes = '', home = '', work = ''] = await browse(...paths);
  const reports = history.runs.flatMap(({ report }) => (report ? [(report as Report).run] : []));
  const nights = await browse(...reports.map((run) => `api/v1/night?run=${run}`));
  await leave();
  return work === '' ? undefined : { status, list, causes, home, work, nights };
}

async function judge(house: House, traits: readonly Trait[]): Promise<readonly Complaint[]> {
  const { history } = house;
  const verified = await house.type('verify', '--all');
  const views: Views = {
    status: (await house.type('status', '--json')).out,
    errors: (await house.type('errors', '--json')).out,
    list: (await house.type('list', '--json', '--limit', '500')).out,
    metrics: readFileSync(join(history.root, 'metrics.prom'), 'utf8'),
    console: traits.includes('console') ? await look(house) : undefined,
  };
  return [
    ...judgeArrivals(history),
    ...judgeRows(history),
    ...judgeAnswers(history, JSON.parse(views.list).documents),
    ...judgeNotices(history),
    ...judgeRefusals(history),
    ...history.broken.map((says): Complaint => ({ about: 'program', says })),
    ...judgeVerify(history, verified),
    ...history.runs.flatMap((run, n) => judgeReport(run, history.runs.slice(0, n), history)),
    ...judgeViews(history, views),
    ...judgeExpected(history, views.status),
    ...(views.console ? judgeNights(history, views.console) : []),
  ];
}

/** Long after: whatever needs nobody any more is gone, and nothing that is left contradicts it. */
async function forget(house: House): Promise<readonly Complaint[]> {
  await house.live({ do: 'clock', minutes: FORGOTTEN_DAYS * 24 * HOUR_MINUTES });
  await house.live({ do: 'run' });
  await house.live({ do: 'purge' });
  const verified = await house.type('verify', '--all');
  const errors = await house.type('errors', '--json');
  return [...judgeForgotten(house.history, errors.out), ...judgeVerify(house.history, verified)];
}

/** The same life has the same trace. */
function traceOf({ history }: House): string {
  const { service, runs, decisions, stops } = history;
  return JSON.stringify([service.arrivals, runs.map(({ ended }) => ended), decisions, stops]);
}

/** What a complaint says, whatever document it is about; of `verify`, the kinds of what it found. */
export function kindOf({ about, says }: Complaint): string {
  const found = new Set(says.match(/verify\/[a-z-]+/g));
  const text = found.size > 0 ? [...found].sort().join(', ') : says.split('\n', 1)[0]?.replaceAll(/\d+/g, 'N');
  return `${about}: ${text?.slice(0, 80)}`;
}

/** Leaves out events, many at once and then one at a time, while the same complaint remains. */
export async function shorten(program: Program, life: Life, first: Complaint, untilMs: () => boolean): Promise<Life> {
  const { seed, traits = [] } = life;
  let { events } = life;
  const fails = async (fewer: readonly LifeEvent[]) =>
    (await live(program, { seed, traits, events: fewer })).complaints.some((one) => kindOf(one) === kindOf(first));
  for (let size = Math.ceil(events.length / 2); size >= 1; ) {
    let isShorter = false;
    for (let from = events.length - size; from > -size && !untilMs(); from -= size) {
      const fewer = events.filter((_, n) => n < from || n >= from + size);
      if (fewer.length === events.length || !(await fails(fewer))) continue;
      events = fewer;
      isShorter = true;
    }
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
    if (untilMs()) break;
  }
  return { seed, traits, events };
}

export function drawn(seed: number): Life {
  const random = randomFrom(seed);
  const traits = drawTraits(random);
  return { seed, traits, events: drawLife(random, 3 + random.below(6), traits) };
}

const KEPT = join(import.meta.dirname, 'kept');

export function keep(life: Life, complaint: Complaint): string {
  mkdirSync(KEPT, { recursive: true });
  const path = join(KEPT, `${life.seed}.json`);
  const events = life.events.map((event) => `    ${JSON.stringify(event)}`).join(',\n');
  writeFileSync(
    path,
    `{\n  "seed": ${life.seed},\n  "traits": ${JSON.stringify(life.traits ?? [])},\n  "found": ${JSON.stringify(kindOf(complaint))},\n  "events": [\n${events}\n  ]\n}\n`,
  );
  return path;
}

export function keptLives(): readonly Life[] {
  const names = readdirSync(KEPT).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(KEPT, name), 'utf8')) as Life);
}
