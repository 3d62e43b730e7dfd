/**
 * Public test suites through our mappings and rules, and what both say about the same document:
 *
 *     npm run oracles -- --en16931 DIR --xrechnung DIR --peppol DIR --gobl DIR --france DIR --sv DIR [--write]
 *
 *     en16931    ConnectingEurope/eInvoicing-EN16931: unit cases of its rules, examples in UBL and CII
 *     xrechnung  itplr-kosit/xrechnung-testsuite: one business case in two syntaxes
 *     peppol     OpenPEPPOL/peppol-bis-invoice-3: examples
 *     gobl       invopop/gobl.fr.ctc: French documents with their totals
 *     france     fnfempe/France_RFE, its example archives unpacked: French documents in UBL and CII
 *     sv         a folder with fe-nr-v3.json, the official schema of the Salvadoran remission note
 *
 * The files stay where they are. What is not given is skipped, and the table says so. `--write` puts the tables into
 * docs/explanation/oracles.md, the first one into docs/reference/rules.md too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '../samples/instance.ts';
import { REASONS } from './disagreements.ts';
import { compareExamples, compareSyntaxes } from './examples.ts';
import { compareGobl } from './gobl.ts';
import { compareRemissionNotes } from './salvador.ts';
import type { Comparison, Disagreement } from './suite.ts';
import { compareUnitCases } from './unit-cases.ts';

type Suite = (folder: string) => Promise<readonly Comparison[]>;

const SUITES: { readonly [option: string]: Suite } = {
  en16931: async (folder) => [
    await compareUnitCases(folder),
    ...(await compareExamples(
      'EN 16931, examples',
      ['ubl/examples', 'cii/examples', 'test/testfiles'].map((name) => join(folder, name)),
    )),
  ],
  xrechnung: async (folder) => [
    await compareSyntaxes(join(folder, 'src/test/business-cases')),
    ...(await compareExamples('XRechnung, business cases', [join(folder, 'src/test/business-cases')])),
  ],
  peppol: (folder) => compareExamples('Peppol BIS 3, examples', [join(folder, 'rules/examples')]),
  gobl: async (folder) => [await compareGobl(folder)],
  france: (folder) => compareExamples('French examples', [folder]),
  sv: async (folder) => await compareRemissionNotes(folder),
};

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(Object.keys(SUITES).map((name) => [name, { type: 'string' as const }])),
    write: { type: 'boolean' },
  },
});

const compared: Comparison[] = [];
const skipped: string[] = [];
for (const [name, run] of Object.entries(SUITES)) {
  const folder = (values as { [name: string]: unknown })[name];
  if (typeof folder === 'string') compared.push(...(await run(folder)));
  else skipped.push(name);
}

const text = report(compared, skipped);
if (values.write) {
  put('docs/explanation/oracles.md', text);
  put('docs/reference/rules.md', `${tableOf(compared)}\n`);
}
console.log(text);

// A reason that nothing needs any more would excuse the next difference of that rule.
const idle = compared.flatMap(({ suite, disagreed }) => {
  const about = new Set(disagreed.map((one) => one.about));
  return Object.keys(REASONS[suite] ?? {}).flatMap((key) => (about.has(key) ? [] : [`${suite}: ${key}`]));
});
if (idle.length > 0) console.log(`Reasons that no difference needs:\n${idle.join('\n')}`);
const unexplained = compared.some((one) => one.disagreed.some((other) => reasonOf(one, other) === undefined));
if (unexplained || idle.length > 0) process.exitCode = 1;

/** Between the marks of the page. */
function put(page: string, part: string): void {
  const path = join(REPOSITORY, page);
  const [before = '', after] = readFileSync(path, 'utf8').split(
    /<!-- generated: oracles -->.*<!-- end of oracles -->/s,
  );
  if (after === undefined) throw new Error(`${page} has no place for the comparison`);
  writeFileSync(path, `${before}<!-- generated: oracles -->\n\n${part}\n<!-- end of oracles -->${after}`);
}

function tableOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ suite, cases, agreed, left }) => {
    const aside = Object.entries(left).map(([why, count]) => `${count}: ${why}`);
    return `| ${suite} | ${cases} | ${agreed} | ${cases - agreed} | ${aside.join('; ') || '-'} |`;
  });
  return ['| Suite | Cases | Agree | Differ | Not compared |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function report(comparisons: readonly Comparison[], without: readonly string[]): string {
  const details = comparisons.filter(({ disagreed }) => disagreed.length > 0).map(detailsOf);
  const missing = without.length > 0 ? [`Not given, and skipped: ${without.join(', ')}.`] : [];
  return `${[tableOf(comparisons), ...missing, ...details].join('\n\n')}\n`;
}

function detailsOf(comparison: Comparison): string {
  // One row per reason: a rule may differ in two ways, and the second must not hide behind the reason of the first.
  const groups = [
    ...Map.groupBy(comparison.disagreed, (one) => `${one.about} ${reasonOf(comparison, one)} ${wayOf(one)}`).values(),
  ];
  const rows = groups.map((found) => {
    const first = found[0]!;
    const { about } = first;
    const more = found.length > 1 ? ` and ${found.length - 1} more` : '';
    const why = reasonOf(comparison, first) ?? '**no reason given**';
    return `| ${about} | ${cell(first.case)}${more} | ${cell(first.found)} | ${why} |`;
  });
  return [
    `**${comparison.suite}**`,
    '',
    '| About | Case | Difference | Why |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** How a unit case differs; elsewhere what was found has the place and values of the case in it. */
function wayOf({ about, found }: Disagreement): string {
  return about.startsWith('BR-') ? found : '';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function reasonOf({ suite }: Comparison, { about }: Disagreement): string | undefined {
  return REASONS[suite]?.[about];
}
