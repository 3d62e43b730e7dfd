/**
 * A whole year of one instance, in one process: 365 nights of exports under a clock that is moved, people by day, backups, purges, a
 * restore, a rebuild, a request to forget a person, a clock that leaps. Judged by what the service counts, what is left in the folders,
 * and what an equal night costs at its beginning and at its end.
 */
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesWith } from '../../files-with.ts';
import { moveClock } from '../../moved-clock.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { webReceiver } from '../../notices/receivers.ts';
import type { Dropped } from '../checker.ts';
import { LARGE_NIGHT_MAPPINGS } from '../large-night.ts';
import { randomFrom } from '../random.ts';
import { type Cost, heapMib, openHandles, openMeter } from './costs.ts';
import { drawExports, PERSON } from './year-exports.ts';
import { type Costs, compareCosts, notInOnePlace, sentTooOften } from './year-judge.ts';
import { openPeopleOf, type People } from './year-people.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Equal nights, of which the least counts. */
const PROBES = 4;
/** The sandbox remembers every document of the year. */
const FEW_MIB = 64;
const FEW_HANDLES = 16;

export type YearPlan = {
  readonly nights: number;
  readonly seed: number;
  readonly report?: (figures: YearFigures) => void;
};

export type YearFigures = {
  nights: number;
  documents: number;
  /** Submissions that arrived at the service. */
  requests: number;
  accepted: number;
  verified: number;
  purged: number;
  /** Cost of the last month over that of the second, by command. */
  ratios: ReturnType<typeof compareCosts>['ratios'];
  handles: string;
  heapMib: string;
  readonly faults: string[];
};

const ANSWERS = `
answers:
  - file: "RET_{file.stem}_{n:4}.csv"
    when: change
    format: { csv: { encoding: windows-1252 } }
    row: { NUM: $Num, CODE: "@answer.code", N: "@n" }
`;

/** What happens in which night; a short year has months of at least four nights. */
function calendarOf(nights: number) {
  const month = Math.max(4, Math.round(nights / 12));
  const at = (part: number) => Math.round(part * nights);
  const isProbed = (night: number, last: number) => night <= last && night > last - PROBES;
  return {
    month,
    backupEach: Math.max(2, Math.round(month / 4)),
    isEarly: (night: number) => isProbed(night, 2 * month),
    isLate: (night: number) => isProbed(night, nights),
    ...{ ahead: at(0.28), back: at(0.37), restored: at(0.46), forgotten: at(0.63), rebuilt: at(0.79) },
  };
}

