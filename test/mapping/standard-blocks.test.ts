/** Ready-made notes, summaries and periods, on the kinds of documents themselves. */
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { DOCUMENT_KINDS } from '../../src/catalogue.ts';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import { showMarked } from '../../src/yaml/yaml-document.ts';
import { convert, worldOf } from './world.ts';

const world = {
  ...worldOf(),
  targets: DOCUMENT_KINDS.map(({ name, classes, schema, acceptsFile }) => ({ name, classes, schema, acceptsFile })),
};

function loaded(yaml: string, formats = world.formats): Mapping {
  const { mapping, faults } = loadMapping(yaml, 'mappings/test.yaml', { ...world, formats });
  if (!mapping) throw new Error(faults.map(showMarked).join('\n'));
  return mapping;
}

function findings(yaml: string): string {
  const { faults } = loadMapping(yaml, 'mappings/test.yaml', world);
  return faults
    .map(({ mark, code, message, hint }) => `${mark?.text.trim()} | ${code} ${message} (${hint})`)
    .join('\n');
}

function made(yaml: string, csv: string, formats = world.formats): unknown {
  const [result] = convert(loaded(yaml, formats), csv);
  if (!result || result.faults.length > 0) throw new Error(result?.faults.map(({ message }) => message).join('\n'));
  return result.json;
}

const head = (target: string, columns: string) => `
mapping: t
version: 1
target: ${target}
accepts: { files: "*.csv" }
source: { format: csv, columns: { ${columns} } }
documents: { one-per: Num, class: ${target === 'sv-remission-note' ? 'remission-note' : target === 'fr-report' ? 'report' : 'invoice'} }
output:
`;

describe('notes', () => {
  const invoice = (notes: string) =>
    `${head('fr-invoice', 'Net: number')}  document: { identifier: $Num }\n  notes: ${notes}\n`;
  const notesOf = (notes: string, cells = 'F;1;') =>
    (made(invoice(notes), `Num;Net;Texte\n${cells}`) as { notes: unknown }).notes;
  const [fee, penalty, discount] = [
    {
      tag: 'fixed-recovery-fee',
      content: 'Indemnité forfaitaire pour frais de recouvrement en cas de retard de paiement : 40 EUR',
    },
    { tag: 'late-payment-penalty', content: "Pénalités de retard au taux de trois fois le taux d'intérêt légal" },
    {
      tag: 'no-early-payment-discount',
      content: "Les règlements reçus avant la date d'échéance ne donneront pas lieu à escompte",
    },
  ];

  it('are the three mentions of French law, once each', () => {
    expect(notesOf('{ standard: {} }')).toEqual([fee, penalty, discount]);
  });

  it('take a text of the mapping in place of a ready-made one', () => {
    expect(notesOf("{ standard: { no-early-payment-discount: Pas d'escompte } }")).toEqual([
      fee,
      penalty,
      { ...discount, content: "Pas d'escompte" },
    ]);
  });

  it('keep the ready-made text where the cell of an override is empty', () => {
    const notes = '{ standard: { late-payment-penalty: $Texte } }';
    expect(notesOf(notes, 'F;1;12 % par an')).toEqual([fee, { ...penalty, content: '12 % par an' }, discount]);
    expect(notesOf(notes, 'F;1;')).toEqual([fee, penalty, discount]);
    const formula = '{ standard: { fixed-recovery-fee: "= $Texte & \\"!\\"" } }';
    expect(notesOf(formula, 'F;1;40 EUR')).toEqual([{ ...fee, content: '40 EUR!' }, penalty, discount]);
  });

  it('are among others, and under a condition', () => {
    expect(notesOf('[{ content: $Texte }, { standard: {} }]', 'F;1;Merci')).toEqual([
      { content: 'Merci' },
      fee,
      penalty,
      discount,
    ]);
    expect(notesOf('[{ content: $Texte }, { when: "= $Net > 5", standard: {} }]', 'F;1;Merci')).toEqual([
      { content: 'Merci' },
    ]);
  });

  test.each([
    [
      '{ standard: { fixed-recovery-fees: x } }',
      'unknown key "fixed-recovery-fees" (did you mean "fixed-recovery-fee"?)',
    ],
    ['{ standard: yes please }', 'standard: takes { } or texts of your own, by tag'],
    ['{ standard: { late-payment-penalty: "" } }', 'late-payment-penalty: is a text, $Column or formula'],
    [
      '[{ standard: {} }, { tag: late-payment-penalty, content: x }]',
      'the note "late-payment-penalty" is among the standard ones already (write standard: { late-payment-penalty: text })',
    ],
    ['{ standart: {} }', '"notes" is not a block of fields (write its items with "- " in front, or standard: { })'],
  ])('%s: %s', (notes, message) => {
    expect(findings(invoice(notes))).toContain(message);
  });
});

