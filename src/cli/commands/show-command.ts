/**
 * `show DOC`: everything that the ledger has about a document, by its number or that of the ERP; with --json the object of
 * its receipt, with --payload the exact content. Several documents of one number are all shown. A name of no document may
 * be that of a file; `show/no-such-document` if it is neither.
 */

import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import { CONSULT, SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { PURGED_PART, SHOW, SHOW_LABEL } from '../../i18n/messages/cli-views-messages.ts';
import { ATTEMPT_ACT } from '../../i18n/messages/states-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { OperatorError, showFaultIn } from '../../model/fault.ts';
import {
  type Correction,
  documentName,
  type HistoryLine,
  isSetAside,
  type LedgerEntry,
  sourceNumberOf,
} from '../../model/ledger-entry.ts';
import { recordedWords } from '../../model/recorded-words.ts';
import { CLOSED_IN_SENTENCE, SET_ASIDE_INFO, stateInfo } from '../../model/state.ts';
import { readCorrections, receiptObject } from '../../pipeline/publishing/publish-results.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import { dayText } from '../../text/local-time.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { withApprover } from '../../views/wording/approval-words.ts';
import { entryIn } from '../../views/wording/spoken-faults.ts';
import {
  answerWords,
  className,
  decisionName,
  happeningName,
  namesCode,
  stateLine,
} from '../../views/wording/state-words.ts';
import { wrapped } from '../layout/layout.ts';
import { rowsInWords } from '../output/counted-words.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToLook, type Session } from '../session/command-session.ts';
import { bold, dim } from '../session/terminal.ts';
import { showFiles } from './views/show-file.ts';

export const showCommand: CommandModule = { run: showDocument };

/** Reads only; the payload is printed byte by byte, so that its hash can be checked. */
async function showDocument(name: string, given: { readonly payload?: boolean }, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const entries: LedgerEntry[] = [];
  const ids = [name, ...(await ledger.queries.idsOfSourceNumber(name))];
  for await (const entry of ledger.queries.find({ ids })) entries.push(entry);
  if (entries.length === 0) {
    if (!given.payload && (await printFilesCalled(session, ledger.queries, name))) return;
    throw new OperatorError('show/no-such-document', SHOW.noSuch({ name }), { hint: SELECTION.list() });
  }
  if (given.payload) {
    for (const { id } of entries) terminal.exactly((await ledger.queries.contentOf(id)) ?? '');
  } else if (options.json) {
    const correctionsOf = readCorrections(ledger.queries);
    const receipts = await Promise.all(
      entries.map(async (entry) => receiptObject(instance, entry, await correctionsOf(entry))),
    );
    terminal.out(JSON.stringify(receipts.length === 1 ? receipts[0] : receipts, null, 2));
  } else {
    for (const recorded of entries) {
      const entry = entryIn(recorded, session.language);
      const history = await ledger.queries.historyOf(entry.id);
      terminal.out(documentText(session, { entry, corrections: await allCorrections(ledger.queries, entry), history }));
    }
  }
}

/** False if no file is called so. */
async function printFilesCalled(session: Session, ledger: QueryStore, name: string): Promise<boolean> {
  const files = await showFiles(session, ledger, name);
  const data = files.length === 1 ? files[0]?.data : files.map((file) => file.data);
  const shown = session.options.json ? JSON.stringify(data, null, 2) : files.map(({ text }) => text).join('\n\n');
  if (files.length > 0) session.terminal.out(shown);
  return files.length > 0;
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
    ...entry.attempts.flatMap((attempt) => attemptLines(attempt, session)),
    ...corrections.map((correction) => correctionLine(correction, session)),
  ];
  if (history.length > 0) lines.push(dim(`  ${say(SHOW.history())}`));
  return [...lines, ...history.map((line) => historyLine(line, session))].join('\n');
}

function historyLine(line: HistoryLine, { say, time, language }: Session): string {
  const { reason } = (line.detail ?? {}) as { readonly reason?: unknown };
  const parts = [
    happeningName(line.what, say),
    line.person && escapeControls(line.person),
    typeof reason === 'string' && reason !== '' ? escapeControls(recordedWords(reason, line, language)) : undefined,
  ];
  return `    ${time(line.at)}  ${joined(parts, '  ')}`;
}

