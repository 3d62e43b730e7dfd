/**
 * `preview FILE`: the documents that a file would become, every output field with its cells and its line of the
 * mapping. Nothing is recorded or sent. Exit code 3 if a document would be refused; a refused file throws its
 * OperatorError.
 */
import type { Command } from 'commander';
import { PREVIEW, PREVIEW_TABLE } from '../../i18n/messages/cli-previews-messages.ts';
import { COUNT, LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { profileEnds } from '../../instance/profile-expiry.ts';
import { type Fault, localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { appendAll } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import { type CellPlace, cellFeeds, type Fed } from '../../views/preview/cell-lineage.ts';
import { previewAnswers } from '../../views/preview/preview-answers.ts';
import { isPreviewOfCorrections } from '../../views/preview/preview-corrections.ts';
import { type Field, type Preview, preview } from '../../views/preview/preview-files.ts';
import { answerProblemText } from '../../views/preview/sample-answers.ts';
import { fittingTable } from '../layout/layout.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { cellsIn, cut, rulesIn } from '../output/document-fields.ts';
import { openJsonList } from '../output/json-list.ts';
import { startTally } from '../output/preview-summary.ts';
import { type CommandModule, InvalidValueError } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { withLiveLine } from '../session/live-work.ts';
import { bold, dim } from '../session/terminal.ts';
import { differences } from './preview-diff.ts';
import { showCorrections } from './views/show-corrections.ts';

type Options = {
  readonly doc?: string;
  readonly format: 'table' | 'json' | 'diff';
  readonly cell?: CellPlace;
  readonly against?: string;
  readonly faults?: true;
  readonly summary?: true;
  readonly answers?: true;
};

export const previewCommand: CommandModule = {
  run: showPreview,
  values: { format: { choices: ['table', 'json', 'diff'], default: 'table' }, cell: { read: readCell } },
};

/** One of three views: a cell (--cell), differences (--format diff), or documents. */
async function showPreview(path: string, given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  if (given.against !== undefined && given.format !== 'diff') {
    throw new OperatorError('preview/not-a-diff', PREVIEW.notADiff(), { hint: PREVIEW.addFormat() });
  }
  const isPlain = given.cell === undefined && given.format !== 'diff' && given.doc === undefined;
  if (isPlain && (await isPreviewOfCorrections(path))) {
    const ignored = (['answers', 'faults', 'summary'] as const).find((one) => given[one]);
    if (ignored !== undefined) throw ofExportsOnly(ignored);
    return await showCorrections(session, path, isJson(session, given));
  }
  if (given.answers) return await showAnswers(session, path);
  if (given.cell) await showCell(session, path, given.cell);
  else if (given.format === 'diff') process.exitCode = await differences(session, path, given);
  else await showDocuments(session, path, given);
}

function ofExportsOnly(option: string): OperatorError {
  const message = PREVIEW.ofExportsOnly({ option: `--${option}` });
  return new OperatorError('preview/not-of-corrections', message, {
    hint: PREVIEW.leaveOut({ option: `--${option}` }),
  });
}

/** The files that the ERP would get if all documents were authorized, and the fields that a night would leave empty. */
async function showAnswers({ terminal, instance, options, say }: Session, path: string): Promise<void> {
  const made = await previewAnswers(instance, path, new Date());
  if (options.json) {
    const data = made.map(({ name, bytes, problems }) => ({ name, text: bytes.toString('latin1'), problems }));
    return terminal.data(JSON.stringify(data, null, 2));
  }
  if (made.length === 0) terminal.out(`  ${say(PREVIEW.noAnswers())}`);
  for (const { name, text, problems } of made) {
    terminal.out(bold(`  ${escapeControls(name)}`));
    for (const line of text.split(/\r?\n/)) terminal.out(`  ${escapeControls(line)}`);
    for (const problem of problems) terminal.out(`  ${escapeControls(say(answerProblemText(problem)))}`);
  }
  process.exitCode = exitCodeIf(
    made.some(({ problems }) => problems.length > 0),
    3,
  );
}

/** "12:Column" to a place; throws InvalidValueError `cell`. */
function readCell(text: string): CellPlace {
  const [, row, column] = /^(\d+):(.+)$/s.exec(text) ?? [];
  if (row === undefined || column === undefined) {
    throw new InvalidValueError('cell');
  }
  return { row: Number(row), column };
}

/** Prints each document at once, so that a long file needs little memory. */
async function showDocuments(session: Session, path: string, given: Options): Promise<void> {
  const { terminal, instance, language, say } = session;
  const now = new Date();
  const mappingsUsed = new Set<string>();
  const warnings: Fault[] = [];
  const tally = startTally();
  using printer = printerFor(session, given);
  const warn = (faults: readonly Fault[]) => void appendAll(warnings, faults);
  await withLiveLine(session, LIVE.reading(), async (step) => {
    for await (const document of preview(instance, path, now, { wanted: given.doc, warn })) {
      mappingsUsed.add(document.mapping);
      tally.see(document);
      printer.print(document);
      step(tally.documents());
    }
  });
  printer.end();
  const used = instance.mappings.filter(({ id, version }) => mappingsUsed.has(`${id} ${version}`));
  const ends = localize([...warnings, ...profileEnds(instance.settings, used, now)], language);
  for (const fault of ends) terminal.talk(`  ${showFaultIn(fault, language)}`);
  if (given.summary && isJson(session, given)) terminal.data(JSON.stringify(tally.data(), null, 2));
  else if (given.summary) terminal.out(tally.text(language, terminal.width));
  const count = printer.shortenedCells();
  if (count > 0) terminal.talk(dim(`  ${say(PREVIEW.cellsShortened({ count }))}`));
  const [documents, wrong] = [tally.documents(), tally.wrong()];
  const counted = PREVIEW.counted({ documents: COUNT.document({ count: documents }), wrong });
  const isMissing = documents === 0 && given.doc !== undefined;
  terminal.talk(say(isMissing ? PREVIEW.noSuchNumber({ number: given.doc ?? '' }) : counted));
  process.exitCode = exitCodeIf(wrong > 0, 3);
}

function isJson({ options }: Session, given: Options): boolean {
  return options.json === true || given.format === 'json';
}

/** Prints documents one by one; `end` completes the output. A refused file ends it early: a JSON list that is begun is closed. */
type Printer = Disposable & {
  readonly print: (document: Preview) => void;
  readonly end: () => void;
  /** Cells that were shortened to the width of the terminal. */
  readonly shortenedCells: () => number;
};

const NOTHING_TO_END = { end: () => {}, [Symbol.dispose]: () => {} };

/** --summary prints no documents; --faults only those with faults. */
function printerFor(session: Session, given: Options): Printer {
  if (given.summary) return { print: () => {}, ...NOTHING_TO_END, shortenedCells: () => 0 };
  const isPrinted = ({ faults }: Preview) => !given.faults || faults.length > 0;
  if (isJson(session, given)) return jsonPrinter(session, isPrinted);
  return textPrinter(session, given, isPrinted);
}

type IsPrinted = (document: Preview) => boolean;

/** One JSON list, written item by item: a file may have 300,000 documents. */
function jsonPrinter({ terminal }: Session, isPrinted: IsPrinted): Printer {
  const list = openJsonList(terminal);
  const print = (document: Preview) => {
    if (isPrinted(document)) list.add(document);
  };
  return { print, end: list.close, [Symbol.dispose]: list[Symbol.dispose], shortenedCells: () => 0 };
}

/** A table of fields per document; with --faults only its faults. */
function textPrinter(session: Session, given: Options, isPrinted: IsPrinted): Printer {
  let shortened = 0;
  const print = (document: Preview) => {
    if (!isPrinted(document)) return;
    // Of a refused document its faults say what to do; where each value comes from is asked for.
    const isBrief = given.faults === true || (!document.valid && !session.options.full);
    const fields = isBrief ? { lines: [], shortened: 0 } : fieldLines(document, session);
    shortened += fields.shortened;
    const faults = document.faults.map((fault) => `  ${showFaultIn(fault, session.language)}`);
    session.terminal.out([headOf(document, session), ...fields.lines, ...faults, ''].join('\n'));
  };
  return { print, ...NOTHING_TO_END, shortenedCells: () => shortened };
}

function headOf({ identifier, class: documentClass, rows, mapping }: Preview, { say }: Session): string {
  const number = escapeControls(identifier) || say(PREVIEW.noNumber());
  return bold(`  ${[number, documentClass, say(rowsInWords(rows)), mapping].join('   ')}`);
}

function fieldLines(
  { fields }: Preview,
  session: Session,
): { readonly lines: readonly string[]; readonly shortened: number } {
  const { language, say } = session;
  if (fields.length === 0) return { lines: [], shortened: 0 };
  const rules = rulesIn(fields);
  const rows = fields.map((field, n) => [
    field.at,
    shownValue(field, say),
    cellsIn(field.from, language),
    rules[n] ?? '',
  ]);
  const { field, value, from, mapping } = PREVIEW_TABLE;
  const titles = [field, value, from, mapping].map((title) => ({ title: say(title()) }));
  const { text, shortened } = fittingTable(titles, rows, previewWidth(session));
  return { lines: [text], shortened };
}

function shownValue({ value, failed }: Field, say: Session['say']): string {
  return failed ? say(PREVIEW.noValue()) : cut(value);
}

/** Columns of a preview in a pipe: cells of exports may be long, so that not even a pipe has them whole. */
const UNWATCHED_WIDTH = 120;

/** --full prints whole cells everywhere. */
function previewWidth({ terminal, options }: Session): number {
  return options.full || terminal.width < Number.POSITIVE_INFINITY ? terminal.width : UNWATCHED_WIDTH;
}

/** What one cell feeds; exit code 3 if its document has faults. */
async function showCell(session: Session, path: string, place: CellPlace): Promise<void> {
  const { options, terminal, instance, say } = session;
  const fed = await cellFeeds(instance, path, new Date(), place);
  if (options.json) terminal.out(JSON.stringify(fed ?? null, null, 2));
  else if (fed) terminal.out(cellText(fed, session));
  else terminal.talk(say(PREVIEW.fromRow({ row: place.row })));
  process.exitCode = exitCodeIf(fed !== undefined && fed.faults.length > 0, 3);
}

/** A cell, its document, and the fields that use it. */
function cellText(fed: Fed, session: Session): string {
  const { language, say } = session;
  const { identifier, class: documentClass, valid, cell, fields, faults } = fed;
  const rules = rulesIn(fields);
  const rows = fields.map((field, n) => [field.at, shownValue(field, say), rules[n] ?? '']);
  const nothing = `  ${say(valid ? PREVIEW.feedsNothing() : PREVIEW.refusedNothing())}`;
  const { feeds, value, mapping } = PREVIEW_TABLE;
  const titles = [feeds, value, mapping].map((title) => ({ title: say(title()) }));
  const document = escapeControls(identifier) || PREVIEW.noNumber();
  const place = `${escapeControls(cell.file)}:${cell.row}:${escapeControls(cell.column)}`;
  const head = `${place} ${JSON.stringify(escapeControls(cell.text))}`;
  return [
    bold(`  ${head}   ${say(PREVIEW.inDocument({ document, class: documentClass }))}`),
    rows.length > 0 ? fittingTable(titles, rows, previewWidth(session)).text : nothing,
    ...faults.map((fault) => `  ${showFaultIn(fault, language)}`),
  ].join('\n');
}
