/**
 * Everything that is wrong with a draft: shape, rules and identity together, so that a person fixes all of it at once.
 *
 * One fault per cause: what follows from a field of the wrong shape (a missing identity, a broken rule) stays silent.
 */

import type { Message } from '../i18n/message.ts';
import { DRAFT, IDENTITY, SHAPE } from '../i18n/messages/documents-messages.ts';
import type { DocumentKind, Identity, IdentityGap } from '../model/document.ts';
import type { Draft } from '../model/draft.ts';
import { type DataFault, type Fault, isError, withMessage } from '../model/fault.ts';
import { suggest } from '../text/suggest.ts';
import { type FoundNumbering, isOpen } from './content/pending-number.ts';
import { ruleFault } from './rules/rule-faults.ts';
import { withoutConsequences } from './rules/suppress-consequences.ts';
import { encodedFile, encodedFileSchema } from './schema/encoded-file.ts';
import { shapeFaults } from './schema/shape-faults.ts';

const FILE = '/file';
const NONE: readonly never[] = [];

type Looked = {
  /** Faults of composing, which explain gaps too. */
  readonly found: readonly Fault[];
  readonly numberings: readonly FoundNumbering[];
  /** As the kind sees it; none where a part is missing. */
  readonly identity: Identity | undefined;
  /** The calendar day of the service. */
  readonly today: string;
  /** The payload has its shape: zod need not look for what is wrong with it. */
  readonly fitting: boolean;
};

/** Faults with their pointers, not yet with their cells. */
export function draftFaults(
  draft: Draft,
  kind: DocumentKind,
  { found, numberings, identity, today, fitting }: Looked,
): readonly DataFault[] {
  if (!draft.payload && !draft.file) return found.some(isError) ? [] : [nothingToSend(kind)];
  const misclassed = classFaults(draft, kind);
  const misshapen = fitting ? NONE : payloadFaults(draft, kind);
  const misfiled = fileFaults(draft, kind);
  const broken = ruleFaults(draft, kind, today);
  const numbered = identity !== undefined && numberings.length === 0;
  // Nearly every document: no list is made for it.
  if (numbered && misclassed.length + misshapen.length + misfiled.length + broken.length === 0) return NONE;
  // Errors only: what silences the fault of a missing identity has to forbid the document itself.
  const shape = [...found.filter(isError), ...misshapen];
  const unidentified = numbered ? NONE : identityFaults(draft, kind, { shape, numberings });
  const isExplained = explainedBy([...shape, ...unidentified]);
  return [
    ...misclassed,
    ...misshapen,
    ...misfiled,
    ...broken.filter(({ at }) => !isExplained(at)),
    ...unidentified,
    ...tooManySequences(kind, numberings),
  ];
}

function nothingToSend(kind: DocumentKind): DataFault {
  return {
    code: `${kind.name}/nothing-to-send`,
    level: 'error',
    ...withMessage(DRAFT.nothing(), DRAFT.lookAtPreview()),
  };
}

/** `<kind>/unknown-class`, with a near class or the list of classes. */
function classFaults(draft: Draft, kind: DocumentKind): readonly DataFault[] {
  if (kind.classes.includes(draft.class)) return NONE;
  const meant = suggest(draft.class, kind.classes);
  return [
    {
      code: `${kind.name}/unknown-class`,
      level: 'error',
      ...withMessage(
        DRAFT.unknownClass({ given: draft.class, kind: kind.name }),
        meant ? SHAPE.meant({ meant }) : DRAFT.classes({ classes: kind.classes }),
      ),
      given: draft.class,
    },
  ];
}

/** What zod finds wrong with the payload. */
function payloadFaults({ payload }: Draft, kind: DocumentKind): readonly DataFault[] {
  if (!payload) return [];
  const { error } = kind.shape.safeParse(payload);
  return error ? shapeFaults(error, { kind: kind.name, body: payload, schema: kind.schema, base: '' }) : [];
}

/** A file that the kind does not accept, has a wrong shape or no data. */
function fileFaults({ file }: Draft, kind: DocumentKind): readonly DataFault[] {
  if (!file) return NONE;
  if (!kind.acceptsFile) {
    return [
      {
        code: `${kind.name}/file-not-accepted`,
        level: 'error',
        ...withMessage(DRAFT.fileNotAccepted({ kind: kind.name }), DRAFT.takeFileOut()),
        at: FILE,
      },
    ];
  }
  const { error } = encodedFile.safeParse(file);
  if (error) return shapeFaults(error, { kind: kind.name, body: file, schema: encodedFileSchema, base: FILE });
  if (file.data !== undefined) return [];
  return [
    {
      code: `${kind.name}/missing`,
      level: 'error',
      ...withMessage(DRAFT.noData(), DRAFT.isItEmpty()),
      at: `${FILE}/data`,
    },
  ];
}

