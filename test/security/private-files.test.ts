/** A whole night under umask 000, as some schedulers start it: no one but the owner may read anything it made. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../program.ts';

test.skipIf(process.platform === 'win32')(
  'umask 000: every folder 0700, every file 0600 or stricter: ledger, lock, logs, receipts, archive, settings (not on Windows)',
  () => {
    const parent = mkdtempSync(join(tmpdir(), 'nightpost-umask-'));
    try {
      const root = join(parent, 'night');
      const play = (args: string) =>
        spawnSync('sh', ['-c', `umask 000; exec "$0" "$1" ${args}`, process.execPath, MAIN]);
      expect(play(`demo --keep ${root}`).status).toBe(0);
      expect(play(`-C ${root} schema`).status).toBe(0);
      expect(play(`-C ${root} backup`).status).toBe(0);
      const sample = join(import.meta.dirname, '../infer/samples/invoices-en-us.csv');
      expect(play(`-C ${root} infer ${sample} --target fr-invoice --out mappings/new.yaml`).status).toBe(0);
      const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => {
        const { mode } = statSync(join(root, name));
        return {
          name,
          mode: (mode & 0o777).toString(8).padStart(3, '0'),
          folder: statSync(join(root, name)).isDirectory(),
        };
      });
      const open = found.filter(({ mode, folder }) => !(folder ? ['700'] : ['600', '400']).includes(mode));
      expect(open).toEqual([]);
      for (const one of ['state/ledger.sqlite', 'state/lock.sqlite', 'state/installation.json', 'nightpost.yaml']) {
        expect(found.map(({ name }) => name)).toContain(one);
      }
      for (const folder of ['logs', 'outbox', 'error', 'pending', 'archive', 'backups']) {
        expect(found.filter(({ name }) => name.startsWith(`${folder}/`)).length, folder).toBeGreaterThan(0);
      }
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
);
