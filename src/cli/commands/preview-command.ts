/** `preview FILE`: the documents a file would become, every output field with its cells and its line of the mapping. */
import type { Command } from 'commander';
import { profileEnds } from '../../authoring/profile-expiry.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { PREVIEW, PREVIEW_TABLE } from '../../i18n/messages/cli-previews-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { type Fault, localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { type CellPlace, cellFeeds, type Fed } from '../../pipeline/preview/cell-lineage.ts';
import { type Preview, preview } from '../../pipeline/preview/preview-files.ts';
import { escapeControls } from '../../text/printable.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { cellsIn, cut, rulesIn } from '../output/document-fields.ts';
import { startTally } from '../output/preview-summary.ts';
import { type CommandModule, InvalidValueError } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { bold, dim, fittingTable } from '../session/terminal.ts';
import { differences } from './preview-diff.ts';

type Options = {
  readonly doc?: string;
  readonly format: 'table' | 'json' | 'diff';
  readonly cell?: CellPlace;
  readonly against?: string;
  readonly faults?: true;
  readonly summary?: true;
};

export const previewCommand: CommandModule = {
  run: showPreview,
  values: { format: { choices: ['table', 'json', 'diff'], default: 'table' }, cell: { read: readCell } },
};

async function showPreview(path: string, given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  if (given.against !== undefined && given.format !== 'diff') {
    throw new OperatorError('preview/not-a-diff', PREVIEW.notADiff(), { hint: PREVIEW.addFormat() });
  }
  if (given.cell) await showCell(session, path, given.cell);
  else if (given.format === 'diff') process.exitCode = await differences(session, path, given);
  else await showDocuments(session, path, given);
}

function readCell(text: string): CellPlace {
  const [, row, column] = /^(\d+):(.+)$/s.exec(text) ?? [];
  if (row === undefined || column === undefined) {
    throw new InvalidValueError('cell');
  }
  return { row: Number(row), column };
}

async function showDocuments({ options, terminal, instance }: Session, path: string, given: Options): Promise<void> {
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => format(phrase, language);
  const isJson = options.json || given.format === 'json';
  const isList = !given.summary;
  let listed = 0;
  let shortened = 0;
  const now = new Date();
  const made = new Set<string>();
  const warnings: Fault[] = [];
  const warn = (faults: readonly Fault[]) => void warnings.push(...faults);
  const tally = startTally();
  try {
    for await (const document of preview(instance, path, now, given.doc, warn)) {
      made.add(document.mapping);
      tally.see(document);
      if (!isList || (given.faults && document.faults.length === 0)) continue;
      listed++;
      // One JSON value that is written as it grows: a file may hold 300,000 documents.
      if (isJson) terminal.out(`${listed === 1 ? '[' : ','}${JSON.stringify(document)}`);
      else if (given.faults) terminal.out(withFaults(document, language));
      else {
        const { text, cells } = shown(document, language);
        shortened += cells;
        terminal.out(text);
      }
    }
  } finally {
    // Also where the file is refused half-way.
    if (isJson && isList) terminal.out(listed === 0 ? '[]' : ']');
  }
  const { settings, mappings } = instance;
  const used = mappings.filter(({ id, version }) => made.has(`${id} ${version}`));
  const ends = localize([...warnings, ...profileEnds(settings, used, now)], language);
  for (const fault of ends) terminal.talk(`  ${showFaultIn(fault, language)}`);
  const { documents, wrong } = tally;
  if (given.summary) terminal.out(isJson ? JSON.stringify(tally.data(), null, 2) : tally.text(language));
  if (shortened > 0) terminal.talk(dim(`  ${say(PREVIEW.cellsShortened({ count: shortened }))}`));
  if (documents() === 0 && given.doc !== undefined) terminal.talk(say(PREVIEW.noSuchNumber({ number: given.doc })));
  else terminal.talk(say(PREVIEW.counted({ documents: COUNT.document({ count: documents() }), wrong: wrong() })));
  process.exitCode = wrong() > 0 ? 3 : 0;
}

function headOf(document: Preview, language: Language): string {
  const say = (phrase: Message) => format(phrase, language);
  return bold(
    `  ${escapeControls(document.identifier) || say(PREVIEW.noNumber())}   ${document.class}   ${say(rowsInWords(document.rows))}   ${document.mapping}`,
  );
}

function withFaults(document: Preview, language: Language): string {
  return [headOf(document, language), ...document.faults.map((fault) => `  ${showFaultIn(fault, language)}`), ''].join(
    '\n',
  );
}

/** `cells` were shortened to the width of the terminal. */
function shown(document: Preview, language: Language): { readonly text: string; readonly cells: number } {
  const say = (phrase: Message) => format(phrase, language);
  const rules = rulesIn(document.fields);
  const rows = document.fields.map(({ at, value, from }, n) => [at, cut(value), cellsIn(from, language), rules[n]!]);
  const { field, value, from, mapping } = PREVIEW_TABLE;
  const titles = [field, value, from, mapping].map((title) => ({ title: say(title()) }));
  const { text, shortened } = fittingTable(titles, rows);
  const lines = [
    headOf(document, language),
    ...(rows.length > 0 ? [text] : []),
    ...document.faults.map((fault) => `  ${showFaultIn(fault, language)}`),
    '',
  ];
  return { text: lines.join('\n'), cells: shortened };
}

async function showCell({ options, terminal, instance }: Session, path: string, place: CellPlace): Promise<void> {
  const { language } = instance.settings.rules;
  const fed = await cellFeeds(instance, path, new Date(), place);
  if (options.json) terminal.out(JSON.stringify(fed ?? null, null, 2));
  else if (fed) terminal.out(feeding(fed, language));
  else terminal.talk(format(PREVIEW.fromRow({ row: place.row }), language));
  process.exitCode = fed && fed.faults.length > 0 ? 3 : 0;
}

function feeding(fed: Fed, language: Language): string {
  const { identifier, class: documentClass, valid, cell, fields, faults } = fed;
  const say = (phrase: Message) => format(phrase, language);
  const rules = rulesIn(fields);
  const rows = fields.map(({ at, value }, n) => [at, cut(value), rules[n]!]);
  const nothing = `  ${say(valid ? PREVIEW.feedsNothing() : PREVIEW.refusedNothing())}`;
  const { feeds, value: valueTitle, mapping } = PREVIEW_TABLE;
  const titles = [feeds, valueTitle, mapping].map((title) => ({ title: say(title()) }));
  const document = escapeControls(identifier) || PREVIEW.noNumber();
  return [
    bold(
      `  ${escapeControls(cell.file)}:${cell.row}:${escapeControls(cell.column)} ${JSON.stringify(escapeControls(cell.text))}   ${say(PREVIEW.inDocument({ document, class: documentClass }))}`,
    ),
    rows.length > 0 ? fittingTable(titles, rows).text : nothing,
    ...faults.map((fault) => `  ${showFaultIn(fault, language)}`),
  ].join('\n');
}
