/**
 * `show DOC`: everything that the ledger has about a document; with --json the object of its receipt, with --payload
 * the exact content. Several documents of one number are all shown; `show/no-such-document` if there is none.
 */
import type { Command } from 'commander';
import type { Language, Message } from '../../i18n/message.ts';
import { SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { PURGED_PART, SHOW, SHOW_LABEL } from '../../i18n/messages/cli-views-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { OperatorError, showFaultIn } from '../../model/fault.ts';
import {
  type Correction,
  type HistoryLine,
  isSetAside,
  type LedgerEntry,
  stateInWords,
} from '../../model/ledger-entry.ts';
import { recordedWords } from '../../model/recorded-words.ts';
import { CLOSED_IN_SENTENCE, SET_ASIDE_INFO, stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { readCorrections, receiptObject } from '../../pipeline/publishing/publish-results.ts';
import { escapeControls } from '../../text/printable.ts';
import { groupDigits } from '../output/amount-texts.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { entryIn } from '../output/spoken-faults.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToLook, type Session } from '../session/command-session.ts';
import { bold, dim } from '../session/terminal.ts';

export const showCommand: CommandModule = { run: showDocument };

/** Reads only; the payload is printed byte by byte, so that its hash can be checked. */
async function showDocument(name: string, given: { readonly payload?: boolean }, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.find({ ids: [name] })) entries.push(entry);
  if (entries.length === 0) {
    throw new OperatorError('show/no-such-document', SHOW.noSuch({ name }), { hint: SELECTION.list() });
  }
  if (given.payload) {
    for (const { id } of entries) terminal.exactly((await ledger.contentOf(id)) ?? '');
  } else if (options.json) {
    const correctionsOf = readCorrections(ledger);
    const receipts = await Promise.all(
      entries.map(async (entry) => receiptObject(instance, entry, await correctionsOf(entry))),
    );
    terminal.out(JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2));
  } else {
    for (const recorded of entries) {
      const entry = entryIn(recorded, session.language);
      const history = await ledger.historyOf(entry.id);
      terminal.out(documentText(session, { entry, corrections: await allCorrections(ledger, entry), history }));
    }
  }
}

/** All corrections of the rows of the document, also those that a later correction of the same cell has replaced. */
async function allCorrections(ledger: QueryStore, { file, rows }: LedgerEntry): Promise<readonly Correction[]> {
  return (await ledger.correctionsOf(file.id)).filter(({ row, column }) => column !== '' && rows.includes(row));
}

/** Everything that is shown for one document. */
type Described = {
  readonly entry: LedgerEntry;
  readonly corrections: readonly Correction[];
  readonly history: readonly HistoryLine[];
};

function documentText(session: Session, { entry, corrections, history }: Described): string {
  const { language, say } = session;
  const lines = [
    ...headLines(session, entry),
    ...labeledLines(session, entry),
    ...entry.faults.map((fault) => `  ${showFaultIn(fault, language)}`),
    ...entry.attempts.map((attempt) => attemptLine(attempt, say)),
    ...corrections.map((correction) => correctionLine(correction, say)),
  ];
  if (history.length > 0) lines.push(dim(`  ${say(SHOW.history())}`));
  return [
    ...lines,
    ...history.map((line) => `    ${line.at}  ${line.what}${say(personAndReason(line, language))}`),
  ].join('\n');
}

/** Number, class, state, date, counterparty, amount, and the meaning of the state. */
function headLines({ language, say }: Session, entry: LedgerEntry): readonly string[] {
  const { facts, state, name, class: documentClass } = entry;
  const { says } = isSetAside(entry) ? SET_ASIDE_INFO : stateInfo(state);
  const word = say(stateInWords(entry));
  const stateText = word === state ? state : `${state} (${word})`;
  const amount = facts.amount && `${groupDigits(facts.amount, language)} ${facts.currency ?? ''}`;
  return [
    bold(`  ${escapeControls(facts.identifier || name)}   ${documentClass}   ${stateText}`),
    `  ${escapeControls(joined([facts.date, facts.counterparty, amount], '   '))}`,
    `  ${say(isRecorded(entry) ? SHOW.byPerson() : says)}`,
    '',
  ];
}

type Parts = readonly (string | undefined)[];

function joined(parts: Parts, separator: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}

