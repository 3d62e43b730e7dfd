/** Whole nights for tests: an instance in a temporary folder, a real sandbox, real ledgers, and what is left afterwards. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import type { Driver } from '../src/database/database-driver.ts';
import { type Instance, makeFolders, readInstance } from '../src/instance/instance.ts';
import type { Ledger } from '../src/ledger/contract/ledger.ts';
import { openLedger } from '../src/ledger/open-ledger.ts';
import type { LedgerEntry } from '../src/model/ledger-entry.ts';
import type { Clock, PipelineEvent, RunContext, ServiceHalt } from '../src/pipeline/context/run-context.ts';
import { createLedgerOf, ledgerPlaceOf, openRun, systemClock } from '../src/runs/open-run.ts';
import { run } from '../src/runs/run.ts';
import { watch } from '../src/runs/watch.ts';
import { describeSandbox } from '../src/sandbox/describe.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/sandbox-server.ts';
import type { SandboxOptions } from '../src/sandbox/sandbox-settings.ts';
import { SALES_MAPPING } from './sales.ts';

export { SALES_MAPPING, sales } from './sales.ts';

export type Scene = AsyncDisposable & {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly drop: (name: string, content: string | Uint8Array) => void;
  readonly instance: () => Instance;
  /** One run of the program, from opening to closing. */
  readonly night: (options?: NightOptions) => Promise<Night>;
  /** What a person does with a command: opens the instance for work, and closes it. */
  readonly desk: <T>(act: (work: RunContext) => Promise<T>, through?: (driver: Driver) => Driver) => Promise<T>;
  /** Looks into the ledger alone. */
  readonly look: <T>(see: (ledger: Ledger) => Promise<T>) => Promise<T>;
  readonly entries: () => Promise<readonly LedgerEntry[]>;
  /** Paths of the files below a folder of the instance, sorted; archived mappings only where asked for, no hidden ones. */
  readonly files: (folder: string) => readonly string[];
  readonly read: (path: string) => string;
};

export type NightOptions = {
  readonly through?: (driver: Driver) => Driver;
  readonly stop?: AbortSignal;
  readonly clock?: Clock;
  readonly onEvent?: (happening: PipelineEvent, work: RunContext) => void;
  readonly files?: readonly string[];
  /** Stays until `stop` is aborted, instead of one run. */
  readonly watch?: boolean;
};

export type Night = {
  readonly stops: readonly ServiceHalt[];
  readonly told: readonly PipelineEvent[];
  readonly work: RunContext;
};

