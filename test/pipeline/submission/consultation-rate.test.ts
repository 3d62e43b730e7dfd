/** A week of documents in contingency, with a clock that runs ahead: how often the services are asked what became of them. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { Clock } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, sales } from '../../night.ts';
import { runs } from '../../seed.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DOCUMENTS = 12;
/** Of each service. */
const MANY = Math.min(5000, runs(DOCUMENTS));

const NOTES_MAPPING = `
mapping: notes
version: 1
target: sv-remission-note
accepts: { files: "notas*.csv" }
source: { format: csv, delimiter: ";", columns: { Num: number } }
documents: { one-per: [Num] }
output:
  emisor: { nit: "06142803901121", codEstable: S001, codPuntoVenta: P001 }
  FechaGeneracion: "2036-11-20T08:00:00"
  NumeroSecuencial: $Num
  tipoMoneda: USD
`;

/** Sleeping takes no time and passes all of it. */
function hastyClock(fromMs: number): Clock & { readonly ms: () => number } {
  let ms = fromMs;
  return {
    ms: () => ms,
    now: () => new Date(ms),
    monotonic: () => ms - fromMs,
    sleep: async (forMs) => {
      await turn();
      ms += forMs;
    },
  };
}

/** Time passes where both services sleep, to the moment when the first of them wakes. */
function clockOfTwo(fromMs: number): ReturnType<typeof hastyClock> {
  let ms = fromMs;
  const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  const sleep: Clock['sleep'] = (forMs, signal) =>
    new Promise((resolve) => {
      const sleeper = { untilMs: ms + forMs, wake: () => void (sleepers.delete(sleeper) && resolve()) };
      sleepers.add(sleeper);
      if (signal?.aborted) return sleeper.wake();
      signal?.addEventListener('abort', sleeper.wake, { once: true });
      if (sleepers.size < 2) return;
      const [first] = [...sleepers].sort((a, b) => a.untilMs - b.untilMs);
      ms = first!.untilMs;
      first!.wake();
    });
  return { ms: () => ms, now: () => new Date(ms), monotonic: () => ms - fromMs, sleep };
}

/** Documents of both services that were answered with code 8, at 23:30 in El Salvador (UTC-6). */
async function inContingency(scan: string, documents: number) {
  const scene = await openScene({
    sandbox: {
      script: [{ match: { act: 'submit' }, answer: { code: 8 } }],
      becomes: { code: 2, afterSeconds: 0, afterConsultations: 1_000_000 },
    },
    settings: { inbox: { settle: '1ms', scan } },
    mappings: { 'sales.yaml': SALES_MAPPING, 'notes.yaml': NOTES_MAPPING },
  });
  const numbers = Array.from({ length: documents }, (_, n) => String(n + 1));
  scene.drop('ventes.csv', sales(numbers.map((number) => `F${number}`)));
  scene.drop('notas.csv', ['Num', ...numbers, ''].join('\n'));
  const clock = hastyClock(Date.parse('2036-11-21T05:30:00Z'));
  await scene.night({ clock });
  const watchFor = async (ms: number) => {
    const end = clock.ms() + ms;
    const stop = new AbortController();
    const sleep: Clock['sleep'] = async (forMs, signal) => {
      await clock.sleep(forMs, signal);
      if (clock.ms() > end) stop.abort();
    };
    await scene.night({ watch: true, stop: stop.signal, clock: { ...clock, sleep } });
  };
  return { scene, watchFor };
}

function expectAtMostSixAMinute(all: readonly number[]): void {
  const sorted = all.toSorted((a, b) => a - b);
  for (const [n, at] of sorted.entries()) {
    // The hasty clock may pass a look of the other service between the turn and the note of its time.
    expect((sorted[n + 6] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(MINUTE - 3000);
  }
}

test('7 days in contingency: asked 15 minutes apart, at most 6 a minute, in El Salvador not before 05:00', async () => {
  const { scene, watchFor } = await inContingency('1m', MANY);
  await using _ = scene;
  await watchFor(7 * DAY);
  const entries = await scene.entries();
  expect(entries.map(({ state }) => state)).toEqual(Array(2 * MANY).fill('contingency'));
  for (const service of ['fr', 'sv']) {
    const asked = entries.filter((entry) => entry.service === service).map(consultationsOf);
    for (const times of asked) {
      // Of many each has to wait for its turn.
      const least = MANY > DOCUMENTS ? 1 : service === 'fr' ? 8 : 6;
      expect(times.length).toBeGreaterThanOrEqual(least);
      for (const [n, at] of times.slice(1).entries()) expect(at - times[n]!).toBeGreaterThanOrEqual(15 * MINUTE);
      if (service === 'fr') continue;
      expect(times[0]).toBeGreaterThanOrEqual(Date.parse('2036-11-21T11:00:00Z'));
      // Due at 05:00, asked in turn: the last of many later than that, on whatever day.
      if (MANY === DOCUMENTS) for (const at of times) expect(localHour(at)).toBeGreaterThanOrEqual(5);
    }
    expectAtMostSixAMinute(asked.flat());
  }
  // One submission each, whatever the week brought.
  expect(scene.sandbox.acceptances().map(({ requests }) => requests)).toEqual(Array(2 * MANY).fill(1));
});

test('a watch that looks once an hour asks when it is due all the same', async () => {
  const { scene } = await inContingency('1h', DOCUMENTS);
  await using _ = scene;
  const stop = new AbortController();
  const fromMs = Date.parse('2036-11-21T05:30:00Z');
  const clock = clockOfTwo(fromMs);
  const sleep: Clock['sleep'] = async (forMs, signal) => {
    if (clock.ms() > fromMs + 40 * MINUTE) stop.abort();
    else await clock.sleep(forMs, signal);
  };
  await scene.night({ watch: true, stop: stop.signal, clock: { ...clock, sleep } });
  const asked = (await scene.entries()).filter(({ service }) => service === 'fr').map(consultationsOf);
  // Due a quarter of an hour after they were sent, six a minute.
  for (const [first] of asked) expect(first! - fromMs).toBeLessThan(18 * MINUTE);
  expectAtMostSixAMinute(asked.flat());
});

test('many that are due at once are asked one after the other, however often a watch looks', async () => {
  const { scene, watchFor } = await inContingency('1s', DOCUMENTS);
  await using _ = scene;
  await watchFor(30 * MINUTE);
  const asked = (await scene.entries()).filter(({ service }) => service === 'fr').flatMap(consultationsOf);
  expect(asked).toHaveLength(DOCUMENTS);
  expectAtMostSixAMinute(asked);
});

function consultationsOf({ attempts }: LedgerEntry): readonly number[] {
  return attempts.filter(({ act }) => act === 'consult').map(({ at }) => Date.parse(at));
}

function localHour(ms: number): number {
  return new Date(ms - 6 * 60 * MINUTE).getUTCHours();
}
