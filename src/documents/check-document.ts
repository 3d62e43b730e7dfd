/**
 * A draft comes in; a document comes out, or all that is wrong with the draft, each fault with its cell. The only maker
 * of a Document, and only a Document can be sent.
 *
 * Pure: the same draft gives the same bytes. The trace of a draft costs a second composing and is asked for only when
 * there is something to locate.
 */
import type { Language } from '../i18n/message.ts';
import type { Document, DocumentFacts, DocumentKind, DocumentOutcome, Identity } from '../model/document.ts';
import type { Draft } from '../model/draft.ts';
import { type Fault, type FaultSource, isError, localize, locate, truncateFault } from '../model/fault.ts';
import { sha256Hex } from '../text/sha256.ts';
import { isDay } from './content/contract-dates.ts';
import { amountText, sourceName } from './content/document-facts.ts';
import { identityKey, neverTwiceKey } from './content/document-identity.ts';
import { isOpen, numberingsIn } from './content/pending-number.ts';
import { formulaFaults, placeholderFaults } from './content/placeholders.ts';
import { draftFaults } from './draft-faults.ts';
import { beginning, hasSpecial, keep, writeBytes, written } from './schema/json-writer.ts';
import { fits, MISFIT, writeFitting } from './schema/shape-encoder.ts';

type Circumstances = {
  /** What composing found; an error among it forbids the document. */
  readonly found?: readonly Fault[];
  /** The rows, to show each fault at the cell to open. */
  readonly source?: FaultSource;
  /** The calendar day of the service, for rules about it; without one no date is in the future. */
  readonly today?: string | undefined;
};

/** Later than any document. */
const NO_DAY = '9999-12-31';
const NONE: readonly never[] = [];

/** As much of a draft as there is when composing failed: its class and rows, and what else could be read. */
type Known = Pick<Draft, 'class' | 'rows'> &
  Partial<Draft> & { /** Its name where its number is unknown. */ readonly called?: string };

/** A valid document carries its warnings. Without `source`, faults have no cells. */
export function checkDocument(
  draft: Draft,
  kind: DocumentKind,
  { found = [], source, today = NO_DAY }: Circumstances = {},
): DocumentOutcome {
  const { content, digest, fitting, special } = fittingContent(draft, kind) ?? anyContent(draft, kind);
  const numberings = special ? numberingsIn(content, draft) : NONE;
  const identity = kind.identify(draft);
  const own = draftFaults(draft, kind, { found, numberings, identity, today, fitting });
  const fresh = special ? [...own, ...placeholderFaults(content, draft, kind), ...formulaFaults(content, draft)] : own;
  const faults = fresh.length === 0 ? found : together(found, onceEach(located(fresh, draft, source)));
  if (faults.some(isError)) return refused(faults, kind, draft, today);
  const numbering = numberings[0]?.numbering;
  const document = {
    kind: kind.name,
    service: kind.service,
    class: draft.class,
    keys: keysOf(draft, kind, identity),
    otherClasses: kind.otherClasses?.[draft.class],
    digest,
    content,
    facts: withRules(kind.factsOf(draft), kind, today),
    rows: draft.rows,
    warnings: faults.length === 0 ? NONE : faults.map(truncateFault),
  };
  return { document: (numbering ? { ...document, numbering } : document) as unknown as Document };
}

/**
 * The outcome of rows that made no document. Its digest is never that of a document, so that the same rows pass once
 * what was wrong outside of them is fixed.
 */
export function refused(faults: readonly Fault[], kind: DocumentKind, known: Known, today?: string): DocumentOutcome {
  const { called = '', ...parts } = known;
  const draft: Draft = { kind: kind.name, trace: () => new Map(), ...parts };
  // A rule keeps its id when its words change. The English words represent all languages.
  const causes = faults.map(({ code, rule, message, at, given }) => [code, rule ?? message, at ?? '', given ?? '']);
  const facts = kind.factsOf(draft);
  // What can be calculated of it may lack a row, or be what is wrong.
  const stated = draft.statedAmount?.();
  const number = isOpen(facts.identifier) ? sourceName(draft) : facts.identifier;
  const body = draft.payload || draft.file ? contentOf(draft, kind) : JSON.stringify(draft.rows);
  return {
    faults: faults.map(truncateFault),
    rows: draft.rows,
    kind: kind.name,
    service: kind.service,
    class: draft.class,
    // Without a document there is no number, and an open key would be that of every other document waiting for one.
    keys: keysOf(draft, kind, kind.identify(draft)).filter((key) => !isOpen(key)),
    facts: withRules(
      { ...facts, ...(stated && { amount: amountText(stated) }), identifier: number === '' ? called : number },
      kind,
      today,
    ),
    digest: sha256('refused', kind.name, draft.class, JSON.stringify(causes), body),
  };
}

