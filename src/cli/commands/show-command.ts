/** `show DOC`: everything the ledger knows of a document; the same object as its receipt with --json. */
import type { Command } from 'commander';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { PURGED_PART, SHOW, SHOW_LABEL } from '../../i18n/messages/cli-views-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { type Correction, type HistoryLine, isDismissed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { DISMISSED, stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { readCorrections, receiptObject } from '../../pipeline/publishing/publish-results.ts';
import { escapeControls } from '../../text/printable.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { stateWords } from '../output/progress.ts';
import { grouped } from '../output/run-report.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToLook } from '../session/command-session.ts';
import { bold, dim } from '../session/terminal.ts';

export const showCommand: CommandModule = { run: showDocument };

async function showDocument(name: string, given: { readonly payload?: boolean }, command: Command): Promise<void> {
  const { options, terminal, instance } = openSessionToLook(command);
  const { language } = instance.settings.rules;
  await using ledger = await lookIntoLedgerOf(instance);
  const found: LedgerEntry[] = [];
  for await (const entry of ledger.find({ ids: [name] })) found.push(entry);
  if (found.length === 0) {
    throw new OperatorError('show/no-such-document', SHOW.noSuch({ name }), { hint: SELECTION.list() });
  }
  const correctionsOf = readCorrections(ledger);
  if (options.json && !given.payload) {
    const receipts = await Promise.all(
      found.map(async (entry) => receiptObject(instance, entry, await correctionsOf(entry))),
    );
    terminal.out(JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2));
    return;
  }
  for (const entry of found) {
    if (given.payload) terminal.exactly((await ledger.contentOf(entry.id)) ?? '');
    else
      terminal.out(described(entry, await allCorrections(ledger, entry), await ledger.historyOf(entry.id), language));
  }
}

/** Also those that a later one of the same cell has replaced. */
async function allCorrections(ledger: QueryStore, { file, rows }: LedgerEntry): Promise<readonly Correction[]> {
  return (await ledger.correctionsOf(file.id)).filter(({ row, column }) => column !== '' && rows.includes(row));
}

function described(
  entry: LedgerEntry,
  corrections: readonly Correction[],
  history: readonly HistoryLine[],
  language: Language,
): string {
  const { facts, file, answer, first, hold, dueAt } = entry;
  const { mapping } = file;
  const say = (phrase: Message) => format(phrase, language);
  const width = Math.max(...Object.values(SHOW_LABEL).map((label) => say(label()).length)) + 3;
  const line = (label: keyof typeof SHOW_LABEL, ...parts: (string | undefined)[]) =>
    `  ${say(SHOW_LABEL[label]()).padEnd(width)}${parts.filter((part) => part !== undefined && part !== '').join('   ')}`;
  const purged = (one: NonNullable<LedgerEntry['purged']>) => line('purged', say(removed(one)));
  const lines: (string | undefined)[] = [
    bold(
      `  ${escapeControls(facts.identifier || entry.name)}   ${entry.class}   ${isDismissed(entry) ? `${entry.state} (${say(DISMISSED.inSentence)})` : stateWords(entry.state, language)}`,
    ),
    `  ${escapeControls([facts.date, facts.counterparty, facts.amount && `${grouped(facts.amount, language)} ${facts.currency ?? ''}`].filter(Boolean).join('   '))}`,
    `  ${isRecorded(entry) ? say(SHOW.byPerson()) : say((isDismissed(entry) ? DISMISSED : stateInfo(entry.state)).says)}`,
    '',
    line('id', entry.id, say(SHOW.revision({ revision: entry.revision }))),
    line(
      'source',
      ...[escapeControls(file.name), say(rowsInWords(entry.rows))],
      ...[`sha-256 ${file.sha256.slice(0, 16)}`, file.encoding],
    ),
    mapping && line('mapping', `${mapping.id} ${mapping.version}`, escapeControls(mapping.file)),
    answer &&
      line(
        'answer',
        escapeControls(
          [...new Set([answer.code, answer.name, answer.message])].filter((one) => one !== undefined).join(' '),
        ),
      ),
    answer?.trackingId && line('tracking', escapeControls(answer.trackingId)),
    first && line('first', `${escapeControls(first.name)} (${first.id})`),
    entry.purged && purged(entry.purged),
    file.purged && purged(file.purged),
    hold && line('held', `${hold.rule}: ${escapeControls(hold.says)}`),
    entry.evidence && line('evidence', entry.evidence.as, entry.evidence.at, say(evidenceOf(entry.evidence))),
    dueAt && line('next', dueAt),
    ...localize(entry.faults, language).map((fault) => `  ${showFaultIn(fault, language)}`),
    ...entry.attempts.map(
      ({ n, act, at, http, code, ms, outcome, reason }) =>
        `  ${dim(`#${n} ${act}`)} ${at}  ${http === undefined ? '' : `HTTP ${http}  `}${code === undefined ? '' : `code ${code}  `}${ms === undefined ? '' : `${ms} ms  `}${outcome ?? say(SHOW.underWay())}  ${escapeControls(reason ?? '')}`,
    ),
    ...corrections.map(({ row, column, from, to, by, at, reason }) => {
      const cell = say(SHOW.cell({ row, column: escapeControls(column) }));
      const said = say(SHOW.byWithReason({ by: escapeControls(by), reason: escapeControls(reason) }));
      return `  ${dim(say(SHOW.corrected()))} ${cell}: "${escapeControls(from)}" -> "${escapeControls(to)}"  ${at}  ${said}`;
    }),
    history.length > 0 ? dim(`  ${say(SHOW.history())}`) : undefined,
    ...history.map(({ at, what, person, detail }) => `    ${at}  ${what}${say(saidIn(person, detail))}`),
  ];
  return lines.filter((one) => one !== undefined).join('\n');
}

/** The outcome that a person recorded, of which the last answer says something else. */
function isRecorded({ state, evidence, attempts }: LedgerEntry): boolean {
  const last = attempts.at(-1)?.at;
  const isLast = evidence !== undefined && (last === undefined || Date.parse(last) <= Date.parse(evidence.at));
  return isLast && evidence.as === state && state !== 'ready' && state !== 'invalid';
}

function evidenceOf({ by, reason, file, sha256 }: NonNullable<LedgerEntry['evidence']>): Message {
  const said = { by: escapeControls(by), reason: escapeControls(reason) };
  return file === undefined
    ? SHOW.byWithReason(said)
    : SHOW.evidence({ ...said, file: escapeControls(file), hash: sha256 ?? '' });
}

/** Who, and why where a reason was given. */
function saidIn(person: string | undefined, detail: unknown): Message {
  const { reason } = (detail ?? {}) as { readonly reason?: unknown };
  const by = person === undefined ? '' : `  ${escapeControls(person)}`;
  return typeof reason === 'string' && reason !== ''
    ? SHOW.byWithReason({ by, reason: escapeControls(reason) })
    : SHOW.by({ by });
}

function removed({ what, at, by, reason }: NonNullable<LedgerEntry['purged']>): Message {
  return SHOW.removed({ parts: what.map((part) => PURGED_PART[part]()), at, by, reason: escapeControls(reason) });
}
