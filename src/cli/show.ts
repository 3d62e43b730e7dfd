/** `show DOC`: everything the ledger knows of a document; the same object as its receipt with --json. */
import type { Command } from 'commander';
import type { Correction, Entry, HistoryLine } from '../model/entry.ts';
import { SetupError, showFault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { stateInfo } from '../model/state.ts';
import { correctionsIn, type Ledger, lookIntoLedgerOf, receiptObject } from '../pipeline.ts';
import { stateWords } from './progress.ts';
import { openSession } from './session.ts';
import { bold, dim } from './terminal.ts';

export function addShow(program: Command): void {
  program
    .command('show')
    .description('one document: state, source, attempts, answer, faults, corrections, history')
    .argument('<document>', 'id, document number or receipt name')
    .option('--payload', 'the exact content that was or will be sent')
    .action(async (name: string, given: { readonly payload?: boolean }, command: Command) => {
      const { options, terminal, instance } = openSession(command);
      await using ledger = await lookIntoLedgerOf(instance);
      const found: Entry[] = [];
      for await (const entry of ledger.find({ ids: [name] })) found.push(entry);
      if (found.length === 0) {
        throw new SetupError(
          'show/no-such-document',
          `no document is known by the id, number or receipt name "${name}"`,
          {
            hint: 'list documents with: nightpost errors, or nightpost status',
          },
        );
      }
      const correctionsOf = correctionsIn(ledger);
      if (options.json && !given.payload) {
        const receipts = await Promise.all(
          found.map(async (entry) => receiptObject(instance, entry, await correctionsOf(entry))),
        );
        terminal.out(JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2));
        return;
      }
      for (const entry of found) {
        if (given.payload) terminal.exactly((await ledger.contentOf(entry.id)) ?? '');
        else terminal.out(described(entry, await allCorrections(ledger, entry), await ledger.historyOf(entry.id)));
      }
    });
}

/** Also those that a later one of the same cell has replaced. */
async function allCorrections(ledger: Ledger, { file, rows }: Entry): Promise<readonly Correction[]> {
  return (await ledger.correctionsOf(file.id)).filter(({ row }) => rows.includes(row));
}

function described(entry: Entry, corrections: readonly Correction[], history: readonly HistoryLine[]): string {
  const { facts, file, answer, mapping } = { ...entry, mapping: entry.file.mapping };
  const lines: (string | undefined)[] = [
    bold(`  ${printable(facts.identifier || entry.name)}   ${entry.class}   ${stateWords(entry.state)}`),
    `  ${printable([facts.date, facts.counterparty, facts.amount && `${facts.amount} ${facts.currency ?? ''}`].filter(Boolean).join('   '))}`,
    `  ${stateInfo(entry.state).says}`,
    '',
    `  id        ${entry.id}   revision ${entry.revision}`,
    `  source    ${printable(file.name)}   rows ${entry.rows.join(', ')}   sha-256 ${file.sha256.slice(0, 16)}   ${file.encoding ?? ''}`,
    mapping && `  mapping   ${mapping.id} ${mapping.version}   ${printable(mapping.file)}`,
    answer &&
      `  answer    ${printable([...new Set([answer.code, answer.name, answer.message])].filter((one) => one !== undefined).join(' '))}`,
    answer?.trackingId && `  tracking  ${printable(answer.trackingId)}`,
    entry.first && `  first     ${printable(entry.first.name)} (${entry.first.id})`,
    entry.purged && purgedLine(entry.purged),
    entry.file.purged && purgedLine(entry.file.purged),
    entry.hold && `  held by   ${entry.hold.rule}: ${printable(entry.hold.says)}`,
    entry.dueAt && `  next      ${entry.dueAt}`,
    ...entry.faults.map((fault) => `  ${showFault(fault)}`),
    ...entry.attempts.map(
      ({ n, act, at, http, code, ms, outcome, reason }) =>
        `  ${dim(`#${n} ${act}`)} ${at}  ${http === undefined ? '' : `HTTP ${http}  `}${code === undefined ? '' : `code ${code}  `}${ms === undefined ? '' : `${ms} ms  `}${outcome ?? 'under way'}  ${printable(reason ?? '')}`,
    ),
    ...corrections.map(
      ({ row, column, from, to, by, at, reason }) =>
        `  ${dim('corrected')} row ${row}, ${printable(column)}: "${printable(from)}" -> "${printable(to)}"  ${at}  ${printable(by)}: ${printable(reason)}`,
    ),
    history.length > 0 ? dim('  history') : undefined,
    ...history.map(
      ({ at, what, person, detail }) =>
        `    ${at}  ${what}${person === undefined ? '' : `  ${printable(person)}`}${reasonIn(detail)}`,
    ),
  ];
  return lines.filter((line) => (line !== undefined && line !== '' ? true : line === '')).join('\n');
}

function reasonIn(detail: unknown): string {
  const reason = (detail as { readonly reason?: unknown } | undefined)?.reason;
  return typeof reason === 'string' && reason !== '' ? `: ${printable(reason)}` : '';
}

const PARTS = {
  archive: 'its export',
  summary: 'the summary of its export',
  receipts: 'receipt and payload',
  content: 'content, names, amounts and answers',
};

function purgedLine({ what, at, by, reason }: NonNullable<Entry['purged']>): string {
  return `  purged    ${what.map((part) => PARTS[part]).join('; ')} removed ${at} by ${by}: ${printable(reason)}; its identity stays`;
}
