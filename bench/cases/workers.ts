/**
 * Exports that one or several programs take from one inbox, with one ledger on PostgreSQL: `nightpost watch` as it is
 * published, each in a process of its own. In the end the service, the ledger and the folders have to say the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connectPostgres, type PostgresSession } from '../../src/database/postgres/postgres-session.ts';
import { readInstance } from '../../src/instance/instance.ts';
import { ledgerPlaceOf } from '../../src/runs/open-run.ts';
import { optionsOf, runCommand } from '../command.ts';
import { FORMATS } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { type Variables, writeInstance } from '../program.ts';
import type { Case } from '../result.ts';
import { startService } from '../service.ts';
import { AT_A_TIME } from './night.ts';
import { onPostgres } from './postgres-server.ts';
import { upToDate } from './start.ts';

type Night = {
  /** True once the night is over. */
  readonly isOver: (session: PostgresSession, documents: number, files: number) => Promise<boolean>;
  readonly settings: object;
  readonly isSent: boolean;
};

/** From the inbox to receipts and the archive. */
const SENT: Night = {
  isOver: async (session, documents, files) =>
    (await counted(session, `entry WHERE state = 'authorized'`)) === documents &&
    (await counted(session, 'source_file WHERE archived_at IS NOT NULL')) === files,
  settings: {},
  isSent: true,
};

/** Converted and in the ledger; the documents are held, so that nothing is sent meanwhile. */
const HELD: Night = {
  isOver: async (session, documents, files) =>
    (await counted(session, `source_file WHERE state = 'admitted'`)) === files &&
    (await counted(session, `entry WHERE state = 'held'`)) === documents,
  settings: { run: { hold: { 'new-mapping': true } } },
  isSent: false,
};

export const smallFilesBy = (workers: number): Case => watchedBy(workers, SENT);
export const largeFilesBy = (workers: number): Case => watchedBy(workers, HELD);

const LOOK_MS = 200;

function watchedBy(workers: number, night: Night): Case {
  return ({ size, format, exports }) =>
    onPostgres(async (postgres, serverSeconds) => {
      const folder = newFolder('workers');
      using service = await startService('sandbox-process.ts', '0');
      const { environment, services } = service;
      const crew: ChildProcess[] = [];
      try {
        const given = { environment, services: { ...services, fr: { ...services.fr, concurrency: AT_A_TIME } } };
        const inbox = { settle: '1ms', scan: '1s', polling: true };
        writeInstance(folder, FORMATS[format], given, { inbox, ledger: { postgres }, ...night.settings });
        await runCommand(folder, ['--quiet', 'init', '--ledger'], environment);
        const place = await ledgerPlaceOf(readInstance(folder, { variables: environment })).postgres!();
        const session = await connectPostgres(place);
        const waiting = join(folder, 'waiting');
        cpSync(exports, waiting, { recursive: true });
        const names = readdirSync(waiting);
        for (let n = 0; n < workers; n++) crew.push(startWatch(folder, environment));
        while ((await counted(session, 'worker WHERE gone IS NULL')) < workers) await wait(LOOK_MS);

        const before = await Promise.all(crew.map(usageOf));
        const serverBefore = serverSeconds();
        const startMs = performance.now();
        for (const name of names) renameSync(join(waiting, name), join(folder, 'inbox', name));
        while (!(await night.isOver(session, size, names.length))) {
          expectAll(crew);
          await wait(LOOK_MS);
        }
        const seconds = (performance.now() - startMs) / 1000;
        const after = await Promise.all(crew.map(usageOf));
        const server = serverSeconds() - serverBefore;
        const { rows } = await session.ask('SELECT COUNT(*) AS files FROM source_file GROUP BY worker');
        await end(crew);
        await session.end();
        const { documents, requests } = await service.accepted();
        const wanted = night.isSent ? size : 0;
        if (documents !== wanted || requests !== wanted) {
          throw new Error(`of ${wanted} documents ${documents} were accepted in ${requests} requests`);
        }
        const { exit } = await runCommand(folder, ['--quiet', 'verify'], environment);
        if (exit !== 0) throw new Error(`nightpost verify ended with ${exit}`);
        return {
          seconds,
          cpuSeconds: after.reduce((sum, one, at) => sum + one.cpu - before[at]!.cpu, 0),
          peakMb: Math.max(...after.map(({ peakMb }) => peakMb)),
          documents: size,
          more: {
            server,
            most: Math.max(...rows.map((row) => row.files as number)) / names.length,
            cores: availableParallelism(),
          },
        };
      } finally {
        for (const one of crew) one.kill('SIGKILL');
      }
    });
}

async function counted(session: PostgresSession, from: string): Promise<number> {
  return (await session.ask(`SELECT COUNT(*) AS count FROM ${from}`)).rows[0]!.count as number;
}

function startWatch(folder: string, environment: Variables): ChildProcess {
  const main = upToDate();
  const usage = pathToFileURL(join(import.meta.dirname, '../processes/usage-process.ts')).href;
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
