/**
 * Exports that one or several programs take from one inbox, with one ledger on PostgreSQL: `nightpost watch` as it is
 * published, each in a process of its own. In the end the service, the ledger and the folders have to say the same.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stringify } from 'yaml';
import { type Instance, makeFolders, readInstance, SETTINGS_FILE } from '../src/instance/instance.ts';
import { connectPostgres, type PostgresSession } from '../src/ledger/postgres/postgres-session.ts';
import { createLedgerOf, ledgerPlaceOf, lookIntoLedgerOf, systemClock } from '../src/pipeline/open-run.ts';
import { verify } from '../src/pipeline/verify/verify-instance.ts';
import type { Description } from '../src/sandbox/describe.ts';
import { mappingText } from './converting.ts';
import { AT_A_TIME } from './deliver.ts';
import { csvOf } from './exports.ts';
import { newFolder } from './folders.ts';
import { onPostgres } from './postgres-server.ts';
import type { Measurement } from './result.ts';
import { salesInvoice } from './sales.ts';
import { optionsOf, upToDate } from './start.ts';

type Night = {
  /** The n-th file of the night, of so many. */
  readonly files: (size: number) => number;
  readonly file: (n: number, size: number) => Buffer;
  /** True once the night is over. */
  readonly isOver: (session: PostgresSession, documents: number, files: number) => Promise<boolean>;
  readonly settings: object;
  readonly isSent: boolean;
};

/** One document in each file, of one to three rows, from the inbox to its receipt and the archive. */
const SMALL: Night = {
  files: (size) => size,
  file: (n) => csvOf([salesInvoice(n, 1 + (n % 3))]),
  isOver: async (session, documents, files) =>
    (await counted(session, `entry WHERE state = 'authorized'`)) === documents &&
    (await counted(session, 'source_file WHERE archived_at IS NOT NULL')) === files,
  settings: {},
  isSent: true,
};

const LARGE_FILES = 4;

/** Four large files, converted and in the ledger; their documents are held, so that nothing is sent meanwhile. */
const LARGE: Night = {
  files: () => LARGE_FILES,
  file: (n, size) => {
    const each = size / LARGE_FILES;
    return csvOf(Array.from({ length: each }, (_, at) => salesInvoice(n * each + at)));
  },
  isOver: async (session, documents) =>
    (await counted(session, `source_file WHERE state = 'admitted'`)) === LARGE_FILES &&
    (await counted(session, `entry WHERE state = 'held'`)) === documents,
  settings: { run: { hold: { 'new-mapping': true } } },
  isSent: false,
};

export const smallFilesBy = (workers: number): Measurement => watchedBy(workers, SMALL);
export const largeFilesBy = (workers: number): Measurement => watchedBy(workers, LARGE);

const LOOK_MS = 200;

function watchedBy(workers: number, night: Night): Measurement {
  return ({ size, out }) =>
    onPostgres(async (postgres, serverSeconds) => {
      const folder = newFolder(out);
      const service = fork(join(import.meta.dirname, 'sandbox-process.ts'), ['0']);
      const crew: ChildProcess[] = [];
      try {
        const [described] = (await once(service, 'message')) as [Description];
        const instance = await newInstance(folder, described, postgres, night);
        const place = await ledgerPlaceOf(instance).postgres!();
        const session = await connectPostgres(place);
        const waiting = join(folder, 'waiting');
        mkdirSync(waiting);
        const files = night.files(size);
        for (let n = 0; n < files; n++) writeFileSync(join(waiting, `sales-${n}.csv`), night.file(n, size));
        for (let n = 0; n < workers; n++) crew.push(startWatch(folder, described));
        while ((await counted(session, 'worker WHERE gone IS NULL')) < workers) await wait(LOOK_MS);

        const before = await Promise.all(crew.map(usageOf));
        const serverBefore = serverSeconds();
        const startMs = performance.now();
        for (const name of readdirSync(waiting)) renameSync(join(waiting, name), join(instance.paths.inbox, name));
        while (!(await night.isOver(session, size, files))) {
          expectAll(crew);
          await wait(LOOK_MS);
        }
        const seconds = (performance.now() - startMs) / 1000;
        const after = await Promise.all(crew.map(usageOf));
        const server = serverSeconds() - serverBefore;
        const { rows } = await session.ask('SELECT COUNT(*) AS files FROM source_file GROUP BY worker');
        await end(crew);
        await session.end();
        const { documents, requests } = await acceptedBy(service);
        const wanted = night.isSent ? size : 0;
        const breaks = await breaksIn(instance);
        if (documents !== wanted || requests !== wanted || breaks.length > 0) {
          throw new Error(`of ${wanted} documents ${documents} were accepted in ${requests} requests; ${breaks[0]}`);
        }
        return {
          seconds,
          cpuSeconds: after.reduce((sum, one, at) => sum + one.cpu - before[at]!.cpu, 0),
          peakMb: Math.max(...after.map(({ peakMb }) => peakMb)),
          documents: size,
          more: {
            server,
            most: Math.max(...rows.map((row) => row.files as number)) / files,
            cores: availableParallelism(),
          },
        };
      } finally {
        for (const one of crew) one.kill('SIGKILL');
        service.disconnect();
      }
    });
}

