/**
 * `resume`: a person lets a stopped service take documents again; the next run sends one document first. Throws
 * `resume/no-such-service` for a service that the settings do not have.
 */
import type { Command } from 'commander';
import { format } from '../../i18n/message.ts';
import { RESUME } from '../../i18n/messages/cli-decisions-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { openLedgerOf } from '../../pipeline/open-run.ts';
import { resumeService } from '../../pipeline/submission/send-due.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { type DecisionOptions, decisionOf } from '../session/operator-decision.ts';

export const resumeCommand: CommandModule = { run: resume };

/** A service that is not stopped is no error: the output reports that nothing changed. */
async function resume(service: string, given: DecisionOptions, self: Command): Promise<void> {
  const { options, terminal, instance } = openSession(self);
  const names = instance.destinations.map(({ name }) => name);
  if (!names.includes(service)) {
    throw new OperatorError('resume/no-such-service', RESUME.noService({ service }), {
      hint: RESUME.services({ names: names.join(', ') }),
    });
  }
  const decision = decisionOf(given);
  await using ledger = await openLedgerOf(instance);
  const resumed = await resumeService(ledger, service, decision);
  if (options.json) return terminal.out(JSON.stringify({ service, resumed }, null, 2));
  const says = resumed ? RESUME.done({ service }) : RESUME.nothing({ service });
  terminal.out(`  ${format(says, instance.settings.rules.language)}`);
}