/** The ledger is in the folder: the clock of a server cannot be moved with that of the program. */
export async function liveYear({ nights, seed, report }: YearPlan): Promise<YearFigures> {
  const calendar = calendarOf(nights);
  const random = randomFrom(seed);
  const faults: string[] = [];
  const total: YearFigures = {
    ...{ nights: 0, documents: 0, requests: 0, accepted: 0, verified: 0, purged: 0, ratios: {} },
    ...{ handles: '', heapMib: '', faults },
  };
  using clock = moveClock();
  using meter = openMeter();
  await using hook = await webReceiver();
  const onWarning = (warning: Error) => void faults.push(`a warning of the process: ${warning.message}`);
  process.on('warning', onWarning);
  process.env.YEAR_HOOK = hook.url;
  process.env.YEAR_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await using scene = await openYear(calendar.month);
  const exports = drawExports(random, calendar.forgotten - 2);
  const people = openPeopleOf(scene, random, exports, faults);
  const dropped: Dropped[] = [];
  const [early, late]: [Costs[], Costs[]] = [[], []];
  const handles: number[] = [];
  const heaps: number[] = [];

  for (let night = 1; night <= nights; night++) {
    const one = { scene, people, faults, night };
    for (const file of exports.of(night)) {
      dropped.push(file);
      scene.drop(file.name, file.content);
    }
    answerAs(scene, random.below(12));
    await people.type('run');
    scene.sandbox.tune({ failRate: 0 });
    clock.pass(8 * HOUR_MS);
    await people.clear();
    clock.pass(HOUR_MS);
    await people.type('run');
    if (night % calendar.backupEach === 0) await people.type('backup', '--keep', '3');
    if (night === calendar.ahead) clock.pass(3 * DAY_MS);
    if (night === calendar.back) clock.pass(-2 * DAY_MS);
    if (night === calendar.restored) await restore(one);
    if (night === calendar.forgotten) await forget(one);
    if (night === calendar.rebuilt) {
      await rebuild(one);
      // A ledger that is made again from receipts does not know what was purged.
      dropped.length = 0;
    }
    if (night % calendar.month === 0) {
      await people.type('purge', '--reason', 'retention');
      total.purged++;
      await look(one);
      total.verified++;
      faults.push(...(await notInOnePlace(scene, dropped)).map((fault) => `night ${night}: ${fault}`));
    }
    const probed = calendar.isEarly(night) ? early : calendar.isLate(night) ? late : undefined;
    if (probed) {
      probed.push(await probe(one, meter));
      handles.push(openHandles());
      heaps.push(heapMib());
    }
    faults.push(...sentTooOften(scene, people.decisions).map((fault) => `night ${night}: ${fault}`));
    total.nights = night;
    if (night % calendar.month === 0) report?.(total);
    clock.pass(DAY_MS - 9 * HOUR_MS);
    if (faults.length > 0) break;
  }
  process.off('warning', onWarning);
  const arrived = scene.sandbox.acceptances();
  total.documents = (await scene.entries()).length;
  total.requests = arrived.reduce((sum, { requests }) => sum + requests, 0);
  total.accepted = arrived.filter(({ accepted }) => accepted > 0).length;
  const costs = compareCosts(early, late);
  total.ratios = costs.ratios;
  if (late.length > 0) faults.push(...costs.faults);
  const [firstHandles = 0, lastHandles = 0] = [handles[0], handles.at(-1)];
  const [firstHeap = 0, lastHeap = 0] = [heaps[0], heaps.at(-1)];
  total.handles = `${firstHandles} to ${lastHandles}`;
  total.heapMib = `${firstHeap.toFixed(0)} to ${lastHeap.toFixed(0)}`;
  if (lastHandles > firstHandles + FEW_HANDLES) faults.push(`handles are left open: ${total.handles}`);
  if (lastHeap > firstHeap + FEW_MIB) faults.push(`memory grows: ${total.heapMib} MiB`);
  return total;
}

async function openYear(month: number): Promise<Scene> {
  // An export that comes again is younger: a ledger that is made again from receipts knows no purged document.
  const days = `${Math.max(2 * month, 10)}d`;
  const webhook = { url: { env: 'YEAR_HOOK' }, secret: { env: 'YEAR_SECRET' }, types: ['document.changed'] };
  return await openScene({
    within: existsSync('/dev/shm') ? '/dev/shm' : tmpdir(),
    mappings: { ...LARGE_NIGHT_MAPPINGS, 'sales.yaml': SALES_MAPPING + ANSWERS },
    services: { fr: { concurrency: 4 } },
    settings: {
      keep: {
        ...{ archive: days, receipts: days, content: days, answers: days, reports: days, notices: days },
        logs: `${month}d`,
      },
      receipts: { answers: 'xml' },
      run: { 'give-up-after': '300ms', 'same-cause': 0, 'max-errors': 1000, 'consult-per-minute': 60 },
      metrics: { textfile: 'metrics.prom' },
      notify: [{ webhook, on: ['always'], details: 'full' }],
    },
  });
}

/** Some nights the service is away, loses answers, or is slow with its tokens. */
function answerAs(scene: Scene, mood: number): void {
  if (mood === 0) scene.sandbox.tune({ failRate: 1, failWith: { http: 503 } });
  else if (mood === 1) scene.sandbox.tune({ failRate: 0.3, failWith: { drop: 'after' } });
  else if (mood === 2) scene.sandbox.tune({ failRate: 0.3, failWith: { drop: 'before' } });
}