/** Broken rules without those that another break explains. */
function ruleFaults(draft: Draft, { rules }: DocumentKind, today: string): readonly DataFault[] {
  const { payload } = draft;
  const found = payload ? rules.judge(payload, draft.class, today, draft) : NONE;
  if (!payload || found.length === 0) return NONE;
  return withoutConsequences(found).map((broken) => ruleFault(broken, payload));
}

/** What is known before the identity is looked at; `shape` are the errors that may explain a gap in it. */
type Known = { readonly shape: readonly Fault[]; readonly numberings: readonly FoundNumbering[] };

/**
 * A document that could not be recognised again could be sent twice: own identity or never-twice values, one it needs.
 */
function identityFaults(draft: Draft, kind: DocumentKind, { shape, numberings }: Known): readonly DataFault[] {
  if (draft.neverTwice?.some((value) => value.trim() !== '')) return emptyCells(draft, kind, shape);
  if (!draft.payload) return [noNeverTwice(kind, IDENTITY.asFile())];
  // A token in the number: it comes later, and would be another one each time.
  const [numbering] = numberings;
  if (numbering && isOpen(kind.identify(draft)?.number ?? '')) {
    return [{ ...noNeverTwice(kind, IDENTITY.fromSequence()), at: numbering.at }];
  }
  const isExplained = explainedBy(shape);
  const gaps = kind.identityGaps(draft).filter(({ at }) => !isExplained(at));
  return gaps.map((gap) => gapFault(kind, gap));
}

/** Never-twice values replace a number that the mapping does not give, never a number whose cell is empty. */
function emptyCells(draft: Draft, kind: DocumentKind, shape: readonly Fault[]): readonly DataFault[] {
  const gaps = draft.payload ? kind.identityGaps(draft).filter(({ part }) => part !== 'issuer') : [];
  if (gaps.length === 0) return [];
  const trace = draft.trace();
  const isExplained = explainedBy(shape);
  return gaps
    .filter(({ at }) => trace.has(at) && !isExplained(at))
    .map(({ part, at }) => ({
      code: `${kind.name}/no-${part}`,
      level: 'error',
      ...withMessage(part === 'number' ? IDENTITY.emptyNumber() : IDENTITY.emptyDate(), IDENTITY.fillCell()),
      at,
      given: '',
    }));
}

/** Nothing in this document recognizes it again: the mapping must give never-twice values. */
function noNeverTwice(kind: DocumentKind, why: Message): DataFault {
  return {
    code: `${kind.name}/no-never-twice`,
    level: 'error',
    ...withMessage(IDENTITY.sentTwice({ why }), IDENTITY.neverTwice()),
  };
}

/** A part of the identity is missing: `<kind>/no-issuer`, `no-number` or `no-date`. */
function gapFault(kind: DocumentKind, { part, at }: IdentityGap): DataFault {
  return {
    code: `${kind.name}/no-${part}`,
    level: 'error',
    ...withMessage(IDENTITY[part](), IDENTITY.fillField({ field: at.slice(1), otherwise: IDENTITY.neverTwice() })),
    at,
    given: '',
  };
}

/** A document waits for one number at most; each further sequence is a fault. */
function tooManySequences(kind: DocumentKind, numberings: readonly FoundNumbering[]): readonly DataFault[] {
  return numberings.slice(1).map(({ numbering, at }) => ({
    code: `${kind.name}/two-sequences`,
    level: 'error',
    ...withMessage(IDENTITY.twoSequences({ sequence: numbering.sequence }), IDENTITY.oneSequence()),
    at,
    given: numbering.sequence,
  }));
}

/**
 * Whether the value at a pointer has a wrong shape, or is next to it under a misspelled name. By the places of the causes:
 * thousands of lines may have one each.
 */
function explainedBy(causes: readonly Fault[]): (pointer: string | undefined) => boolean {
  const wrong = new Set<string>();
  const above = new Set<string>();
  const misspelled = new Set<string>();
  for (const { at, code } of causes) {
    if (at === undefined) continue;
    wrong.add(at);
    for (const one of parentsOf(at)) above.add(one);
    if (code.endsWith('/unknown-field')) misspelled.add(parent(at));
  }
  return (pointer) =>
    pointer !== undefined &&
    (wrong.has(pointer) ||
      above.has(pointer) ||
      misspelled.has(parent(pointer)) ||
      parentsOf(pointer).some((one) => wrong.has(one)));
}

function parentsOf(at: string): readonly string[] {
  const found: string[] = [];
  for (let end = at.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : at.lastIndexOf('/', end - 1))
    found.push(at.slice(0, end));
  return found;
}

function parent(at: string): string {
  return at.slice(0, at.lastIndexOf('/'));
}
