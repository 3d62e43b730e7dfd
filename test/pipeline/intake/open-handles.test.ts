/** Over a long watch no file stays open after it was read, refused, answered, corrected or uploaded. */
import { open, readdir, readlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { receiveUpload } from '../../../src/pipeline/intake/receive-upload.ts';
import { lookIntoLedgerOf } from '../../../src/runs/open-run.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';

let warned: string[] = [];
const keep = (warning: Error) => warned.push(warning.message);
beforeEach(() => {
  warned = [];
  process.on('warning', keep);
});
afterEach(() => process.off('warning', keep));

/** Node warns of a handle that no one closed when it collects it. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n++) {
    collect();
    await wait(20);
  }
}

async function openBelow(root: string): Promise<readonly string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(`${root}/`));
}

const ANSWERS = `
answers:
  - file: "RET_{file.stem}_{n:4}.csv"
    format: { csv: { delimiter: ";" } }
    row: { NUM: $Num, SUM: = SUM($Qte) }
`;

/** The kinds of exports in turn: all right, wrong cells, cut off, one large document, a repeated one. */
function exportOf(n: number): string {
  const good = sales([`F${n}`, `G${n}`]);
  const long = Array.from({ length: 3000 }, (_, line) => `L${n};05/09/2026;Client;${line};2;10,50;20`);
  return (
    [good, sales([`F${n}`], '2O'), `${good}F${n};"`, ['Num;Date;Client;Lig;Qte;PU;Taux', ...long, ''].join('\n')][
      n % 5
    ] ?? sales([`F${n - 4}`, `G${n - 4}`])
  );
}

/** Bytes that come whole, or whose sender leaves. */
async function* upload(text: string, leaves: boolean): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  if (leaves) throw new Error('the sender left');
}

/** What a clerk does with a file of errors: the right cell, saved under its name. */
function correctOne(scene: Scene, done: Set<string>): void {
  const path = scene.files('error').find((one) => one.endsWith('.to-fix.csv') && !done.has(one));
  if (path === undefined) return;
  done.add(path);
  scene.drop(path.replace(/^.*\//, ''), scene.read(path).replaceAll('2O', '20'));
}

test.runIf(process.platform === 'linux')(
  'of 200 exports, their answers, corrections and uploads none stays open',
  async () => {
    await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING + ANSWERS } });
    const stop = new AbortController();
    const [open, corrected] = [[] as number[], new Set<string>()];
    const watching = scene.night({ watch: true, stop: stop.signal });
    const instance = scene.instance();
    const taken = async () => {
      await using ledger = await lookIntoLedgerOf(instance);
      return (await ledger.queries.files({})).length;
    };
    for (let n = 0; n < 200; n += 20) {
      for (let k = n; k < n + 20; k++) {
        if (k % 4 > 0) scene.drop(`ventes${k}.csv`, exportOf(k));
        else await receiveUpload(instance, `ventes${k}.csv`, upload(exportOf(k), false));
      }
      await receiveUpload(instance, `left${n}.csv`, upload('Num', true)).catch(() => undefined);
      correctOne(scene, corrected);
      const wanted = n + 20;
      await vi.waitFor(async () => expect(await taken()).toBeGreaterThanOrEqual(wanted), {
        timeout: 60_000,
        interval: 100,
      });
      open.push((await openBelow(scene.root)).length);
    }
    stop.abort();
    await watching;
    await collectGarbage();
    expect(await openBelow(scene.root)).toEqual([]);
    expect(warned).toEqual([]);
    expect(corrected.size).toBeGreaterThan(5);
    // The ledger, the log, the folder that is watched, and what is under way at that moment.
    expect(Math.min(...open.slice(-4))).toBeLessThan(24);
  },
);

test.runIf(process.platform === 'linux')('a handle that is left open is seen', async () => {
  await using scene = await openScene();
  const leave = async () => void (await open(`${scene.root}/nightpost.yaml`)).fd;
  await leave();
  expect(await openBelow(scene.root)).toEqual([`${scene.root}/nightpost.yaml`]);
  await collectGarbage();
  await vi.waitFor(() => expect(warned).toContainEqual(expect.stringContaining('garbage collection')));
});
