/** The house that a life is lived in: an instance with its folders, its service, and people who type commands. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Outcome, openConsolePeople } from './console-people.ts';
import { type Decided, ENDED_BY_SIGNAL, type Ended, type Export, type History } from './history.ts';
import {
  attachmentsOf,
  CONSOLE_PORT,
  type Content,
  filesOf,
  mappingsFor,
  numberOf,
  PROOF,
  quantityColumn,
  settingsFor,
} from './house-files.ts';
import type { Act, ActEvent, LifeEvent, Trait } from './life.ts';
import { openReceivers } from './receivers.ts';
import { openService } from './service.ts';
import { restartChance } from './world/chance.ts';
import { restartDisk } from './world/disk.ts';
import { endProgram, isEndless, type Running, startProgram, terminate, within } from './world/running.ts';
import { inVirtualTime, passTime, pause, restartTime, wallNow } from './world/virtual-time.ts';

export type House = {
  readonly history: History;
  readonly live: (event: LifeEvent) => Promise<void>;
  readonly type: (...words: string[]) => Promise<Ended>;
  /** What the console answers for each path. */
  readonly browse: (...paths: string[]) => Promise<readonly string[]>;
  /** People close the console. */
  readonly leave: () => Promise<void>;
  /** What an administrator does when `status` says that the program does not send. */
  readonly recover: () => Promise<void>;
  readonly close: () => void;
};

export type Program = { readonly runCommandLine: (argv: readonly string[]) => Promise<void> };

/** A watch that runs while other events happen. */
type Watching = {
  readonly running: Running;
  readonly from: number;
  readonly fromHour: number;
  readonly was: readonly Export[];
  /** How many had been dropped before. */
  readonly dropped: number;
  readonly ended: Promise<Ended>;
};

type Status = {
  readonly error?: { readonly code: string };
  readonly guard?: { readonly send: boolean };
  readonly quarantine?: object | null;
};

/** A Monday night. */
const BEGIN = Date.UTC(2026, 8, 7, 1);
const MINUTE_MS = 60_000;
const ALONE: ReadonlySet<LifeEvent['do']> = new Set(['two-runs', 'lose-ledger', 'rebuild', 'restore', 'accept']);
const MEMORY = '/dev/shm';
/** By SIGTERM. */
const NOT_STARTED: Ended = { code: undefined, out: '', err: '' };
/** What a command prints that ended with an error of the program, or that it does not have. */
const INTERNAL = /\n\s+at |inside Nightpost|internal error|unknown option|unknown command/;
const CODES: { readonly [outcome in Outcome]: number | undefined } = {
  ...{ done: 0, 'still-wrong': 3, refused: 2, unclear: undefined },
};
/** Of the command that has just ended. */
function exitCode(): number {
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return code;
}

