/**
 * Clears the finance night as an operator does, with real processes: by commands, or by folders and sheets alone as far
 * as that goes. Afterwards nothing may be open, nothing may have been sent twice, and each document has one place.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { withSheet } from '../pipeline/reprocessing/workbook-edits.ts';
import { commandLineOf, type Ended } from '../program.ts';
import { readAcceptances } from './checker.ts';
import { RIGHT } from './finance-causes.ts';
import { type Finance, openFinanceNight, playTonight } from './finance-night.ts';
import { FILES } from './finance-plan.ts';

/** What one clearing took: commands typed, and things done with files or sheets. */
type Cleared = {
  readonly commands: readonly string[];
  readonly steps: readonly string[];
  readonly faults: readonly string[];
};

/** 40 documents with one cause are one command, so the causes count. */
const MOST_COMMANDS = 15;

/** One person at work: counts what the person does. */
type Operator = {
  readonly commands: string[];
  readonly steps: string[];
  readonly type: (...args: string[]) => Promise<Ended>;
  readonly step: (what: string, act: () => void) => void;
};

const WAYS = { commands: clearByCommands, folders: clearByFolders } as const;

/** Both ways at the same time, each in a night of its own; `report` gets the figures of each. */
export async function clearFinanceNights(
  report: (figures: { readonly way: string } & Cleared) => void,
): Promise<{ readonly faults: readonly string[] }> {
  const clear = async (way: keyof typeof WAYS) => {
    const cleared = await clearOne(way);
    report({ way, ...cleared });
    return cleared.faults.map((fault) => `${way}: ${fault}`);
  };
  const faults = await Promise.all((Object.keys(WAYS) as (keyof typeof WAYS)[]).map(clear));
  return { faults: faults.flat() };
}

async function clearOne(way: keyof typeof WAYS): Promise<Cleared> {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-clearing-'));
  try {
    await using finance = await openFinanceNight(folder);
    await playTonight(finance);
    const operator = openOperator(finance);
    const unfit = linesThatDoNotFit(finance);
    await WAYS[way](finance, operator);
    const { commands, steps } = operator;
    const tooMany = commands.length > MOST_COMMANDS ? [`${commands.length} commands were typed`] : [];
    return { commands, steps, faults: [...unfit, ...tooMany, ...(await faultsAfter(finance))] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openOperator(finance: Finance): Operator {
  const [commands, steps]: [string[], string[]] = [[], []];
  return {
    commands,
    steps,
    type: async (...args) => {
      commands.push(args.join(' '));
      return await finance.nightpost(...args);
    },
    step: (what, act) => {
      steps.push(what);
      act();
    },
  };
}

/** The causes of the night on a terminal of 80 columns and 24 lines, the prompt included; needs `script` of util-linux. */
function linesThatDoNotFit({ root }: Finance): readonly string[] {
  const words = [...commandLineOf(), '-C', root, 'errors', '--group', 'cause'].map((word) => `'${word}'`).join(' ');
  const shown = spawnSync('script', ['-qec', `stty cols 80 rows 24; ${words}`, '/dev/null'], { encoding: 'utf8' });
  if (shown.error) return [];
  const lines = stripVTControlCharacters(shown.stdout).replaceAll('\r', '').trimEnd().split('\n');
  // A command to copy is one line, which the terminal folds.
  const wide = lines.filter((line) => stringWidth(line) > 80 && !line.startsWith('nightpost '));
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / 80)), 0);
  return [
    ...wide.map((line) => `wider than 80 columns: ${line}`),
    ...(rows > 23 ? [`errors --group cause has ${rows} lines`] : []),
  ];
}

/** A consultant adds what the tables of the mappings lack. */
function completeTables({ root }: Finance): void {
  const mapping = join(root, 'mappings/sage-invoices.yaml');
  const text = readFileSync(mapping, 'utf8');
  writeFileSync(mapping, text.replace('T0: 0 }', 'T0: 0, T85: 8.5 }').replace('\nversion: 1\n', '\nversion: 2\n'));
  appendFileSync(join(root, 'mappings/tables/units.csv'), 'PAL;XPX;pallet\n');
  appendFileSync(join(root, 'mappings/tables/units-sv.csv'), 'BULTO,99,bulto\n');
}