/** Number, class, state, date, counterparty, amount, and the meaning of the state. */
function headLines({ language, say }: Session, entry: LedgerEntry): readonly string[] {
  const { facts, state, class: documentClass } = entry;
  const { says } = isSetAside(entry) ? SET_ASIDE_INFO : stateInfo(state);
  const amount = facts.amount && `${groupDigits(facts.amount, language)} ${facts.currency ?? ''}`;
  return [
    bold(`  ${escapeControls(documentName(entry))}   ${className(documentClass, say)}   ${stateLine(entry, say)}`),
    `  ${escapeControls(joined([facts.date && dayText(facts.date, language), facts.counterparty, amount], '   '))}`,
    `  ${say(isRecorded(entry) ? SHOW.byPerson() : says)}`,
    '',
  ];
}

type Parts = readonly (string | undefined)[];

function joined(parts: Parts, separator: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}

/** One line per label with its parts; labels without a value are left out. */
function labeledLines({ say, time, terminal, language }: Session, entry: LedgerEntry): readonly string[] {
  const { file, answer, first, hold, evidence, closed, dueAt } = entry;
  const { mapping } = file;
  const purged = [entry.purged, file.purged].filter((one) => one !== undefined);
  const fields: readonly (readonly [label: keyof typeof SHOW_LABEL, ...parts: Parts])[] = [
    ['id', entry.id, say(SHOW.revision({ revision: entry.revision }))],
    ['sourceNumber', sourceNumberOf(entry.identity.keys, entry.facts.identifier)],
    ['source', file.name, say(rowsInWords(entry.rows)), `sha-256 ${file.sha256.slice(0, 16)}`, file.encoding],
    ['mapping', mapping && `${mapping.id} ${mapping.version}`, mapping?.file],
    ['answer', answer && answerWords(answer, language)],
    ['tracking', answer?.trackingId],
    ['first', first && `${first.name} (${first.id})`],
    ...purged.map((one) => ['purged', say(removed(one, time))] as const),
    ['held', hold && `${hold.rule}: ${hold.says}`],
    [
      'evidence',
      evidence && decisionName(evidence.as, say),
      evidence && time(evidence.at),
      evidence && withApprover(say(evidenceOf(evidence)), evidence, say),
    ],
    [
      'closed',
      closed && say(CLOSED_IN_SENTENCE[closed.as]()),
      closed && time(closed.at),
      closed && withApprover(say(evidenceOf(closed)), closed, say),
    ],
    ['next', dueAt && time(dueAt)],
  ];
  const labels = Object.values(SHOW_LABEL).map((label) => say(label()));
  const width = greatestOf(labels.map((label) => label.length)) + 3;
  return fields
    .map(([label, ...parts]) => ({ label, text: escapeControls(joined(parts, '   ')) }))
    .filter(({ text }) => text !== '')
    .map(({ label, text }) => {
      return wrapped(`  ${say(SHOW_LABEL[label]()).padEnd(width)}${text}`, terminal.width, width + 2);
    });
}

/** One request with its outcome and the request-id that support asks for; without an answer it is under way. */
function attemptLines(
  { n, act, at, http, code, ms, outcome, reason = '', requestId }: LedgerEntry['attempts'][number],
  { say, time }: Session,
): readonly string[] {
  const parts = [
    `${dim(`#${n} ${say(ATTEMPT_ACT[act]())}`)}  ${time(at)}`,
    http === undefined ? undefined : `HTTP ${http}`,
    code === undefined || namesCode(reason, code) ? undefined : say(CONSULT.code({ code: String(code) })),
    ms === undefined ? undefined : `${ms} ms`,
    say(outcome === undefined ? SHOW.underWay() : stateInfo(outcome).name),
    escapeControls(reason),
  ];
  const id = act === 'resolve' ? [] : [dim(`       ${say(SHOW.requestId())} ${escapeControls(requestId)}`)];
  return [`  ${joined(parts, '  ')}`, ...id];
}

function correctionLine({ row, column, from, to, by, at, reason }: Correction, { say, time }: Session): string {
  const cell = say(SHOW.cell({ row, column: escapeControls(column) }));
  const person = say(SHOW.byWithReason({ by: escapeControls(by), reason: escapeControls(reason) }));
  const change = `"${escapeControls(from)}" -> "${escapeControls(to)}"`;
  return `  ${dim(say(SHOW.corrected()))} ${cell}: ${change}  ${time(at)}  ${person}`;
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

function removed({ what, at, by, reason }: NonNullable<LedgerEntry['purged']>, time: Session['time']): Message {
  const parts = what.map((part) => PURGED_PART[part]());
  return SHOW.removed({ parts, at: time(at), by, reason: escapeControls(reason) });
}
