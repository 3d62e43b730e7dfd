/** The pages of runs: one line for each record, as `runs` prints it, with what changed before it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import type { View } from './browser.ts';
import { ask, openConsoleOf, signInAs, type TestConsole } from './console.ts';
import { closeVisits, visitAs } from './visits.ts';

let scene: Scene;
let open: TestConsole;
/** Runs that were recorded without files, before the two real ones. */
const EARLIER = 60;

beforeAll(async () => {
  scene = await openScene();
  await scene.desk(async ({ ledger }) => {
    for (let n = EARLIER; n > 0; n--) {
      const startedAt = new Date(Date.now() - n * 86_400_000).toISOString();
      const id = `earlier-${n}`;
      await ledger.runs.beginRun({
        id,
        kind: 'run',
        startedAt,
        version: n > 2 ? '0.0.1' : '0.0.2',
        host: 'test',
        pid: 1,
      });
      await ledger.runs.endRun(id, { outcome: 'completed', endedAt: startedAt, exit: 0 });
    }
  });
  scene.drop('ventes1.csv', sales(['A1', 'A2']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const mapping = join(scene.root, 'mappings', 'sales.yaml');
  writeFileSync(mapping, readFileSync(mapping, 'utf8').replace('version: 1', 'version: 2'));
  const settings = join(scene.root, 'nightpost.yaml');
  writeFileSync(
    settings,
    `${readFileSync(settings, 'utf8').replace('give-up-after: 5s', 'give-up-after: 6s\n  max-errors: 40')}
sequences: { S: { start: 7 } }
`,
  );
  scene.drop('ventes2.csv', sales(['B1']).replaceAll(';2;10,50', ';zwei;10,50'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await closeVisits({ scene, open });
});

const visit = (role: ConsoleRole, path: string, view?: View) => visitAs({ scene, open }, role, path, view);

test('each run has its verdict in words, counts, amounts, and what changed', async () => {
  await using visited = await visit('viewer', '/runs');
  const rows = visited.page.locator('tr[data-row]');
  const cells = async (n: number) => (await rows.nth(n).locator('td').allInnerTexts()).map((text) => text.trim());
  const [second, first, earlier, , third] = await Promise.all([0, 1, 2, 3, 4].map(cells));
  expect(second!.slice(2, 6)).toEqual(['1', '1', '', '1']);
  expect(second!.at(-1)!.split('\n')).toEqual([
    'Setting run.max-errors: 40, 50 before',
    'Setting sequences.S.start: 7, new',
    'Mapping sales 2, 1 before',
  ]);
  expect(second![0]).toBe('Documents need people');
  expect(first!.slice(2, 6)).toEqual(['1', '2', '100.80 EUR', '0']);
  expect(first!.at(-1)).toMatch(/^Program, 0\.0\.2 before$/);
  expect(earlier!.at(-1)).toBe('');
  expect(third!.at(-1)).toBe('');
  expect((await cells(3)).at(-1)).toBe('Program, 0.0.1 before');
  expect(await visited.page.locator('.nights li').count()).toBe(2);
});

test('the pages have each run once, without a gap', async () => {
  const session = await signInAs(scene, open, 'viewer');
  const seen: string[] = [];
  for (let path: string | undefined = `${open.base}/runs`; path !== undefined; ) {
    const { body } = await ask(open, path, { headers: session });
    seen.push(...[...body.matchAll(/data-href="[^"]*\/runs\/([^"]+)"/g)].map(([, id = '']) => id));
    path = /rel="next" href="([^"]+)"/.exec(body)?.[1];
  }
  const recorded = await scene.look((ledger) => ledger.runs.list(1000));
  expect(seen).toEqual(recorded.map(({ id }) => id));
  expect(seen).toHaveLength(EARLIER + 2);
});

test('one run: its documents as they are now, and its exports; an unknown one is not found', async () => {
  const [{ id } = { id: '' }] = await scene.look((ledger) => ledger.runs.list(1));
  await using visited = await visit('viewer', `/runs/${id}`);
  expect(await visited.page.locator('.legend strong').allInnerTexts()).toEqual(['1']);
  expect(await visited.page.locator('section[aria-labelledby=files] th a').allInnerTexts()).toEqual(['ventes2.csv']);
  const session = await signInAs(scene, open, 'viewer');
  for (const unknown of ['nothing', '%00', '20261122']) {
    expect((await ask(open, `${open.base}/runs/${unknown}`, { headers: session })).status).toBe(404);
  }
  expect(open.defects).toEqual([]);
});