/** `talk` gets what happens and what commands print. */
export async function openHouse(
  program: Program,
  { seed, traits }: { readonly seed: number; readonly traits: readonly Trait[] },
  talk?: (line: string) => void,
): Promise<House> {
  restartTime(BEGIN);
  restartChance(seed);
  restartDisk();
  // The same name each time: it is in what commands print.
  const root = join(fs.existsSync(MEMORY) ? MEMORY : tmpdir(), `nightpost-simulate-${process.pid}`);
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root);
  const inbox = join(root, 'inbox');
  for (const folder of ['mappings', 'inbox', 'proofs']) fs.mkdirSync(join(root, folder));
  fs.writeFileSync(join(root, 'nightpost.yaml'), settingsFor(traits));
  for (const [name, text] of Object.entries(mappingsFor(traits))) fs.writeFileSync(join(root, 'mappings', name), text);
  fs.writeFileSync(join(root, 'proofs', 'proof.txt'), PROOF);
  let order = 0;
  // The next run, or the console, completes what a stop left.
  let isSettled = true;
  const service = openService(seed, () => ++order);
  const receivers = openReceivers(() => ++order);
  const history: History = {
    always: new Set(traits.includes('news') ? ['hook'] : ['hook', 'mail']),
    ...{
      root,
      service,
      decisions: [],
      refusals: [],
      runs: [],
      dropped: [],
      attached: [],
      stops: [],
      jumps: [],
      halves: [],
      broken: [],
    },
    ...{ lastWrites: 0, notices: receivers.notices, recovered: 0, purged: 0 },
  };

  const type = async (stop: number | undefined, words: readonly string[], running = startProgram(stop)) => {
    let code: number | undefined;
    try {
      const line = ['node', 'nightpost', '-C', root, ...words];
      const ended = within(running, () => program.runCommandLine(line)).then(exitCode);
      ended.catch(() => undefined);
      const how = await inVirtualTime(Promise.race([ended, running.stopped.promise]));
      if (how !== 'stopped' && !running.isGone) code = how;
      else code = running.exited;
    } catch (error) {
      history.broken.push(`${words.join(' ')}: ${error}`);
    } finally {
      endProgram(running);
    }
    if (isEndless(running)) history.broken.push(`${words.join(' ')}: does not end`);
    const { out, err, writes } = running;
    history.lastWrites = writes;
    talk?.(`> ${words.join(' ')}: ${code ?? 'stopped'} after ${writes} writes\n${out}${err}`);
    if (code !== undefined && INTERNAL.test(out + err)) history.broken.push(`${words.join(' ')}: ${out}${err}`);
    if (code === undefined) history.stops.push(++order);
    if (code === undefined) isSettled = false;
    else if (words[0] === 'run') isSettled = true;
    return { code, out, err } satisfies Ended;
  };

  const names = () => fs.readdirSync(inbox).filter((name) => !name.startsWith('.'));
  const reportPaths = () => fs.globSync(join(root, 'reports/*/*.report.json'));
  const drop = (name: string, text: string) => {
    history.dropped.push({ name, text, at: ++order });
    put(name, text);
  };
  const put = (name: string, text: string) => {
    const path = join(inbox, name);
    fs.writeFileSync(path, text);
    const past = new Date(wallNow() - MINUTE_MS);
    fs.utimesSync(path, past, past);
  };
  /** It is still being written. */
  const putHalf = ({ name, text }: Export) =>
    fs.writeFileSync(join(inbox, name), text.slice(0, Math.floor(text.length / 2)));
  const attach = (file: number, content: Content) => {
    for (const { name, text } of traits.includes('attachments') ? attachmentsOf(file, content) : []) {
      history.attached.push({ name, text, at: ++order });
      put(name, text);
    }
  };
  const dropExport = (file: number, content: Content) => {
    exported.set(file, content);
    for (const { name, text } of filesOf(file, content, traits)) drop(name, text);
  };
  const exported = new Map<number, Content>();
  const halves = new Map<number, Content>();
  const backups = () =>
    fs.existsSync(join(root, 'backups'))
      ? fs
          .readdirSync(join(root, 'backups'))
          .filter((name) => /^ledger-.*e$/.test(name))
          .sort()
      : [];

  /** Of the newest correction file that has the document. */
  const correct = (number: string, isCut: boolean) => {
    for (const path of fs.globSync(join(root, 'error/*/*.to-fix.csv')).sort().reverse()) {
      const text = fs.readFileSync(path, 'utf8');
      const rows = text.split(/\r?\n/);
      const isOf = (row: string) => row.startsWith(`${number};`) || basename(path).includes(`-${number}.csv`);
      if (!rows.some((row) => isOf(row) && row.includes(';2O;'))) continue;
      const filled = rows.map((row) => (isOf(row) ? row.replace(';2O;', isCut ? '2;' : ';2;') : row));
      history.decisions.push({ act: 'fix', number, at: ++order });
      return drop(basename(path), filled.join('\n'));
    }
  };
  const move = (number: string, to: string) => {
    const [path] = fs.globSync(join(root, `pending/2*/${number}.receipt.json`));
    if (path === undefined) return;
    const folder = join(root, 'pending', to);
    fs.mkdirSync(folder, { recursive: true });
    history.decisions.push({ act: to, number, at: ++order });
    fs.renameSync(path, join(folder, basename(path)));
  };
  const inInbox = () => names().map((name) => ({ name, text: fs.readFileSync(join(inbox, name), 'utf8') }));
  const leftSince = (before: readonly Export[]) => {
    const left = new Set(names());
    // The rest of an export is written over its half.
    const last = new Map(before.map((one) => [one.name, one]));
    return [...last.values()].filter(({ name }) => !left.has(name));
  };
  let watching: Watching | undefined;
  const beginWatch = (stop: number | undefined) => {
    const running = startProgram(stop);
    const seen = { was: inInbox(), dropped: history.dropped.length };
    watching ??= { running, from: order, fromHour: wallNow(), ...seen, ended: type(stop, ['watch'], running) };
  };
  const endWatch = async () => {
    await Promise.all(elsewhere);
    elsewhere.clear();
    if (!watching) return;
    const { running, from, fromHour, was, dropped, ended } = watching;
    terminate(running);
    const { code, out, err } = await ended;
    watching = undefined;
    // What a recovery that was stopped leaves, a person has to confirm.
    const isUnsure = history.recovered > 0 && err.includes('ledger/foreign');
    const isOrderly = code === undefined || code === ENDED_BY_SIGNAL || err.includes('ledger/missing') || isUnsure;
    if (!isOrderly) history.broken.push(`watch ended with ${code}: ${out}${err}`);
    history.runs.push({
      from,
      to: ++order,
      taken: leftSince([...was, ...history.dropped.slice(dropped)]),
      ended: await ended,
      hours: { from: fromHour, to: wallNow() },
      report: undefined,
      up: [],
    });
  };
  const night = async (stop: number | undefined, count = 1) => {
    const [from, fromHour] = [order, wallNow()];
    const before = inInbox();
    const reports = new Set(reportPaths());
    const [ended = NOT_STARTED] = await Promise.all(Array.from({ length: count }, () => type(stop, ['run'])));
    const taken = leftSince(before);
    const [path] = reportPaths().filter((path) => !reports.has(path));
    const report = path === undefined ? undefined : JSON.parse(fs.readFileSync(path, 'utf8'));
    const up = Object.entries(receivers.isUp).flatMap(([name, isUp]) => (isUp ? [name] : []));
    const hours = { from: fromHour, to: wallNow() };
    history.runs.push({ from, to: ++order, hours, taken, ended, report, up });
  };
  const decide = async (event: ActEvent) => {
    const [number, proof] = [numberOf(event.n), join(root, 'proofs', 'proof.txt')];
    const because = ['--reason', 'because'];
    const LINES: { readonly [act in Act]: readonly string[] } = {
      fix: ['fix', number, `${quantityColumn(event.n)}=2`, '--yes', ...because],
      retry: ['retry', number, '--evidence', proof, '--yes', ...because],
      resolve: ['resolve', number, '--as', event.as ?? 'rejected', '--evidence', proof, ...because],
      release: ['release', number, '--yes', ...because],
      'set-aside': ['set-aside', number, '--yes', ...because],
      undo: ['undo', number, ...because],
      'consult-one': ['consult', number],
    };
    // What was stopped may have been recorded.
    const decision: Decided = { act: event.do, number, at: ++order, ...(event.as !== undefined && { as: event.as }) };
    if (event.inConsole) {
      const isAlone = !watching && elsewhere.size === 0 && event.stop === undefined && isSettled;
      const outcome = await atConsole(() => console.decide(event, isAlone), 'unclear');
      talk?.(`> ${event.do} ${number} in the console: ${outcome}`);
      return decided(event.do, decision, CODES[outcome]);
    }
    const ending = type(event.stop, LINES[event.do]).then(({ code }) => decided(event.do, decision, code));
    elsewhere.add(ending);
    if (!event.elsewhere) await ending;
  };
  const console = openConsolePeople({
    refusals: history.refusals,
    serve: () => {
      const running = startProgram();
      return { running, ended: type(undefined, ['serve', '--json', '--port', String(CONSOLE_PORT)], running) };
    },
  });
  const atConsole = async <T>(act: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await inVirtualTime(act());
    } catch (error) {
      history.broken.push(`serve: ${error}`);
      return otherwise;
    }
  };
  /** What people have begun in other terminals. */
  const elsewhere = new Set<Promise<void>>();
  const decided = (act: Act, decision: Decided, code: number | undefined) => {
    // A correction that a rule holds, or that leaves other faults, is made.
    if (act === 'fix' && code === 3) history.decisions.push({ ...decision, act: 'fix-held' });
    if ((code === 0 || code === undefined) && act !== 'consult-one')
      history.decisions.push({ ...decision, isSure: code === 0, until: ++order });
  };
  /** An administrator removes the half of a report that a recovery cannot read: no ledger ever had it. */
  const recovering = async (stop: number | undefined, ...words: string[]) => {
    const { out, err } = await type(stop, words);
    for (const [, path = ''] of (out + err).matchAll(/cannot be read: (reports\/\S+)/g)) fs.rmSync(join(root, path));
  };
  const live = async (event: LifeEvent): Promise<void> => {
    talk?.(JSON.stringify(event));
    // An administrator works on the ledger of no program that runs.
    if (ALONE.has(event.do)) await endWatch();
    switch (event.do) {
      case 'export': {
        attach(event.file, event);
        if (!event.isHalf && !event.isCut) return dropExport(event.file, event);
        halves.set(event.file, event);
        const [first, other] = filesOf(event.file, event, traits);
        if (first && other) drop(first.name, first.text);
        const cut = other ?? first;
        history.halves.push(++order);
        return cut && (event.isCut || !other) ? putHalf(cut) : undefined;
      }
      case 'rest': {
        const half = halves.get(event.file);
        halves.delete(event.file);
        if (!half) return;
        exported.set(event.file, half);
        const rest = filesOf(event.file, half, traits).at(-1);
        return rest && drop(rest.name, rest.text);
      }
      case 'again': {
        const earlier = exported.get(event.of);
        if (!earlier) return;
        const { n } = event;
        const lines = earlier.lines.map((line) => (n === undefined ? line : { ...line, n }));
        if (!event.isHalf) return dropExport(event.file, { ...earlier, lines });
        const [half] = filesOf(event.file, earlier, traits);
        return half && drop(half.name, half.text);
      }
      case 'weather':
        service.weather = event.is;
        return;
      case 'clock':
        history.jumps.push(++order);
        return passTime(event.minutes * MINUTE_MS);
      case 'run':
        return await night(event.stop);
      case 'watch':
        return beginWatch(event.stop);
      case 'wait':
        return await inVirtualTime(pause(event.seconds * 1000));
      case 'end-watch':
        return await endWatch();
      case 'two-runs':
        return await night(undefined, 2);
      case 'correct':
        return correct(numberOf(event.n), event.isCut === true);
      case 'move':
        return move(numberOf(event.n), event.to);
      case 'hook':
      case 'mail':
        receivers.isUp[event.do] = event.isUp;
        return;
      case 'open':
        return await atConsole(() => console.open(event.act, event.n), undefined);
      case 'purge':
        history.purged = ++order;
        return void (await type(event.stop, ['purge', '--reason', 'retention']));
      case 'backup':
        return void (await type(event.stop, ['backup']));
      case 'consult':
        return void (await type(event.stop, ['consult']));
      case 'lose-ledger':
        for (const name of fs.readdirSync(join(root, 'state')))
          if (name.startsWith('ledger.sqlite')) fs.rmSync(join(root, 'state', name));
        history.recovered ||= ++order;
        return;
      case 'rebuild':
        history.recovered ||= ++order;
        return await recovering(event.stop, 'ledger', 'rebuild');
      case 'restore': {
        const file = backups().at(-1 - event.age) ?? backups().at(-1);
        if (file === undefined) return;
        history.recovered ||= ++order;
        return await recovering(event.stop, 'ledger', 'restore', join(root, 'backups', file));
      }
      case 'accept':
        history.recovered ||= ++order;
        return await recovering(event.stop, 'doctor', '--offline', '--accept-ledger', 'compared');
      case 'end-quarantine':
        return void (await type(event.stop, ['ledger', 'end-quarantine', 'compared with the service']));
      default:
        return await decide(event);
    }
  };
  const recover = async () => {
    for (let round = 0; round < 3; round++) {
      const { out } = await type(undefined, ['status', '--json']);
      const { error, guard, quarantine } = JSON.parse(out) as Status;
      if (error?.code === 'ledger/missing') await live({ do: 'rebuild' });
      else if (error) history.broken.push(`status: ${out}`);
      else if (guard && !guard.send) await live({ do: 'accept' });
      else if (quarantine) await live({ do: 'end-quarantine' });
      else break;
    }
    if (history.recovered === 0) return;
    // Of a document that was under way at a stop, and that a recovered ledger has read again.
    const { out } = await type(undefined, ['verify', '--all']);
    for (const [, path = ''] of out.matchAll(/^ +(\S+\.payload\.json)\n +verify\/file-unknown/gm)) {
      fs.rmSync(join(root, path));
    }
  };
  const made = await type(undefined, ['init', '--ledger']);
  if (made.code !== 0) throw new Error(`no house: ${made.out}${made.err}`);
  return {
    history,
    live,
    recover,
    type: (...words) => type(undefined, words),
    browse: (...paths) => atConsole(() => console.read(paths), []),
    leave: () => atConsole(console.close, undefined),
    close: () => {
      console.end();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}