/** With the profile that judged it: rules go by the day of the document, or by today where it has none. */
function withRules(facts: DocumentFacts, kind: DocumentKind, today: string | undefined): DocumentFacts {
  const { date = '' } = facts;
  return { ...facts, rules: kind.rules.profileOn(isDay(date) ? date : today) };
}

type Content = {
  readonly content: Buffer;
  readonly digest: string;
  /** The payload has its shape. */
  readonly fitting: boolean;
  /** It may hold the place of a number, a text to be filled in or a formula. */
  readonly special: boolean;
};

/** Content and digest out of one walk that looks at the shape as well; undefined where it does not fit. */
function fittingContent({ payload, file, class: documentClass }: Draft, kind: DocumentKind): Content | undefined {
  if (!payload || file) return undefined;
  const head = beginning();
  const start = writeBytes(digestHead(kind.name, documentClass), head);
  const end = writeFitting(kind.shape, payload, kind.acceptsFile ? writeBytes(PAYLOAD, start) : start);
  if (end === MISFIT) return undefined;
  const last = kind.acceptsFile ? writeBytes(AFTER_PAYLOAD, end) : end;
  const digest = sha256Hex(written(head, last));
  return { content: keep(start, last), digest, fitting: true, special: hasSpecial() };
}

/** The bytes before the content in the digest: the same for nearly all documents of a file. */
function digestHead(kind: string, documentClass: string): Uint8Array {
  if (lastHead.kind !== kind || lastHead.class !== documentClass) {
    lastHead = { kind, class: documentClass, bytes: Buffer.from(`${kind}\n${documentClass}\n`) };
  }
  return lastHead.bytes;
}

let lastHead = { kind: '', class: '', bytes: Buffer.alloc(0) };

const PAYLOAD = Buffer.from('{"payload":');
const AFTER_PAYLOAD = Buffer.from('}');

/** For drafts with a file or with a wrong shape, which the quick walk cannot write. */
function anyContent(draft: Draft, kind: DocumentKind): Content {
  const content = contentOf(draft, kind);
  const fitting = draft.payload === undefined || fits(kind.shape, draft.payload);
  const digest = sha256(kind.name, draft.class, content);
  return { content: Buffer.from(content), digest, fitting, special: true };
}

/** French content says in which mode it comes (french-invoicing 2.1); the remission note is the body itself. */
function contentOf({ payload, file }: Draft, kind: DocumentKind): string {
  return JSON.stringify(kind.acceptsFile ? { payload, file } : (payload ?? {}));
}

/** The keys that the ledger keeps unique: the identity, and the never-twice values if one is not blank. */
function keysOf(draft: Draft, kind: DocumentKind, identity: Identity | undefined): readonly string[] {
  const { neverTwice = NONE } = draft;
  const keys: string[] = [];
  if (identity) keys.push(identityKey(kind.service, draft.class, identity));
  if (neverTwice.some((value) => value.trim() !== '')) keys.push(neverTwiceKey(kind.name, neverTwice));
  return keys;
}

/** Adds to each fault the cell that its value comes from. */
function located(faults: readonly Fault[], draft: Draft, source: FaultSource | undefined): readonly Fault[] {
  const trace = draft.trace();
  return faults.map((fault) => locate(fault, trace, source));
}

/** An error of composing that is about no field is a failed check: what may explain it comes first. */
function together(found: readonly Fault[], fresh: readonly Fault[]): readonly Fault[] {
  const isCheck = (fault: Fault) => isError(fault) && fault.at === undefined;
  return [...found.filter((fault) => !isCheck(fault)), ...fresh, ...found.filter(isCheck)];
}

/**
 * A cell such as a rate can feed several fields: a rule that finds the same in all of them reports the cell once.
 */
function onceEach(faults: readonly Fault[]): readonly Fault[] {
  const reported = new Set<string>();
  return faults.filter(({ rule, origin, message }) => {
    if (rule === undefined || origin?.column === undefined) return true;
    const key = JSON.stringify([rule, origin.file, origin.row, origin.column, message]);
    return !reported.has(key) && reported.add(key);
  });
}

function sha256(...parts: readonly string[]): string {
  return sha256Hex(parts.join('\n'));
}

/** After the digest of refused content is made, which is the same in each language. */
export function localizeOutcome(outcome: DocumentOutcome, language: Language): DocumentOutcome {
  if (!('document' in outcome)) return { ...outcome, faults: localize(outcome.faults, language) };
  const { document } = outcome;
  if (document.warnings.length === 0) return outcome;
  return { ...outcome, document: { ...document, warnings: localize(document.warnings, language) } };
}
