/**
 * Some nights, a backup taken at any write, a stop at any write, another ledger in place of the one that was there, some receipts and
 * summaries lost, and the ERP exports again, in other bytes and under other names. Then, as often as not, some more nights and acts, and
 * a second recovery, which lacks what the first one has read. All of it from a seed.
 *
 * What has to hold: no document that a service may have arrives there again, each row of each export is in one place, each document is
 * in the ledger, the quarantine ends, and `verify` finds nothing but answers that are lost.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Driver } from '../../src/database/database-driver.ts';
import { backupOf } from '../../src/maintenance/restore-instance.ts';
import { openScene, SALES_MAPPING, type Scene, sales, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';
import type { TimeLimit } from './limit.ts';
import { type Random, randomFrom } from './random.ts';

const NUMBERS = ['A1', 'A2', 'A3-X6', 'A4', 'A5-X6', 'A6-XLOST'];
/** Numbers that a person gives to documents of others: where no receipt is left, a summary alone has them. */
const GIVEN = ['B1', 'B2', 'B3-X6'];
const AGAIN = { x: '9', y: '2', z: '4' } as const;
const WRITES = 40;
const PERSON = ['--reason', 'as agreed', '--by', 'anna'];

type Plan = {
  readonly scene: Scene;
  readonly chance: Random;
  /** The path of the backup. */
  readonly copy: string;
  readonly lived: string[];
  hasCopy: boolean;
  exports: number;
};
type Step = (plan: Plan, at: number) => Promise<string | undefined>;

const someOf = (chance: Random, all: readonly string[]) => all.filter(() => chance.next() < 0.6);
const exportAgain = ({ scene, exports }: Plan) =>
  scene.files('archive').find((path) => path.endsWith(`ventes-${exports}.csv`));

const STEPS: { readonly [what: string]: Step } = {
  export: async (plan) => {
    const [numbers, quantity] = [someOf(plan.chance, NUMBERS), plan.chance.one(['2', '2', '2O', '3'])];
    if (numbers.length === 0) return undefined;
    plan.scene.drop(`ventes-${++plan.exports}.csv`, sales([...numbers], quantity));
    return `ventes-${plan.exports}: ${numbers} ${quantity}`;
  },
  'same bytes': async (plan) => {
    const path = exportAgain(plan);
    if (path === undefined) return undefined;
    const name = plan.chance.isOneIn(2) ? `ventes-${plan.exports}.csv` : `ventes-${++plan.exports}.csv`;
    plan.scene.drop(name, plan.scene.read(path));
    return `again as ${name}`;
  },
  'other bytes': async (plan) => {
    const path = exportAgain(plan);
    if (path === undefined) return undefined;
    plan.scene.drop(`ventes-${++plan.exports}.csv`, plan.scene.read(path).replaceAll('\n', '\r\n'));
    return `again with other line ends as ventes-${plan.exports}`;
  },
  version: async ({ scene }, at) => {
    writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING.replace('version: 1', `version: ${at + 2}`));
    return 'another version of the mapping';
  },
  fix: async ({ scene, chance }) => {
    const open = (await scene.entries()).filter(({ state }) => state === 'invalid' || state === 'rejected');
    if (open.length === 0) return undefined;
    const { facts } = chance.one(open);
    const cells = [`Qte=${chance.one(['2', '5', '7'])}`, ...(chance.isOneIn(3) ? [`Num=${chance.one(GIVEN)}`] : [])];
    const { code } = await commandIn(scene, 'fix', facts.identifier, ...cells, ...PERSON);
    return `fix ${facts.identifier} ${cells.join(' ')}: ${code}`;
  },
  release: async ({ scene, chance }) => {
    const arrived = new Set(
      scene.sandbox.acceptances().flatMap(({ number, accepted }) => (accepted > 0 ? [number] : [])),
    );
    const held = (await scene.entries()).filter(
      ({ state, facts }) => state === 'held' && !arrived.has(facts.identifier),
    );
    if (held.length === 0) return undefined;
    const { facts } = chance.one(held);
    const { code } = await commandIn(scene, 'release', facts.identifier, ...PERSON);
    return `release ${facts.identifier}: ${code}`;
  },
  'correction file': async ({ scene }, at) => {
    const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'));
    if (sheet === undefined) return undefined;
    scene.drop(`sheet-${at}.to-fix.csv`, scene.read(sheet).replaceAll('2O', '4').replaceAll(';2;', ';4;'));
    return 'a correction file';
  },
};
const BETWEEN = [
  'release',
  'release',
  'fix',
  'fix',
  'export',
  'correction file',
  'same bytes',
  'other bytes',
  'version',
];
const LIKELY = ['export', 'export', 'export', 'fix', 'correction file', 'same bytes', 'other bytes', 'version'];