/** As an operator with a terminal, who corrects by cause; what does not get a second chance is set aside. */
async function clearByCommands(finance: Finance, { type, step }: Operator): Promise<void> {
  const { numbers } = finance.plan;
  const because = (reason: string) => ['--yes', '--reason', reason];
  const fix = async (cause: string, column: string, from: string, to: string) =>
    await type(
      'fix',
      '--cause',
      cause,
      '--column',
      column,
      '--from',
      from,
      `${column}=${to}`,
      ...because('from the ERP'),
    );
  await fix('map/damaged-text', 'SIREN', RIGHT.shortSiren, RIGHT.siren);
  await fix('map/damaged-text', 'SIREN', '9,99E+08', RIGHT.exponentSiren);
  await fix('map/not-a-number', 'PUHT', '12,5O', RIGHT.price);
  await fix('fr:6', 'SIREN', RIGHT.unregisteredSiren, RIGHT.registeredSiren);
  await fix('sv:6', 'Municipio', '25', '26');
  await type('fix', '--state', 'invalid', '--suggested', ...because('zeros and hyphens'));
  step('complete the tables', () => completeTables(finance));
  await type('reprocess', '--cause', 'map/not-in-table', ...because('the tables are complete'));
  const dropped = [...numbers['plus-sign'], ...numbers['xml-total'], ...numbers['code-6-replaced']];
  await type('set-aside', ...dropped, ...because('the ERP exports them once more'));
  await type('set-aside', FILES.refused, ...because('the ERP exports it once more'));
  await decideByProof(finance, type);
  await type('waive', 'encaissements', '--reason', 'the shops were closed');
  await type('run');
}

/**
 * As a person who has folders and a spreadsheet, and corrects invoices and notes in workbooks, credit notes in a CSV; what
 * only the pages of the service show takes commands.
 */
async function clearByFolders(finance: Finance, { type, step }: Operator): Promise<void> {
  const { plan, drop } = finance;
  const tonight = (name: string) => plan.tonight.find((file) => file.name === name)!;
  step('complete the tables', () => completeTables(finance));
  for (const name of [FILES.invoices, FILES.navision, FILES.notes]) {
    step(`drop ${name} once more`, () => drop(tonight(name)));
  }
  for (const file of plan.late) step(`drop ${file.name}`, () => drop(file));
  await finance.nightpost('run');
  const invoices = await editedWorkbooks(finance, FILES.invoices, ';', [
    [`;${RIGHT.shortSiren};`, `;${RIGHT.siren};`],
    [';9,99E+08;', `;${RIGHT.exponentSiren};`],
    [`;${RIGHT.unregisteredSiren};`, `;${RIGHT.registeredSiren};`],
    [';1000;', ';01000;'],
    [';12,5O;', `;${RIGHT.price};`],
  ]);
  step('correct the workbook of invoices', () => invoices.forEach(drop));
  step('correct the sheet of credit notes', () =>
    editSheets(finance, FILES.creditNotes, [[/;([\d,]+;\w+;[\d,]+;T\d+S?);([\d,]+);([\d,]+);/g, ';-$1;-$2;-$3;']]),
  );
  const notes = await editedWorkbooks(finance, FILES.notes, ',', [
    [',999000224,', ',99900022-4,'],
    [/^(50005,.*),05,25,/gm, '$1,05,26,'],
  ]);
  step('correct the workbook of notes', () => notes.forEach(drop));
  step('correct the XML', () =>
    editSheets(finance, FILES.xml, [
      [/ttc="(\d+\.\d+)"/g, (_, total: string) => `ttc="${(Number(total) - 0.01).toFixed(2)}"`],
    ]),
  );
  for (const number of plan.numbers['code-6-replaced']) {
    step(`move the receipt of ${number}`, () => moveReceipt(finance, number, 'pending/reject'));
  }
  await finance.nightpost('run');
  await decideByProof(finance, type);
  await finance.nightpost('run');
}

/** What only the service knows: its consultation, its pages (a picture of them is the proof), its support. */
async function decideByProof({ root, plan }: Finance, type: Operator['type']): Promise<void> {
  const proof = join(root, 'portal.png');
  writeFileSync(proof, 'a picture of the pages of the service');
  await type('consult', '--state', 'in-doubt');
  const seen = [...plan.numbers['code-15'], ...plan.numbers['lost-for-good']];
  await type('resolve', ...seen, '--as', 'authorized', '--evidence', proof, '--reason', 'seen in the portal');
  await type('acknowledge', ...plan.numbers['code-11'], '--reason', 'the tax adviser knows');
  await type('retry', '--state', 'failed', '--yes', '--reason', 'ticket 4711: processed nothing');
}

type Edit = readonly [from: string | RegExp, to: string | ((...found: string[]) => string)];

/** The correction files of an export, edited and dropped; bytes outside the edits stay what they are. */
function editSheets({ root, drop }: Finance, exported: string, edits: readonly Edit[]): void {
  const editor = editorOf(exported, edits);
  for (const path of globSync(join(root, 'error/*', `${exported}.*.to-fix.{csv,xml}`))) {
    const before = readFileSync(path, 'latin1');
    const text = editor.edit(before);
    if (text !== before) drop({ name: correctedName(path), bytes: Buffer.from(text, 'latin1') });
  }
  editor.finish();
}

