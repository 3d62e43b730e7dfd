/**
 * `diff OLD NEW --on PATHS`: what another version of a mapping would change in issued documents. Output: a summary,
 * then each document that differs; always exit code 0. The summary comes first, so the documents wait in a temporary
 * file.
 */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { Language, Message } from '../../i18n/message.ts';
import {
  DIFF,
  DIFF_COUNT,
  DIFF_TABLE,
  PREVIEW,
  VERSION_DIFFERENCE,
  VERSION_DIFFERENCE_COUNT,
} from '../../i18n/messages/cli-previews-messages.ts';
import { type Fault, localize, showFaultIn } from '../../model/fault.ts';
import { escapeControls } from '../../text/printable.ts';
import { type ArchiveDiff, diffArchive, versionOf } from '../../views/preview/diff-archive.ts';
import { countDifferences, type DiffSummary } from '../../views/preview/diff-summary.ts';
import { type Column, table } from '../layout/layout.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { changeText, cut } from '../output/document-fields.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { bold, dim } from '../session/terminal.ts';

export const diffCommand: CommandModule = { run: showDiff };

/** Without --on it reads the whole archive. */
async function showDiff(
  old: string,
  young: string,
  given: { readonly on?: readonly string[] },
  command: Command,
): Promise<void> {
  const session = openSession(command);
  process.exitCode = await showMappingDiff(session, {
    old,
    new: young,
    paths: given.on ?? [session.instance.paths.archive],
  });
}

/** Versions are ids of mappings or paths of mapping files; `doc` limits the output to one number. */
type DiffRequest = {
  readonly old: string;
  /** Absent: the mapping of the instance with the id that the old one has. */
  readonly new?: string;
  readonly paths: readonly string[];
  readonly doc?: string;
};

/** Prints the comparison and resolves to the exit code, always 0. Needs disk for the documents, little memory. */
export async function showMappingDiff(session: Session, request: DiffRequest): Promise<number> {
  const { options, terminal, instance, say } = session;
  const old = versionOf(instance, request.old);
  const versions = { old, new: versionOf(instance, request.new ?? old.id) };
  const counting = countDifferences();
  using spool = openSpool();
  for await (const difference of diffArchive(instance, versions, request.paths)) {
    if (request.doc !== undefined && !isOf(difference, request.doc)) continue;
    counting.see(difference);
    if (!isNews(difference)) continue;
    spool.write(options.json ? JSON.stringify(entryOf(difference)) : differenceText(difference, session));
  }
  const names = { old: `${old.id} ${old.version}`, new: `${versions.new.id} ${versions.new.version}` };
  const summary = counting.summary();
  if (options.json) await printJson(terminal, { names, summary, lines: spool.lines() });
  else {
    terminal.out(bold(`  ${names.old} -> ${names.new}`));
    terminal.out(summaryLines(summary, say).join('\n'));
    for await (const line of spool.lines()) terminal.out(line);
  }
  return 0;
}

/** One JSON value, written line by line, because it may be larger than memory. */
async function printJson(
  terminal: Session['terminal'],
  {
    names,
    summary,
    lines,
  }: { readonly names: object; readonly summary: object; readonly lines: AsyncIterable<string> },
): Promise<void> {
  terminal.out(`{"versions":${JSON.stringify(names)},"summary":${JSON.stringify(summary)},"documents":[`);
  let separator = '';
  for await (const line of lines) {
    terminal.out(separator + line);
    separator = ',';
  }
  terminal.out(']}');
}

/** Whether the difference is about the document, by its old or new number; unreadable files always count. */
function isOf(difference: ArchiveDiff, number: string): boolean {
  return !('document' in difference) || difference.document.identifier === number || difference.document.was === number;
}

/** Whether there is anything to show: another result, another number, or other faults. */
function isNews(difference: ArchiveDiff): boolean {
  if (!('document' in difference)) return true;
  const { what, was, appear, disappear } = difference.document;
  return what !== 'same' || was !== undefined || appear.length + disappear.length > 0;
}

/** The object of --json for one document or one unreadable file. */
function entryOf(difference: ArchiveDiff): object {
  const { file } = difference;
  if ('document' in difference) return { file, ...difference.document };
  return { file, what: 'unreadable', ...difference.unreadable };
}

