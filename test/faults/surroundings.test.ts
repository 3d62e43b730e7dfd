/** Nights beside a clock that jumps, a ledger that another program holds, mappings that are edited, few open files. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../night.ts';
import { MAIN } from '../program.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const numbers = Array.from({ length: 20 }, (_, n) => `F${n}`);

// Hours of Europe/Paris: summer time ends on 25 October 2026 at 01:00Z, and begins on 28 March 2027 at 01:00Z.
test.each([
  ['an hour forward', Date.now(), HOUR],
  ['an hour back', Date.now(), -HOUR],
  ['a day forward', Date.now(), DAY],
  ['a day back', Date.now(), -DAY],
  ['eight hours asleep', Date.now(), 8 * HOUR],
  ['over the end of summer time, and back', Date.parse('2026-10-25T00:59:59Z'), -1800_000],
  ['into the gap of summer time', Date.parse('2027-03-28T00:59:59Z'), 2000],
])(
  'the clock leaps %s during a night: each document once, none left, none asked about early',
  async (_, from, leap) => {
    await using scene = await openScene({
      sandbox: { becomes: { code: 2, afterSeconds: 0, afterConsultations: 0 } },
      services: { fr: { concurrency: 2 } },
    });
    scene.drop('ventes.csv', sales([...numbers, 'F20-X8', 'F21-X6']));
    const startMs = Date.now();
    let leaptMs = 0;
    let told = 0;
    await scene.night({
      clock: { ...systemClock, now: () => new Date(from + Date.now() - startMs + leaptMs) },
      onEvent: ({ what }) => {
        if (what === 'document' && ++told === 7) leaptMs = leap;
      },
    });
    expect(tally(await scene.entries())).toEqual({ authorized: 20, contingency: 1, rejected: 1 });
    expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
    expect(scene.sandbox.requests().fr.consult).toBe(0);
  },
);

test('another program holds the ledger: the night ends after 5 s of waiting, the next one goes on', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 2 } } });
  scene.drop('ventes.csv', sales(numbers));
  // A person with an SQLite tool who has begun to write.
  using other = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
  let held = false;
  const night = scene.night({
    onEvent: ({ what }) => {
      if (what !== 'document' || held) return;
      held = true;
      other.exec('BEGIN IMMEDIATE');
    },
    // Until the first write has waited in vain: each waits for itself.
    through: (driver) => ({
      ...driver,
      write: async (work) => {
        return await driver.write(work).catch((error: unknown) => {
          if (other.isTransaction) other.exec('ROLLBACK');
          throw error;
        });
      },
    }),
  });
  await expect(night).rejects.toMatchObject({ code: 'ledger/write-failed' });
  await scene.night();
  const { authorized = 0, 'in-doubt': doubtful = 0, ...others } = tally(await scene.entries());
  expect({ all: authorized + doubtful, others }).toEqual({ all: numbers.length, others: {} });
  expect(doubtful).toBeLessThanOrEqual(2);
  expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
});

test('a mapping that is edited during a night: what was begun ends with the version it began with', async () => {
  await using scene = await openScene({ settings: { inbox: { settle: '1ms', scan: '20ms' } } });
  const mapping = join(scene.root, 'mappings', 'sales.yaml');
  scene.drop('ventes-1.csv', sales(['F1', 'F2', 'F3']));
  const stop = new AbortController();
  let documents = 0;
  await scene.night({
    watch: true,
    stop: stop.signal,
    onEvent: ({ what }) => {
      if (what === 'file-admitted' && documents === 0)
        writeFileSync(mapping, SALES_MAPPING.replace('Exemple', 'Autre'));
      if (what !== 'document') return;
      if (++documents === 3) {
        writeFileSync(mapping, 'mapping: [broken');
        scene.drop('ventes-2.csv', sales(['F4']));
      }
      if (documents === 4) stop.abort();
    },
  });
  writeFileSync(mapping, SALES_MAPPING.replace('Exemple', 'Autre'));
  expect(tally(await scene.entries())).toEqual({ authorized: 4 });
  const payloads = scene.files('outbox').filter((path) => !path.endsWith('.receipt.json') && path.endsWith('.json'));
  const issuers = payloads.map((path) => /Exemple|Autre/.exec(scene.read(path))?.[0]).filter(Boolean);
  expect(issuers).toEqual(['Exemple', 'Exemple', 'Exemple', 'Exemple']);
  scene.drop('ventes-3.csv', sales(['F5']));
  await scene.night();
  expect(scene.files('outbox').some((path) => path.includes('F5') && scene.read(path).includes('Autre'))).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'with 64 open files allowed nothing is lost or doubled (on Linux)',
  async () => {
    await using scene = await openScene();
    for (let n = 0; n < 40; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
    const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
    const command = [
      '-c',
      'ulimit -n 64 && exec "$0" "$@"',
      process.execPath,
      MAIN,
      '-C',
      scene.root,
      '--quiet',
      'run',
    ];
    // 5 where at some moment not even the ledger got another file.
    const { code } = await promisify(execFile)('sh', command, { env }).then(
      () => ({ code: 0 }),
      (error: { readonly code?: number }) => error,
    );
    expect(code).toBeOneOf([0, 5]);
    expect(scene.files('error').filter((path) => path.endsWith('.summary.json'))).toEqual([]);
    await scene.night();
    const { authorized = 0, 'in-doubt': doubtful = 0, ...others } = tally(await scene.entries());
    expect({ all: authorized + doubtful, others }).toEqual({ all: 40, others: {} });
    expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
    expect(scene.files('inbox')).toEqual([]);
  },
);