/** The correction workbooks of an export with the same edits, each row being a line of cells; the others stay. */
async function editedWorkbooks(
  { root }: Finance,
  exported: string,
  delimiter: string,
  edits: readonly Edit[],
): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]> {
  const editor = editorOf(exported, edits);
  const edited = [];
  for (const path of globSync(join(root, 'error/*', `${exported}.*.to-fix.xlsx`))) {
    let isChanged = false;
    const bytes = await withSheet(readFileSync(path), (xml) =>
      xml.replace(/<row r="(?!1")[\s\S]*?<\/row>/g, (row) => {
        const after = editRow(row, delimiter, editor.edit);
        isChanged ||= after !== row;
        return after;
      }),
    );
    if (isChanged) edited.push({ name: correctedName(path), bytes });
  }
  editor.finish();
  return edited;
}

const CELL = /(<c r="[A-Z]+\d+" s="\d+")(?:\/>| t="inlineStr"><is><t xml:space="preserve">([^<]*)<\/t><\/is><\/c>)/g;
/** Stands for the delimiter inside a cell. */
const INSIDE = '\u0001';

/** The cells of the export are between `_error` and the two marks. */
function editRow(row: string, delimiter: string, edit: (line: string) => string): string {
  const texts = [...row.matchAll(CELL)].map(([, , text = '']) => text.replaceAll(delimiter, INSIDE));
  const before = texts.slice(1, -2).map((text) => text + delimiter);
  const after = edit(before.join(''));
  if (after === before.join('')) return row;
  const cells = [texts[0], ...after.slice(0, -delimiter.length).split(delimiter), ...texts.slice(-2)];
  let at = 0;
  return row.replace(CELL, (_, head: string) => {
    const text = cells[at++]!.replaceAll(INSIDE, delimiter);
    return text === '' ? `${head}/>` : `${head} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  });
}

/** `finish` throws if an edit had nothing to change. */
function editorOf(exported: string, edits: readonly Edit[]) {
  const unused = new Set(edits);
  const edit = (before: string): string => {
    let text = before;
    for (const one of edits) {
      const edited = text.replaceAll(one[0], one[1] as string);
      if (edited !== text) unused.delete(one);
      text = edited;
    }
    return text;
  };
  const finish = () => {
    for (const [from] of unused) throw new Error(`no correction file of ${exported} has ${String(from)}`);
  };
  return { edit, finish };
}

function correctedName(path: string): string {
  return `corrected-${basename(path).replace('.to-fix', '')}`;
}

function moveReceipt({ root }: Finance, number: string, folder: string): void {
  const path = globSync(join(root, '{error,pending}/*', `${number}.receipt.json`))[0]!;
  renameSync(path, join(root, folder, basename(path)));
}

type Listed = { readonly documents: readonly unknown[]; readonly files: readonly unknown[] };
type Status = {
  readonly waiting: readonly unknown[];
  readonly documents: { readonly [state: string]: number };
  readonly expected: readonly { readonly name: string; readonly state: string }[];
  readonly filesRefused: number;
};

/** What is still open, was sent twice, or has not exactly one place; empty is the promise. */
async function faultsAfter({ root, acceptances, nightpost }: Finance): Promise<readonly string[]> {
  const { documents, files } = JSON.parse((await nightpost('errors', '--json')).out) as Listed;
  const status = JSON.parse((await nightpost('status', '--json')).out) as Status;
  const verified = await nightpost('verify');
  const accepted = readAcceptances(acceptances);
  const receipts = globSync(join(root, '{outbox,pending,error}/{*,*/duplicates}/*.receipt.json')).map(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as { id: string }).id,
  );
  const count = Object.values(status.documents).reduce((sum, one) => sum + one, 0);
  const open = (what: string, list: readonly unknown[]) =>
    list.map((one) => `${what} is open: ${JSON.stringify(one).slice(0, 300)}`);
  const when = (wrong: boolean, fault: string) => (wrong ? [fault] : []);
  return [
    ...open('document', documents),
    ...open('file', files),
    ...open('waiting', status.waiting),
    ...open(
      'expected',
      status.expected.filter(({ state }) => state === 'missing'),
    ),
    ...when(status.filesRefused > 0, `${status.filesRefused} files are refused`),
    ...accepted.filter(({ event }) => event !== 'accepted').map(({ identity }) => `${identity} was sent twice`),
    ...when(
      new Set(accepted.map(({ identity }) => identity)).size !== accepted.length,
      'an identity is accepted twice',
    ),
    ...when(new Set(receipts).size !== receipts.length, 'a document has two receipts'),
    ...when(receipts.length !== count, `${receipts.length} receipts of ${count} documents`),
    ...when(verified.code !== 0, `verify ends with ${verified.code}: ${verified.out}`),
  ];
}
