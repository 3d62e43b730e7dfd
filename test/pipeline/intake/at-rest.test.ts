/** One rule decides whether a file of the inbox is complete: for exports, for what documents carry, and for control files. */
import { appendFileSync, linkSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { type Night, openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';

const SETTLE_MS = 30_000;
const DAY_MS = 86_400_000;
const MAPPING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
);
const EXPORT = (pdf: string) => `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\nF1;05/09/2026;Client;1;2;10,50;20;${pdf}\n`;
const CONTROLS = { file: '*.ctl', documents: 'NB' };

type Result = 'taken' | 'waits' | 'refused';

/** The file as it is written, what happens in each settle time, and what becomes of it in one run. */
type Case = {
  readonly put: (path: string, content: string) => void;
  readonly meanwhile?: (path: string, nowMs: number) => void;
  readonly result: Result;
};

const at = (path: string, ms: number) => utimesSync(path, ms / 1000, ms / 1000);
const written = (ageMs: number) => (path: string, content: string) => {
  writeFileSync(path, content);
  at(path, Date.now() - ageMs);
};
const grows = (aheadMs: number) => (path: string, nowMs: number) => {
  appendFileSync(path, '\n');
  at(path, nowMs + aheadMs);
};
const hidden = (path: string) => path.replace(/([^/]+)$/, '.$1.part');
const linked = (path: string, content: string) => {
  writeFileSync(hidden(path), content);
  at(hidden(path), Date.now() - DAY_MS);
  linkSync(hidden(path), path);
};

const CASES: Readonly<Record<string, Case>> = {
  old: { put: written(DAY_MS), result: 'taken' },
  young: { put: written(2_000), result: 'taken' },
  growing: { put: written(0), meanwhile: grows(0), result: 'waits' },
  'growing with an old time': { put: written(2_000), meanwhile: grows(-DAY_MS), result: 'waits' },
  ahead: { put: written(-DAY_MS), result: 'taken' },
  'a moment ahead': { put: written(-20_000), result: 'taken' },
  'far ahead and growing': { put: written(-DAY_MS), meanwhile: grows(DAY_MS), result: 'waits' },
  'ahead and growing': { put: written(-20_000), meanwhile: grows(20_000), result: 'waits' },
  'empty and young': { put: (path) => written(2_000)(path, ''), meanwhile: grows(0), result: 'waits' },
  'a new second name that goes': {
    put: linked,
    meanwhile: (path) => rmSync(hidden(path), { force: true }),
    result: 'taken',
  },
  'a second name that stays': { put: linked, result: 'refused' },
  'a link': {
    put: (path, content) => {
      writeFileSync(hidden(path), content);
      symlinkSync(hidden(path), path);
    },
    result: 'refused',
  },
};

async function nightWith(scene: Scene, name: string, content: string, { put, meanwhile }: Case): Promise<Night> {
  const path = join(scene.root, 'inbox', name);
  put(path, content);
  let passedMs = 0;
  const now = () => new Date(Date.now() + passedMs);
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms < SETTLE_MS / 2) return await systemClock.sleep(ms, signal);
    passedMs += ms;
    meanwhile?.(path, now().getTime());
  };
  return await scene.night({ clock: { ...systemClock, now, sleep } });
}

const refusals = ({ told }: Night) => told.filter(({ what }) => what === 'inbox-refused');
const waits = ({ told }: Night) => told.filter(({ what }) => what === 'left-waiting');
const byEvents = (night: Night, isTaken: boolean): Result | undefined => {
  if (refusals(night).length > 0) return 'refused';
  if (waits(night).length > 0) return 'waits';
  return isTaken ? 'taken' : undefined;
};

const TAKERS: Readonly<Record<string, (scene: Scene, one: Case) => Promise<Result | undefined>>> = {
  'an export': async (scene, one) => {
    const night = await nightWith(scene, 'ventes.csv', EXPORT(''), one);
    return byEvents(night, tally(await scene.entries()).authorized === 1);
  },
  'an attachment': async (scene, one) => {
    scene.drop('ventes.csv', EXPORT('F1.pdf'));
    await nightWith(scene, 'F1.pdf', 'PDF of F1', one);
    const [entry] = await scene.entries();
    const codes = entry?.faults.map(({ code }) => code) ?? [];
    if (codes.includes('map/companion-growing')) return 'waits';
    if (codes.includes('map/companion-unreadable')) return 'refused';
    return entry?.state === 'authorized' ? 'taken' : undefined;
  },
  'a control file': async (scene, one) => {
    const night = await nightWith(scene, 'fac.ctl', 'NB;1\n', one);
    return byEvents(
      night,
      scene.files('archive').some((path) => path.endsWith('-fac.ctl')),
    );
  },
};

describe.each(Object.keys(TAKERS))('%s', (taker) => {
  test.each(Object.keys(CASES))('that is %s', async (name) => {
    const expectation = { name: 'Ventes', files: 'ventes*.csv', by: '00:00', controls: CONTROLS };
    await using scene = await openScene({
      mappings: { 'sales.yaml': MAPPING },
      settings: { inbox: { settle: '30s' }, expect: [expectation], 'time-zone': 'UTC' },
    });
    const one = CASES[name]!;
    expect(await TAKERS[taker]!(scene, one)).toBe(one.result);
    const left = readdirSync(join(scene.root, 'inbox')).filter((path) => !path.startsWith('.'));
    expect(left).toHaveLength(one.result === 'taken' ? 0 : 1);
  });
});

test('attachments whose times are all ahead come to rest together', async () => {
  await using scene = await openScene({
    mappings: { 'sales.yaml': MAPPING },
    settings: { inbox: { settle: '30s' } },
  });
  const names = Array.from({ length: 9 }, (_, n) => `F${n}.pdf`);
  const rows = names.map((name, n) => EXPORT(name).split('\n')[1]!.replace('F1;', `F${n};`));
  scene.drop('ventes.csv', [EXPORT('').split('\n')[0], ...rows, ''].join('\n'));
  for (const name of names) written(-DAY_MS)(join(scene.root, 'inbox', name), `PDF of ${name}`);
  let sleeps = 0;
  const settle = async (ms: number, signal?: AbortSignal) => {
    if (ms < SETTLE_MS / 2) return await systemClock.sleep(ms, signal);
    sleeps++;
  };
  const now = () => new Date(Date.now() + sleeps * SETTLE_MS);
  await scene.night({ clock: { ...systemClock, now, sleep: settle } });
  expect(tally(await scene.entries())).toEqual({ authorized: 9 });
  expect(sleeps).toBe(1);
});

test('a control file that is taken takes its marker along', async () => {
  const expectation = { name: 'Ventes', files: 'ventes*.csv', by: '00:00', controls: CONTROLS };
  await using scene = await openScene({
    settings: { inbox: { settle: '1ms', marker: '.done' }, expect: [expectation], 'time-zone': 'UTC' },
  });
  scene.drop('fac.ctl', 'NB;1\n');
  scene.drop('fac.ctl.done', '');
  await scene.night();
  expect(scene.files('inbox')).toEqual([]);
});
