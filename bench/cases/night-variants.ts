/** Nights with something more: another ledger, a console, answers and mail, broken files, an end in between. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCommand } from '../command.ts';
import { PROCESSES } from '../folders.ts';
import type { Case } from '../result.ts';
import { type During, type Prepared, spendNight } from './night.ts';
import { onPostgres } from './postgres-server.ts';

const LOOK_MS = 50;

/** What the ledger on PostgreSQL asks of its server, by document. */
export const nightOnPostgres: Case = (settings) =>
  onPostgres((postgres, serverSeconds) => {
    const figures = async ({ folder }: During) => {
      const before = serverSeconds();
      return async () => {
        const asked = JSON.parse(readFileSync(join(folder, '.statements.json'), 'utf8')) as { [count: string]: number };
        const counts = Object.entries(asked).map(([name, count]) => [name, count / settings.size] as const);
        return { ...Object.fromEntries(counts), server: ((serverSeconds() - before) / settings.size) * 1e6 };
      };
    };
    const loads = 'processes/statement-count.ts';
    return spendNight(settings, { own: { ledger: { postgres } }, loads, during: figures });
  });

/** How long the log of the ledger gets, alone or next to a console with five open pages. */
export const nightWatched =
  (isWatched: boolean): Case =>
  async (settings) => {
    let pages: ChildProcess | undefined;
    const prepare = async ({ folder, service }: Prepared) => {
      const env = { ...process.env, ...service.environment };
      pages = fork(join(PROCESSES, 'console-process.ts'), [folder], { env });
      await once(pages, 'message');
    };
    const during = async ({ folder }: During) => {
      let most = 0;
      const log = join(folder, 'state', 'ledger.sqlite-wal');
      const timer = setInterval(() => {
        most = Math.max(most, statSync(log, { throwIfNoEntry: false })?.size ?? 0);
      }, LOOK_MS);
      return async () => {
        clearInterval(timer);
        if (!pages) return { log: most / 2 ** 20 };
        if (!pages.connected) throw new Error('the console ended');
        pages.send('how much?');
        const [seconds] = (await once(pages, 'message')) as [number];
        return { log: most / 2 ** 20, console: (seconds / settings.size) * 1e6 };
      };
    };
    try {
      return await spendNight(settings, { during, ...(isWatched && { prepare }) });
    } finally {
      pages?.disconnect();
    }
  };

const ANSWERS = '\nanswers: { use: mappings/blocks/answers-sage.yaml }\n';
const LETTERS = 'tables:\n  erp-states: { file: mappings/tables/answer-states.yaml }';

/** Each document in an answer file for the ERP, and a mail about the night. */
export const nightAnswered: Case = async (settings) => {
  const post = fork(join(PROCESSES, 'mail-process.ts'));
  try {
    const [port] = (await once(post, 'message')) as [number];
    const mail = { to: ['a@example.org'], from: 'n@example.org', smtp: { host: '127.0.0.1', port, tls: 'none' } };
    return await spendNight(settings, {
      own: { notify: [{ mail, on: ['always'] }] },
      adapt: (mapping) => mapping.replace('tables:', LETTERS) + ANSWERS,
      during:
        async ({ folder }) =>
        async () => {
          const answered = rowsIn(folder);
          if (answered !== settings.size) throw new Error(`of ${settings.size} documents ${answered} have an answer`);
          post.send('how many?');
          const [mails] = (await once(post, 'message')) as [number];
          if (mails !== 1) throw new Error(`${mails} mails came`);
          return { mails };
        },
    });
  } finally {
    post.disconnect();
  }
};

/** Rows of the answer files, their header left out. */
function rowsIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /RET_.*\.csv$/.test(name));
  return files.reduce(
    (sum, name) => sum + readFileSync(join(folder, name), 'latin1').trimEnd().split('\n').length - 1,
    0,
  );
}

const GOOD_FOR_ONE_BAD = 100;

/** What a good file is spoilt by, in turn; none of them becomes a document. */
const SPOILS: readonly ((good: Buffer) => Buffer)[] = [
  (good) => Buffer.concat([good, Buffer.from('"never closed;')]),
  (good) => Buffer.concat([good.subarray(0, good.length / 2), Buffer.alloc(1 << 20)]),
  () => Buffer.from(`NumFac;${'"'.repeat(1 << 20)}`),
];

/** One broken file for each hundred, and at least one. */
export const nightPoisoned: Case = (settings) =>
  spendNight(settings, {
    prepare: async ({ folder }) => {
      const inbox = join(folder, 'inbox');
      const names = readdirSync(inbox).sort();
      for (let at = 0; at < names.length; at += GOOD_FOR_ONE_BAD) {
        const spoil = SPOILS[(at / GOOD_FOR_ONE_BAD) % SPOILS.length]!;
        writeFileSync(join(inbox, `FAC_bad-${at}.csv`), spoil(readFileSync(join(inbox, names[at]!))));
      }
    },
  });

/** To a service whose capacity changes: how much of it was used, and how long a document was with it. */
export const nightAtPace =
  (ownService: object): Case =>
  (settings) =>
    spendNight(settings, {
      ownService,
      service: ['queueing-process.ts', settings.isQuick ? '20' : '100'],
      during:
        async ({ service }) =>
        async () => {
          service.process.send('how good?');
          const [{ possible, underWay }] = (await once(service.process, 'message')) as [
            { possible: number; underWay: number },
          ];
          return { used: settings.size / possible, underWay };
        },
    });

/** Sends so many documents of a queue, then the program is asked to end. The time is that of sending. */
export const backlog: Case = async (settings) => {
  let seconds = 0;
  const result = await spendNight(settings, {
    isPart: true,
    during: async ({ service, stop }) => {
      let firstMs: number | undefined;
      let count = 0;
      while (count < settings.size) {
        await wait(LOOK_MS);
        count = (await service.accepted()).documents;
        if (count > 0) firstMs ??= performance.now();
      }
      seconds = (performance.now() - firstMs!) / 1000;
      stop.abort();
      return async () => ({});
    },
  });
  return { ...result, seconds };
};

/** How long the run of a crowd works before it is asked to end. */
const WORKS_MS = { whole: 10_000, quick: 500 };

/** An inbox that no run empties: how soon one sends, how long `status` takes next to it, and how soon it ends when asked to. */
export const crowd: Case = async (settings) => {
  const worksMs = settings.isQuick ? WORKS_MS.quick : WORKS_MS.whole;
  return await spendNight(settings, {
    isPart: true,
    during: async ({ folder, service, stop }) => {
      const startMs = performance.now();
      const since = () => (performance.now() - startMs) / 1000;
      while ((await service.accepted()).documents === 0) await wait(LOOK_MS);
      const first = since();
      await wait(Math.max(0, worksMs / 2 - since() * 1000));
      const status = await runCommand(folder, ['--quiet', 'status'], service.environment);
      await wait(Math.max(0, worksMs - since() * 1000));
      const askedMs = performance.now();
      stop.abort();
      return async () => ({ first, status: status.seconds, end: (performance.now() - askedMs) / 1000 });
    },
  });
};
