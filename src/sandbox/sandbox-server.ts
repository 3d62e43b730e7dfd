/**
 * The sandbox: both remote services on loopback, in this process, without any other system. In: what to answer, to
 * what, how late. Out: addresses of the services, and what they have accepted. Throws OperatorError (sandbox/...) if a
 * port or host cannot be used, and an error of zod for a wrong rule.
 */
import { type AcceptedDocument, openAcceptanceLog } from './acceptance-log.ts';
import { FR, frService } from './fr-sandbox.ts';
import { listen } from './http-listener.ts';
import { type SandboxCounts, zeroCounts } from './sandbox-service.ts';
import { type SandboxOptions, type SvChoices, TUNING, type Tuning } from './sandbox-settings.ts';
import { openScenario } from './scenario.ts';
import { checkRules, type RuleInput } from './scenario-schema.ts';
import { createSubmissionHandler } from './submission-handler.ts';
import { SV, SV_CHOICES, svService } from './sv-sandbox.ts';
import { createTokens } from './tokens.ts';

/** A running sandbox; disposing or `close` stops both servers. */
export type Sandbox = AsyncDisposable & {
  readonly fr: {
    readonly url: string;
    readonly identityUrl: string;
    readonly realm: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** Sandbox choices, below `url`. */
    readonly reportPath: string;
    readonly consultationPath: string;
  };
  readonly sv: SvChoices & {
    readonly authUrl: string;
    readonly issueUrl: string;
    /** Sandbox choice, below `issueUrl`; takes a token of service id 3. */
    readonly consultationPath: string;
  };
  /** One record per identity that reached a service. */
  readonly acceptances: () => readonly Readonly<AcceptedDocument>[];
  readonly requests: () => { readonly fr: Readonly<SandboxCounts>; readonly sv: Readonly<SandboxCounts> };
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
  const scenario = openScenario(checkRules(options.script ?? []), options.scriptedNumbers ?? false, options.seed ?? 1);
  const tokens = createTokens(clock, tokenSeconds * 1000);
  const choices: SvChoices = { ...SV_CHOICES, ...options.sv };
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
  const frAt = frService(handler, tokens, { tokenSeconds, validate, kinds });
  const svAt = svService(handler, tokens, { ...choices, tokenSeconds, validate, kinds });
  const fr = opening.use(await listen({ service: frAt, handler, latencyMs }, host, options.port?.fr ?? 0));
  const sv = opening.use(await listen({ service: svAt, handler, latencyMs }, host, options.port?.sv ?? 0));
  const open = opening.move();
  const close = () => open.disposeAsync();
  return {
    ...addressesAt(fr.url, sv.url, choices),
    acceptances: () => acceptances.all(),
    requests: () => ({ fr: { ...fr.counts }, sv: { ...sv.counts } }),
    script: (rules) => scenario.play(checkRules(rules)),
    tune: (changes) => {
      tuning = { ...tuning, ...changes };
    },
    revokeTokens: () => tokens.revokeAll(),
    reset() {
      acceptances.reset();
      scenario.reset();
      for (const { counts } of [fr, sv]) Object.assign(counts, zeroCounts());
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

/**
 * Addresses and names of the services for these origins, also without a running server (for documentation and tests).
 */
export function addressesAt(fr: string, sv: string, choices: SvChoices = SV_CHOICES): Pick<Sandbox, 'fr' | 'sv'> {
  return {
    fr: {
      url: fr + FR.base,
      identityUrl: fr + FR.identity,
      realm: FR.realm,
      clientId: FR.clientId,
      clientSecret: FR.clientSecret,
      reportPath: FR.report,
      consultationPath: `${FR.consultation}{identifier}`,
    },
    sv: {
      ...choices,
      authUrl: sv + SV.auth,
      issueUrl: sv + SV.issue,
      consultationPath: `${SV.consultation}{identifier}`,
    },
  };
}
