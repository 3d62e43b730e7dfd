/**
 * `sandbox`: imitates both services on loopback, to try mappings and for tests. Runs until a signal. Throws
 * `sandbox/production` in an environment of that name, and `sandbox/no-script` for a script that cannot be read.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SESSION } from '../../../i18n/messages/cli-session-messages.ts';
import { SANDBOX_COMMAND } from '../../../i18n/messages/cli-setup-messages.ts';
import { isProduction } from '../../../instance/environment-guard.ts';
import { kindsAt } from '../../../instance/instance.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import { untilAborted } from '../../../pipeline/context/until-aborted.ts';
import { describeSandbox } from '../../../sandbox/describe.ts';
import { addressesAt, type Sandbox, startSandbox } from '../../../sandbox/sandbox-server.ts';
import { readScript } from '../../../sandbox/scenario-schema.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openOutput, overridesOf, stopOnSignals } from '../../session/command-session.ts';

/** Default ports, which the settings of `init --sandbox` use too. */
export const SANDBOX_PORTS = { fr: 7501, sv: 7502 } as const;

type Options = {
  readonly script?: string;
  readonly latency: number;
  readonly tokenSeconds: number;
  readonly log?: string;
  readonly portFr: number;
  readonly portSv: number;
  readonly scriptedNumbers?: boolean;
};

/** The addresses that a sandbox on these ports has, without a start. */
export function sandboxAt(ports: { readonly fr: number; readonly sv: number }): Pick<Sandbox, 'fr' | 'sv'> {
  return addressesAt(`http://127.0.0.1:${ports.fr}`, `http://127.0.0.1:${ports.sv}`);
}

export const sandboxCommand: CommandModule = {
  run: runSandbox,
  values: {
    latency: { read: readWholeNumber(0), default: 0 },
    'token-seconds': { read: readWholeNumber(0), default: 300 },
    'port-fr': { read: readWholeNumber(0), default: SANDBOX_PORTS.fr },
    'port-sv': { read: readWholeNumber(0), default: SANDBOX_PORTS.sv },
  },
};

async function runSandbox(given: Options, command: Command): Promise<void> {
  const { options, terminal, language, say } = openOutput(command);
  refuseProduction(options.env ?? process.env.NIGHTPOST_ENVIRONMENT);
  using stopping = stopOnSignals(terminal, language, SESSION.endingSandbox());
  await using sandbox = await startSandbox(
    definedOnly({
      port: { fr: given.portFr, sv: given.portSv },
      latencyMs: given.latency,
      tokenSeconds: given.tokenSeconds,
      scriptedNumbers: given.scriptedNumbers === true,
      acceptanceLog: given.log,
      kinds: kindsAt(options.dir, overridesOf(options)),
      script: given.script === undefined ? undefined : readScript(textOf(given.script), given.script),
    }),
  );
  const { services } = describeSandbox(sandbox);
  if (options.json) terminal.out(JSON.stringify({ services }, null, 2));
  else {
    terminal.out(`  FR ${sandbox.fr.url}   SV ${sandbox.sv.issueUrl}`);
    terminal.out(`  ${say(SANDBOX_COMMAND.settings())}`);
  }
  await untilAborted(stopping.signal);
}

/** Throws `sandbox/production`: nothing that runs under that name may be an imitation. */
function refuseProduction(environment: string | undefined): void {
  if (!isProduction(environment)) return;
  throw new OperatorError('sandbox/production', SANDBOX_COMMAND.production({ environment: environment ?? '' }), {
    hint: SANDBOX_COMMAND.leaveOutEnv(),
  });
}

/** The text of the script; throws `sandbox/no-script`. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new OperatorError('sandbox/no-script', SANDBOX_COMMAND.noScript({ path }), {
      cause,
      hint: SANDBOX_COMMAND.checkPath(),
    });
  }
}
