/** Loaded into a program that is measured from outside: at its end it writes what it has used into the named file. */
import { writeFileSync } from 'node:fs';

const file = process.env.NIGHTPOST_BENCH_USAGE;
process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, JSON.stringify(process.resourceUsage()));
});
