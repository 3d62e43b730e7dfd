/**
 * `npm run bench`: measures ratios in one run and prints them. `-- --quick` takes the smallest sizes, names of groups choose
 * some of them, `--rounds N` more or fewer rounds, `--write` puts what was measured into docs/explanation/performance.md. `-- against COMMIT` measures this
 * checkout against that commit; it ends with 1 if a case is below its goal. Every bench ends with 1 if documents were not
 * accepted as their export is made for.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, styleText } from 'node:util';
import { against } from './against.ts';
import { ROOT, removeFolders } from './folders.ts';
import { groupsOf } from './groups.ts';
import { type Row, runGroup } from './run-group.ts';
import { isMissed, load, machine, tableOf } from './table.ts';

const PAGE = join(ROOT, 'docs/explanation/performance.md');

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
  allowPositionals: true,
});
const [what, commit, ...names] = positionals;
const isAgainst = what === 'against' && commit !== undefined;
const rounds = values.rounds === undefined ? {} : { rounds: Number(values.rounds) };
const all = isAgainst ? [against(commit, values.quick, names)] : groupsOf(values.quick);
const unknown = (isAgainst ? [] : positionals).filter((name) => !all.some((group) => group.name === name));
if (unknown.length > 0) {
  process.stderr.write(`no group "${unknown[0]}"; there are: ${all.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
const chosen = positionals.length > 0 && !isAgainst ? all.filter(({ name }) => positionals.includes(name)) : all;
const command = `npm run bench${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`;
try {
  for (const one of chosen) {
    const group = { ...one, ...(one.rounds > 1 && rounds) };
    const outcome = await runGroup(group, values.quick, (says) => process.stderr.write(`${styleText('dim', says)}\n`));
    const part = tableOf(group, outcome);
    process.stdout.write(`\n${part}\n`);
    if (values.write) write(group.name, `${part}\n\nMeasured with \`${command}\`, ${load()}.`);
    if (isAgainst) judge(outcome.rows);
  }
  process.stdout.write(`\n${machine()}\n`);
  if (values.write) write('machine', machine());
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  removeFolders();
}

/** In the quick form documents alone are judged, because its figures say nothing. */
function judge(rows: readonly Row[]): void {
  const measured = rows.filter(({ goal, value }) => goal && value !== undefined);
  const missed = measured.filter(isMissed);
  const verdict =
    missed.length === 0
      ? `Each of the ${measured.length} ratios measured is at least 0.97.`
      : `Below 0.97: ${missed.length} of the ${measured.length} ratios measured.`;
  process.stdout.write(`\n${verdict}${values.quick ? ' The quick form says nothing about speed.' : ''}\n`);
  if (missed.length > 0 && !values.quick) process.exitCode = 1;
}

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
