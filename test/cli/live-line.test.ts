/** The live line of work that takes long: on a terminal, gone at the end; none on a pipe, with --quiet nor with --json. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Step, withLiveLine } from '../../src/cli/session/live-work.ts';
import { openTerminal } from '../../src/cli/session/terminal.ts';
import { verbatimText } from '../../src/i18n/message.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { HAS_TERMINAL, onTerminal } from '../terminal.ts';

let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Object.assign(process.stderr, { isTTY: undefined, columns: undefined });
});

const ERASED = '\r\u001b[2K';

async function lineOf(options: { readonly quiet?: boolean; readonly json?: boolean }, work: (step: Step) => unknown) {
  const output = { terminal: openTerminal(options), options: { dir: '.', ...options }, say: () => 'copying' };
  return await withLiveLine(output, verbatimText('copying'), work);
}

function onScreen(): void {
  Object.assign(process.stderr, { isTTY: true, columns: 40 });
  vi.stubEnv('TERM', 'xterm');
}

test('the line is drawn before the work, counts its steps, and is gone after it', async () => {
  onScreen();
  const result = await lineOf({}, async (step) => {
    expect(written).toBe('  copying');
    await new Promise((resolve) => setTimeout(resolve, 250));
    step(3, 7);
    return 'done';
  });
  expect(result).toBe('done');
  expect(written).toBe(`  copying${ERASED}  copying  3/7${ERASED}`);
});

test('after an error the line is gone too', async () => {
  onScreen();
  const failing = lineOf({}, () => Promise.reject(new Error('full disk')));
  await expect(failing).rejects.toThrow('full disk');
  expect(written).toBe(`  copying${ERASED}`);
});

test.each([
  ['a pipe', false, {}],
  ['--quiet', true, { quiet: true }],
  ['--json', true, { json: true }],
] as const)('with %s there is no line', async (_, isTerminal, options) => {
  if (isTerminal) onScreen();
  await lineOf(options, (step) => step(1, 2));
  expect(written).toBe('');
});

test.skipIf(!HAS_TERMINAL)('commands that take long have it on a terminal (skipped without script)', async () => {
  vi.restoreAllMocks();
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('10,50', '1O,5O'));
  await commandIn(scene, 'run');
  const size = { columns: 80, rows: 24 };
  const see = async (...args: string[]) => await onTerminal(['-C', scene.root, ...args], [], {}, size);
  for (const [words, says] of [
    ['backup', 'copying the ledger'],
    ['verify', 'verifying documents'],
    ['doctor --offline', 'checking'],
    ['purge --dry-run', 'looking for old data'],
    ['find F1', 'filling the search index'],
    ['reprocess F1 --dry-run', 'reading documents'],
    ['ledger receipts --dry-run', 'comparing receipts'],
  ] as const) {
    const { screen, lines } = await see(...words.split(' '));
    expect(screen).toContain(says);
    expect(lines.join('\n')).not.toContain(says);
  }
  expect((await see('backup', '--json')).screen).not.toContain('copying the ledger');
});