describe('the Salvadoran summary', () => {
  const note = (summary: string, item = '', each = 'row') =>
    `${head('sv-remission-note', 'Linea: number, q: number, p: number, d: number')}
  emisor: { codEstable: S1 }
  cuerpoDocumento:
    each: ${each}
    make: { numItem: 1, cantidad: 1, ${item} }
  resumen: { standard: ${summary} }
  NumeroSecuencial: 1
`.replace(
      'documents:',
      `calculated-columns:
  amount: = $q * $p - IFEMPTY($d, 0)
  taxed: = IF($G = "S", $amount, 0)
  exempt: = IF($G = "S", 0, $amount)
documents:`,
    );
  const CSV = 'Num;Linea;q;p;d;G\nN;1;12;1.25;;S\nN;2;2.5;3.3333;0.10;S\nN;3;10;0.45;;N';
  const of = (summary: string, item?: string, each?: string, csv = CSV) =>
    made(note(summary, item, each), csv) as { resumen: object; cuerpoDocumento: readonly object[] };
  const WORDS = 'DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA';
  const none = { porcentajeDescuento: 0, descuNoSuj: 0, descuExenta: 0, descuGravada: 0, totalDescu: 0 };

  it.each([
    ['row', '$Net', [10, 20]],
    ['rows by G', '$Net', [30]],
    ['row by G', '$Net', [30]],
    ['item of L', '$L.net', [1, 2, 3]],
    ['items of L', '$L.net', [1, 2, 3]],
  ])('a line of each: %s has its own amount', (each, amount, amounts) => {
    const text = note(`{ variant: taxed, taxed: ${amount} }`, '', each).replace(
      'source: { format: csv, columns: {',
      'source: { format: csv, lists: { L: { columns: [net] } }, columns: { Net: number, L.net: number,',
    );
    const items = '[{"net":"1"},{"net":"2"},{"net":"3"}]';
    const csv = `Num;Linea;q;p;d;G;Net;L\nN;1;1;1;;S;10;${items}\nN;2;1;1;;S;20;${items}`;
    const formats = new Map<string, z.ZodType>([['csv', z.looseObject({})]]);
    const { resumen, cuerpoDocumento } = made(text, csv, formats) as ReturnType<typeof of>;
    expect(cuerpoDocumento.map((line) => (line as { ventaGravada: number }).ventaGravada)).toEqual(amounts);
    expect(resumen).toMatchObject({ totalGravada: amounts.reduce((sum, one) => sum + one) });
  });

  it('not-subject, the default: all of it in one column, no tax codes', () => {
    const { resumen, cuerpoDocumento } = of('{ taxed: $taxed, exempt: $exempt }');
    expect(resumen).toEqual({
      ...none,
      totalNoSuj: 27.73,
      totalExenta: 0,
      totalGravada: 0,
      subTotalVentas: 27.73,
      subTotal: 27.73,
      montoTotalOperacion: 27.73,
      totalLetras: `VEINTISIETE 73/100 ${WORDS}`,
    });
    expect(cuerpoDocumento).toEqual(
      [15, 8.23325, 4.5].map((ventaNoSuj) => ({
        numItem: 1,
        cantidad: 1,
        montoDescu: 0,
        ventaNoSuj,
        ventaExenta: 0,
        ventaGravada: 0,
      })),
    );
  });

  it('taxed: by kind, the tax code on taxed lines, no tax in the summary', () => {
    const { resumen, cuerpoDocumento } = of('{ variant: taxed, taxed: $taxed, exempt: $exempt }');
    expect(resumen).toEqual({
      ...none,
      totalNoSuj: 0,
      totalExenta: 4.5,
      totalGravada: 23.23,
      subTotalVentas: 27.73,
      subTotal: 27.73,
      montoTotalOperacion: 27.73,
      totalLetras: `VEINTISIETE 73/100 ${WORDS}`,
    });
    expect(cuerpoDocumento).toMatchObject([
      { ventaNoSuj: 0, ventaExenta: 0, ventaGravada: 15, tributos: ['20'] },
      { ventaNoSuj: 0, ventaExenta: 0, ventaGravada: 8.23325, tributos: ['20'] },
      { ventaNoSuj: 0, ventaExenta: 4.5, ventaGravada: 0 },
    ]);
    expect(cuerpoDocumento[2]).not.toHaveProperty('tributos');
  });

  it('taxed-with-vat: the tax is listed, and in the total', () => {
    expect(of('{ variant: taxed-with-vat, taxed: $taxed, exempt: $exempt }').resumen).toEqual({
      ...none,
      totalNoSuj: 0,
      totalExenta: 4.5,
      totalGravada: 23.23,
      subTotalVentas: 27.73,
      subTotal: 27.73,
      tributos: [{ codigo: '20', descripcion: 'Impuesto al Valor Agregado 13%', valor: 3.02 }],
      montoTotalOperacion: 30.75,
      totalLetras: `TREINTA 75/100 ${WORDS}`,
    });
  });

  it('taxed-with-vat without taxed goods lists no tax', () => {
    const { resumen } = of(
      '{ variant: taxed-with-vat, taxed: $taxed, exempt: $exempt }',
      '',
      'row',
      CSV.replaceAll(';S', ';N'),
    );
    expect(resumen).toMatchObject({ totalGravada: 0, montoTotalOperacion: 27.73 });
    expect(resumen).not.toHaveProperty('tributos');
  });

  it('zero: no amounts, whatever the export holds', () => {
    const { resumen, cuerpoDocumento } = of('{ variant: zero, taxed: $taxed, line-discount: $d }');
    expect(resumen).toEqual({
      ...none,
      totalNoSuj: 0,
      totalExenta: 0,
      totalGravada: 0,
      subTotalVentas: 0,
      subTotal: 0,
      montoTotalOperacion: 0,
      totalLetras: `CERO 00/100 ${WORDS}`,
    });
    expect(cuerpoDocumento[0]).toEqual({
      numItem: 1,
      cantidad: 1,
      precioUni: 0,
      montoDescu: 0,
      ventaNoSuj: 0,
      ventaExenta: 0,
      ventaGravada: 0,
    });
    expect(of('{ variant: zero }', 'precioUni: 0').cuerpoDocumento[0]).toMatchObject({ precioUni: 0 });
  });

  it('adds discounts of lines, which the amounts hold already, and takes those of the document off', () => {
    const summary =
      '{ variant: taxed-with-vat, taxed: $taxed, exempt: $exempt, line-discount: $d, discounts: { taxed: "= 3.23", exempt: "= 0.5" } }';
    const { resumen, cuerpoDocumento } = of(summary);
    expect(resumen).toMatchObject({
      descuGravada: 3.23,
      descuExenta: 0.5,
      totalDescu: 3.83,
      subTotalVentas: 27.73,
      subTotal: 24,
      tributos: [{ valor: 2.6 }],
      montoTotalOperacion: 26.6,
    });
    expect(cuerpoDocumento).toMatchObject([{ montoDescu: 0 }, { montoDescu: 0.1 }, { montoDescu: 0 }]);
    expect(of(summary.replace('variant: taxed-with-vat, ', '')).resumen).toMatchObject({
      descuNoSuj: 3.73,
      descuGravada: 0,
      montoTotalOperacion: 24,
    });
  });

  it('writes the words in the form of the mapping', () => {
    expect(of('{ taxed: $taxed, exempt: $exempt, words: "{WORDS} {cc}/100 USD" }').resumen).toMatchObject({
      totalLetras: 'VEINTISIETE 73/100 USD',
    });
  });

  it('adds the rows of a line up where one line is made of several', () => {
    const { cuerpoDocumento, resumen } = of('{ variant: taxed, taxed: $taxed, exempt: $exempt }', '', 'rows by G');
    expect(cuerpoDocumento).toMatchObject([{ ventaGravada: 23.23325, tributos: ['20'] }, { ventaExenta: 4.5 }]);
    expect(resumen).toMatchObject({ totalGravada: 23.23, montoTotalOperacion: 27.73 });
  });

  test.each([
    ['{ taxed: $taxed, variant: not-subjekt }', '', '"not-subjekt" is not a variant (did you mean "not-subject"?)'],
    ['{}', '', 'the standard summary needs amounts of the lines (name one of taxed, exempt, not-subject)'],
    ['{ taxed: 5 }', '', 'taxed: is a $Column or a formula per line, without VAT'],
    ['{ taxed: $taxed, discount: $d }', '', 'unknown key "discount"'],
    ['{ taxed: $taxed, discounts: $d }', '', 'discounts: are those of the whole document'],
    ['{ taxed: $taxed, line-discount: 5 }', '', 'line-discount: is a $Column or a formula per line'],
    ['{ taxed: $taxed, words: 5 }', '', 'words: is the template of AMOUNT-IN-WORDS'],
    [
      '{ taxed: $taxed }',
      'ventaGravada: $taxed',
      '"ventaGravada" of the lines follows from the standard summary, and the lines write it themselves',
    ],
    ['{ taxed: $taxed }', 'tributos: ["20"]', '"tributos" of the lines follows from the standard summary'],
    ['{ variant: zero }', 'precioUni: $p', '"precioUni" of the lines follows from the standard summary'],
  ])('%s beside { %s }: %s', (summary, item, message) => {
    const told = findings(note(summary, item));
    expect(told).toContain(message);
    expect(told.split('\n')).toHaveLength(1);
  });

  it('needs lines', () => {
    const text = note('{ taxed: $taxed }').replace(/ {2}cuerpoDocumento:[\s\S]*? {2}resumen:/, '  resumen:');
    expect(findings(text)).toContain(
      'resumen: { standard: { taxed: $taxed } } | map/wrong-value the standard summary needs lines',
    );
  });

  it('points at its own line where a cell is wrong, and where a preview asks', () => {
    const [result] = convert(loaded(note('{ taxed: $taxed }')), CSV.replace('1.25', 'x'));
    expect(result?.faults.map(({ code, origin }) => [code, origin?.row, origin?.column])).toEqual([
      ['map/not-a-number', 2, 'p'],
    ]);
    expect(result?.faults[0]?.mark?.text).toContain('resumen: { standard');
  });
});

