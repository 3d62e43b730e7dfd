/**
 * The identity of a document from the fields that make it up, and its key in the ledger. Without an identity a document
 * could be sent twice unnoticed: if a part is missing there is none, and `draft-faults.ts` reports it.
 */
import { definedOnly } from '../../model/defined-only.ts';
import type { DocumentKind, Identity, IdentityGap } from '../../model/document.ts';
import type { Draft, JsonObject } from '../../model/draft.ts';
import { codeUnitAt } from '../../text/code-unit.ts';

const BACKSLASH = 92;
const BAR = 124;

type Find = (payload: JsonObject) => string | undefined;
/** `at` is the JSON pointer of the field, for the fault about a missing one. */
type Part = { readonly at: string; readonly find: Find };

type IdentityFields = {
  readonly issuer: Part;
  readonly number: Part;
  /** A day, for kinds whose numbers may restart every year. */
  readonly date?: Part;
  readonly series?: Find;
};

/** The two functions of a kind: the identity of a draft, and the parts that are missing for it. */
export function identifiedBy(fields: IdentityFields): Pick<DocumentKind, 'dateAt' | 'identify' | 'identityGaps'> {
  const { issuer, number, date } = fields;
  const parts = definedOnly({ issuer, number, date });
  const find = (draft: Draft, part: Part) => (draft.payload ? part.find(draft.payload) : undefined);
  return {
    ...definedOnly({ dateAt: date?.at }),
    identify: (draft) => identityOf(draft.payload ?? {}, fields),
    identityGaps: (draft) =>
      Object.entries(parts)
        .filter(([, part]) => find(draft, part) === undefined)
        .map(([name, part]) => ({ part: name as IdentityGap['part'], at: part.at })),
  };
}

/** Undefined if issuer, number or, for kinds that have it, the date is missing. */
function identityOf(payload: JsonObject, { issuer, number, date, series }: IdentityFields): Identity | undefined {
  const who = issuer.find(payload);
  const which = number.find(payload);
  const when = date?.find(payload);
  const within = series?.(payload);
  if (who === undefined || which === undefined || (date && when === undefined)) return undefined;
  const identity: { -readonly [part in keyof Identity]: Identity[part] } = { issuer: who, number: which };
  if (within !== undefined) identity.series = within;
  if (when !== undefined) identity.year = when.slice(0, 4);
  return identity;
}

/**
 * `service|issuer|class|series|number|year`. The class belongs to it: an invoice and a credit note under one number are
 * two documents. Parts are escaped so that they cannot run together.
 */
export function identityKey(service: string, documentClass: string, identity: Identity): string {
  const { issuer, series = '', number, year = '' } = identity;
  return joined([service, issuer, documentClass, series, number, year]);
}

/** `nt|kind|value|...`. Without the class: rows whose class a mapping got wrong are still the same rows. */
export function neverTwiceKey(kind: string, values: readonly string[]): string {
  return joined(['nt', kind, ...values]);
}

/** Outer blanks and the way accents are composed make no difference; case does. */
function joined(parts: readonly string[]): string {
  return parts.map(escaped).join('|');
}

function escaped(part: string): string {
  return isPlain(part) ? part : part.normalize('NFC').trim().replace(/[\\|]/g, '\\$&');
}

/** Visible ASCII without what is escaped: most parts, which the rest need not be done to. */
function isPlain(part: string): boolean {
  for (let n = 0; n < part.length; n++) {
    const unit = codeUnitAt(part, n);
    if (unit <= 0x20 || unit >= 0x7f || unit === BACKSLASH || unit === BAR) return false;
  }
  return true;
}
