/**
 * The sandbox: both remote services on loopback, in this process, without any other system. In: what to answer, to
 * what, how late. Out: addresses of the services, and what they have accepted. Throws OperatorError (sandbox/...) if a
 * port or host cannot be used, and an error of zod for a wrong rule.
 */

import { type PerService, perService, SERVICE_NAMES, type ServiceName } from '../model/document.ts';
import { must } from '../model/must.ts';
import { type AcceptedDocument, openAcceptanceLog } from './acceptance-log.ts';
import { type Listener, listenTo } from './http-listener.ts';
import { addressesAt, imitationsOf, type SandboxAddresses } from './imitations.ts';
import { type SandboxCounts, zeroCounts } from './sandbox-service.ts';
import { type SandboxOptions, TUNING, type Tuning } from './sandbox-settings.ts';
import { openScenario } from './scenario.ts';
import { checkRules, type RuleInput } from './scenario-schema.ts';
import { createSubmissionHandler } from './submission-handler.ts';
import { createTokens } from './tokens.ts';

/** A running sandbox; disposing or `close` stops both servers. */
export type Sandbox = AsyncDisposable &
  SandboxAddresses & {
    /** One record per identity that reached a service. */
    readonly acceptances: () => readonly Readonly<AcceptedDocument>[];
    readonly requests: () => PerService<Readonly<SandboxCounts>>;
    /** Replaces the rules set while running; they go before those of the script. */
    readonly script: (rules: readonly RuleInput[]) => void;
    readonly tune: (changes: Partial<Tuning>) => void;
    readonly revokeTokens: () => void;
    /** Forgets documents, counts and rules set while running; addresses, tokens and tuning stay. */
    readonly reset: () => void;
    readonly close: () => Promise<void>;
  };

/** Both services listen when the promise resolves; if one of them cannot, nothing is left open. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    clock = Date.now,
    tokenSeconds = 300,
    validate = true,
    refuseDuplicates = true,
    kinds = [],
    host = '127.0.0.1',
  } = options;
  let tuning: Tuning = { ...TUNING, ...given(options) };
  const latencyMs = () => tuning.latencyMs;
  const imitations = imitationsOf(options);
  const byNumber = perService((service) => imitations[service].answerByNumber);
  const scenario = openScenario(checkRules(options.script ?? []), byNumber, options.seed ?? 1);
  const tokens = createTokens(clock, tokenSeconds * 1000);
  await using opening = new AsyncDisposableStack();
  const acceptances = opening.adopt(openAcceptanceLog(options.acceptanceLog), async (kept) => kept.close());
  const handler = createSubmissionHandler({
    clock,
    scenario,
    acceptances,
    refuseDuplicates,
    tuning: () => tuning,
    log: options.log,
  });
  const listen = (name: ServiceName) => {
    const service = imitations[name].open(handler, tokens, { tokenSeconds, validate, kinds });
    return listenTo({ service, handler, latencyMs }, host, options.port?.[name] ?? 0);
  };
  const listeners = new Map<ServiceName, Listener>();
  for (const name of SERVICE_NAMES) listeners.set(name, opening.use(await listen(name)));
  const listenerOf = (name: ServiceName) => must(listeners.get(name), `the listener of ${name}`);
  const open = opening.move();
  const close = () => open.disposeAsync();
  return {
    ...addressesAt((service) => listenerOf(service).url, imitations),
    acceptances: () => acceptances.all(),
    requests: () => perService((service) => ({ ...listenerOf(service).counts })),
    script: (rules) => scenario.play(checkRules(rules)),
    tune: (changes) => {
      tuning = { ...tuning, ...changes };
    },
    revokeTokens: () => tokens.revokeAll(),
    reset() {
      acceptances.reset();
      scenario.reset();
      for (const { counts } of listeners.values()) Object.assign(counts, zeroCounts());
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The tuning among the options, without options that are undefined. */
function given(options: SandboxOptions): Partial<Tuning> {
  const names = Object.keys(TUNING) as (keyof Tuning)[];
  return Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}
