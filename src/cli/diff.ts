/**
 * `diff OLD NEW --on PATHS`: what another version of a mapping would change in what was issued. The summary comes first,
 * so the documents wait in a temporary file, however many they are.
 */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { showFault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { countDifferences, type DiffSummary, diffArchive, type Told, versionOf } from '../pipeline.ts';
import { changeText, cut } from './fields.ts';
import { openSession, type Session } from './session.ts';
import { bold, dim, table } from './terminal.ts';

export function addDiff(program: Command): void {
  program
    .command('diff')
    .description('show what another version of a mapping would change in documents made of archived files')
    .argument('<old>', 'a mapping file, or the id of a mapping of the instance')
    .argument('<new>', 'the other version')
    .option('--on <paths...>', 'files and folders to run both over (default: archive/ of the instance)')
    .action(async (old: string, young: string, given: { readonly on?: readonly string[] }, command: Command) => {
      const session = openSession(command);
      process.exitCode = await showMappingDiff(session, {
        old,
        new: young,
        paths: given.on ?? [session.instance.paths.archive],
      });
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
  const old = versionOf(instance, asked.old);
  const versions = { old, new: versionOf(instance, asked.new ?? old.id) };
  const counting = countDifferences();
  using spool = openSpool();
  for await (const told of diffArchive(instance, versions, asked.paths)) {
    if (asked.doc !== undefined && !isOf(told, asked.doc)) continue;
    counting.see(told);
    const text = options.json ? JSON.stringify(entryOf(told)) : shown(told);
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
  terminal.out(summed(summary));
  for await (const line of spool.lines()) terminal.out(line);
  return 0;
}

function isOf(told: Told, number: string): boolean {
  return !('document' in told) || told.document.identifier === number || told.document.was === number;
}

function isNews(told: Told): boolean {
  if (!('document' in told)) return true;
  const { what, was, appear, disappear } = told.document;
  return what !== 'same' || was !== undefined || appear.length + disappear.length > 0;
}

function entryOf(told: Told): object {
  return 'document' in told
    ? { file: told.file, ...told.document }
    : { file: told.file, what: 'unreadable', ...told.unreadable };
}

const WORDS = {
  same: 'the same',
  changed: 'changed',
  added: 'added',
  removed: 'no longer made',
  refused: 'refused by the new version',
  mended: 'refused by the old version only',
} as const satisfies Record<keyof DiffSummary['documents'], string>;

function summed({ files, documents, fields, faults, unreadable }: DiffSummary): string {
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${WORDS[what as keyof typeof WORDS]}`);
  const fieldRows = fields.map(({ at, documents: count, example }) => [
    String(count),
    at,
    `${cut(example.before ?? 'nothing')} -> ${cut(example.after ?? 'nothing')}`,
    example.identifier,
  ]);
  const faultRows = faults.map(({ code, appear, disappear }) => [code, String(appear), String(disappear)]);
  const right = { align: 'right' } as const;
  return [
    `  ${files} ${files === 1 ? 'file' : 'files'}; documents: ${counts.join(', ') || 'none'}`,
    ...(unreadable.old > 0 ? [`  ${unreadable.old} files are read by the new version only`] : []),
    ...(unreadable.new > 0 ? [`  ${unreadable.new} files are refused by the new version only`] : []),
    ...(unreadable.both > 0 ? [`  ${unreadable.both} files are refused by both`] : []),
    ...(fieldRows.length > 0
      ? [
          table(
            [{ title: 'documents', ...right }, { title: 'field' }, { title: 'for example' }, { title: '' }],
            fieldRows,
          ),
        ]
      : []),
    ...(faultRows.length > 0
      ? [table([{ title: 'fault' }, { title: 'appears', ...right }, { title: 'disappears', ...right }], faultRows)]
      : []),
  ].join('\n');
}

function shown(told: Told): string {
  if (!('document' in told)) {
    const { old, new: young } = told.unreadable;
    return [
      bold(
        `  ${printable(told.file)}   ${young.length === 0 ? 'read now' : old.length === 0 ? 'refused now' : 'refused'}`,
      ),
      ...young.map((fault) => `    + ${showFault(fault)}`),
      ...(young.length === 0 ? old.map((fault) => dim(`    - ${showFault(fault)}`)) : []),
    ].join('\n');
  }
  const { what, identifier, was, class: documentClass, rows, changes, appear, disappear } = told.document;
  const before = was === undefined ? '' : `   was ${printable(was) || '(no number)'}`;
  return [
    bold(
      `  ${printable(identifier) || '(no number)'}   ${documentClass}   ${WORDS[what]}${before}   ${printable(told.file)} rows ${rows.join(', ')}`,
    ),
    ...changes.map(changeText),
    ...appear.map((fault) => `    + ${showFault(fault)}`),
    ...disappear.map((fault) => dim(`    - ${showFault(fault)}`)),
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
