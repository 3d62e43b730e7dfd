/**
 * Answers under SIGKILL, in each format: runs are killed at random instants while imitated ERPs import what they find and
 * delete it, and while the folder of two of them goes away and comes back. Then a run ends by itself, and what the ERPs
 * imported is joined with the ledger: each report once, none missing, none twice, the last one of each document is its state.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import type { TimeLimit } from './limit.ts';
import { COMPILED, finish, load, start } from './lives.ts';
import { type Random, randomFrom } from './random.ts';

export type AnswerFigures = {
  kills: number;
  documents: number;
  /** Lines that the ERP imported. */
  lines: number;
  files: number;
  /** Files that were gone before Nightpost had recorded their name. */
  taken: number;
  readonly faults: string[];
};

export type AnswerPlan = {
  readonly kills: number;
  readonly seed: number;
  readonly limit: TimeLimit;
  readonly report?: (figures: AnswerFigures) => void;
};

const MAPPING = `${SALES_MAPPING}
answers:
  - file: "RET_{n:6}.csv"
    marker: .ok
    format: { csv: { header: no } }
    row: { NUM: $Num, STATE: "@answer.state", CODE: "@answer.code", N: "@n" }
  - file: "RET_{n:6}.xml"
    to: erp
    marker: .ok
    format: { xml: { element: d } }
    row: { NUM: $Num, STATE: "@answer.state", CODE: "@answer.code", N: "@n" }
  - file: "RET_{n:6}.txt"
    to: erp
    marker: .ok
    format: { fixed: { width: 60 } }
    row:
      NUM: { value: $Num, width: 20 }
      STATE: { value: "@answer.state", width: 20 }
      CODE: { value: "@answer.code", width: 10 }
      N: { value: "@n", width: 10 }
`;
const SETTINGS = {
  inbox: { settle: '1ms', scan: '100ms' },
  answers: { every: '200ms', folders: { answers: 'answers', erp: 'erp' } },
};
/** How an ERP reads a file of each format: number, state, code and number of the file of each line. */
const READ: { readonly [ending: string]: (text: string) => readonly (readonly string[])[] } = {
  csv: (text) =>
    text
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(';')),
  xml: (text) =>
    [...text.matchAll(/<d>(.*?)<\/d>/gs)].map(([, d = '']) =>
      ['NUM', 'STATE', 'CODE', 'N'].map((name) => new RegExp(`<${name}>(.*?)</${name}>`).exec(d)?.[1] ?? ''),
    ),
  txt: (text) =>
    text
      .split('\r\n')
      .slice(0, -1)
      .map((line) =>
        [
          [0, 20],
          [20, 40],
          [40, 50],
          [50, 60],
        ].map(([from, to]) => line.slice(from, to).trim()),
      ),
};
const KILLS_PER_INSTANCE = 40;
const ENDINGS = ['', '-X6', '-X8', '-X11', '-XLOST', '-X15'];

