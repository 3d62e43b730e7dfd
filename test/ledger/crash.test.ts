import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Driver, Statements, TransactionBody } from '../../src/database/database-driver.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import { all } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { flawsOf, numbersOf, runNight } from './night.ts';

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const KILLS = 10;

async function place() {
  const made = { folder: temporaryFolder(), binding: BINDING, now: () => new Date() };
  await initLedger(made);
  return made;
}

async function expectSound(ledger: Ledger, sent: readonly string[], night: { files: number; documents: number }) {
  const entries = await all(ledger.queries.find({}));
  expect(flawsOf(entries, sent, { ...night, sent: () => {} })).toEqual([]);
  expect(await numbersOf(ledger, entries)).toEqual(
    Array.from({ length: night.files * night.documents }, (_, n) => n + 1),
  );
  return entries;
}

describe('a process that is killed', () => {
  test(`${KILLS} times: nothing lost, nothing sent twice, no number given twice or left out`, async () => {
    const instance = await place();
    const log = join(instance.folder, 'sent.log');
    writeFileSync(log, '');
    const night = { files: 8, documents: 150 };
    // Of the compiled code: a start without it takes twice the processor time.
    const env = { ...process.env, NODE_COMPILE_CACHE: temporaryFolder() };
    let kills = 0;
    for (;;) {
      const child = spawn(process.execPath, [CHILD, instance.folder, log, `${night.files}`, `${night.documents}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      });
      // Every second time while it takes files in, else while documents are on the wire; later and later.
      const [phase, ms] = [kills % 2 === 0 ? 'up' : 'sending', 1 + 3 * (kills % 10)];
      let output = '';
      child.stdout.on('data', (chunk) => {
        if (kills < KILLS && !output.includes(phase) && `${output}${chunk}`.includes(phase)) {
          setTimeout(() => child.kill('SIGKILL'), ms);
        }
        output += chunk;
      });
      await new Promise((resolve) => child.once('close', resolve));
      expect(output).toContain('up');
      kills++;
      if (output.includes('done')) break;
    }
    await using ledger = await openLedger(instance);
    expect(ledger.guard.send).toBe(true);
    const sent = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    const entries = await expectSound(ledger, sent, night);
    const inDoubt = entries.filter(({ state }) => state === 'in-doubt').length;
    expect(inDoubt).toBeGreaterThan(0);
    expect(inDoubt).toBeLessThanOrEqual(8 * kills);
  });
});

/** Lets the nth write fail: nothing of it stored, or stored but never told. */
function failing(n: number, stored: boolean) {
  let count = 0;
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async <T>(work: TransactionBody<T>) => {
      const fails = ++count === n;
      const result = fails && !stored ? undefined : await driver.write(work);
      if (fails) throw new LedgerUnavailable('ledger/write-failed', new Error(`write ${n}`));
      return result as T;
    },
  });
  return { through, reached: () => count >= n };
}

describe('a write that fails', () => {
  test.each([
    ['nothing of it is stored', false],
    ['it is stored, but no one is told', true],
  ])('the nth, for every n, then a new start: %s', async (_, stored) => {
    const night = { files: 2, documents: 2 };
    let runs = 0;
    for (let n = 1; ; n++) {
      const instance = await place();
      const sent: string[] = [];
      const { through, reached } = failing(n, stored);
      const whole = { ...night, sent: (identifier: string) => void sent.push(identifier) };
      {
        await using ledger = await openLedger({ ...instance, through });
        await runNight(ledger, whole).catch((error) => expect(error).toBeInstanceOf(LedgerUnavailable));
      }
      await using ledger = await openLedger(instance);
      await runNight(ledger, whole);
      await expectSound(ledger, sent, night);
      runs++;
      if (!reached()) break;
    }
    expect(runs).toBeGreaterThan(20);
  });

  test('the nth statement: its call is undone whole and may be made again', async () => {
    const night = { files: 2, documents: 2 };
    let runs = 0;
    for (let n = 1; ; n += 5) {
      let count = 0;
      const step = () => {
        if (++count === n) throw new Error(`statement ${n}`);
      };
      const faulty = (sql: Statements): Statements => ({
        all: (text, ...values) => {
          step();
          return sql.all(text, ...values);
        },
        run: (text, ...values) => {
          step();
          return sql.run(text, ...values);
        },
        atEnd: sql.atEnd,
      });
      const through = (driver: Driver): Driver => {
        const again = async <T>(work: TransactionBody<T>) => {
          try {
            return await driver.write((sql) => work(faulty(sql)));
          } catch (error) {
            if ((error as Error).message !== `statement ${n}`) throw error;
            return await driver.write(work);
          }
        };
        return { ...driver, write: again };
      };
      await using ledger = await openLedger({ ...(await place()), through });
      const sent: string[] = [];
      await runNight(ledger, { ...night, sent: (identifier) => void sent.push(identifier) });
      await expectSound(ledger, sent, night);
      runs++;
      if (count < n) break;
    }
    expect(runs).toBeGreaterThan(20);
  });
});
