/** The comparison itself, on cases of ours in the form of the public suites: it must tell agreement from disagreement. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../samples/instance.ts';
import { tally } from './suite.ts';
import { coveredRules, mappingFor, namedRules, through } from './through.ts';
import { compareFile } from './unit-cases.ts';

const NAMES = ['xmlns', 'xmlns:cac', 'xmlns:cbc']
  .map(
    (name, n) =>
      `${name}="urn:oasis:names:specification:ubl:schema:xsd:${['Invoice', 'CommonAggregateComponents', 'CommonBasicComponents'][n]}-2"`,
  )
  .join(' ');
const caseOf = (verdict: string, inner: string) =>
  `<test><assert>${verdict}</assert><Invoice ${NAMES}>${inner}</Invoice></test>`;
const sum = (total: number) =>
  `<cac:LegalMonetaryTotal><cbc:LineExtensionAmount>${total}</cbc:LineExtensionAmount></cac:LegalMonetaryTotal>
   <cac:InvoiceLine><cbc:LineExtensionAmount>60</cbc:LineExtensionAmount></cac:InvoiceLine>
   <cac:InvoiceLine><cbc:LineExtensionAmount>40</cbc:LineExtensionAmount></cac:InvoiceLine>`;

test('a fragment is completed, and its verdict held against that of our rule', async () => {
  const cases = [
    caseOf('<success>BR-CO-10</success>', sum(100)),
    caseOf('<error>BR-CO-10</error>', sum(100.01)),
    caseOf('<success>BR-CO-10</success>', sum(99)),
    caseOf('<error>BR-CO-10</error>', sum(100)),
    caseOf('<error>BR-16</error>', ''),
    caseOf('<error>BR-99</error>', sum(100)),
  ];
  const count = tally('ours');
  await compareFile(`<testSet>${cases.join('')}</testSet>`, 'ours.xml', coveredRules('fr-2026'), count);
  expect(count.done()).toEqual({
    suite: 'ours',
    cases: 5,
    agreed: 3,
    disagreed: [
      { about: 'BR-CO-10', case: 'ours.xml case 3', found: 'we refuse it by FR-TOT-1' },
      { about: 'BR-CO-10', case: 'ours.xml case 4', found: 'we do not notice it (FR-TOT-1)' },
    ],
    left: { 'no rule of ours names the rule': 1 },
  });
});

test('the source of a rule names the rules of EN 16931 that it covers', () => {
  expect(namedRules('EN 16931 BR-21 to BR-23, BR-CO-04; BR-FR-03; DGFiP G1.53')).toEqual([
    'BR-21',
    'BR-22',
    'BR-23',
    'BR-CO-04',
  ]);
  expect(namedRules('EN 16931 BR-06..08')).toEqual(['BR-06', 'BR-07', 'BR-08']);
});

test('our own samples in UBL and CII break no rule of calculation', async () => {
  for (const path of [
    'ubl-invoice/input/UBL_UB-2026-0090.xml',
    'ubl-credit-note/input/UBL_UA-2026-0012.xml',
    'cii/input/CII_CB-2026-0091.xml',
  ]) {
    const text = readFileSync(join(REPOSITORY, 'samples', path), 'utf8');
    const { broken, payload } = await through(text, mappingFor(text)!);
    expect(payload, path).toBeDefined();
    expect(broken.filter(({ rule }) => /^FR-(?:LIN|TOT|VAT)/.test(rule.id)).map(({ rule }) => rule.id)).toEqual([]);
  }
});
