/** `doctor` finds a file of metrics that cannot be written, or that the account of the collector cannot read. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { metricsChecks } from '../../src/doctor/doctor-metrics.ts';
import { readConfig } from '../../src/instance/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'np-metrics-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('each state of the file, on a folder that is closed, open, gone', () => {
  const check = (textfile: string) => {
    const { settings } = readConfig(`version: 1\nmetrics: { textfile: ${textfile} }\n`, 'nightpost.yaml');
    return metricsChecks({ folder, settings }).map(({ result, says }) => `${result}: ${says.replaceAll(folder, '')}`);
  };
  const path = 'open/np.prom';
  mkdirSync(join(folder, 'open'), { mode: 0o755 });
  expect(check(path)).toEqual(['warning: other accounts cannot go through : the collector cannot read /open/np.prom']);
  chmodSync(folder, 0o711);
  expect(check(path)[0]).toMatch(/^ok: /);
  writeFileSync(join(folder, path), '', { mode: 0o600 });
  expect(check(path)[0]).toMatch(/^warning: other accounts cannot read/);
  chmodSync(join(folder, path), 0o644);
  expect(check(path)[0]).toMatch(/^ok: /);
  expect(check('gone/np.prom')[0]).toMatch(/^warning: .*ENOENT/);
  expect(readdirSync(join(folder, 'open'))).toEqual(['np.prom']);
});
