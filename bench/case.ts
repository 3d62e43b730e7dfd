/** One run of one measurement in a process of its own: its name and settings come in, one line of JSON goes out. */
import type { Settings } from './result.ts';

// As the program starts (src/cli/main.ts).
process.env.UV_THREADPOOL_SIZE ??= '40';
const { MEASUREMENTS } = await import('./measurements.ts');

const [name = '', settings = ''] = process.argv.slice(2);
const load = MEASUREMENTS[name];
if (!load) throw new Error(`no measurement "${name}"`);
const measure = await load();
const result = await measure(JSON.parse(settings) as Settings);
process.stdout.write(`${JSON.stringify(result)}\n`);
