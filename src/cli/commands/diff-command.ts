/**
 * `diff OLD NEW --on PATHS`: what another version of a mapping would change in what was issued. The summary comes first,
 * so the documents wait in a temporary file, however many they are.
 */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { format, type Language, type Message, type MessageMaker } from '../../i18n/message.ts';
import {
  DIFF,
  DIFF_COUNT,
  DIFF_TABLE,
  PREVIEW,
  VERSION_DIFFERENCE,
  VERSION_DIFFERENCE_COUNT,
} from '../../i18n/messages/cli-previews-messages.ts';
import { type Fault, localize, showFaultIn } from '../../model/fault.ts';
import { type ArchiveDiff, diffArchive, versionOf } from '../../pipeline/preview/diff-archive.ts';
import { countDifferences, type DiffSummary } from '../../pipeline/preview/diff-summary.ts';
import { escapeControls } from '../../text/printable.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { changeText, cut } from '../output/document-fields.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { bold, dim, table } from '../session/terminal.ts';

export const diffCommand: CommandModule = { run: showDiff };

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

type Asked = {
  readonly old: string;
  /** Absent: the mapping of the instance with the id that the old one has. */
  readonly new?: string;
  readonly paths: readonly string[];
  readonly doc?: string;
};

export async function showMappingDiff({ options, terminal, instance }: Session, asked: Asked): Promise<number> {
  const { language } = instance.settings.rules;
  const old = versionOf(instance, asked.old);
  const versions = { old, new: versionOf(instance, asked.new ?? old.id) };
  const counting = countDifferences();
  using spool = openSpool();
  for await (const told of diffArchive(instance, versions, asked.paths)) {
    if (asked.doc !== undefined && !isOf(told, asked.doc)) continue;
    counting.see(told);
    const text = options.json ? JSON.stringify(entryOf(told)) : shown(told, language);
    if (isNews(told)) spool.write(text);
  }
  const summary = counting.summary();
  if (options.json) {
    const versionsTold = { old: `${old.id} ${old.version}`, new: `${versions.new.id} ${versions.new.version}` };
    terminal.out(`{"versions":${JSON.stringify(versionsTold)},"summary":${JSON.stringify(summary)},"documents":[`);
    let first = true;
    for await (const line of spool.lines()) {
      terminal.out(first ? line : `,${line}`);
      first = false;
    }
    terminal.out(']}');
    return 0;
  }
  terminal.out(bold(`  ${old.id} ${old.version} -> ${versions.new.id} ${versions.new.version}`));
  terminal.out(summed(summary, language));
  for await (const line of spool.lines()) terminal.out(line);
  return 0;
}

function isOf(told: ArchiveDiff, number: string): boolean {
  return !('document' in told) || told.document.identifier === number || told.document.was === number;
}

function isNews(told: ArchiveDiff): boolean {
  if (!('document' in told)) return true;
  const { what, was, appear, disappear } = told.document;
  return what !== 'same' || was !== undefined || appear.length + disappear.length > 0;
}

function entryOf(told: ArchiveDiff): object {
  return 'document' in told
    ? { file: told.file, ...told.document }
    : { file: told.file, what: 'unreadable', ...told.unreadable };
}

function summed({ files, documents, fields, faults, unreadable }: DiffSummary, language: Language): string {
  const say = (phrase: Message) => format(phrase, language);
  const title = (one: MessageMaker) => ({ title: say(one()) });
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => VERSION_DIFFERENCE_COUNT[what as keyof typeof VERSION_DIFFERENCE]({ count }));
  const nothing = say(PREVIEW.nothing());
  const fieldRows = fields.map(({ at, documents: count, example }) => [
    String(count),
    at,
    `${cut(example.before ?? nothing)} -> ${cut(example.after ?? nothing)}`,
    example.identifier,
  ]);
  const faultRows = faults.map(({ code, appear, disappear }) => [code, String(appear), String(disappear)]);
  const right = { align: 'right' } as const;
  return [
    `  ${say(DIFF.head({ files: DIFF_COUNT.files({ count: files }), counts: counts.length > 0 ? counts : DIFF.none() }))}`,
    ...(unreadable.old > 0 ? [`  ${say(DIFF_COUNT.onlyNew({ count: unreadable.old }))}`] : []),
    ...(unreadable.new > 0 ? [`  ${say(DIFF_COUNT.refusedByNew({ count: unreadable.new }))}`] : []),
    ...(unreadable.both > 0 ? [`  ${say(DIFF_COUNT.refusedByBoth({ count: unreadable.both }))}`] : []),
    ...(fieldRows.length > 0
      ? [
          table(
            [
              { ...title(DIFF_TABLE.documents), ...right },
              title(DIFF_TABLE.field),
              title(DIFF_TABLE.example),
              { title: '' },
            ],
            fieldRows,
          ),
        ]
      : []),
    ...(faultRows.length > 0
      ? [
          table(
            [
              title(DIFF_TABLE.fault),
              { ...title(DIFF_TABLE.appears), ...right },
              { ...title(DIFF_TABLE.disappears), ...right },
            ],
            faultRows,
          ),
        ]
      : []),
  ].join('\n');
}

function shown(told: ArchiveDiff, language: Language): string {
  const say = (phrase: Message) => format(phrase, language);
  const fault = (one: Fault) => showFaultIn(one, language);
  if (!('document' in told)) {
    const { old, new: young } = told.unreadable;
    const what = young.length === 0 ? DIFF.readNow() : old.length === 0 ? DIFF.refusedNow() : DIFF.refused();
    return [
      bold(`  ${escapeControls(told.file)}   ${say(what)}`),
      ...localize(young, language).map((one) => `    + ${fault(one)}`),
      ...(young.length === 0 ? localize(old, language).map((one) => dim(`    - ${fault(one)}`)) : []),
    ].join('\n');
  }
  const { what, identifier, was, class: documentClass, rows, changes, appear, disappear } = told.document;
  const noNumber = say(PREVIEW.noNumber());
  const before = was === undefined ? '' : `   ${say(DIFF.was({ number: escapeControls(was) || noNumber }))}`;
  const head = `${escapeControls(identifier) || noNumber}   ${documentClass}   ${say(VERSION_DIFFERENCE[what]())}${before}`;
  return [
    bold(`  ${head}   ${escapeControls(told.file)} ${say(rowsInWords(rows))}`),
    ...changes.map((change) => changeText(change, language)),
    ...localize(appear, language).map((one) => `    + ${fault(one)}`),
    ...localize(disappear, language).map((one) => dim(`    - ${fault(one)}`)),
  ].join('\n');
}

/** Lines that wait on disk, readable by the owner only: they hold what stands on invoices. */
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
