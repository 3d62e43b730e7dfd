/** What the sandbox knows about a service that it imitates, as one value: its server, its addresses, and the settings for them. */
import type { DocumentKind } from '../model/document.ts';
import type { SandboxService } from './sandbox-service.ts';
import type { AnswerByNumber } from './scenario.ts';
import type { SubmissionHandler } from './submission-handler.ts';
import type { Tokens } from './tokens.ts';

/** What each imitated service is made with. */
export type Checks = {
  /** Life of a token. */
  readonly tokenSeconds: number;
  /** Whether documents are checked against the contract; without it, each well-formed one is accepted. */
  readonly validate: boolean;
  /** Kinds of documents with fields beyond the contract. */
  readonly kinds: readonly DocumentKind[];
};

/** What the sandbox knows about a service that it imitates. */
export type Imitation<Address> = {
  readonly open: (handler: SubmissionHandler, tokens: Tokens, checks: Checks) => SandboxService;
  readonly addressAt: (origin: string) => Address;
  /** The block of the service in the settings, and the variable that its secret is in. */
  readonly settingsFor: (address: Address) => { readonly settings: object; readonly secret: SandboxSecret };
  readonly answerByNumber: AnswerByNumber;
};

type SandboxSecret = { readonly variable: string; readonly value: string };
