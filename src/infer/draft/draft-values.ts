/** What the drafts of all targets have in common: values of parts, code tables, the placeholder of the issuer. */
import { format, type Message } from '../../i18n/message.ts';
import { DRAFT_COMMENT, ROLE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { FILL_IN } from '../../model/draft.ts';
import { must } from '../../model/must.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { columnName, columnReference, formula, quoted, scalar, value, type YamlWriter } from './yaml-writer.ts';

/**
 * Values that a document is made of and that nothing in the sample shows: never a guess. Unlike other placeholders, no trial fills
 * them in, so that no document counts as complete.
 */
export const UNKNOWN = {
  rate: `${FILL_IN} - VAT rate in percent`,
  net: `${FILL_IN} - net amount of the line`,
  amount: `${FILL_IN} - amount received`,
  quantity: `${FILL_IN} - quantity`,
  number: `${FILL_IN} - number of the document`,
  date: `${FILL_IN} - date`,
  year: `${FILL_IN} - year of the date`,
} as const;

/** The columns of a sample by concept, such as `customer.name`, as the draft writes them. */
export type DraftColumns = {
  readonly has: (concept: string) => boolean;
  readonly role: (concept: string) => ColumnRole | undefined;
  /** Of a concept that the columns have. */
  readonly requireRole: (concept: string) => ColumnRole;
  /** The column inside a formula; `otherwise` where no column has the concept, which is a defect without it. */
  readonly column: (concept: string, otherwise?: string) => string;
  /** The column as a YAML value; `otherwise` as for `column`. */
  readonly cell: (concept: string, otherwise?: string) => string;
  /** A name for a calculated column that no column of the file has. */
  readonly free: (name: string) => string;
};

/** A draft in the making: the writer, and the analysis with its columns by concept. */
export type MappingDraft = {
  readonly yaml: YamlWriter;
  readonly analysis: DraftAnalysis;
  readonly parts: DraftColumns;
};

export function createDraftColumns(analysis: DraftAnalysis): DraftColumns {
  const requireRole = (concept: string) => must(analysis.roles.get(concept), `a column for ${concept}`);
  const column = (concept: string, otherwise?: string) => {
    if (otherwise !== undefined && !analysis.roles.has(concept)) return otherwise;
    const { column: found } = requireRole(concept);
    const reference = columnReference(found.name);
    // MAX passes over the blanks of the rows where the cell is not repeated.
    return MAY_BE_SPARSE.test(concept) && analysis.grouping.sparse(found) ? `MAX(${reference})` : reference;
  };
  return {
    has: (concept) => analysis.roles.has(concept),
    role: (concept) => analysis.roles.get(concept),
    requireRole,
    column,
    cell: (concept, otherwise) => {
      if (otherwise !== undefined && !analysis.roles.has(concept)) return otherwise;
      const reference = column(concept);
      return reference.startsWith('$') ? value(reference) : formula(reference);
    },
    free: (name) =>
      analysis.table.columns.some((one) => one.name === name) ? `my-${name}`.replaceAll('-', '_') : name,
  };
}

/** Concepts of a document that an export may have on one of its rows alone. */
const MAY_BE_SPARSE = /^(?:customer|issuer)\.|^(?:due|orderRef|comment|reason|currency)$/;

/** A date column as a calendar day. */
export function dateValue(parts: DraftColumns, concept: string): string {
  const role = parts.requireRole(concept);
  return role.profile.date?.timed ? formula(`TEXT(${parts.column(concept)}, "yyyy-MM-dd")`) : parts.cell(concept);
}

export type DraftEntry = {
  readonly code: string;
  readonly rows: number;
  readonly value: string | undefined;
  readonly says: Message | undefined;
};

/** YAML takes no key of more than 1,024 characters, and no ERP gives a column such a name, or a code. */
export const LONGEST_KEY = 500;

/** A key with "*" or ".." means many codes: such a code cannot be a key, whatever it means in the ERP. */
function canBeKey(code: string): boolean {
  return !code.includes('*') && !code.includes('..') && key(code).length <= LONGEST_KEY;
}

/** Codes of a table of blocks, which cannot be empty. */
export function tableKeys(role: ColumnRole): readonly string[] {
  const codes = [...role.profile.values.keys()].filter(canBeKey);
  return codes.length > 0 ? codes : [FILL_IN];
}

/** The codes of a column; `empty` is the value of a table without a known one. */
type DraftTable = { readonly column: string; readonly entries: readonly DraftEntry[]; readonly empty: string };

/** A table of the codes found; one without a value is there as a comment, so that its documents are refused. */
export function writeTable(yaml: YamlWriter, name: string, { column, entries, empty }: DraftTable): void {
  yaml.put(2, `${name}:`, DRAFT_COMMENT.tableCodes({ column }));
  const isKnown = ({ code, value: given }: DraftEntry) => given !== undefined && canBeKey(code);
  const known = entries.filter(isKnown);
  for (const { code, rows, value: given, says } of known)
    yaml.put(4, `${key(code)}: ${given}`, definedItems([SAMPLE_COUNTS.rows({ count: rows }), says]));
  for (const { code, rows } of entries.filter((entry) => !isKnown(entry)))
    yaml.comment(4, DRAFT_COMMENT.openCode({ code: key(code), rows: SAMPLE_COUNTS.rows({ count: rows }) }));
  if (known.length === 0) yaml.put(4, `${JSON.stringify(FILL_IN)}: ${empty}`, DRAFT_COMMENT.tableEmpty());
}

function key(code: string): string {
  return /^[\p{L}][\p{L}\p{N}]*$/u.test(code) ? scalar(code) : JSON.stringify(code);
}

/** Evidence for a field: which column, and what besides its name speaks for it. */
export function evidenceNote({ strength, says }: ColumnRole): Message | undefined {
  if (strength === 0) return says ? ROLE_EVIDENCE.byValues({ reason: says }) : ROLE_EVIDENCE.byValuesAlone();
  return says;
}

/** `that` holds or the document is refused, in the words of `says`. */
export function draftCheck(
  that: string,
  level: 'error' | 'warning',
  says: Message,
  { language }: DraftAnalysis,
): string {
  return `- { that: ${quoted(`= ${that}`)}, else: ${level}, say: ${scalar(format(says, language))} }`;
}

/** Placeholder of a French issuer: zeros pass every check digit and belong to no one. */
export function writePlaceholderIssuer(yaml: YamlWriter, indent: number): void {
  yaml.put(indent, `name: ${FILL_IN} - legal name of the issuer`);
  yaml.put(indent, 'identifiers:');
  yaml.put(indent + 2, '- { type: siren, value: "000000000" }', FILL_IN);
  yaml.put(indent + 2, '- { type: vat, value: FR12000000000 }', FILL_IN);
  yaml.put(indent, 'e-addresses:');
  yaml.put(indent + 2, '- { type: routing-address, value: "000000000" }', FILL_IN);
  yaml.put(indent, `address: { street: ${FILL_IN}, city: ${FILL_IN}, postal-code: "00000", country: FR }`);
}

/** A value looked up in a table by a column. */
export function lookupValue(parts: DraftColumns, concept: string, table: string): string {
  return `{ from: ${columnName(parts.requireRole(concept).column.name)}, table: ${table} }`;
}