/** Counts per result, then tables of the changed fields and the faults. */
function summaryLines({ files, documents, fields, faults, unreadable }: DiffSummary, say: Say): readonly string[] {
  const line = (message: Message) => `  ${say(message)}`;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => VERSION_DIFFERENCE_COUNT[what as keyof typeof VERSION_DIFFERENCE]({ count }));
  const lines = [
    line(DIFF.head({ files: DIFF_COUNT.files({ count: files }), counts: counts.length > 0 ? counts : DIFF.none() })),
  ];
  if (unreadable.old > 0) lines.push(line(DIFF_COUNT.onlyNew({ count: unreadable.old })));
  if (unreadable.new > 0) lines.push(line(DIFF_COUNT.refusedByNew({ count: unreadable.new })));
  if (unreadable.both > 0) lines.push(line(DIFF_COUNT.refusedByBoth({ count: unreadable.both })));
  if (fields.length > 0) lines.push(fieldTable(fields, say));
  if (faults.length > 0) lines.push(faultTable(faults, say));
  return lines;
}

type Say = Session['say'];

function fieldTable(fields: DiffSummary['fields'], say: Say): string {
  const nothing = say(PREVIEW.nothing());
  const rows = fields.map(({ at, documents, example }) => [
    String(documents),
    at,
    `${cut(example.before ?? nothing)} -> ${cut(example.after ?? nothing)}`,
    example.identifier,
  ]);
  const { documents, field, example } = DIFF_TABLE;
  const count: Column = { title: say(documents()), align: 'right' };
  return table([count, { title: say(field()) }, { title: say(example()) }, { title: '' }], rows);
}

function faultTable(faults: DiffSummary['faults'], say: Say): string {
  const rows = faults.map(({ code, appear, disappear }) => [code, String(appear), String(disappear)]);
  const { fault, appears, disappears } = DIFF_TABLE;
  const counts = [appears, disappears].map((title): Column => ({ title: say(title()), align: 'right' }));
  return table([{ title: say(fault()) }, ...counts], rows);
}

function differenceText(difference: ArchiveDiff, { language, say }: Session): string {
  if (!('document' in difference)) return unreadableText(difference, { language, say });
  const { what, identifier, was, class: documentClass, rows, changes, appear, disappear } = difference.document;
  const numberOf = (number: string) => escapeControls(number) || say(PREVIEW.noNumber());
  const head = [numberOf(identifier), documentClass, say(VERSION_DIFFERENCE[what]())];
  if (was !== undefined) head.push(say(DIFF.was({ number: numberOf(was) })));
  head.push(`${escapeControls(difference.file)} ${say(rowsInWords(rows))}`);
  return [
    bold(`  ${head.join('   ')}`),
    ...changes.map((change) => changeText(change, language)),
    ...faultLines({ appear, disappear }, language),
  ].join('\n');
}

/** A file that one of the versions, or both, cannot read. */
function unreadableText(
  { file, unreadable }: Extract<ArchiveDiff, { unreadable: unknown }>,
  { language, say }: Pick<Session, 'language' | 'say'>,
): string {
  const { old, new: young } = unreadable;
  const disappear = young.length === 0 ? old : [];
  const head = `  ${escapeControls(file)}   ${say(readability(old, young))}`;
  return [bold(head), ...faultLines({ appear: young, disappear }, language)].join('\n');
}

function readability(old: readonly Fault[], young: readonly Fault[]): Message {
  if (young.length === 0) return DIFF.readNow();
  if (old.length === 0) return DIFF.refusedNow();
  return DIFF.refused();
}

function faultLines(
  { appear, disappear }: { readonly appear: readonly Fault[]; readonly disappear: readonly Fault[] },
  language: Language,
): readonly string[] {
  return [
    ...localize(appear, language).map((fault) => `    + ${showFaultIn(fault, language)}`),
    ...localize(disappear, language).map((fault) => dim(`    - ${showFaultIn(fault, language)}`)),
  ];
}

/**
 * Lines on disk until the summary is printed; mode 0600, because they contain data of invoices. Disposal removes them.
 */
function openSpool() {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-diff-'));
  const path = join(folder, 'documents');
  const file = openSync(path, 'wx', 0o600);
  return {
    write: (text: string) => void writeSync(file, `${text}\n`),
    lines: () => createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }),
    [Symbol.dispose]: () => {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