describe('the period of a report', () => {
  const report = (period: string) =>
    `${head('fr-report', 'Jour: date')}  document: { identifier: $Num, period: { standard: ${period} } }\n`.replace(
      'format: csv,',
      'format: csv, dates: yyyy-MM-dd,',
    );
  test.each([
    ['decade', '2026-11-21T00:00:00', '2026-11-30T23:59:59'],
    ['month', '2026-11-01T00:00:00', '2026-11-30T23:59:59'],
    ['two-months', '2026-11-01T00:00:00', '2026-12-31T23:59:59'],
  ])('%s', (regime, start, end) => {
    const csv = 'Num;Jour\nR;2026-11-21\nR;2026-11-30';
    expect(made(report(`{ regime: ${regime}, date: = MIN($Jour) }`), csv)).toEqual({
      document: { identifier: 'R', period: { 'start-date': start, 'end-date': end } },
    });
  });

  test.each([
    ['{ regime: week, date: $Jour }', 'regime: is decade, month or two-months'],
    ['{ regime: month }', 'date: is a $Column or a formula that gives a day of the period'],
    ['{ regime: month, dates: $Jour }', 'unknown key "dates" (did you mean "date"?)'],
  ])('%s: %s', (period, message) => {
    expect(findings(report(period))).toContain(message);
  });
});

test('a standard block of another field is refused, and a misspelled one gets a suggestion', () => {
  const text = (output: string) => `${head('fr-invoice', 'Net: number')}  document: { identifier: $Num }\n${output}`;
  expect(findings(text('  issuer: { standard: {} }\n'))).toContain(
    'map/wrong-value there is no ready-made block for this field',
  );
  expect(findings(text('  totals: { standart: {} }\n'))).toContain('did you mean "standard"?');
  expect(findings(text('  totals: { standard: { net: $Net, rate: $Net }, currency: EUR }\n'))).toContain(
    'standard: cannot have fields next to it and takes { net: $Column, rate: $Column }',
  );
});
