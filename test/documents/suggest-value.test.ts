import { expect, test } from 'vitest';
import { suggestedValue } from '../../src/documents/schema/suggest-repair.ts';
import { MODELS, told } from './rules/models.ts';

test.each([
  [{ receiver: { identifiers: [{ type: 'siren', value: '5480546' }] } }, '/receiver/identifiers/0/value', '005480546'],
  [{ receiver: { identifiers: [{ type: 'vat', value: '5480546' }] } }, '/receiver/identifiers/0/value', undefined],
  [{ issuer: { identifier: '732 829 320', 'identifier-type': 'siren' } }, '/issuer/identifier', '732829320'],
  [{ document: { identifier: '5480546' } }, '/document/identifier', undefined],
  [{ emisor: { nit: '6140711071030' } }, '/emisor/nit', '06140711071030'],
  [{ receptor: { tipoDocumento: '13', numDocumento: '000162975' } }, '/receptor/numDocumento', '00016297-5'],
  [
    { receptor: { tipoDocumento: '36', numDocumento: '0614-071107-103-0' } },
    '/receptor/numDocumento',
    '06140711071030',
  ],
  [{ receptor: { tipoDocumento: '37', numDocumento: '000162975' } }, '/receptor/numDocumento', undefined],
  [{ receiver: { address: { 'postal-code': '1000', country: 'FR' } } }, '/receiver/address/postal-code', '01000'],
  [{ receiver: { address: { 'postal-code': '1000', country: 'BE' } } }, '/receiver/address/postal-code', undefined],
  [{ receptor: { nrc: '123456-7' } }, '/receptor/nrc', '1234567'],
  [{ receptor: { nrc: '12345678-9' } }, '/receptor/nrc', undefined],
  [{ emisor: { direccion: { departamento: '6' } } }, '/emisor/direccion/departamento', '06'],
  [{ emisor: { direccion: { departamento: '60' } } }, '/emisor/direccion/departamento', undefined],
  [{ receptor: { bienTitulo: '6' } }, '/receptor/bienTitulo', undefined],
  [{ receiver: { identifiers: [{ type: 'constructor', value: '1' }] } }, '/receiver/identifiers/0/value', undefined],
  [{ extension: { constructor: '1' } }, '/extension/constructor', undefined],
  [{ receiver: { name: 'x' } }, '/receiver/name/0', undefined],
] as const)('%j at %s: %j', (payload, at, suggestion) => {
  expect(suggestedValue(payload, at)).toBe(suggestion);
});

test('a broken rule offers it, in the language of the rule', () => {
  const model = MODELS.find(({ kind }) => kind.name === 'fr-invoice')!;
  const set = { '/receiver/identifiers/0': { type: 'siren', value: '5480546' } };
  const offered = (language: 'en' | 'fr' | 'es') =>
    told(model, { set }, { profile: 'fr-2026' }, language).find(({ suggestion }) => suggestion !== undefined);
  expect(offered('en')).toMatchObject({ suggestion: '005480546', hint: expect.stringMatching(/^write 005480546; /) });
  expect(offered('fr')?.hint).toMatch(/^écrivez 005480546\u00a0; /);
  expect(offered('es')?.hint).toMatch(/^escriba 005480546; /);
});