export async function killWhileReporting({ kills, seed, limit, report }: AnswerPlan): Promise<AnswerFigures> {
  const total: AnswerFigures = { kills: 0, documents: 0, lines: 0, files: 0, taken: 0, faults: [] };
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

type Line = {
  readonly format: string;
  readonly number: string;
  readonly state: string;
  readonly code: string;
  readonly n: number;
};

async function oneInstance({ kills, seed, limit }: AnswerPlan, total: AnswerFigures): Promise<void> {
  const random = randomFrom(seed);
  const settings = { ...SETTINGS, run: { 'give-up-after': '5s' } };
  await using scene = await openScene({ settings, mappings: { 'sales.yaml': MAPPING } });
  const imported: Line[] = [];
  let next = load(scene);
  let serial = 0;
  const before = total.kills;
  while (total.kills - before < kills && !limit.isOver(total.kills)) {
    const life = next;
    next = load(scene);
    for (let n = random.below(3); n > 0; n--) {
      const numbers = Array.from({ length: 1 + random.below(4) }, () => `F${++serial}${random.one(ENDINGS)}`);
      scene.drop(`ventes-${serial}.csv`, sales(numbers, random.isOneIn(5) ? '2O' : '2'));
    }
    await start(life, scene, random.isOneIn(2) ? 'run' : 'watch');
    // Half of the kills come while answers are made: a copy of ours is in its folder.
    const isLate = random.isOneIn(2);
    const copies = join(scene.root, 'state', 'answers');
    const startedMs = Date.now();
    let isAway = false;
    const move = () => {
      if (isAway || random.isOneIn(3)) isAway = moveShare(scene, isAway);
    };
    // A kill leaves a copy: only one of this life counts.
    const isNew = (name: string) => (statSync(join(copies, name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > startedMs;
    const isMaking = () => isLate && existsSync(copies) && readdirSync(copies).some(isNew);
    const endMs = Date.now() + (isLate ? 6000 : random.below(1500));
    while (Date.now() < endMs && life.child.exitCode === null) {
      if (isMaking()) {
        await wait(random.below(12));
        break;
      }
      await Promise.race([wait(isLate ? 1 : random.below(40)), life.gone]);
      if (random.isOneIn(4)) move();
      if (random.isOneIn(2)) imported.push(...importSome(scene, random));
    }
    if (life.child.exitCode === null && life.child.kill('SIGKILL')) total.kills++;
    await life.gone;
    if (isAway) moveShare(scene, isAway);
  }
  await finish(scene, next, []);
  await finish(scene, load(scene), []);
  imported.push(...importSome(scene));
  total.faults.push(...(await judge(scene, imported, total)).map((fault) => `seed ${seed}: ${fault}`));
}

/** The folder of two ERPs, away or back; what Nightpost makes in its place is empty. Returns whether it is away now. */
function moveShare({ root }: Scene, isAway: boolean): boolean {
  const [erp, away] = [join(root, 'erp'), join(root, 'erp-away')];
  if (!isAway && !existsSync(join(erp, '.nightpost-answers'))) return false;
  if (!isAway) renameSync(erp, away);
  else {
    if (existsSync(erp)) rmdirSync(erp);
    renameSync(away, erp);
  }
  return !isAway;
}

/** As an ERP does: only files with their marker; it may stop after any of them. */
function importSome({ root }: Scene, random?: Random): readonly Line[] {
  return ['answers', 'erp'].flatMap((name) => importFrom(join(root, name), random));
}

function importFrom(folder: string, random?: Random): readonly Line[] {
  if (!existsSync(folder)) return [];
  const lines: Line[] = [];
  for (const marker of readdirSync(folder)
    .filter((name) => name.endsWith('.ok'))
    .sort()) {
    if (random?.isOneIn(4)) break;
    const path = join(folder, marker.slice(0, -'.ok'.length));
    if (existsSync(path)) {
      const format = path.slice(-3);
      for (const [number = '', state = '', code = '', n = ''] of READ[format]?.(readFileSync(path, 'utf8')) ?? [])
        lines.push({ format, number, state, code, n: Number(n) });
      unlinkSync(path);
    }
    unlinkSync(join(folder, marker));
  }
  return lines;
}

async function judge(scene: Scene, imported: readonly Line[], total: AnswerFigures): Promise<readonly string[]> {
  const faults: string[] = [];
  const keyOf = (format: string, number: string, n: number, state: string) =>
    `${number} in ${format} file ${n} as ${state}`;
  const times = new Map<string, number>();
  for (const { format, number, n, state } of imported) {
    const key = keyOf(format, number, n, state);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  const entries = await scene.entries();
  await scene.look(async (ledger) => {
    for (const { id, state, facts } of entries) {
      const all = await ledger.answers.reportedToErp(id);
      const number = facts.identifier;
      for (const format of Object.keys(READ)) {
        const reported = all.filter(({ file }) => file.name.endsWith(format));
        for (const { file, state: as } of reported) {
          const key = keyOf(format, number, file.n, as);
          const count = times.get(key) ?? 0;
          if (count !== 1) faults.push(`${key}: imported ${count} times, file ${file.state}`);
          times.delete(key);
        }
        const last = reported.at(-1)?.state;
        if (last !== state) faults.push(`${number} is ${state}, and the ERP knows ${last ?? 'nothing'} (${format})`);
        // Each report differs from the one before it.
        const states = reported.map((one) => `${one.state} ${one.code}`);
        if (states.some((one, n) => n > 0 && one === states[n - 1]))
          faults.push(`${number} in ${format}: ${states.join(', ')}`);
      }
    }
    const { documents, files } = await ledger.answers.answersWaiting();
    if (documents + files > 0) faults.push(`${documents} documents and ${files} files still wait`);
    const all = await ledger.answers.answerFiles(0, 1_000_000);
    total.files += all.length;
    total.taken += all.filter(({ state }) => state === 'taken').length;
  });
  for (const key of times.keys()) faults.push(`${key}: imported, and the ledger does not know it`);
  total.documents += entries.length;
  total.lines += imported.length;
  return faults;
}
