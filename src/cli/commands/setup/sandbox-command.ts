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
import { type PerService, perService, SERVICE_NAMES, type ServiceName } from '../../../model/document.ts';
import { OperatorError } from '../../../model/fault.ts';
import { untilAborted } from '../../../pipeline/context/until-aborted.ts';
import { describeSandbox } from '../../../sandbox/describe.ts';
import { addressesAt, type SandboxAddresses } from '../../../sandbox/imitations.ts';
import { startSandbox } from '../../../sandbox/sandbox-server.ts';
import { readScript } from '../../../sandbox/scenario-schema.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openOutput, overridesOf, stopOnSignals } from '../../session/command-session.ts';

/** Default ports, which the settings of `init --sandbox` use too. */
export const SANDBOX_PORTS: PerService<number> = { fr: 7501, sv: 7502 };

type Options = {
  readonly script?: string;
  readonly latency: number;
  readonly tokenSeconds: number;
  readonly log?: string;
  readonly scriptedNumbers?: boolean;
} & { readonly [option in PortOption]: number };

/** `portFr`, as commander names --port-fr. */
type PortOption = `port${Capitalize<ServiceName>}`;

const PORT_OPTIONS: PerService<PortOption> = { fr: 'portFr', sv: 'portSv' };

/** The addresses that a sandbox on the default ports has, without a start. */
export function sandboxAtDefaultPorts(): SandboxAddresses {
  return addressesAt((service) => `http://127.0.0.1:${SANDBOX_PORTS[service]}`);
}

export const sandboxCommand: CommandModule = {
  run: runSandbox,
  values: {
    latency: { read: readWholeNumber(0), default: 0 },
    'token-seconds': { read: readWholeNumber(0), default: 300 },
    ...Object.fromEntries(
      SERVICE_NAMES.map((service) => [
        `port-${service}`,
        { read: readWholeNumber(0), default: SANDBOX_PORTS[service] },
      ]),
    ),
  },
};

async function runSandbox(given: Options, command: Command): Promise<void> {
  const { options, terminal, language, say } = openOutput(command);
  refuseProduction(options.env ?? process.env.NIGHTPOST_ENVIRONMENT);
  using stopping = stopOnSignals(terminal, language, SESSION.endingSandbox());
  await using sandbox = await startSandbox(
    definedOnly({
      port: perService((service) => given[PORT_OPTIONS[service]]),
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
    const urls: PerService<string> = { fr: sandbox.fr.url, sv: sandbox.sv.issueUrl };
    const shown = Object.entries(urls).map(([service, url]) => `${service.toUpperCase()} ${url}`);
    terminal.out(`  ${shown.join('   ')}`);
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
