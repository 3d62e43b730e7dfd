/**
 * The names that a line of answers may use: `@answer.*`, `@document.*`, `@file.*`, `@corrected.X`, `@receipt`, `@run`,
 * `@n`. What they read is the scope of the line, which travels with the composition. Nothing throws.
 */
import { Decimal } from '../../model/decimal.ts';
import type { OutputScope } from '../expressions/expression-types.ts';
import type { Composition, EvaluatedRow } from '../runtime/composition.ts';
import type { Context, Kind, Value } from '../runtime/value.ts';

/** What is reported of one document. Times are local, as ISO 8601 without a zone. */
export type ReportedAnswer = {
  readonly state: string;
  readonly code?: number | undefined;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly at: string;
  /** Nothing more happens to the document by itself or by a person. */
  readonly final: boolean;
  /** `set-aside` or `acknowledged`, where a person has closed the document. */
  readonly closed?: string | undefined;
  /** The rows repeat an earlier document, whose answer this is. */
  readonly repeats?: boolean | undefined;
};

/** The document as it was recognized; an absent value is empty. */
type ReportedDocument = {
  readonly identifier: string;
  readonly sourceNumber?: string | undefined;
  readonly class: string;
  readonly kind: string;
  readonly date?: string | undefined;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly customer?: string | undefined;
};

/** The values of one line. Head and foot of a file have no document. */
export type AnswerScope = {
  readonly n: number;
  readonly run: string;
  /** Lines of documents so far: the count of the file in its foot. */
  readonly documents: number;
  readonly file?: { readonly name: string; readonly id: string; readonly sha256: string; readonly claimedAt: string };
  readonly answer?: ReportedAnswer;
  readonly document?: ReportedDocument | undefined;
  readonly receipt?: string | undefined;
  /** The text that a person put in place of a cell; undefined without a correction. */
  readonly corrected?: ((row: number, column: string) => string | undefined) | undefined;
};

/** A composition whose names read this scope. */
export type AnswerRun = Composition & {
  scope: AnswerScope;
  /** Only a part of the rows of the document is there. */
  isPart?: boolean;
  /** Set when a value asks for all rows of a document of which only a part is there. */
  lacksRows?: boolean;
};

type Name = { readonly kind: Kind; readonly read: (scope: AnswerScope) => Value };

const text = (read: (scope: AnswerScope) => string | undefined): Name => ({
  kind: 'text',
  read: (scope) => read(scope) ?? '',
});
const date = (read: (scope: AnswerScope) => string | undefined): Name => ({ ...text(read), kind: 'date' });
const number = (read: (scope: AnswerScope) => string | number | undefined): Name => ({
  kind: 'number',
  read: (scope) => {
    const given = read(scope);
    return given === undefined ? '' : (Decimal.parse(String(given)) ?? '');
  },
});

/** Names of every line. */
const OF_FILE: { readonly [name: string]: Name } = {
  n: number(({ n }) => n),
  run: text(({ run }) => run),
  documents: number(({ documents }) => documents),
  'file.name': text(({ file }) => file?.name),
  'file.stem': text(({ file }) => file && stemOf(file.name)),
  'file.id': text(({ file }) => file?.id),
  'file.sha256': text(({ file }) => file?.sha256),
  'file.claimed-at': date(({ file }) => file?.claimedAt),
};

/** Names of the lines of documents. */
const OF_DOCUMENT: { readonly [name: string]: Name } = {
  'answer.state': text(({ answer }) => answer?.state),
  'answer.code': number(({ answer }) => answer?.code),
  'answer.name': text(({ answer }) => answer?.name),
  'answer.message': text(({ answer }) => answer?.message),
  'answer.tracking-id': text(({ answer }) => answer?.trackingId),
  'answer.at': date(({ answer }) => answer?.at),
  'answer.final': { kind: 'boolean', read: ({ answer }) => answer?.final ?? false },
  'answer.repeats': { kind: 'boolean', read: ({ answer }) => answer?.repeats ?? false },
  'answer.closed': text(({ answer }) => answer?.closed),
  'document.identifier': text(({ document }) => document?.identifier),
  'document.source-number': text(({ document }) => document?.sourceNumber),
  'document.class': text(({ document }) => document?.class),
  'document.kind': text(({ document }) => document?.kind),
  'document.date': date(({ document }) => document?.date),
  'document.amount': number(({ document }) => document?.amount),
  'document.currency': text(({ document }) => document?.currency),
  'document.customer': text(({ document }) => document?.customer),
  receipt: text(({ receipt }) => receipt),
};

/** The name of an export without its last ending. */
export function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

const CORRECTED = 'corrected.';
/** Names that need more of the ledger than the answer itself. */
const OF_LEDGER = /^(?:document\.|receipt$)/;

/** `of`: what the line is about; `@documents` and the rest of OF_FILE are known in each. `onUse`: a name needs that too. */
export function answerNames(
  of: 'document' | 'file',
  columnNames: () => readonly string[],
  onUse: (what: 'corrections' | 'document') => void,
): OutputScope {
  const known: { readonly [name: string]: Name } = of === 'document' ? { ...OF_FILE, ...OF_DOCUMENT } : OF_FILE;
  return {
    output: (path) => {
      if (of === 'document' && path.startsWith(CORRECTED)) {
        onUse('corrections');
        return correctedColumn(path.slice(CORRECTED.length));
      }
      const name = Object.hasOwn(known, path) ? known[path] : undefined;
      if (name && OF_LEDGER.test(path)) onUse('document');
      return name && { kind: name.kind, read: (context: Context) => name.read((context as AnswerRun).scope) };
    },
    get names() {
      const corrected = of === 'document' ? columnNames().map((column) => CORRECTED + column) : [];
      return [...Object.keys(known), ...corrected];
    },
  };
}

/** The cell with the correction of a person, as text; without one the cell of the export. */
function correctedColumn(column: string) {
  return {
    kind: 'text' as const,
    read: (context: Context): Value => {
      const { scope, row, all, table } = context as AnswerRun;
      const at = (row ?? all[0]) as EvaluatedRow | undefined;
      if (!at) return '';
      return scope.corrected?.(at.row, column) ?? (at.cells[table.columns.indexOf(column)] ?? '').trim();
    },
  };
}
