/** `purge`: removes what is older than `keep` says, or what is kept of one counterparty. Identities stay for ever. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import { SetupError } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { openLedgerOf, type PurgePlan, planPurge, purge } from '../pipeline.ts';
import { type DecisionOptions, decisionOf } from './deciding.ts';
import { openSession, type Session } from './session.ts';
import { counted } from './terminal.ts';

type Options = Partial<DecisionOptions> & { readonly subject?: string };

const SHOWN = 10;

export function addPurge(program: Command): void {
  program
    .command('purge')
    .description(
      'remove what is older than the settings keep it, or what is kept of one counterparty; never an identity',
    )
    .option('--dry-run', 'only say what would be removed')
    .option('--subject <text>', 'documents whose counterparty has this in its name, or is it, whatever their age')
    .option('--reason <text>', 'why, in words: kept with your name and the time; needed without --dry-run')
    .option('--by <name>', 'who decides (default: the user of this system)')
    .action(async (given: Options, command: Command) => {
      const session = openSession(command);
      if (given.subject?.trim() === '') {
        throw new SetupError('purge/no-subject', '--subject is empty; nothing was removed', {
          hint: 'name the counterparty',
        });
      }
      const told = given.dryRun ? undefined : decisionOf(given);
      await using ledger = await openLedgerOf(session.instance);
      const hands = { instance: session.instance, ledger };
      const plan = await planPurge(hands, new Date(), given.subject);
      if (told) await purge(hands, plan, told);
      show(session, plan, given.dryRun === true, given.subject);
    });
}

function show(
  { options, terminal, instance }: Session,
  plan: PurgePlan,
  dryRun: boolean,
  subject: string | undefined,
): void {
  const { before, documents, waiting } = plan;
  const exports = plan.exports.map(({ path }) => relative(instance.folder, path));
  const attachments = [...new Set(plan.exports.flatMap((one) => one.attachments))].map((path) =>
    relative(instance.folder, path),
  );
  const summaries = plan.summaries.map(({ paths }) => relative(instance.folder, paths[0]!));
  const logs = plan.logs.map((path) => relative(instance.folder, path));
  if (options.json) {
    const each = documents.map(({ entry, parts }) => ({ id: entry.id, number: entry.facts.identifier, parts }));
    terminal.out(
      JSON.stringify({ dryRun, before, documents: each, summaries, exports, attachments, logs, waiting }, null, 2),
    );
    return;
  }
  const verb = dryRun ? 'would be removed' : 'removed';
  const parts = (part: 'receipts' | 'content') => documents.filter((one) => one.parts.includes(part)).length;
  const age = (part: keyof PurgePlan['before']) => {
    if (subject !== undefined) return '';
    return before[part] === undefined
      ? ` (kept for ever: keep.${part} is not set)`
      : ` (older than ${before[part].slice(0, 10)})`;
  };
  terminal.out(
    `  ${counted(parts('receipts'), 'receipt')} with payload${age('receipts')}, ${counted(parts('content'), 'content')} in the ledger${age('content')} ${verb}`,
  );
  for (const { entry } of documents.slice(0, SHOWN)) {
    terminal.out(`    ${printable([entry.facts.identifier, entry.facts.counterparty ?? ''].join('  '))}`);
  }
  if (documents.length > SHOWN) terminal.out(`    and ${documents.length - SHOWN} more`);
  terminal.out(
    `  ${summaries.length} ${summaries.length === 1 ? 'summary' : 'summaries'}${age('receipts')}, ${counted(exports.length, 'export')} with ${counted(attachments.length, 'attachment')}${age('archive')} and ${counted(logs.length, 'log')}${age('logs')} ${verb}`,
  );
  for (const path of [...summaries, ...exports, ...attachments, ...logs].slice(0, SHOWN))
    terminal.out(`    ${printable(path)}`);
  if (waiting > 0) terminal.out(`  ${counted(waiting, 'document')} stay: somebody still has to act on them`);
}
