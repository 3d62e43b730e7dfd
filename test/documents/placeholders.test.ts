/** A placeholder of a draft mapping is never sent; what merely looks alike is. */
import { expect, it } from 'vitest';
import { checkDocument } from '../../src/documents/check-document.ts';
import { placeholderFaults } from '../../src/documents/content/placeholders.ts';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import { frReport } from '../../src/documents/fr/fr-report.ts';
import { svRemissionNote } from '../../src/documents/sv/sv-remission-note.ts';
import type { Draft } from '../../src/model/draft.ts';

function found(payload: NonNullable<Draft['payload']>): readonly (string | undefined)[] {
  const draft: Draft = { kind: 'k', class: 'remission-note', payload, rows: [1], trace: () => new Map() };
  return placeholderFaults(Buffer.from(JSON.stringify(payload)), draft, svRemissionNote).map(
    ({ code, at }) => `${code} ${at}`,
  );
}

it('names each field that still holds one', () => {
  expect(
    found({
      emisor: { nombre: 'FILL IN', nit: '00000000000000', correo: 'fill-in@example.invalid' },
      x: [{ y: 'FILL IN - z' }],
    }),
  ).toEqual(
    ['/emisor/nombre', '/emisor/nit', '/emisor/correo', '/x/0/y'].map((at) => `sv-remission-note/not-filled-in ${at}`),
  );
});

it('knows the zeros of French issuers', () => {
  expect(found({ issuer: { identifier: '000000000', identifiers: [{ value: 'FR12000000000' }] } })).toHaveLength(2);
});

it('knows the postal code and the telephone of a draft; of others they may be filled up with zeros', () => {
  const places = { address: { 'postal-code': '00000' } };
  expect(found({ issuer: places, receiver: places })).toEqual([
    'sv-remission-note/not-filled-in /issuer/address/postal-code',
  ]);
  expect(found({ emisor: { telefono: '00000000' }, receptor: { telefono: '00000000' } })).toHaveLength(1);
});

it('leaves other texts alone', () => {
  expect(found({ a: 'please FILL IN the form', lines: [{ identifier: '0000000' }], nit: '06140202181021' })).toEqual(
    [],
  );
});

it.each([
  ['name', { name: 'FILL IN' }],
  ['name', { name: 'FILL IN - legal name' }],
  ['siren', { identifiers: [{ type: 'siren', value: '000000000' }] }],
  ['vat', { identifiers: [{ type: 'vat', value: 'FR12000000000' }] }],
  ['postal code', { address: { 'postal-code': '00000' } }],
  ['e-mail', { name: 'A', emails: ['fill-in@example.invalid'] }],
])('finds the only one of a document that is plain otherwise: %s', (_, issuer) => {
  const payload = { document: { identifier: 'F1', date: '2026-11-20' }, issuer };
  const outcome = checkDocument(
    { kind: 'fr-invoice', class: 'invoice', payload, rows: [2], trace: () => new Map() },
    frInvoice,
  );
  expect('faults' in outcome && outcome.faults.map((fault) => fault.code)).toContain('fr-invoice/not-filled-in');
});

it.each([
  [frInvoice, 'invoice', 'fr-invoice/not-filled-in'],
  [frReport, 'report', 'fr-report/not-filled-in'],
] as const)('keeps the document of a draft mapping from being sent: %o', (kind, documentClass, code) => {
  const payload = {
    document: { identifier: 'F1', date: '2026-11-20' },
    issuer: { name: 'FILL IN', identifier: '732829320' },
  };
  const outcome = checkDocument(
    { kind: kind.name, class: documentClass, payload, rows: [2], trace: () => new Map() },
    kind,
  );
  expect('faults' in outcome && outcome.faults.map((fault) => fault.code)).toContain(code);
});

it('a meter reading of zero is not a placeholder, and a number of zeros next to it is one', () => {
  const codes = (more: object) => {
    const payload = {
      document: { identifier: 'F1', date: '2026-11-20' },
      issuer: { name: 'A', identifiers: [{ type: 'siren', value: '732829320' }] },
      lines: [{ number: '1', 'additional-info': [{ key: 'Kilométrage', value: '0000000' }], ...more }],
    };
    const draft = { kind: 'fr-invoice', class: 'invoice', payload, rows: [2], trace: () => new Map() };
    const outcome = checkDocument(draft, frInvoice);
    return 'faults' in outcome ? outcome.faults.map(({ code }) => code) : [];
  };
  expect(codes({})).not.toContain('fr-invoice/not-filled-in');
  expect(codes({ 'additional-identifiers': [{ type: 'gtin', value: '0000000' }] })).toContain(
    'fr-invoice/not-filled-in',
  );
});

it.each([
  ['=HYPERLINK("http://evil.example";"Client")', true],
  ['=LIEN_HYPERTEXTE("a")', true],
  ['= +SOMME.SI(A1:A3)', true],
  ["=cmd|' /C calc'!A0", true],
  ['= Dupont =', false],
  ['Écart = f(x)', false],
  ['==> Suite', false],
])('a text that is a formula of a spreadsheet is a warning: %s', (text, isFormula) => {
  const payload = {
    document: { identifier: 'F1', date: '2026-11-20', currency: 'EUR' },
    issuer: { name: 'A', identifiers: [{ type: 'siren', value: '732829320' }] },
    receiver: { name: text },
  };
  const draft = { kind: 'fr-invoice', class: 'invoice', payload, rows: [2], trace: () => new Map() };
  const outcome = checkDocument(draft, { ...frInvoice, rules: frInvoice.rules.under({ profile: 'wire' }) });
  expect('document' in outcome ? 'document' : outcome.faults).toBe('document');
  const warnings = 'document' in outcome ? outcome.document.warnings : [];
  expect(warnings.filter(({ code }) => code === 'map/formula-text').map(({ at, level }) => [at, level])).toEqual(
    isFormula ? [['/receiver/name', 'warning']] : [],
  );
});
