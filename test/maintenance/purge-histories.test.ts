/**
 * Any history of exports, answers and acts of people, then any purge, by age of some parts or of a counterparty: `verify`, `show` and
 * `dossier` find nothing wrong, also after a restore of a copy from before or a rebuild.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesWith } from '../files-with.ts';
import { moveClock } from '../moved-clock.ts';
import { openScene, SALES_MAPPING, type Scene } from '../night.ts';
import { LARGE_NIGHT_MAPPINGS } from '../rigs/large-night.ts';
import { randomFrom } from '../rigs/random.ts';
import { drawExports, PERSON } from '../rigs/year/year-exports.ts';
import { openPeopleOf, type People } from '../rigs/year/year-people.ts';
import { runs } from '../seed.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PARTS = ['archive', 'receipts', 'content', 'answers', 'reports', 'notices'] as const;

const ANSWERS = `
answers:
  - { file: "RET_{file.stem}_{n:4}.csv", when: change, format: { csv: {} }, row: { NUM: $Num, CODE: "@answer.code" } }
`;

const history = fc.record({
  seed: fc.nat({ max: 1_000_000 }),
  nights: fc.integer({ min: 2, max: 5 }),
  days: fc.integer({ min: 1, max: 4 }),
  parts: fc.subarray([...PARTS], { minLength: 1 }),
  isOfPerson: fc.boolean(),
  isCleared: fc.boolean(),
  replaced: fc.constantFrom('not', 'restored', 'rebuilt'),
});

/** Each view of each document works, and nothing seems altered. */
async function look(scene: Scene, type: People['type'], about: string): Promise<void> {
  const { out, code } = await type('verify', '--all');
  expect([about, code, code === 0 ? '' : out]).toEqual([about, 0, '']);
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-histories-'));
  for (const { id } of await scene.entries()) {
    for (const words of [
      ['show', id],
      ['dossier', id, '--out', folder],
    ]) {
      const ended = await type(...words);
      expect([about, words, ended.code, ended.err]).toEqual([about, words, 0, '']);
    }
  }
  rmSync(folder, { recursive: true });
}

async function replace(scene: Scene, type: People['type'], how: 'restored' | 'rebuilt', backup: string): Promise<void> {
  for (const name of ['', '-wal', '-shm']) {
    if (how === 'rebuilt') rmSync(join(scene.root, `state/ledger.sqlite${name}`), { force: true });
  }
  expect((await type('ledger', ...(how === 'rebuilt' ? ['rebuild'] : ['restore', backup]))).code).toBe(0);
  await type('run');
  await type('ledger', 'end-quarantine', 'compared', '--unread');
  // The ERP gets its answers once more, and until then nothing of them is purged.
  await type('run');
}

test('after any history and any purge, whoever looks finds nothing wrong', async () => {
  const property = fc.asyncProperty(history, async (drawn) => {
    const { seed, nights, days, parts, isOfPerson, isCleared, replaced } = drawn;
    const keep = Object.fromEntries(parts.map((part) => [part, `${days}d`]));
    await using scene = await openScene({
      mappings: { ...LARGE_NIGHT_MAPPINGS, 'sales.yaml': SALES_MAPPING + ANSWERS },
      settings: {
        keep,
        receipts: { answers: 'xml' },
        run: { 'give-up-after': '100ms', 'same-cause': 0, 'max-errors': 1000, 'consult-per-minute': 60 },
      },
    });
    using clock = moveClock();
    const random = randomFrom(seed);
    const exports = drawExports(random, nights);
    const faults: string[] = [];
    const people = openPeopleOf(scene, random, exports, faults);
    const backup = join(scene.root, 'copy.sqlite');
    for (let night = 1; night <= nights; night++) {
      for (const { name, content } of exports.of(night)) scene.drop(name, content);
      await people.type('run');
      clock.pass(8 * HOUR_MS);
      await people.clear();
      if (night === nights - 1) await people.type('backup', backup);
      clock.pass(DAY_MS - 8 * HOUR_MS);
    }
    const clearAll = async () => {
      for (let day = 0; day < 6; day++) {
        await people.clear();
        await people.type('run');
        clock.pass(DAY_MS);
      }
    };
    if (isCleared) await clearAll();
    const about = JSON.stringify(drawn);
    const purges = [
      ['--reason', 'retention'],
      ...(isOfPerson ? [['--subject', PERSON, '--reason', 'request 17']] : []),
    ];
    const purgeAll = async () => {
      for (const words of purges) await people.type('purge', ...words);
    };
    await purgeAll();
    await look(scene, people.type, about);
    // What is open is decided, and what is due is written, as if nothing had been purged.
    await people.clear();
    await people.type('run');
    await look(scene, people.type, `${about}, a day later`);
    if (replaced !== 'not') {
      await replace(scene, people.type, replaced, backup);
      // A copy has documents open that were decided since, and whose receipts a purge has removed.
      await clearAll();
      await purgeAll();
      await look(scene, people.type, `${about}, ${replaced}`);
    }
    expect(faults, about).toEqual([]);
    if (isOfPerson && isCleared && replaced === 'not') {
      const { kept, copies } = JSON.parse((await people.type('--json', 'purge', '--subject', PERSON, '--dry-run')).out);
      const named = [...kept.map(({ path }: { path: string }) => path), ...copies, 'copy.sqlite'];
      expect(
        filesWith(scene, PERSON).filter((path) => !named.includes(path)),
        about,
      ).toEqual([]);
    }
  });
  await fc.assert(property, { numRuns: runs(2), endOnFailure: true });
}, 240_000);