async function counted(session: PostgresSession, from: string): Promise<number> {
  return (await session.ask(`SELECT COUNT(*) AS count FROM ${from}`)).rows[0]!.count as number;
}

async function newInstance(
  folder: string,
  { services, environment }: Description,
  postgres: object,
  night: Night,
): Promise<Instance> {
  mkdirSync(join(folder, 'mappings'), { recursive: true, mode: 0o700 });
  const settings = {
    version: 1,
    services: { fr: { ...services.fr, concurrency: AT_A_TIME } },
    rules: { fr: 'wire' },
    inbox: { settle: '1ms', scan: '1s', polling: true },
    ledger: { postgres },
    ...night.settings,
  };
  writeFileSync(join(folder, SETTINGS_FILE), stringify(settings), { mode: 0o600 });
  writeFileSync(join(folder, 'mappings', 'bench.yaml'), mappingText());
  const instance = readInstance(folder, { variables: environment });
  makeFolders(instance.paths);
  await createLedgerOf(instance);
  return instance;
}

function startWatch(folder: string, { environment }: Description): ChildProcess {
  const main = upToDate();
  const usage = pathToFileURL(join(import.meta.dirname, 'usage-process.ts')).href;
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const args = ['--import', usage, ...optionsOf(main), main, '-C', folder, '--quiet', 'watch'];
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  return spawn(process.execPath, args, { env: { ...env, ...environment }, stdio: [...stdio] });
}

type Usage = { readonly cpu: number; readonly peakMb: number };

async function usageOf(worker: ChildProcess): Promise<Usage> {
  worker.send('how much?');
  const [used] = (await once(worker, 'message')) as [NodeJS.ResourceUsage];
  return { cpu: (used.userCPUTime + used.systemCPUTime) / 1e6, peakMb: used.maxRSS / 1024 };
}

function expectAll(crew: readonly ChildProcess[]): void {
  const ended = crew.find(({ exitCode }) => exitCode !== null);
  if (ended) throw new Error(`a worker ended with ${ended.exitCode}`);
}

async function end(crew: readonly ChildProcess[]): Promise<void> {
  const ended = crew.map((one) => once(one, 'exit'));
  for (const one of crew) one.kill('SIGTERM');
  await Promise.all(ended);
}

async function acceptedBy(service: ChildProcess): Promise<{ readonly documents: number; readonly requests: number }> {
  service.send('how many?');
  const [said] = (await once(service, 'message')) as [{ documents: number; requests: number }];
  return said;
}

/** What `nightpost verify` would report. */
async function breaksIn(instance: Instance): Promise<readonly string[]> {
  const found: string[] = [];
  await using ledger = await lookIntoLedgerOf(instance);
  await verify(
    { instance, ledger, clock: systemClock },
    { onBreak: ({ code, path }) => found.push(`${code} ${path}`) },
  );
  return found;
}
