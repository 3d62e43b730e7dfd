/**
 * `resume`: a person lets a stopped service take documents again; the next run sends one document first. Throws
 * `resume/no-such-service` for a service that the settings do not have.
 */
import type { Command } from 'commander';
import { format } from '../../i18n/message.ts';
import { RESUME } from '../../i18n/messages/cli-decisions-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { type DecisionOptions, decisionOf, submitDecision } from '../session/operator-decision.ts';

export const resumeCommand: CommandModule = { run: resume };

/** A service that is not stopped is no error: the output reports that nothing changed. */
async function resume(service: string, given: DecisionOptions, self: Command): Promise<void> {
  const session = openSession(self);
  const { options, terminal, instance } = session;
  const names = instance.destinations.map(({ name }) => name);
  if (!names.includes(service)) {
    throw new OperatorError('resume/no-such-service', RESUME.noService({ service }), {
      hint: RESUME.services({ names: names.join(', ') }),
    });
  }
  const decision = decisionOf(given);
  const result = await submitDecision(session, { act: 'resume', service }, decision);
  if (!result) return;
  const { resumed } = result;
  if (options.json) return terminal.out(JSON.stringify({ service, resumed }, null, 2));
  const says = resumed ? RESUME.done({ service }) : RESUME.nothing({ service });
  terminal.out(`  ${format(says, instance.settings.rules.language)}`);
}
