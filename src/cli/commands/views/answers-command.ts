/**
 * `answers`: the latest files with answers for the ERP, and what waits. With --again a person has the answers of a
 * document or an export reported once more. Throws `answers/unknown` for a name that the ledger does not have.
 */
import type { Command } from 'commander';
import { seenDocument } from '../../../decisions/act.ts';
import { ANSWERS_TABLE, ANSWERS_VIEW } from '../../../i18n/messages/cli-views-messages.ts';
import type { AnswersFile } from '../../../ledger/contract/answer-store.ts';
import { OperatorError } from '../../../model/fault.ts';
import { foreseeAgain } from '../../../pipeline/answers/answer-again.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import { fieldMessage, latestAnswers } from '../../../views/queries/reported-answers.ts';
import { table } from '../../layout/layout.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openSession, openSessionToLook, type Session } from '../../session/command-session.ts';
import { type DecisionOptions, decisionOf, submitDecision } from '../../session/operator-decision.ts';

type Options = DecisionOptions & { readonly again?: string; readonly last: number };

export const answersCommand: CommandModule = {
  run: answers,
  values: { last: { read: readWholeNumber(1), default: 20 } },
};

async function answers(given: Options, command: Command): Promise<void> {
  if (given.again !== undefined) return await again(openSession(command), given.again, given);
  const { instance, options, terminal, say, time } = openSessionToLook(command);
  await using ledger = await lookIntoLedgerOf(instance);
  const { files, waiting } = await latestAnswers(ledger.answers, given.last);
  if (options.json) return terminal.out(JSON.stringify({ files: files.map(dataOf), waiting }, null, 2));
  if (files.length === 0) terminal.out(`  ${say(ANSWERS_VIEW.none())}`);
  else {
    const columns = [
      { title: say(ANSWERS_TABLE.file()), fit: 'wrap' },
      { title: say(ANSWERS_TABLE.folder()), fit: 'wrap' },
      { title: say(ANSWERS_TABLE.documents()), align: 'right', fit: 'whole' },
      { title: say(ANSWERS_TABLE.written()), fit: 'whole' },
      { title: say(ANSWERS_TABLE.state()), fit: 'wrap' },
    ] as const;
    const rows = files.map((file) => [
      escapeControls(file.name),
      escapeControls(file.folder),
      String(file.documents),
      time(file.writtenAt ?? file.at),
      say(STATE_WORDS[file.state]()),
    ]);
    terminal.out(table(columns, rows, terminal.width));
  }
  const { documents, files: open, delays, fields } = waiting;
  if (documents + open > 0) terminal.out(`  ${say(ANSWERS_VIEW.waiting({ documents, files: open }))}`);
  for (const { says, code, tries, since } of delays) {
    terminal.out(`  ${code}  ${escapeControls(says)}`);
    terminal.out(`  ${say(ANSWERS_VIEW.tried({ tries, since: time(since) }))}`);
  }
  for (const one of fields) terminal.out(escapeControls(`  ${one.answers}  ${say(fieldMessage(one))}`));
}

const STATE_WORDS: { readonly [state in AnswersFile['state']]: () => ReturnType<typeof ANSWERS_VIEW.written> } = {
  composing: ANSWERS_VIEW.chosen,
  chosen: ANSWERS_VIEW.chosen,
  placed: ANSWERS_VIEW.chosen,
  written: ANSWERS_VIEW.written,
  taken: ANSWERS_VIEW.taken,
};

/** The public shape of a file in --json. */
function dataOf({
  name,
  n,
  answers: block,
  folder,
  state,
  documents,
  sha256,
  run,
  at,
  writtenAt,
  fields = [],
}: AnswersFile): object {
  return { name, n, answers: block, folder, state, documents, sha256, run, at, writtenAt: writtenAt ?? null, fields };
}

async function again(session: Session, name: string, given: Options): Promise<void> {
  const decision = decisionOf(given);
  const { instance, options, terminal, say } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const about = await called(ledger, name);
  const print = (documents: number) => {
    if (options.json) terminal.out(JSON.stringify({ documents, dryRun: given.dryRun === true }, null, 2));
    else terminal.out(`  ${say(given.dryRun ? ANSWERS_VIEW.would({ documents }) : ANSWERS_VIEW.done({ documents }))}`);
  };
  if (given.dryRun) return print(await foreseeAgain({ instance, ledger }, about));
  const result = await submitDecision(session, { act: 'report-again', ...about }, decision);
  if (result) print(result.reported);
}

/** An export by name or id, else documents by number, id or receipt name. */
async function called(ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>, name: string) {
  const [file] = await ledger.queries.filesCalled(name);
  if (file) return { file: file.id };
  const entries = [];
  for await (const entry of ledger.queries.find({ ids: [name] })) entries.push(entry);
  if (entries.length > 0) return { documents: entries.map(seenDocument) };
  throw new OperatorError('answers/unknown', ANSWERS_VIEW.unknown({ name }), { hint: ANSWERS_VIEW.nameOne() });
}