type Night = {
  readonly scene: Scene;
  readonly people: People;
  readonly faults: string[];
  readonly night: number;
};

/** Everything that people look at works, and `verify` finds nothing. */
async function look({ scene, people, faults, night }: Night): Promise<void> {
  const verified = await people.type('verify', '--all');
  if (verified.code !== 0)
    faults.push(`night ${night}: verify ends with ${verified.code}: ${verified.out.slice(0, 3000)}`);
  const entries = await scene.entries();
  const dossiers = mkdtempSync(join(tmpdir(), 'nightpost-year-'));
  for (const { id } of entries.filter((_, n) => n % Math.ceil(entries.length / 3) === night % 3)) {
    await people.type('show', id);
    await people.type('dossier', id, '--out', dossiers);
  }
  for (const words of [['status'], ['report'], ['notices'], ['answers'], ['list'], ['find', 'Client'], ['runs']])
    await people.type(...words);
  rmSync(dossiers, { recursive: true });
}

async function endQuarantine(one: Night): Promise<void> {
  await one.people.type('run');
  // A copy knows no purge of a later time.
  await one.people.type('purge', '--reason', 'retention');
  await one.people.type('ledger', 'end-quarantine', 'compared with the service', '--unread');
  await one.people.clear();
  await one.people.type('run');
  await look(one);
}

async function restore(one: Night): Promise<void> {
  const backup = globSync(join(one.scene.root, 'backups/ledger-*.sqlite')).sort().at(-1);
  if (backup === undefined) return void one.faults.push('there is no backup to restore');
  await one.people.type('ledger', 'restore', backup);
  await endQuarantine(one);
}

async function rebuild(one: Night): Promise<void> {
  // Without its file there is nothing to move away.
  for (const path of globSync(join(one.scene.root, 'state/ledger.sqlite*'))) rmSync(path);
  await one.people.type('ledger', 'rebuild');
  await endQuarantine(one);
}

/** Nothing that waits has the person; afterwards no byte that the command does not name. */
async function forget({ scene, people, faults, night }: Night): Promise<void> {
  for (let day = 0; day < 10; day++) if (!(await people.clear())) break;
  const { out } = await people.type('--json', 'purge', '--subject', PERSON, '--reason', 'request 17');
  const { kept, copies } = JSON.parse(out) as { kept: readonly { path: string }[]; copies: readonly string[] };
  const named = [...kept.map(({ path }) => path), ...copies];
  const left = filesWith(scene, PERSON).filter((path) => !named.some((one) => path.startsWith(one)));
  if (left.length > 0) faults.push(`night ${night}: after the purge of a person the name is in ${left.join(', ')}`);
  await look({ scene, people, faults, night });
}

/** The same commands with the same work, whatever the night. */
async function probe({ scene, people, night }: Night, meter: ReturnType<typeof openMeter>): Promise<Costs> {
  const found: { [command: string]: Cost } = {};
  const measure = async (name: string, ...words: string[]) => {
    found[name] = await meter.of(() => people.type(...words));
  };
  const right = Array.from({ length: 10 }, (_, n) => `Q${night}-${n}`);
  const wrong = [0, 1].map((n) => `Q${night}-W${n}`);
  const [first = '', second = ''] = wrong;
  scene.drop(`ventes-probe-${night}.csv`, sales(right));
  scene.drop(`ventes-probe-${night}-w.csv`, sales(wrong, '2O'));
  await measure('run', 'run');
  await measure('fix', 'fix', first, 'Qte=2', '--yes', '--reason', 'x');
  people.decided(first);
  await measure('set-aside', 'set-aside', second, '--reason', 'x');
  await measure('run, nothing new', 'run');
  for (const word of ['status', 'errors', 'report']) await measure(word, word);
  await measure('show', 'show', first);
  return found;
}
