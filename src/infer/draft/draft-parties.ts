/** Who issues and who receives, in the draft of a French invoice: from columns, or a placeholder nobody overlooks. */

import type { ColumnRole } from '../analysis/column-roles.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { evidenceNote, FILL_IN, lookUp, type Parts, writePlaceholderIssuer } from './draft-values.ts';
import { formula, type Page } from './yaml-writer.ts';

export function writeIssuer(page: Page, u: DraftAnalysis, parts: Parts): void {
  if (parts.has('issuer.siren') || parts.has('issuer.vat') || parts.has('issuer.siret')) {
    page.put(2, 'issuer:');
    const lacks = [...(parts.has('issuer.name') ? [] : ['name']), ...(hasAddress(parts, 'issuer') ? [] : ['address'])];
    if (lacks.includes('name')) page.put(4, `name: ${FILL_IN} - legal name of the issuer`, 'no column holds it');
    writeParty(page, parts, 'issuer');
    if (lacks.includes('address'))
      page.put(4, `address: { street: ${FILL_IN}, city: ${FILL_IN}, postal-code: "00000", country: FR }`);
    if (lacks.length > 0)
      u.notes.ask(
        95,
        'output.issuer',
        `Issuer: the file has its number, and not its ${lacks.join(' and ')}. Replace every "${FILL_IN}" there.`,
      );
    return;
  }
  u.notes.ask(
    100,
    'output.issuer',
    `Issuer: the file does not say who sends. Replace every "${FILL_IN}": name, SIREN, VAT number, address.`,
  );
  if (parts.has('company')) {
    page.put(2, `issuer: ${lookUp(parts, 'company', 'companies')}`);
    return;
  }
  page.put(2, 'issuer:', 'not in the file: always the same company?');
  writePlaceholderIssuer(page, 4);
}

export function writeReceiver(page: Page, u: DraftAnalysis, parts: Parts): void {
  page.put(2, 'receiver:');
  if (!parts.has('customer.name')) {
    page.put(4, `name: ${FILL_IN}`, 'no column holds the name of the customer');
    u.notes.ask(94, 'output.receiver.name', 'No column holds the name of the customer.');
  }
  writeParty(page, parts, 'customer');
  if (!sirenOf(parts, 'customer').siren && !parts.has('customer.vat')) {
    page.put(4, 'identifiers:');
    page.put(6, `- { type: siren, value: ${FILL_IN} }`, 'no column holds the SIREN of the customer');
    page.put(4, 'e-addresses:', 'the routing address begins with the SIREN');
    page.put(6, `- { type: routing-address, value: ${FILL_IN} }`);
    u.notes.ask(
      86,
      'output.receiver.identifiers',
      `The customer has no SIREN, SIRET or VAT number in this file: a domestic invoice needs one. Replace every "${FILL_IN}" there, best by a look-up by customer code.`,
    );
  }
}

function writeParty(page: Page, parts: Parts, party: 'customer' | 'issuer'): void {
  const has = (field: string) => parts.has(`${party}.${field}`);
  const cell = (field: string) => parts.cell(`${party}.${field}`);
  if (has('name')) page.put(4, `name: ${cell('name')}`, evidenceNote(parts.role(`${party}.name`)!));
  const { siren, source } = sirenOf(parts, party);
  const calculatedVat = source ? formula(`FR-VAT(${source})`) : undefined;
  const vat = has('vat') ? cell('vat') : calculatedVat;
  const identifiers = [
    ...(siren ? [`- { type: siren, value: ${siren} }`] : []),
    ...(has('siret') ? [`- { type: siret, value: ${cell('siret')} }`] : []),
    ...(vat ? [`- { type: vat, value: ${vat} }`] : []),
  ];
  if (identifiers.length > 0)
    page.put(4, 'identifiers:', has('vat') || !siren ? undefined : 'the VAT number follows from the SIREN');
  for (const line of identifiers) page.put(6, line);
  if (siren) page.put(4, 'e-addresses:', 'the routing address begins with the SIREN');
  if (siren) page.put(6, `- { type: routing-address, value: ${siren} }`);
  const fields = [
    ['street', 'street'],
    ['street2', 'street-additional'],
    ['city', 'city'],
    ['zip', 'postal-code'],
  ] as const;
  const address = fields.flatMap(([field, target]) => (has(field) ? [`${target}: ${cell(field)}`] : []));
  if (address.length > 0 || has('country'))
    page.put(4, `address: { ${[...address, `country: ${has('country') ? cell('country') : 'FR'}`].join(', ')} }`);
}

function hasAddress(parts: Parts, party: string): boolean {
  return ['street', 'city', 'zip', 'country'].some((field) => parts.has(`${party}.${field}`));
}

/** The SIREN as a value, and the column it is in: alone, in a SIRET, or in VAT numbers that are all French. */
function sirenOf(parts: Parts, party: string): { readonly siren?: string; readonly source?: string } {
  const of = (field: string) => parts.role(`${party}.${field}`);
  const column = (field: string) => parts.column(`${party}.${field}`);
  if (of('siren') && !isMixed(of('siren')!)) return { siren: parts.cell(`${party}.siren`), source: column('siren') };
  const inside = ['siren', 'siret', 'vat'].find((field) => {
    const role = of(field);
    return role && (field !== 'vat' || isFrench(role));
  });
  return inside === undefined ? {} : { siren: formula(`SIREN-OF(${column(inside)})`), source: column(inside) };
}

/** SIREN and SIRET in one column. */
export function isMixed({ profile }: Pick<ColumnRole, 'profile'>): boolean {
  return [...profile.values.keys()].some((value) => value.replace(/\s/g, '').length > 9);
}

function isFrench({ profile }: ColumnRole): boolean {
  return [...profile.values.keys()].every((value) => /^FR[0-9A-Z]{2}\d{9}$/.test(value.replace(/\s/g, '')));
}
