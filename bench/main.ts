/**
 * `npm run bench`: measures ratios in one run and prints them. `-- --quick` takes smaller sizes, names of groups choose
 * some of them, `--write` puts what was measured into docs/explanation/performance.md. `-- against COMMIT` measures this
 * checkout against that commit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { against } from './against.ts';
import { removeFolders } from './folders.ts';
import { plan } from './plan.ts';
import { runGroup } from './run-group.ts';
import { machine, tableOf } from './table.ts';

const PAGE = join(import.meta.dirname, '..', 'docs/explanation/performance.md');

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [what, commit] = positionals;
const isAgainst = what === 'against' && commit !== undefined;
const groups = isAgainst ? [against(commit, values.quick)] : plan(values.quick);
const unknown = (isAgainst ? [] : positionals).filter((name) => !groups.some((group) => group.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no group "${unknown[0]}"; there are: ${groups.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
const chosen = positionals.length > 0 && !isAgainst ? groups.filter(({ name }) => positionals.includes(name)) : groups;
const command = `npm run bench${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`;
for (const group of chosen) {
  const outcome = await runGroup(group, (says) => process.stderr.write(`${styleText('dim', says)}\n`));
  const part = tableOf(group, outcome);
  process.stdout.write(`\n${part}\n`);
  if (values.write) write(group.name, `${part}\n\nMeasured with \`${command}\`.`);
}
removeFolders();
process.stdout.write(`\n${machine()}\n`);
if (values.write) write('machine', machine());

/** Between the marks of the page that carry the name. */
function write(name: string, text: string): void {
  const marks = new RegExp(`(<!-- ${name} -->\n).*(<!-- /${name} -->)`, 's');
  const page = readFileSync(PAGE, 'utf8');
  if (!marks.test(page)) throw new Error(`docs/explanation/performance.md has no place for "${name}"`);
  writeFileSync(
    PAGE,
    page.replace(marks, (_, open: string, close: string) => `${open}\n${text}\n\n${close}`),
  );
}
