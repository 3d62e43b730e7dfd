/**
 * The options of a sandbox, with their defaults. Everything that the contracts leave out ("not shown") is a choice of
 * the sandbox and is here, so that a client can be set to another choice and still has to work.
 */
import type { DocumentKind, PerService, ServiceName } from '../model/document.ts';
import type { RuleInput, ScenarioAnswer } from './scenario-schema.ts';

/** All optional; a wrong rule in `script` throws when the sandbox starts. */
export type SandboxOptions = {
  /** 0 or absent: any free port. */
  readonly port?: Partial<PerService<number>>;
  /** A loopback address; anything else is refused. */
  readonly host?: string;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  readonly script?: readonly RuleInput[];
  /** Remission notes: the last two digits of the number choose the answer. */
  readonly scriptedNumbers?: boolean;
  readonly tokenSeconds?: number;
  /** false: take every well-formed envelope, for benchmarks. */
  readonly validate?: boolean;
  /** Kinds of documents with the further fields of the settings; those of the contracts otherwise. */
  readonly kinds?: readonly DocumentKind[];
  /** false: a service without duplicate detection accepts an identity as often as it is sent. */
  readonly refuseDuplicates?: boolean;
  /** JSON lines file, appended at the instant of each acceptance. */
  readonly acceptanceLog?: string;
  readonly seed?: number;
  readonly log?: (event: SandboxEvent) => void;
  readonly sv?: Partial<SvChoices>;
} & Partial<Tuning>;

/** The options that may change while the sandbox runs. */
export type Tuning = {
  readonly latencyMs: number;
  /** Submissions under way at the same time, per service; one more is answered `overload`. */
  readonly capacity: number;
  readonly overload: 429 | 503;
  /** Share of submissions, 0 to 1, that get `failWith`. */
  readonly failRate: number;
  readonly failWith: ScenarioAnswer;
  /** Delay of the mark -XSLOW. */
  readonly slowMs: number;
  /** The later outcome of a document in code 8, unless a rule decides. */
  readonly becomes: { readonly code: number; readonly afterSeconds: number; readonly afterConsultations: number };
};

/** Names that the remission-note contract does not show. */
export type SvChoices = {
  readonly user: string;
  readonly password: string;
  /** Request header that carries Base64 of `user:password`. */
  readonly credentialsHeader: string;
  /** Query parameter that carries the service id. */
  readonly serviceIdParameter: string;
};

/** `received`: a submission is complete and not yet accepted. `answered`: its answer is sent. `at` in ISO 8601. */
export type SandboxEvent = {
  readonly event: 'received' | 'answered';
  readonly at: string;
  readonly service: ServiceName;
  readonly act: 'submit' | 'consult' | 'token';
  readonly number: string;
  readonly requestId: string;
  readonly http?: number;
  readonly code?: number;
  readonly dropped?: boolean;
};

/** A service without delay, limit or random failure. */
export const TUNING: Tuning = {
  latencyMs: 0,
  capacity: Infinity,
  overload: 429,
  failRate: 0,
  failWith: { http: 500 },
  slowMs: 5_000,
  becomes: { code: 2, afterSeconds: 0, afterConsultations: 1 },
};
