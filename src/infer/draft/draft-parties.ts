/** Who issues and who receives, in the draft of a French invoice: from columns, or a placeholder that no one overlooks. */

import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { FILL_IN } from '../../model/draft.ts';
import type { ColumnRole } from '../analysis/column-roles.ts';
import {
  type DraftColumns,
  evidenceNote,
  lookupValue,
  type MappingDraft,
  writePlaceholderIssuer,
} from './draft-values.ts';
import { formula } from './yaml-writer.ts';

/** The issuer by its numbers in columns, else from the table `companies` by a code, else a placeholder with a question. */
export function writeIssuer(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  if (parts.has('issuer.siren') || parts.has('issuer.vat') || parts.has('issuer.siret')) {
    yaml.put(2, 'issuer:');
    const hasName = parts.has('issuer.name');
    const isPlaced = hasAddress(parts, 'issuer');
    if (!hasName) yaml.put(4, `name: ${FILL_IN} - legal name of the issuer`, DRAFT_COMMENT.notInColumns());
    writeParty(draft, 'issuer');
    if (!isPlaced) yaml.put(4, `address: { street: ${FILL_IN}, city: ${FILL_IN}, postal-code: "00000", country: FR }`);
    if (hasName && isPlaced) return;
    const incomplete = hasName ? DRAFT_QUESTION.issuerAddress : DRAFT_QUESTION.issuerName;
    const question = hasName || isPlaced ? incomplete() : DRAFT_QUESTION.issuerNameAndAddress();
    analysis.notes.addQuestion(95, 'output.issuer', question);
    return;
  }
  analysis.notes.addQuestion(100, 'output.issuer', DRAFT_QUESTION.noIssuer());
  if (parts.has('company')) {
    yaml.put(2, `issuer: ${lookupValue(parts, 'company', 'companies')}`);
    return;
  }
  yaml.put(2, 'issuer:', DRAFT_COMMENT.sameIssuer());
  writePlaceholderIssuer(yaml, 4);
}

/** The receiver; its name and its number are required, so that each has a placeholder and a question without a column. */
export function writeReceiver(draft: MappingDraft): void {
  const { yaml, analysis, parts } = draft;
  yaml.put(2, 'receiver:');
  if (!parts.has('customer.name')) {
    yaml.put(4, `name: ${FILL_IN}`, DRAFT_COMMENT.noCustomerName());
    analysis.notes.addQuestion(94, 'output.receiver.name', DRAFT_QUESTION.noCustomerName());
  }
  writeParty(draft, 'customer');
  if (!sirenOf(parts, 'customer').siren && !parts.has('customer.vat')) {
    yaml.put(4, 'identifiers:');
    yaml.put(6, `- { type: siren, value: ${FILL_IN} }`, DRAFT_COMMENT.noCustomerSiren());
    yaml.put(4, 'e-addresses:', DRAFT_COMMENT.routing());
    yaml.put(6, `- { type: routing-address, value: ${FILL_IN} }`);
    analysis.notes.addQuestion(86, 'output.receiver.identifiers', DRAFT_QUESTION.noCustomerNumber());
  }
}