/** One line per label with its parts; labels without a value are left out. */
function labeledLines({ say }: Session, entry: LedgerEntry): readonly string[] {
  const { file, answer, first, hold, evidence, closed, dueAt } = entry;
  const { mapping } = file;
  const purged = [entry.purged, file.purged].filter((one) => one !== undefined);
  const fields: readonly (readonly [label: keyof typeof SHOW_LABEL, ...parts: Parts])[] = [
    ['id', entry.id, say(SHOW.revision({ revision: entry.revision }))],
    ['source', file.name, say(rowsInWords(entry.rows)), `sha-256 ${file.sha256.slice(0, 16)}`, file.encoding],
    ['mapping', mapping && `${mapping.id} ${mapping.version}`, mapping?.file],
    ['answer', answer && joined([...new Set([answer.code, answer.name, answer.message])].map(textOf), ' ')],
    ['tracking', answer?.trackingId],
    ['first', first && `${first.name} (${first.id})`],
    ...purged.map((one) => ['purged', say(removed(one))] as const),
    ['held', hold && `${hold.rule}: ${hold.says}`],
    ['evidence', evidence?.as, evidence?.at, evidence && say(evidenceOf(evidence))],
    ['closed', closed && say(CLOSED_IN_SENTENCE[closed.as]()), closed?.at, closed && say(evidenceOf(closed))],
    ['next', dueAt],
  ];
  const labels = Object.values(SHOW_LABEL).map((label) => say(label()));
  const width = Math.max(...labels.map((label) => label.length)) + 3;
  return fields
    .map(([label, ...parts]) => ({ label, text: escapeControls(joined(parts, '   ')) }))
    .filter(({ text }) => text !== '')
    .map(({ label, text }) => `  ${say(SHOW_LABEL[label]()).padEnd(width)}${text}`);
}

function textOf(part: string | number | undefined): string | undefined {
  return part?.toString();
}

type Say = Session['say'];

/** One request with its outcome; a request without an answer is under way. */
function attemptLine(
  { n, act, at, http, code, ms, outcome, reason = '' }: LedgerEntry['attempts'][number],
  say: Say,
): string {
  const parts = [
    `${dim(`#${n} ${act}`)} ${at}`,
    http === undefined ? undefined : `HTTP ${http}`,
    code === undefined ? undefined : `code ${code}`,
    ms === undefined ? undefined : `${ms} ms`,
    outcome ?? say(SHOW.underWay()),
  ];
  return `  ${joined(parts, '  ')}  ${escapeControls(reason)}`;
}

function correctionLine({ row, column, from, to, by, at, reason }: Correction, say: Say): string {
  const cell = say(SHOW.cell({ row, column: escapeControls(column) }));
  const person = say(SHOW.byWithReason({ by: escapeControls(by), reason: escapeControls(reason) }));
  const change = `"${escapeControls(from)}" -> "${escapeControls(to)}"`;
  return `  ${dim(say(SHOW.corrected()))} ${cell}: ${change}  ${at}  ${person}`;
}

/** Whether a person recorded the current state after the last answer. */
function isRecorded({ state, evidence, attempts }: LedgerEntry): boolean {
  const last = attempts.at(-1)?.at;
  const isLast = evidence !== undefined && (last === undefined || Date.parse(last) <= Date.parse(evidence.at));
  return isLast && evidence.as === state && state !== 'ready' && state !== 'invalid';
}

function evidenceOf({ by, reason, file, sha256 }: Omit<NonNullable<LedgerEntry['evidence']>, 'as'>): Message {
  const said = { by: escapeControls(by), reason: escapeControls(reason) };
  if (file === undefined) return SHOW.byWithReason(said);
  return SHOW.evidence({ ...said, file: escapeControls(file), hash: sha256 ?? '' });
}

/** The person of an entry in the history, with the reason if there is one. */
function personAndReason(line: HistoryLine, language: Language): Message {
  const { reason } = (line.detail ?? {}) as { readonly reason?: unknown };
  const by = line.person === undefined ? '' : `  ${escapeControls(line.person)}`;
  if (typeof reason !== 'string' || reason === '') return SHOW.by({ by });
  return SHOW.byWithReason({ by, reason: escapeControls(recordedWords(reason, line, language)) });
}

function removed({ what, at, by, reason }: NonNullable<LedgerEntry['purged']>): Message {
  return SHOW.removed({ parts: what.map((part) => PURGED_PART[part]()), at, by, reason: escapeControls(reason) });
}
