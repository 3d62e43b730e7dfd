/**
 * `requests`: the decisions that wait for another person. Output: one block for each, or with --json an array. Reads only.
 */
import type { Command } from 'commander';
import { documentsOf } from '../../../decisions/act.ts';
import { type ActForApproval, actsForApproval } from '../../../decisions/requests/submitted-acts.ts';
import { APPROVE } from '../../../i18n/messages/cli-decisions-messages.ts';
import { escapeControls } from '../../../text/printable.ts';
import { whyApproval } from '../../../views/wording/approval-words.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSessionToLook, type Session } from '../../session/command-session.ts';

export const requestsCommand: CommandModule = { run: listRequests };

async function listRequests(_: object, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, say, instance } = session;
  const acts = await actsForApproval(instance, new Date());
  if (options.json) terminal.out(JSON.stringify(acts.map(requestObject), null, 2));
  else for (const act of acts) printRequest(session, act);
  if (acts.length === 0) terminal.talk(`  ${say(APPROVE.none())}`);
}

/** As --json prints it. */
function requestObject({ id, act, person, reason, at, expires, about }: ActForApproval) {
  const documents = documentsOf(act);
  return { id, act: act.act, by: person, reason, at, expires, documents: documents.length, waitsFor: about };
}

function printRequest({ terminal, say, time }: Session, one: ActForApproval): void {
  const { id, act, person, reason, at, expires, about } = one;
  const count = requestObject(one).documents;
  const about1 = { id: id.slice(0, 8), act: act.act, by: person, reason, at: time(at), expires: time(expires), count };
  terminal.out(`  ${escapeControls(say(APPROVE.line(about1)))}`);
  for (const document of about) terminal.out(`    ${escapeControls(say(whyApproval(document)))}`);
}
