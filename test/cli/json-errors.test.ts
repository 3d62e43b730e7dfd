/** With --json a failure is one object on standard output: for every command, in what is typed and in what it does. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { command, commandIn } from '../program.ts';

type Failure = {
  readonly error: { readonly code: string; readonly message: string; readonly faults: readonly unknown[] };
};

test.each(COMMANDS.map(({ name }) => name))('%s prints a usage error as an object', async (name) => {
  const { out, code } = await command([name, '--json', '--no-such-option']);
  expect(code).toBe(2);
  const { error } = JSON.parse(out) as Failure;
  expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(/--no-such-option|--as/), faults: [] });
});

/** Each command fails once by what it does; without words of its own a command fails because there is no instance. */
const FAILING: { readonly [command: string]: readonly string[] } = {
  demo: ['--keep', '/dev/null/night'],
  init: ['/dev/null/instance', '--yes'],
  secret: ['set', 'no-such-secret'],
  infer: ['no-such-file.csv', '--target', 'fr-invoice'],
  preview: ['no-such-file.csv'],
  diff: ['old', 'new'],
  explain: ['no-such-name'],
  schema: ['--out', '/dev/null/schema'],
  find: ['F1'],
  show: ['F1'],
  dossier: ['F1'],
  fix: ['F1', 'A=1', '--reason', 'seen'],
  reprocess: ['F1', '--reason', 'seen'],
  retry: ['F1', '--reason', 'seen'],
  release: ['F1', '--reason', 'seen'],
  'set-aside': ['F1', '--reason', 'seen'],
  acknowledge: ['F1', '--reason', 'seen'],
  waive: ['factures', '--reason', 'seen'],
  undo: ['F1', '--reason', 'seen'],
  resolve: ['F1', '--as', 'authorized', '--reason', 'seen'],
  resume: ['fr', '--reason', 'seen'],
  ledger: ['restore', 'no-such-file.sqlite'],
  schedule: ['cron'],
  completion: ['no-such-shell'],
  sandbox: ['--script', 'no-such-file.yaml'],
};

test.each(COMMANDS.map(({ name }) => name))('%s prints its failure as one object, with the exit code', async (name) => {
  const empty = mkdtempSync(join(tmpdir(), 'nightpost-test-'));
  const { out, code } = await command(['-C', empty, '--json', name, ...(FAILING[name] ?? [])]);
  expect(code).not.toBe(0);
  const { error } = JSON.parse(out) as Failure;
  expect(error).toMatchObject({
    code: expect.stringMatching(/^(?:usage|[\w-]+\/[\w-]+)$/),
    message: expect.any(String),
  });
  expect(error.message).not.toBe('');
});

test('a summary of a preview is not cut in a pipe', async () => {
  const says = `A sentence ${'that is longer than any screen '.repeat(8)}and ends here`;
  const mapping = `${SALES_MAPPING}checks:\n  - { that: = $Qte > 9, else: warning, say: ${says} }\n`;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  writeFileSync(join(scene.root, 'ventes.csv'), sales(['F1']));
  const { out } = await commandIn(scene, 'preview', join(scene.root, 'ventes.csv'), '--summary');
  expect(out).toContain(says);
});
