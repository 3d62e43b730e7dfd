/** The metrics of nights: what the file of the collector has, and that its counters never go back. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { METRICS } from '../../src/views/metrics/metric-list.ts';
import { parseExposition, seriesValue } from '../exposition.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const HOSTILE = 'a "name"\nwith \\ and } 😀';
/** Half a day away, so that no hour passes during the test; in the zone of the settings. */
const BY = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`;
const SETTINGS = {
  'time-zone': 'UTC',
  metrics: { textfile: 'metrics/nightpost.prom' },
  expect: [
    { name: HOSTILE, files: 'never*.csv', by: BY },
    { name: 'ventes', files: 'ventes*.csv', by: BY },
  ],
};

test('each run leaves the metrics of its end, and counters of cron runs add up', async () => {
  await using scene = await openScene({ settings: SETTINGS });
  const file = join(scene.root, 'metrics', 'nightpost.prom');
  mkdirSync(join(scene.root, 'metrics'));
  const metrics = () => parseExposition(readFileSync(file, 'utf8'));
  scene.drop('ventes-1.csv', sales(['F1', 'F2', 'F3']));
  const first = await commandIn(scene, 'run');
  expect([first.code, first.err]).toEqual([0, '']);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  const before = metrics();
  const fr = { service: 'fr' };
  expect(seriesValue(before, 'nightpost_documents', { ...fr, state: 'authorized' })).toBe(3);
  expect(seriesValue(before, 'nightpost_submissions_total', { ...fr, outcome: 'authorized' })).toBe(3);
  expect(seriesValue(before, 'nightpost_submit_seconds_count', fr)).toBe(3);
  expect(seriesValue(before, 'nightpost_token_renewals_total', fr)).toBe(1);
  expect(seriesValue(before, 'nightpost_last_run_exit_code')).toBe(0);
  expect(seriesValue(before, 'nightpost_run_at_work', { kind: 'run' })).toBe(0);
  expect(seriesValue(before, 'nightpost_expected_export_missing', { expect: HOSTILE })).toBe(0);
  expect(seriesValue(before, 'nightpost_export_age_seconds', { expect: 'ventes' })).toBeLessThan(60);
  expect(seriesValue(before, 'nightpost_send_allowed')).toBe(1);
  expect(seriesValue(before, 'nightpost_rows_unaccounted')).toBe(0);
  const commits = seriesValue(before, 'nightpost_commit_seconds_count') ?? 0;
  expect(commits).toBeGreaterThan(3);

  // A document that waits for a person, in a run with an end of its own.
  scene.drop('ventes-2.csv', sales(['F4', 'F5'], 'x'));
  await commandIn(scene, 'run');
  const after = metrics();
  expect(seriesValue(after, 'nightpost_last_run_exit_code')).toBe(3);
  expect(seriesValue(after, 'nightpost_documents', { ...fr, state: 'invalid' })).toBe(2);
  expect(seriesValue(after, 'nightpost_documents_oldest_seconds', { ...fr, state: 'invalid' })).toBeLessThan(60);
  expect(seriesValue(after, 'nightpost_submissions_total', { ...fr, outcome: 'authorized' })).toBe(3);
  expect(seriesValue(after, 'nightpost_commit_seconds_count')).toBeGreaterThan(commits);
  for (const { name, type, series } of before.filter((family) => family.type !== 'gauge')) {
    for (const one of series) {
      const now = seriesValue(after, one.name, one.labels) ?? -1;
      expect(now, `${type} ${name} ${JSON.stringify(one.labels)}`).toBeGreaterThanOrEqual(one.value);
    }
  }
  // What was counted so far is lost with its file; the sums of the ledger are counted again.
  writeFileSync(join(scene.root, 'state/metrics.json'), '{"version":1,"ledger":{}}');
  await commandIn(scene, 'run');
  expect(seriesValue(metrics(), 'nightpost_submissions_total', { ...fr, outcome: 'authorized' })).toBe(3);

  // A file that cannot be written changes no exit code and no document.
  rmSync(join(scene.root, 'metrics'), { recursive: true });
  scene.drop('ventes-3.csv', sales(['F6']));
  const without = await commandIn(scene, 'run');
  expect(without).toMatchObject({ code: 0, err: expect.stringContaining(`ENOENT ${file}`) });
  expect(scene.sandbox.requests().fr.submit).toBe(4);
});

test('every metric is in the list with one help, and no label names a document', () => {
  for (const [name, { kind, help, labels }] of Object.entries(METRICS)) {
    expect(name).toMatch(/^[a-z][a-z_]*$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    expect(help).toMatch(/^[A-Z0-9][^\n]*[^.\n]$/);
    expect(
      labels.filter((label) => !['service', 'state', 'outcome', 'expect', 'version', 'kind'].includes(label)),
    ).toEqual([]);
  }
});
