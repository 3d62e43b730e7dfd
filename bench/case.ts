/**
 * One run of one case in a process of its own: its name and settings come in, one line of JSON goes out: its result, or
 * the part of the program that this commit lacks for it.
 */
import type { Settings } from './result.ts';

// As the program starts (src/cli/main.ts).
process.env.UV_THREADPOOL_SIZE ??= '40';
const { CASES } = await import('./cases.ts');
const { LackingError } = await import('./program.ts');

const [name = '', settings = ''] = process.argv.slice(2);
const load = CASES[name];
if (!load) throw new Error(`no case "${name}"`);
try {
  const measure = await load();
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(settings) as Settings))}\n`);
} catch (error) {
  if (!(error instanceof LackingError)) throw error;
  process.stdout.write(`${JSON.stringify({ lacks: `the commit has no ${error.message}` })}\n`);
}
