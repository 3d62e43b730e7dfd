import { expect, test } from 'vitest';
import { EXAMPLE, HEADER, LIVRET, POULIE, row, THREE_ROWS } from './example.ts';
import { convert, FILES, findingsOf, loaded } from './world.ts';

const spelled = EXAMPLE.slice(EXAMPLE.indexOf('  totals:\n'), EXAMPLE.indexOf('\nchecks:'));
const withTotals = (totals: string) => EXAMPLE.replace(spelled, `  totals: ${totals}\n`);

test.each([
  ['the example', THREE_ROWS],
  ['one rate', [HEADER, row({ TotalHT: '105', TotalTTC: '126' })].join('\n')],
  [
    'negative halves',
    [
      HEADER,
      row({ Qte: '-7', PUHT: '12,345' }),
      row({ ...POULIE, Qte: '-1', PUHT: '0,125' }),
      row({ ...LIVRET, Qte: '-3' }),
    ].join('\n'),
  ],
])('give exactly the blocks spelled out: %s', (_, csv) => {
  const free = (text: string) => text.slice(0, text.indexOf('\nchecks:'));
  const [written] = convert(loaded(free(EXAMPLE), FILES), csv);
  const [standard] = convert(
    loaded(free(withTotals('{ standard: { net: $net, rate: $rate, currency: EUR } }')), FILES),
    csv,
  );
  const [implied] = convert(loaded(free(withTotals('{ standard: { net: $net, rate: $rate } }')), FILES), csv);
  expect(written?.json).toHaveProperty('totals.subtotals.1.subtotals');
  expect(JSON.stringify(standard?.json)).toBe(JSON.stringify(written?.json));
  expect(JSON.stringify(implied?.json)).toBe(JSON.stringify(written?.json));
});

test('VAT is rounded per rate, not per line (three lines of 10.03 at 20 %: 6.02, not 6.03)', () => {
  const line = (n: number) => row({ NumLig: String(n), Qte: '1', PUHT: '10,03' });
  const csv = [HEADER, line(1), line(2), line(3)].join('\n');
  const text = withTotals('{ standard: { net: $net, rate: $rate } }').replace(/\nchecks:[\s\S]*/, '\n');
  expect(convert(loaded(text, FILES), csv)[0]?.json).toMatchObject({
    totals: {
      'final-amount': 36.11,
      subtotals: [{ amount: 30.09 }, { amount: 6.02, subtotals: [{ percent: 20, amount: 6.02 }] }],
    },
  });
});

test('net may be a formula, the kind of tax another', () => {
  const text = withTotals('{ standard: { net: "= ROUND($Qte * $PUHT, 2)", rate: $rate, tax-type: igic } }');
  expect(convert(loaded(text, FILES), THREE_ROWS)[0]?.json).toMatchObject({
    totals: {
      'final-amount': 222.59,
      subtotals: [{}, { class: 'igic', subtotals: [{ class: 'igic' }, { class: 'igic' }] }],
    },
  });
});

test.each([
  ['{ standard: { net: $net } }', 'map/wrong-value rate: is a $Column'],
  ['{ standard: { rate: $rate } }', 'map/wrong-value net: is a $Column or a formula per line'],
  ['{ standard: { net: $net, rate: $rate, rates: 5 } }', 'map/unknown-key unknown key "rates"'],
  ['{ standard: { net: $net, rate: $rate }, currency: EUR }', 'map/wrong-value standard: stands alone'],
])('%s is refused: %s', (totals, finding) => {
  expect(findingsOf(withTotals(totals), FILES).join('\n')).toContain(finding);
});
