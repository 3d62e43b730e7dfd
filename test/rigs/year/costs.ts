/** The cost of a command of this process, in figures that a busy machine hardly changes: processor time, bytes read, statements. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type Cost = {
  readonly cpuMs: number;
  /** By system calls, from files and connections. */
  readonly readKib: number;
  /** Of SQLite; of a server they are in the bytes. */
  readonly statements: number;
};

export type Meter = Disposable & { readonly of: (act: () => Promise<unknown>) => Promise<Cost> };

const EXECUTES = ['all', 'get', 'run', 'iterate'] as const;

/** Counts statements of the process until it is disposed. */
export function openMeter(): Meter {
  let statements = 0;
  const before = EXECUTES.map((name) => [name, StatementSync.prototype[name]] as const);
  for (const [name, own] of before) {
    Object.assign(StatementSync.prototype, {
      [name]: function (this: StatementSync, ...values: readonly unknown[]) {
        statements++;
        return Reflect.apply(own, this, values);
      },
    });
  }
  return {
    of: async (act) => {
      const [count, read, cpu] = [statements, bytesRead(), process.cpuUsage()];
      await act();
      const { user, system } = process.cpuUsage(cpu);
      return {
        cpuMs: (user + system) / 1000,
        readKib: (bytesRead() - read) / 1024,
        statements: statements - count,
      };
    },
    [Symbol.dispose]: () => {
      for (const [name, own] of before) Object.assign(StatementSync.prototype, { [name]: own });
    },
  };
}

/** 0 where the system does not count it. */
function bytesRead(): number {
  const path = '/proc/self/io';
  const [, bytes = '0'] = existsSync(path) ? (/^rchar: (\d+)$/m.exec(readFileSync(path, 'utf8')) ?? []) : [];
  return Number(bytes);
}

/** A command ends with its process, and its log with it: here all of them are commands of one process. */
const LOG = /\/logs\/[^/]+\.log(?: \(deleted\))?$/;

/** Open files, sockets and pipes of the process, apart from logs; 0 where the system does not list them. */
export function openHandles(): number {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => !LOG.test(targetOf(`${folder}/${name}`))).length;
}

/** Empty for the handle of the listing itself, which is gone. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** MiB of objects in use, without garbage. */
export function heapMib(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
