/**
 * The program on a pseudo-terminal, as a person meets it: script(1) of util-linux makes one. A step waits for a text on
 * the screen, then types; all that was on the screen comes back with the exit code.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { MAIN } from './program.ts';

/** script of util-linux; that of macOS has other options. */
export const HAS_TERMINAL =
  process.platform === 'linux' && /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

const FLAGS = readFileSync(MAIN, 'utf8')
  .split('\n')[0]!
  .split(' ')
  .filter((word) => word.startsWith('--'));

export type TypedStep = { readonly sees: string; readonly types: string };

export async function onTerminal(
  args: readonly string[],
  steps: readonly TypedStep[],
  env: { readonly [name: string]: string } = {},
): Promise<{ readonly code: number; readonly screen: string }> {
  const quoted = [process.execPath, ...FLAGS, MAIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['-qec', quoted.join(' '), '/dev/null'], { env: { ...process.env, ...env } });
  let screen = '';
  let from = 0;
  const left = [...steps];
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8');
    const [step] = left;
    const at = step === undefined ? -1 : screen.indexOf(step.sees, from);
    if (step === undefined || at < 0) return;
    from = at + step.sees.length;
    left.shift();
    child.stdin.write(step.types);
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? -1));
  });
  if (left.length > 0) throw new Error(`never on the screen: ${left[0]!.sees}\n${screen}`);
  return { code, screen: stripVTControlCharacters(screen).replaceAll('\r', '') };
}
