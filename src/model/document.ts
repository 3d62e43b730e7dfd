/**
 * Kinds of documents and the checked document, the only thing that can be sent.
 */
import type { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import type { Draft, Numbering } from './draft.ts';
import type { Fault, MESSAGE } from './fault.ts';
import type { SourceRow } from './row.ts';
import type { RulePack } from './rule.ts';

/** JSON Schema of a kind's payload, as data: the mapping language checks its targets and converts values by it. */
export type Schema = {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly format?: 'date' | 'date-time';
  readonly properties?: { readonly [key: string]: Schema };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  /** false or absent: only the listed properties exist. */
  readonly additionalProperties?: boolean;
};

/** What identifies a document for ever: with its service and class, one legal document. */
export type Identity = {
  readonly issuer: string;
  readonly series?: string;
  readonly number: string;
  /** Year of the document date where numbers restart every year. */
  readonly year?: string;
};

/** A part of the identity that the draft does not show, and the JSON pointer where it belongs. */
export type IdentityGap = { readonly part: 'issuer' | 'number' | 'date'; readonly at: string };

/** What people want to see of a document, all as text. */
export type DocumentFacts = {
  readonly identifier: string;
  readonly date?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly counterparty?: string;
  /** What distinguishes the counterparty: its identifier, else its name in small letters. */
  readonly receiver?: string;
  readonly issuer?: string;
  /** The profile of rules it was checked under, and what the settings change about it. */
  readonly rules?: string;
};

/** The services that documents go to, each that of a country. A record over them does not compile without each of them. */
export const SERVICE_NAMES = ['fr', 'sv'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A value for each service. */
export type PerService<T> = { readonly [service in ServiceName]: T };

export function perService<T>(read: (service: ServiceName) => T): PerService<T> {
  return Object.fromEntries(SERVICE_NAMES.map((service) => [service, read(service)])) as PerService<T>;
}

/** The kinds of documents. A record over them, such as the targets of `infer`, does not compile without each of them. */
export const KIND_NAMES = ['fr-invoice', 'fr-report', 'sv-remission-note'] as const;
export type KindName = (typeof KIND_NAMES)[number];

export type DocumentKind = {
  readonly name: KindName;
  readonly service: ServiceName;
  readonly classes: readonly string[];
  /** Class -> the others, where a number is taken once whatever the class. */
  readonly otherClasses?: { readonly [documentClass: string]: readonly string[] };
  /** zod shape of the payload; Decimal instances where the contract says number. Unknown fields are refused. */
  readonly shape: z.ZodType;
  readonly schema: Schema;
  readonly rules: RulePack;
  /** Whether the document may be sent as an encoded file, instead of or in addition to the payload. */
  readonly acceptsFile: boolean;
  /** JSON pointer of the day whose year is part of the identity, for a kind whose numbers restart every year. */
  readonly dateAt?: string;
  /** Undefined if a part of it is missing. A number that is still to be assigned is in it as the token of its Numbering. */
  readonly identify: (draft: Draft) => Identity | undefined;
  /** The parts that `identify` lacks; empty if there is an identity. */
  readonly identityGaps: (draft: Draft) => readonly IdentityGap[];
  readonly factsOf: (draft: Draft) => DocumentFacts;
};

declare const checked: unique symbol;

/** Only `check` makes one, and only a Document can be admitted for sending. */
export type Document = {
  readonly [checked]: true;
  readonly kind: string;
  readonly service: string;
  readonly class: string;
  /**
   * Identities in the ledger, the document's own first; a document that shares any of them is the same document.
   * If a number is still to be assigned, its token is in the key, as in `facts.identifier`; the ledger fills both.
   */
  readonly keys: readonly string[];
  /** Classes under which its number may not be used a second time; the class is part of its identity all the same. */
  readonly otherClasses?: readonly string[];
  /** SHA-256 (hex) of kind, class and content before numbering: equal digest = equal document. */
  readonly digest: string;
  /**
   * JSON text of what goes to the service, in UTF-8: `{"payload":..,"file":..}` for France, the body itself for El Salvador.
   * As bytes, because it is made and hashed as bytes.
   */
  readonly content: Buffer;
  /** Set if the content waits for a number: the ledger assigns it, `fillNumber` places it. */
  readonly numbering?: Numbering;
  readonly facts: DocumentFacts;
  readonly rows: readonly number[];
  readonly warnings: readonly Fault[];
};

/** Why a person has to look at a document before it is sent: the name of the rule, and a sentence. */
export type Hold = {
  readonly rule: HoldRule;
  readonly says: string;
  /** The submissions of other documents with rows of this one that are a reason; `true` in a hold of an earlier version. */
  readonly rows?: true | readonly string[];
  /** The sentence for each language; absent in a hold of an earlier version. */
  readonly [MESSAGE]?: { readonly message: Message };
};

/** The rules of `run.hold` first, then those that no setting turns on. */
export const HOLD_RULES = [
  'new-mapping',
  'new-issuer',
  'amount-over',
  'unknown-receiver',
  'same-cause',
  'number-twice',
  'number-spelling',
  'restored',
  'ledger-accepted',
  'outcome-arrived',
  'rows-issued',
] as const;
export type HoldRule = (typeof HOLD_RULES)[number];

/** The outcome of a group of rows: a document, or all its faults. */
export type DocumentOutcome = (
  | { readonly document: Document; readonly hold?: Hold }
  | {
      readonly faults: readonly Fault[];
      readonly rows: readonly number[];
      readonly kind: string;
      readonly service: string;
      readonly class: string;
      /** As far as they could be read. */
      readonly keys: readonly string[];
      readonly facts: DocumentFacts;
      readonly digest: string;
      /** Its correction waits for a person: a ledger of before may have sent the document. */
      readonly hold?: Hold;
    }
) & {
  /** Made only where it is asked for: it costs more than most rows. */
  readonly sourceRows?: () => readonly SourceRow[] | undefined;
  /** Its mapping asks for the name of the export: equal rows of two files may be two documents. */
  readonly asksForName?: boolean;
  /** Rows of the header file that its rows are joined to, where an export comes in two files. */
  readonly headerRows?: (() => readonly number[]) | undefined;
  /** The earlier file of the same bytes and mapping, from which it differs by the day or the name that the mapping asks for. */
  readonly repeats?: { readonly file: string; readonly sameName: boolean } | undefined;
  /** Its date is the day of reading, so that the year of its identity is not that of the export. */
  readonly datedByReading?: boolean | undefined;
};

/** The part that a document and a refusal share: kind, class, keys, rows, facts, digest. */
export function detailsOf(outcome: DocumentOutcome): Omit<Extract<DocumentOutcome, { faults: unknown }>, 'faults'> {
  return 'document' in outcome ? outcome.document : outcome;
}

/** The document, if all checks have passed. */
export function documentOf(outcome: DocumentOutcome): Document | undefined {
  return 'document' in outcome ? outcome.document : undefined;
}

/** Warnings of a document, or all faults of a refused one. */
export function faultsOfOutcome(outcome: DocumentOutcome): readonly Fault[] {
  return 'document' in outcome ? outcome.document.warnings : outcome.faults;
}