/** A driver that copies the ledger once the write with this number is done. */
function copyAfter(at: number, copy: () => Promise<void>): (driver: Driver) => Driver {
  let writes = 0;
  return (driver) => ({
    ...driver,
    write: async (work) => {
      const result = await driver.write(work);
      if (++writes === at) await copy();
      return result;
    },
  });
}

const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

async function states(scene: Scene): Promise<readonly string[]> {
  const all = await scene.entries();
  return all
    .map(({ facts, state, file, hold }) => `${facts.identifier} ${state} ${file.name} ${hold?.rule ?? ''}`)
    .sort();
}

/** What was lived, and each rule that does not hold. */
export type Recovered = { readonly lived: readonly string[]; readonly faults: readonly string[] };

/** The same seed lives the same. */
export async function recoverAfterLosses(seed: number): Promise<Recovered> {
  const chance = randomFrom(seed);
  await using scene = await openScene();
  const plan: Plan = { scene, chance, copy: join(scene.root, 'copy.sqlite'), exports: 0, lived: [], hasCopy: false };
  const isStopped = await liveNights(plan);
  const requests = new Map<string, number>();
  const faults: string[] = [];
  const numbers = new Set<string>();
  const recoveries = 1 + chance.below(2);
  for (let n = 0; n < recoveries; n++) {
    if (n > 0) await liveBetween(plan);
    for (const one of scene.sandbox.acceptances())
      if (!requests.has(one.number)) requests.set(one.number, one.requests);
    // Of those that a person gave, what every record has lost is unknown.
    for (const number of GIVEN) numbers.delete(number);
    for (const number of await recoverOnce(plan, faults, isStopped || n > 0)) numbers.add(number);
  }
  for (const [name, quantity] of Object.entries(AGAIN)) {
    scene.drop(`ventes-${name}.csv`, sales([...numbers], quantity));
    await scene.night();
  }
  plan.lived.push(`again: ${(await states(scene)).join('; ')}`);
  // A rejected document may be sent again.
  for (const { number, requests: now, accepted } of scene.sandbox.acceptances())
    if (accepted > 1 || (accepted > 0 && now > (requests.get(number) ?? now))) faults.push(`${number} is sent again`);
  faults.push(...accountsOf(scene, 'exported again'));
  const { out } = await commandIn(scene, 'verify');
  // The raw answers are in no receipt.
  for (const [code] of out.matchAll(/verify\/(?!response)[\w-]+/g)) faults.push(code);
  return { lived: plan.lived, faults };
}

/** Loses some records, replaces the ledger, and returns the numbers of the documents that were there. */
async function recoverOnce(plan: Plan, faults: string[], isOther: boolean): Promise<readonly string[]> {
  const { scene, chance } = plan;
  const before = await states(scene);
  const share = chance.one([0, 0.1, 0.3, 0.6, 1]);
  const lost = loseSome(plan, share);
  plan.lived.push(`before: ${before.join('; ')}`, `lost: ${lost.map((path) => basename(path)).join(' ')}`);
  const kept = shownByReceipts(scene);
  const left = [...written(scene), ...scene.files('archive')].filter((path) =>
    /(receipt|summary|numbers)\.json$/.test(path),
  );
  const shown = GIVEN.filter((number) => left.some((path) => scene.read(path).includes(JSON.stringify(number))));
  faults.push(...(await replaceLedger(plan)));
  const after = await states(scene);
  plan.lived.push(`after: ${after.join('; ')}`);
  // A stop leaves documents that were not sent, and duplicates that were not made; another recovery, what waits for a person.
  if (share === 0 && !isOther && after.join() !== before.join())
    faults.push('nothing is lost, and it is not as before');
  // What a receipt shows stays: at most it is held, for instance with what a duplicate whose receipt is lost has in its place.
  for (const { id, facts, state, file } of await scene.entries()) {
    const now = `${facts.identifier} ${state} ${file.name}`;
    const then = kept.get(id);
    if (then !== undefined && then !== now && state !== 'held')
      faults.push(`its receipt shows ${then}, the ledger ${now}`);
  }
  faults.push(...accountsOf(scene, 'recovered'));
  const numbersIn = (all: readonly string[], documents: readonly string[]) =>
    all.filter((number) => documents.some((one) => one.startsWith(`${number} `)));
  const exported = numbersIn(NUMBERS, before);
  // A number that a person gave is in no export.
  for (const number of exported)
    if (!numbersIn(NUMBERS, after).includes(number)) faults.push(`${number} is in no place`);
  return [...exported, ...shown];
}

