/** What the drafts of all targets have in common: values of parts, code tables, the placeholder of the issuer. */
import { format, type Message } from '../../i18n/message.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { count } from '../findings/draft-findings.ts';
import { columnName, formula, type Page, quoted, ref, scalar, value } from './yaml-writer.ts';

/** Written wherever only a person knows; valid, so that the draft can be tried, and not to be taken for a real name. */
export const FILL_IN = 'FILL IN';

export type Parts = {
  readonly has: (concept: string) => boolean;
  readonly role: (concept: string) => ColumnRole | undefined;
  /** The column inside a formula. */
  readonly column: (concept: string) => string;
  /** The column as a YAML value. */
  readonly cell: (concept: string) => string;
  /** A name for a calculated column that no column of the file has. */
  readonly free: (name: string) => string;
};

export function partsOf(u: DraftAnalysis): Parts {
  const column = (concept: string) => {
    const { column: found } = u.roles.get(concept)!;
    // MAX passes over the blanks of the rows where the cell is not repeated.
    return /^(?:customer|issuer)\.|^(?:due|orderRef|comment|reason|currency)$/.test(concept) && u.grouping.sparse(found)
      ? `MAX(${ref(found.name)})`
      : ref(found.name);
  };
  return {
    has: (concept) => u.roles.has(concept),
    role: (concept) => u.roles.get(concept),
    column,
    cell: (concept) => (column(concept).startsWith('$') ? value(column(concept)) : formula(column(concept))),
    free: (name) => (u.table.columns.some((one) => one.name === name) ? `my-${name}`.replaceAll('-', '_') : name),
  };
}

/** A date column as a calendar day. */
export function day(parts: Parts, concept: string): string {
  const role = parts.role(concept)!;
  return role.profile.date?.timed ? formula(`TEXT(${parts.column(concept)}, "yyyy-MM-dd")`) : parts.cell(concept);
}

export type DraftEntry = {
  readonly code: string;
  readonly rows: number;
  readonly value: string | undefined;
  readonly says: string;
};

/** A key with "*" or ".." stands for many codes: such a code cannot be a key, whatever it means in the ERP. */
function canBeKey(code: string): boolean {
  return !code.includes('*') && !code.includes('..');
}

/** Codes of a table of blocks, which cannot be empty. */
export function keysOf(role: ColumnRole): readonly string[] {
  const codes = [...role.profile.values.keys()].filter(canBeKey);
  return codes.length > 0 ? codes : [FILL_IN];
}

/** A table of the codes found; one without a value stands there as a comment, so that its documents are refused. */
export function writeTable(
  page: Page,
  name: string,
  column: string,
  entries: readonly DraftEntry[],
  empty: string,
): void {
  page.put(2, `${name}:`, `codes of column "${column}" in the sample`);
  const isKnown = ({ code, value: given }: DraftEntry) => given !== undefined && canBeKey(code);
  const known = entries.filter(isKnown);
  for (const { code, rows, value: given, says } of known)
    page.put(4, `${key(code)}: ${given}`, `${count(rows, 'row')}${says === '' ? '' : `; ${says}`}`);
  for (const { code, rows } of entries.filter((entry) => !isKnown(entry)))
    page.comment(4, `${FILL_IN}: ${key(code)}: ...   (${count(rows, 'row')})`);
  if (known.length === 0)
    page.put(4, `${JSON.stringify(FILL_IN)}: ${empty}`, 'a table cannot be empty: replace this line');
}

function key(code: string): string {
  return /^[\p{L}][\p{L}\p{N}]*$/u.test(code) ? scalar(code) : JSON.stringify(code);
}

/** Evidence for a field: which column, and what besides its name speaks for it. */
export function evidenceNote(role: ColumnRole): string | undefined {
  if (role.strength === 0)
    return role.says === '' ? 'FILL IN: taken by its values alone' : `taken by its values: ${role.says}`;
  return role.says === '' || role.strength < 3 ? role.says || undefined : undefined;
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

/** Placeholder of a French issuer: zeros pass every check digit and belong to nobody. */
export function writePlaceholderIssuer(page: Page, indent: number): void {
  page.put(indent, `name: ${FILL_IN} - legal name of the issuer`);
  page.put(indent, 'identifiers:');
  page.put(indent + 2, '- { type: siren, value: "000000000" }', FILL_IN);
  page.put(indent + 2, '- { type: vat, value: FR12000000000 }', FILL_IN);
  page.put(indent, 'e-addresses:');
  page.put(indent + 2, '- { type: routing-address, value: "000000000" }', FILL_IN);
  page.put(indent, `address: { street: ${FILL_IN}, city: ${FILL_IN}, postal-code: "00000", country: FR }`);
}

/** A value looked up in a table by a column. */
export function lookUp(parts: Parts, concept: string, table: string): string {
  return `{ from: ${columnName(parts.role(concept)!.column.name)}, table: ${table} }`;
}
