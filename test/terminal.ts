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

/** A live line up to the control that erases it. */
const ERASED = /[^\n]*\r\u001b\[2K/g;

export type TypedStep = { readonly sees: string; readonly types: string };

type Ended = {
  readonly code: number;
  /** Everything that was printed, without colors. */
  readonly screen: string;
  /** What stays: the screen without the live lines that were erased. */
  readonly lines: readonly string[];
};

/** `size` is that of the terminal before the program starts; without it the terminal reports none. */
export async function onTerminal(
  args: readonly string[],
  steps: readonly TypedStep[] = [],
  env: { readonly [name: string]: string } = {},
  size?: { readonly columns: number; readonly rows: number },
): Promise<Ended> {
  const quoted = [process.execPath, ...FLAGS, MAIN, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const sized = size ? `stty cols ${size.columns} rows ${size.rows}; ` : '';
  const child = spawn('script', ['-qec', `${sized}${quoted.join(' ')}`, '/dev/null'], {
    env: { ...process.env, ...env },
  });
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
  const kept = stripVTControlCharacters(screen.replaceAll('\r\n', '\n').replace(ERASED, '')).trimEnd();
  return { code, screen: stripVTControlCharacters(screen).replaceAll('\r', ''), lines: kept.split('\n') };
}