function writeParty(draft: MappingDraft, party: 'customer' | 'issuer'): void {
  const { yaml, parts } = draft;
  const has = (field: string) => parts.has(`${party}.${field}`);
  const cell = (field: string) => parts.cell(`${party}.${field}`);
  if (has('name')) yaml.put(4, `name: ${cell('name')}`, evidenceNote(parts.requireRole(`${party}.name`)));
  const { siren, source } = sirenOf(parts, party);
  const calculatedVat = source ? formula(`FR-VAT(${source})`) : undefined;
  const vat = has('vat') ? cell('vat') : calculatedVat;
  const identifiers = definedItems([
    siren ? `- { type: siren, value: ${siren} }` : undefined,
    has('siret') ? `- { type: siret, value: ${cell('siret')} }` : undefined,
    vat ? `- { type: vat, value: ${vat} }` : undefined,
  ]);
  if (identifiers.length > 0)
    yaml.put(4, 'identifiers:', has('vat') || !siren ? undefined : DRAFT_COMMENT.vatFromSiren());
  for (const line of identifiers) yaml.put(6, line);
  if (siren) yaml.put(4, 'e-addresses:', DRAFT_COMMENT.routing());
  if (siren) yaml.put(6, `- { type: routing-address, value: ${siren} }`);
  const fields = [
    ['street', 'street'],
    ['street2', 'street-additional'],
    ['city', 'city'],
    ['zip', 'postal-code'],
  ] as const;
  const address = fields.flatMap(([field, target]) =>
    has(field) ? [`${target}: ${field === 'zip' ? postalCode(draft, party) : cell(field)}`] : [],
  );
  if (address.length > 0 || has('country'))
    yaml.put(4, `address: { ${[...address, `country: ${has('country') ? cell('country') : 'FR'}`].join(', ')} }`);
}

/** Distinct postal codes without their leading zero; empty where a country other than France may have such codes. */
export function codesWithoutZero(
  { profile }: Pick<ColumnRole, 'profile'>,
  country: ColumnRole | undefined,
): readonly [cell: string, rows: number][] {
  const codes = [...profile.values];
  const isAbroad = [...(country?.profile.values.keys() ?? [])].some((name) => !/^(?:FR|FRA|France)$/i.test(name));
  if (isAbroad || !codes.every(([cell]) => /^(?:[1-9]\d{3}|\d{5})$/.test(cell))) return [];
  return codes.filter(([cell]) => cell.length === 4);
}

/** In France four digits are five that lost their zero, so the draft fills it in, and asks. */
function postalCode(
  { parts, analysis }: Pick<MappingDraft, 'parts' | 'analysis'>,
  party: 'customer' | 'issuer',
): string {
  const role = parts.requireRole(`${party}.zip`);
  const short = codesWithoutZero(role, parts.role(`${party}.country`));
  const [first] = short;
  if (first === undefined) return parts.cell(`${party}.zip`);
  const count = short.reduce((sum, [, rows]) => sum + rows, 0);
  const question = DRAFT_QUESTION.postalZeros({ name: role.column.name, cell: first[0], count });
  analysis.notes.addQuestion(66, `output.${party === 'issuer' ? party : 'receiver'}.address`, question);
  return formula(`PAD-LEFT(${parts.column(`${party}.zip`)}, 5)`);
}

function hasAddress(parts: DraftColumns, party: string): boolean {
  return ['street', 'city', 'zip', 'country'].some((field) => parts.has(`${party}.${field}`));
}

/** The SIREN as a value, and the column it is in: alone, in a SIRET, or in VAT numbers that are all French. */
function sirenOf(parts: DraftColumns, party: string): { readonly siren?: string; readonly source?: string } {
  const of = (field: string) => parts.role(`${party}.${field}`);
  const column = (field: string) => parts.column(`${party}.${field}`);
  const siren = of('siren');
  if (siren && !holdsSirets(siren)) return { siren: parts.cell(`${party}.siren`), source: column('siren') };
  const inside = ['siren', 'siret', 'vat'].find((field) => {
    const role = of(field);
    return role && (field !== 'vat' || isFrench(role));
  });
  return inside === undefined ? {} : { siren: formula(`SIREN-OF(${column(inside)})`), source: column(inside) };
}

/** SIREN and SIRET in one column. */
export function holdsSirets({ profile }: Pick<ColumnRole, 'profile'>): boolean {
  return [...profile.values.keys()].some((value) => value.replace(/\s/g, '').length > 9);
}

function isFrench({ profile }: ColumnRole): boolean {
  return [...profile.values.keys()].every((value) => /^FR[0-9A-Z]{2}\d{9}$/.test(value.replace(/\s/g, '')));
}