export type SceneOptions = {
  /** The folder that the instance is made in; memory where nothing is said. */
  readonly within?: string;
  readonly sandbox?: SandboxOptions;
  readonly mappings?: { readonly [name: string]: string };
  readonly settings?: object;
  /** Laid over the services that fit the sandbox. */
  readonly services?: { readonly fr?: object; readonly sv?: object };
};

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const root = mkdtempSync(join(options.within ?? tmpdir(), 'nightpost-test-'));
  const sandbox = await startSandbox(options.sandbox ?? {});
  const { services, environment } = describeSandbox(sandbox);
  const settings = {
    version: 1,
    services: {
      fr: { ...services.fr, ...options.services?.fr },
      sv: { ...services.sv, ...options.services?.sv },
    },
    inbox: { settle: '1ms' },
    run: { 'give-up-after': '5s' },
    // The documents of these nights are as short as they can be: what their content must be is tested elsewhere.
    rules: { fr: 'wire', sv: 'wire' },
    ...options.settings,
  };
  writeFileSync(join(root, 'nightpost.yaml'), stringify(settings, { aliasDuplicateObjects: false }));
  mkdirSync(join(root, 'mappings'));
  for (const [name, text] of Object.entries(options.mappings ?? { 'sales.yaml': SALES_MAPPING })) {
    writeFileSync(join(root, 'mappings', name), text);
  }
  const instance = () => readInstance(root, { variables: environment });
  const first = instance();
  makeFolders(first.paths);
  await createLedgerOf(first);

  /** Read and compiled again for each run, as the program does; who only looks takes that of the run before. */
  let place = ledgerPlaceOf(first);
  const openOwn = (own: Instance, through?: (driver: Driver) => Driver) => {
    place = ledgerPlaceOf(own);
    return openLedger({ ...place, ...(through ? { through } : {}) });
  };
  const look: Scene['look'] = async (see) => {
    await using ledger = await openLedger(place);
    return await see(ledger);
  };
  /** A test that fails leaves its night under way: it ends before its folder goes, and fails nothing else. */
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const untilClosed = <T>(night: Promise<T>): Promise<T> => {
    underWay.add(night.catch(() => {}));
    return night;
  };
  return {
    root,
    sandbox,
    instance,
    look,
    drop: (name, content) => {
      const path = join(root, 'inbox', name);
      writeFileSync(path, content);
      const past = new Date(Date.now() - 60_000);
      utimesSync(path, past, past);
    },
    night: ({ through, stop, clock, onEvent, files, watch: stays = false } = {}) =>
      untilClosed(
        (async () => {
          const told: PipelineEvent[] = [];
          const own = instance();
          await using ledger = await openOwn(own, through);
          let work: RunContext | undefined;
          await using open = await openRun(own, ledger, {
            stop: AbortSignal.any([closing.signal, ...(stop ? [stop] : [])]),
            clock: clock ?? systemClock,
            onEvent: (happening) => {
              told.push(happening);
              onEvent?.(happening, work!);
            },
          });
          work = open;
          if (stays) await watch(open);
          const stops = stays ? [] : await run(open, files ? { files } : {});
          return { stops, told, work: open };
        })(),
      ),
    desk: async (act, through) => {
      const own = instance();
      await using ledger = await openOwn(own, through);
      await using work = await openRun(own, ledger, { stop: new AbortController().signal, onEvent: () => {} });
      return await act(work);
    },
    entries: () =>
      look(async (ledger) => {
        const found: LedgerEntry[] = [];
        for await (const entry of ledger.queries.find({})) found.push(entry);
        return found;
      }),
    files: (folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => !path.startsWith('archive/mappings/') || folder.startsWith('archive/mappings'))
        .filter((path) => !basename(path).startsWith('.'))
        .sort(),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.all(underWay);
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** How many documents are in which state. */
export function tally(entries: readonly LedgerEntry[]): { readonly [state: string]: number } {
  const counts: { [state: string]: number } = {};
  for (const { state } of entries) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** A driver of which the write with this number, from 1, and all later ones fail. */
export function stopAtWrite(at: number): (driver: Driver) => Driver {
  let writes = 0;
  return (driver) => ({
    ...driver,
    write: async (work) => {
      if (++writes >= at) throw new Error('power cut');
      return await driver.write(work);
    },
  });
}

/** A driver that shows each statement before it runs; what `before` throws undoes the write. */
export function beforeEachStatement(before: (sql: string) => void): (driver: Driver) => Driver {
  return (driver) => ({
    ...driver,
    write: (work) =>
      driver.write((sql) =>
        work({
          ...sql,
          run: (text, ...values) => {
            before(text);
            return sql.run(text, ...values);
          },
        }),
      ),
  });
}

/**
 * The hour of the day (HH:MM) that has just passed on the clock of the machine: an export that comes now is a little late for it,
 * whenever a test runs.
 */
export function hourJustPassed(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Date(Date.now() - 60_000).toLocaleTimeString('en-GB', time);
}

/** Records a first run so many days ago: exports are expected since then. */
export async function inUseFor(scene: Scene, days: number): Promise<void> {
  const startedAt = new Date(Date.now() - days * 86_400_000).toISOString();
  const run = { id: 'first', kind: 'run', startedAt, version: '0.0.0', host: 'test', pid: process.pid } as const;
  await scene.desk(async ({ ledger }) => {
    await ledger.runs.beginRun(run);
    await ledger.runs.endRun(run.id, { outcome: 'completed', endedAt: startedAt, exit: 0 });
  });
}
