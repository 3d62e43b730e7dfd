import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frenchIssuer } from '../../src/documents/fr/fr-issuer.ts';
import { runs } from '../seed.ts';

test('the issuer is what patterns find in its identifiers without blanks', () => {
  const within = { siren: /^(\d{9})$/, siret: /^(\d{9})\d{5}$/, vat: /^FR[0-9A-Z]{2}(\d{9})$/ };
  const value = fc.oneof(
    fc.constantFrom('732829320', '732 829 320', '73282932000074', '404833048 00022', 'FR44 732829320', 'FRXX404833048'),
    fc.constantFrom('FR4473282932', '7328293200', '', ' x y ', 'FR44é32829320', undefined),
  );
  const type = fc.constantFrom('siren', 'SIREN', 'siret', 'Siret', 'vat', 'VAT', 'duns', undefined);
  fc.assert(
    fc.property(fc.array(fc.record({ type, value }), { maxLength: 4 }), (identifiers) => {
      const bare = identifiers.map((one) => ({ ...one, value: one.value?.replace(/\s/g, '') }));
      const sirens = Object.entries(within).flatMap(([wanted, pattern]) =>
        bare.flatMap((one) => (one.type?.toLowerCase() === wanted ? (pattern.exec(one.value ?? '')?.[1] ?? []) : [])),
      );
      const first = bare.find((one) => one.value !== undefined);
      expect(frenchIssuer(identifiers, () => 'name')).toBe(sirens[0] ?? (first ? first.value : 'name'));
    }),
    { numRuns: runs(1000) },
  );
});
