/** Who issues and who receives, in the draft of a French invoice: from columns, or a placeholder nobody overlooks. */
import { formula, type Page } from './page.ts';
import { because, FILL_IN, lookUp, type Parts, writePlaceholderIssuer } from './parts.ts';
import type { Understanding } from './understanding.ts';

export function writeIssuer(page: Page, u: Understanding, parts: Parts): void {
  if (parts.has('issuer.siren') || parts.has('issuer.vat') || parts.has('issuer.siret')) {
    page.put(2, 'issuer:');
    writeParty(page, parts, 'issuer');
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

export function writeReceiver(page: Page, u: Understanding, parts: Parts): void {
  page.put(2, 'receiver:');
  if (!parts.has('customer.name')) {
    page.put(4, `name: ${FILL_IN}`, 'no column holds the name of the customer');
    u.notes.ask(94, 'output.receiver.name', 'No column holds the name of the customer.');
  }
  writeParty(page, parts, 'customer');
  if (!parts.has('customer.siren') && !parts.has('customer.siret') && !parts.has('customer.vat')) {
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
  const column = (field: string) => parts.column(`${party}.${field}`);
  if (has('name')) page.put(4, `name: ${cell('name')}`, because(parts.role(`${party}.name`)!));
  const siren = has('siren') ? cell('siren') : has('siret') ? formula(`SIREN-OF(${column('siret')})`) : undefined;
  const vat = has('vat') ? cell('vat') : has('siren') ? formula(`FR-VAT(${column('siren')})`) : undefined;
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