async function liveBetween(plan: Plan): Promise<void> {
  const { scene, chance, lived } = plan;
  for (let night = 1 + chance.below(3), at = 10; night > 0; night--, at++) {
    const step = await STEPS[chance.one(BETWEEN)]!(plan, at);
    if (step !== undefined) lived.push(step);
    await scene.night();
  }
}

/** Whether the last of them was stopped. */
async function liveNights(plan: Plan): Promise<boolean> {
  const { scene, chance, lived } = plan;
  const nights = 3 + chance.below(4);
  const backup = { night: chance.below(6), write: chance.below(WRITES) };
  const copy = async () => {
    await backupOf(scene.instance(), plan.copy);
    plan.hasCopy = true;
    lived.push('backup');
  };
  const stop = chance.isOneIn(3) ? 1 + chance.below(WRITES) : undefined;
  for (let at = 0; at < nights; at++) {
    if (at === backup.night && backup.write === 0) await copy();
    const step = await STEPS[chance.one(LIKELY)]!(plan, at);
    if (step !== undefined) lived.push(step);
    const isBackedUp = at === backup.night && backup.write > 0;
    if (stop !== undefined && at === nights - 1) await stopped(plan, stop);
    else await scene.night(isBackedUp ? { through: copyAfter(backup.write, copy) } : {});
  }
  if (stop === undefined) await scene.night();
  return stop !== undefined;
}

async function stopped({ scene, lived }: Plan, at: number): Promise<void> {
  try {
    await scene.night({ through: stopAtWrite(at) });
  } catch (error) {
    if (!(error instanceof Error && error.message === 'power cut')) throw error;
    lived.push(`stopped at write ${at}`);
  }
}

/** Returns their paths; a payload goes with its receipt. */
function loseSome({ scene, chance }: Plan, share: number): readonly string[] {
  const lost = written(scene).filter((path) => /\.(receipt|summary)\.json$/.test(path) && chance.next() < share);
  for (const path of lost) {
    rmSync(join(scene.root, path));
    rmSync(join(scene.root, path.replace('.receipt.', '.payload.')), { force: true });
  }
  return lost;
}

/** By the id of the document. */
function shownByReceipts(scene: Scene): ReadonlyMap<string, string> {
  const receipts = written(scene).filter((path) => path.endsWith('.receipt.json'));
  return new Map(
    receipts
      .map((path) => JSON.parse(scene.read(path)))
      .map(({ id, document, state, source }) => [id, `${document.identifier} ${state} ${source.file}`]),
  );
}

/** Once or twice, and then a person ends the quarantine. */
async function replaceLedger({ scene, chance, copy, hasCopy, lived }: Plan): Promise<string[]> {
  const faults: string[] = [];
  const replace = async () => {
    const isRestored = hasCopy && chance.next() < 0.6;
    if (!isRestored) rmSync(join(scene.root, 'state'), { recursive: true });
    lived.push(isRestored ? 'restore' : 'rebuild');
    const { code, err } = await commandIn(scene, 'ledger', ...(isRestored ? ['restore', copy] : ['rebuild']));
    if (code !== 0) faults.push(`replaced with ${code}: ${err}`);
  };
  await replace();
  if (chance.isOneIn(4)) {
    if (chance.isOneIn(2)) await scene.night();
    await replace();
  }
  await scene.night();
  await scene.night();
  const { code, err } = await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  if (code !== 0) faults.push(`the quarantine does not end: ${err}`);
  return faults;
}

function accountsOf(scene: Scene, when: string): readonly string[] {
  return written(scene)
    .filter((path) => path.endsWith('.summary.json'))
    .flatMap((path) => {
      const { file, rows } = JSON.parse(scene.read(path));
      const [unaccounted, twice] = [rows.unaccounted.count as number, rows.twice.count as number];
      return unaccounted + twice === 0 ? [] : [`${when}, ${file.name}: ${unaccounted} in no place, ${twice} in two`];
    });
}

type Limits = {
  readonly lives: number;
  readonly seed: number;
  readonly limit: TimeLimit;
  readonly report: (figures: LossFigures) => void;
};
export type LossFigures = { readonly lives: number; readonly faults: readonly string[] };

/** One life after the other, until the first that breaks a rule. */
export async function recoverAgainAndAgain({ lives, seed, limit, report }: Limits): Promise<LossFigures> {
  const done: { lives: number; faults: string[] } = { lives: 0, faults: [] };
  for (; done.lives < lives && done.faults.length === 0 && !limit.isOver(done.lives); done.lives++) {
    const { lived, faults } = await recoverAfterLosses(seed + done.lives);
    if (faults.length > 0) done.faults.push(`seed ${seed + done.lives}`, ...faults, ...lived);
    if (done.lives % 50 === 49) report(done);
  }
  return done;
}
