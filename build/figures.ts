/**
 * `npm run figures`: counts that show how src reads, next to those of the commit 01f61e4, as a table in Markdown.
 * `-- --write` puts the table into docs/explanation/figures.md; `-- --json` prints the numbers alone; `-- --root FOLDER` counts another checkout.
 *
 * Generated files (src/i18n/messages) are left out; message lines are those of locales/.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import before from './figures/before.json' with { type: 'json' };
import { countCode } from './figures/count-code.ts';
import { cyclesIn, importGraphs } from './figures/import-cycles.ts';
import { countComplexFunctions, countLanguageFindings } from './figures/other-tools.ts';
import { linesOf, messageFiles, sourceFiles } from './figures/source-files.ts';

type Figures = { readonly [name: string]: number | string };

const OWN_ROOT = join(import.meta.dirname, '..');
const PAGE = join(OWN_ROOT, 'docs', 'explanation', 'figures.md');
const LARGEST_FOLDERS = 5;

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: OWN_ROOT },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const figures = await countFigures(values.root);
if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
else process.stdout.write(tableOf(figures));
if (values.write) writePage(tableOf(figures));

async function countFigures(root: string): Promise<Figures> {
  const files = sourceFiles(root);
  const lines = linesOf(files);
  const perThousand = (count: number) => Number(((count * 1000) / lines).toFixed(1));
  const code = countCode(files);
  const graphs = importGraphs(files);
  const folders = [...Map.groupBy(files, ({ folder }) => folder)].map(([folder, own]) => [folder, own.length] as const);
  const largest = folders.toSorted(([, one], [, other]) => other - one).slice(0, LARGEST_FOLDERS);
  return {
    'Source files': files.length,
    'Source lines': lines,
    'Message lines': linesOf(messageFiles(root)),
    Folders: folders.length,
    'Largest folders': largest.map(([folder, count]) => `${folder} ${count}`).join(', '),
    'Cycles of files': cyclesIn(graphs.files).length,
    'Cycles of folders': cyclesIn(graphs.folders).length,
    'Exported names in two or more files': code.homonyms.length,
    'Longest file, lines': Math.max(...files.map(({ text }) => text.split('\n').length - 1)),
    '`!` per 1,000 lines': perThousand(code.nonNull),
    '`?:` per 1,000 lines': perThousand(code.conditionals),
    'Nested `?:` per 1,000 lines': perThousand(code.nestedConditionals),
    'Conditional spreads': code.conditionalSpreads,
    'Functions with 5 or more parameters': code.manyParameters,
    'Boolean parameters': code.booleanParameters,
    'Comment lines, %': Number(((code.commentLines * 100) / lines).toFixed(1)),
    'Functions with a cognitive complexity above 15': await countComplexFunctions(root),
    'Language findings': await countLanguageFindings(root),
  };
}

function tableOf(now: Figures): string {
  const then: Figures = before;
  const rows = Object.keys(now).map((name) => [name, ...[then[name] ?? '', now[name] ?? ''].map(shown)]);
  const heads = ['Figure', '01f61e4', 'Now'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('');
}

function shown(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}

function writePage(table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const place = /(<!-- figures -->\n).*(<!-- \/figures -->)/s;
  if (!place.test(page)) throw new Error('docs/explanation/figures.md has no place for the figures');
  writeFileSync(
    PAGE,
    page.replace(place, (_, open: string, close: string) => `${open}\n${table}\n${close}`),
  );
}
