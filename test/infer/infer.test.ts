/** Whole drafts: what is proposed, what is asked, and that a draft loads whatever the sample looks like. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { format } from '../../src/i18n/message.ts';
import { INFERABLE, inferDraft } from '../../src/infer/infer-draft.ts';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';
import { cpuTimeMs } from '../cpu-time.ts';
import { runs } from '../seed.ts';

const MADE = { fr: 'Brouillon pour', es: 'Borrador para' } as const;
const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
const world = mappingWorld(fileURLToPath(new URL('../../', import.meta.url)));

async function draftOf(text: string | Uint8Array, target = 'fr-invoice', file = 'SAMPLE_01.csv') {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const result = await inferDraft({ bytes, file, id: 'draft', target, tests, answers: 'xml' });
  if ('problem' in result) throw new Error(result.problem.id);
  const { mapping, faults } = loadMapping(result.mapping, 'draft', world);
  return { ...result, loaded: mapping, faults, body: parse(result.mapping) as Body };
}

type Body = { readonly [part: string]: { readonly [part: string]: unknown } };

const HEAD = 'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Code TVA;Total HT;Total TTC\n';
const columnOf = (name: string) => (/^\w+$/.test(name) ? `$${name}` : `$[${name}]`);

const ROWS = [
  'F1;28/09/2026;Élan;999200116;Câble;2;10,00;N;35,00;42,00',
  'F1;28/09/2026;Élan;999200116;Poulie;3;5,00;N;35,00;42,00',
  'F2;29/09/2026;Noël;999200157;Vis;40;1,25;R;50,00;52,75',
  '',
];

describe('a draft', () => {
  it('proposes rates of codes from the totals, and says so', async () => {
    const { body, mapping, loaded, faults } = await draftOf(HEAD + ROWS.join('\n'));
    expect([loaded !== undefined, faults]).toEqual([true, []]);
    expect(body.tables?.vat).toEqual({ N: 20, R: 5.5 });
    expect(mapping).toContain('the totals of 1 document say so');
    expect(mapping).toContain('agrees with "Total HT" on 2 of 2');
    expect(body.checks).toHaveLength(2);
    expect(body.documents?.amount).toBe('$[Total TTC]');
  });

  it('names the total of a document that cannot be made: of the document, else of its lines, a credit note without its minus', async () => {
    const amountOf = async (text: string) => {
      const { body, faults } = await draftOf(text);
      expect(faults).toEqual([]);
      return body.documents?.amount;
    };
    const negative = ROWS.map((row) => row.replace(/;(\d+);(\d+,\d+);(\w);([\d,]+);([\d,]+)$/, ';-$1;$2;$3;-$4;-$5'));
    expect(await amountOf(HEAD + negative.join('\n'))).toBe('= ABS($[Total TTC])');
    const lines =
      'F1;28/09/2026;Élan;999200116;Câble;2;10,00;20;20,00;24,00\nF1;28/09/2026;Élan;999200116;Vis;4;6,00;20;24,00;28,80\n';
    const head = 'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA;Montant HT;Montant TTC\n';
    expect(await amountOf(head + lines)).toBe('= SUM($[Montant TTC])');
    expect(
      await amountOf('Facture;Date;Client;Désignation;Qté;PU HT\nF1;28/09/2026;Élan;Câble;2;10,00\n'),
    ).toBeUndefined();
  });

  it.each([100, 1000])('finds that a price is that of %i units', async (per) => {
    const priced = ROWS.join('\n')
      .replace(';10,00', `;${10 * per}`)
      .replace(';5,00', `;${5 * per}`)
      .replace(';1,25', `;${1.25 * per}`);
    const { body, mapping } = await draftOf(HEAD + priced);
    expect(JSON.stringify(body['calculated-columns'])).toContain(`/ ${per}, 2)`);
    expect(mapping).toContain(`the price is that of ${per} units: agrees with "Total HT" on 2 of 2`);
  });

  it('takes the longest words of the lines for their description when no column name identifies it, and asks', async () => {
    const line = (number: string, truc: string, code: string) =>
      `${number};28/09/2026;Société Générale des Câbles Réunis;${truc};${code};2;10,00;20\n`;
    const head = 'Facture;Date;Client;Truc;Zyx;Qté;PU HT;TVA\n';
    const rows = line('F1', 'Câble cuivre', 'C-1') + line('F1', 'Poulie', 'C-22') + line('F2', 'Vis inox', 'C-3');
    const { body, questions } = await draftOf(head + rows);
    expect(body.output?.lines).toMatchObject({ make: { description: '$Truc' } });
    expect(JSON.stringify(questions)).toContain('No name shows which column describes the lines: ');
    // Codes are no words, and what stays the same in a document describes none of its lines.
    const none = await draftOf((head + rows).replaceAll(/;(?:Câble cuivre|Poulie|Vis inox);/g, ';;'));
    expect(JSON.stringify(none.questions)).toContain('No column describes the lines.');
  });

  it('reads headings as forms have them: dates by a word and "le", a quantity by its letter', async () => {
    const lines = 'F1;05/09/2026;05/10/2026;Élan;Câble;2;10,00;20\nF2;28/09/2026;28/10/2026;Noël;Vis;40;1,25;20\n';
    for (const [date, due] of [
      ['Le', 'Payable le'],
      ['Émis le', 'À régler le'],
    ]) {
      const { body } = await draftOf(`Facture;${date};${due};Client;Libellé;Q;PU;TVA\n${lines}`);
      expect(body.output?.document).toMatchObject({ date: columnOf(date!), 'date-due': columnOf(due!) });
      expect(body['calculated-columns']).toEqual({ net: '= ROUND($Q * $PU, 2)' });
    }
  });

  it('groups by a calculated column where the name of the rate has a comma', async () => {
    const { faults } = await draftOf(
      'Facture;Date;Client;Libellé;Qté;PU;TVA %,\nF1;28/09/2026;Élan;Câble;1;10,00;20\n',
    );
    expect(faults).toEqual([]);
  });

  it('leaves out a code without a known rate, and asks for it', async () => {
    const { body, questions } = await draftOf(HEAD + ROWS.join('\n').replaceAll(';N;35,00;42,00', ';QX;35,00;41,11'));
    expect(body.tables?.vat).toEqual({ R: 5.5 });
    expect(questions.find(({ at }) => at === 'tables.vat')?.says).toContain('QX');
  });

  it('asks for what matters most first: the issuer, then open dates', async () => {
    const { questions, mapping } = await draftOf(
      HEAD + ROWS.join('\n').replaceAll('28/09', '05/09').replaceAll('29/09', '06/09'),
    );
    expect(questions.slice(0, 2).map(({ at }) => at)).toEqual(['output.issuer', 'source.dates']);
    expect(mapping).toContain('FILL IN - legal name of the issuer');
  });

  it('finds the header below titles, and the rows that are no data', async () => {
    const text = `État des factures;;;;;;;;;\n;;;;;;;;;\n${HEAD}${ROWS.slice(0, 3).join('\n')}\nTotal général;;;;;;;;85,00;94,75\n;;;;;;;;;\n`;
    const { body } = await draftOf(text);
    expect(body.source).toMatchObject({
      'header-row': 3,
      'leave-out': [{ blank: true }],
      controls: ['Total HT', 'Total TTC'].map((value) => ({
        where: { column: 'Facture', 'starts-with': 'Total' },
        value,
      })),
    });
  });

  it('keeps the header cells of documents that write them once', async () => {
    const text =
      'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA\nF1;28/09/2026;Élan;999200116;Câble;2;10,00;20\n;;;;Poulie;3;5,00;20\nF2;29/09/2026;Noël;999200157;Vis;1;1,25;20\n';
    expect((await draftOf(text)).body.source?.['fill-down']).toEqual(['Facture', 'Date', 'Client', 'SIREN']);
  });

  it('asks about numbers that come back, and groups the whole file then', async () => {
    const { body, questions } = await draftOf(HEAD + [ROWS[0], ROWS[2], ROWS[1], ''].join('\n'));
    expect(body.documents?.rows).toBe('anywhere');
    expect(questions.some(({ at }) => at === 'documents.rows')).toBe(true);
  });

  it('names what a spreadsheet damaged', async () => {
    const { questions } = await draftOf(HEAD + ROWS.join('\n').replaceAll('999200157', '9,992E+08'));
    expect(questions.find(({ says }) => says.includes('9,992E+08'))?.says).toContain('row 4');
  });

  it('distinguishes a rate, a VAT number and an amount of one name by the values', async () => {
    const rows = (name: string, values: readonly string[]) =>
      `Facture;Date;Client;Libellé;Qté;PU;${name}\n${values.map((value, at) => `F${at};2${at}/09/2026;Élan;Câble;1;10,00;${value}\n`).join('')}`;
    expect((await draftOf(rows('TVA', ['20', '5,5', '20']))).body.output?.lines).toMatchObject({
      make: { taxes: [{ percent: '$TVA' }] },
    });
    const numbers = ['FR48999200116', 'FR72999200124', 'FR96999200132'];
    expect(JSON.stringify((await draftOf(rows('TVA', numbers))).body.output?.receiver)).toContain(
      '{"type":"vat","value":"$TVA"}',
    );
  });
});

it('drafts one of two kinds of records, and says so first', async () => {
  const record = (kind: string, number: string) =>
    `<${kind}><Numero>${number}</Numero><Date>2026-09-28</Date><Ligne><Libelle>x</Libelle><Quantite>1</Quantite><Prix>2.00</Prix></Ligne></${kind}>`;
  const { questions, body } = await draftOf(`<Export>${record('Facture', 'F1')}${record('Avoir', 'A1')}</Export>`);
  expect(questions[0]?.says).toContain('Two kinds of records: Facture and Avoir');
  expect(body.source).toMatchObject({ document: '/Export/Facture', row: 'Ligne' });
});

it('says the century where only a column of its own has years of two digits', async () => {
  const rows = ['F1;28/09/2026;28/10/26', 'F2;29/09/2026;29/10/26', 'F3;30/09/2026;30/10/26'];
  const { body, faults } = await draftOf(
    `Facture;Date;Echéance;Client;PU\n${rows.map((row) => `${row};Élan;1,50\n`).join('')}`,
  );
  expect(faults).toEqual([]);
  expect(body.source?.['two-digit-years-until']).toBe(69);
});

it.each(['fr-invoice', 'sv-remission-note'])(
  'looks up by a column whose name begins like a reference: %s',
  async (target) => {
    const { faults, mapping } = await draftOf('Facture\nA;;$U;;AV\n1;1;1;1;1\n', target);
    expect([faults.filter(({ level }) => level === 'error'), mapping.includes('$[$U]')]).toEqual([[], true]);
  },
);

it('takes no longer for one word of 60,000 letters in a code page', async () => {
  const text = `Facture;Date;Client\nF1;28/09/2026;${'Facture'.repeat(9_000)}\nF2;29/09/2026;No\u00ebl\n`;
  const begin = cpuTimeMs();
  const { body } = await draftOf(Buffer.from(text, 'latin1'));
  expect(body.source?.encoding).toBe('windows-1252');
  expect(cpuTimeMs() - begin).toBeLessThan(5_000);
});

it('takes no longer for a file with a thousand columns of numbers', async () => {
  const row = (of: number) => `F${of};${Array.from({ length: 1000 }, (_, n) => `${n + of},25`).join(';')}\n`;
  const begin = cpuTimeMs();
  await draftOf(`${row(1)}${row(2)}${row(2)}${row(3)}`);
  expect(cpuTimeMs() - begin).toBeLessThan(20_000);
});

it('warns of negative remission notes', async () => {
  const text = 'Nota,Fecha,Descripcion,Cantidad,Precio\nN1,2026-09-28,Cable,2,1.50\nN2,2026-09-28,Polea,-3,2.00\n';
  expect((await draftOf(text, 'sv-remission-note')).questions.some(({ says }) => says.includes('such as -3'))).toBe(
    true,
  );
});

describe('what is no export', () => {
  it.each([
    ['PK\u0003\u0004....', 'xlsx/damaged'],
    ['%PDF-1.7', 'infer-problem.pdf'],
    ['', 'infer-problem.empty'],
    ['{"a": 1}', 'infer-problem.json'],
    ['\u007fELF\u0002\u0001\u0001\0\0\0\0\0\0\0\u0003\0', 'infer-problem.controlCharacters'],
    ['<a><b></a>', 'xml/not-well-formed'],
    [`Facture;${'x'.repeat(1_200)}\nF1;2\n`, 'infer-problem.longName'],
  ])('%j is refused with a reason', async (text, reason) => {
    const result = await inferDraft({ bytes: Buffer.from(text), file: 'x', id: 'x', target: 'fr-invoice', tests });
    expect('problem' in result && (result.faults?.[0]?.code ?? result.problem.id)).toBe(reason);
  });
});

describe('columns by position', () => {
  const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`;
  const HEADER = 'No    Date     Article           Montant HT';
  const ROWS = [
    'F1    20260928 Cable acier            12,50',
    'F2    20260929 Poulie simple           5,00',
    'F3    20260930 Vis               1 234,25-',
  ] as const;
  const [, poulie] = ROWS;

  /** The block `source` of the draft. */
  const sourceOf = async (text: string) => {
    const result = await inferDraft({ bytes: Buffer.from(text), file: 'x', id: 'x', target: 'fr-invoice', tests });
    if ('problem' in result) throw new Error(format(result.problem, 'en'));
    return { source: parse(result.mapping).source, questions: result.questions.map(({ says }) => says) };
  };
  const SPANS = { No: '1-6', Date: '7-15', Article: '16-28', 'Montant HT': '29-43' };

  it('begin and end where all lines are blank; a number takes the blanks before it, a text those after it', async () => {
    const { source, questions } = await sourceOf(lines(HEADER, ...ROWS.slice(0, 2)));
    expect(source).toMatchObject({ 'skip-rows': 1, 'line-length': 43, columns: SPANS });
    expect(questions.join()).toContain('positions');
  });

  it('are those of a ruler of dashes, exactly, without a question about them', async () => {
    const ruler = '---- --------- ---------------- -----------';
    const { source, questions } = await sourceOf(lines('Liste', '', HEADER, ruler, ...ROWS));
    expect(source).toMatchObject({
      'skip-rows': 4,
      columns: { No: '1-4', Date: '6-14', Article: '16-31', 'Montant HT': '33-43' },
    });
    expect(questions.join()).not.toContain('positions');
  });

  it('have no names without a header; the last word of the longest text is no column, nor are thousands', async () => {
    const longest = 'F4    20261001 Cable acier INOX        1,00';
    const { source } = await sourceOf(lines(ROWS[0], longest, ROWS[2]));
    expect(Object.values(source.columns)).toHaveLength(4);
    expect(source).not.toHaveProperty('skip-rows');
  });

  it('are found where blanks at the end of lines are cut, and totals and headers of other pages are left out', async () => {
    const { source } = await sourceOf(
      lines(HEADER, ...ROWS, HEADER, poulie, 'TOTAL          4 lignes        1 256,75'),
    );
    expect(source['leave-out']).toEqual([
      { at: '1-2', 'starts-with': 'No' },
      { at: '1-5', 'starts-with': 'TOTAL' },
    ]);
    const cut = await sourceOf(
      lines('No    Date     Client', ...['Cable SA', 'Vis'].map((name) => `F1    20260928 ${name}`)),
    );
    expect(cut.source).toMatchObject({ 'trailing-blanks': 'cut' });
  });

  it('with digits that have no decimal mark are asked about', async () => {
    const { questions } = await sourceOf(
      lines(
        'No    Date     Article  Montant',
        ...['00001250', '00000500'].map((cell) => `F1    20260928 Cable    ${cell}`),
      ),
    );
    expect(questions.join()).toContain('"Montant" has digits without a decimal mark ("00001250")');
  });

  it.each([
    [
      'touch',
      lines(...['1', '2', '3'].map((n) => `F00000${n}20260928999200116000000012${n}0`)),
      'only 1 column has blanks',
    ],
    [
      'differ by kind of line',
      lines(
        'H  F1  20260928  Elan',
        'L  1  Cable acier     12,5',
        'L  2  Poulie          3,0',
        'T  2      42,00        ',
      ),
      'several kinds, which begin with H, L, T',
    ],
  ])('that %s are refused', async (_, text, says) => {
    const result = await inferDraft({ bytes: Buffer.from(text), file: 'x', id: 'x', target: 'fr-invoice', tests });
    expect(result).toMatchObject({ fixedWidth: true });
    expect('problem' in result && format(result.problem, 'en')).toContain(says);
  });
});

it('makes no key of a code that is too long for one', async () => {
  const head = 'Facture;Date;Client;Désignation;Qté;PU HT;Code TVA\n';
  const rows = ['T20', `T20${'Total'.repeat(300)}`].map((code, at) => `F${at};28/09/2026;Élan;Câble;2;10,00;${code}\n`);
  const { faults } = await draftOf(head + rows.join(''));
  expect(faults.filter(({ level }) => level === 'error')).toEqual([]);
});

it('always gives a draft that loads, or a reason, whatever the cells hold', async () => {
  const name = fc.oneof(
    fc.constantFrom(
      'Facture',
      'Date',
      'TVA',
      'Total',
      'Qté',
      'PU',
      'Client',
      'net',
      'rate',
      'Statut',
      'Type',
      'Société',
      'Fecha',
      'Nota',
      'Montant',
      'Unité',
    ),
    fc.stringMatching(/^[A-Za-z0-9 _.%()/#:'&=*-]{1,8}$/),
  );
  const cell = fc.oneof(
    fc.constantFrom(
      '1',
      '20',
      '12,5',
      '05/09/2026',
      'FA',
      'AV',
      '',
      '999200116',
      '"x"',
      "it's",
      'a: b',
      '# c',
      '[x]',
      'true',
      '1,5E+08',
      '-3',
    ),
    fc.stringMatching(/^[A-Za-z0-9 _.*%()/#:'"&=$@,;-]{0,10}$/),
  );
  const table = fc.tuple(
    fc.array(name, { minLength: 1, maxLength: 8 }),
    fc.array(fc.array(cell, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
    fc.constantFrom(...INFERABLE),
    fc.constantFrom(';', ',', '\t'),
  );
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows, target, delimiter]) => {
      const text = [names, ...rows].map((cells) => cells.join(delimiter)).join('\n');
      const result = await inferDraft({ bytes: Buffer.from(text), file: 'x 1.csv', id: 'draft', target, tests });
      if ('problem' in result) return;
      expect(loadMapping(result.mapping, 'draft', world).faults.filter(({ level }) => level === 'error')).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

it('reads the samples of the repository without touching them twice: the same bytes give the same draft', async () => {
  const path = new URL('../../samples/sage-invoices/input/FAC_0905.csv', import.meta.url);
  const bytes = readFileSync(path);
  expect((await draftOf(bytes)).mapping).toBe((await draftOf(Uint8Array.from(bytes))).mapping);
});

describe('the line of an XML sample', () => {
  /** Documents of one to three lines, the amounts of each document in its totals. */
  const journal = (list: string, line: string, cells: readonly [string, string, string, string]) => {
    const [goods, quantity, price, amount] = cells;
    const documents = [1, 3, 2, 1].map((lines, at) => {
      const made = Array.from({ length: lines }, (_, n) => {
        const [count, each] = [n + at + 1.5, 10.25 + n];
        const net = Math.round(count * each * 100) / 100;
        return {
          net,
          text:
            `<${line} num="${n + 1}"><${goods}>Vis ${at}${n}</${goods}><${quantity} u="${n === 1 ? 'KG' : 'PCE'}">${count}</${quantity}>` +
            `<${price}>${each}</${price}><TVA>20</TVA><${amount}>${net.toFixed(2)}</${amount}></${line}>`,
        };
      });
      const net = made.reduce((sum, one) => sum + one.net, 0);
      const lists = made.map(({ text }) => text).join('');
      return (
        `<Piece no="J00${at}" date="2026-11-0${at + 1}" devise="EUR"><Client siren="999200116"><Nom>Noël</Nom><Rue>1 rue</Rue><Cp>75001</Cp><Ville>Paris</Ville></Client>` +
        `<${list}>${lists}</${list}><Totaux ht="${net.toFixed(2)}" ttc="${(net * 1.2).toFixed(2)}"/></Piece>`
      );
    });
    return `<Journal><Entete societe="S1"/>${documents.join('')}</Journal>`;
  };

  it.each([
    ['Lignes', 'L', ['Des', 'Q', 'PU', 'HT']],
    ['Lignes', 'L', ['Libelle', 'Qte', 'PU', 'HT']],
    ['Corps', 'Poste', ['Des', 'Q', 'PU', 'HT']],
    ['Zzz', 'Zz', ['A', 'B', 'C', 'D']],
  ] as const)('is what repeats, whatever its name: %s/%s of %j', async (list, line, cells) => {
    const { body, faults, mapping } = await draftOf(journal(list, line, cells), 'fr-invoice', 'JRN_1.xml');
    expect(faults).toEqual([]);
    expect(body.source).toMatchObject({ document: '/Journal/Piece', row: `${list}/${line}` });
    expect(mapping).toContain('7 rows, 4 documents');
    expect(mapping).not.toContain('has one row');
  });

  /** Each document has the same two lines, which only their unit and number tell apart. */
  const pairs = (line: (n: string, unit: string, cells: string) => string) =>
    `<Lot>${[1, 2, 3]
      .map(
        (at) =>
          `<Facture ref="XA${at}" type="FA" le="2026-11-1${at}"><Detail>` +
          line('1', 'PCE', '<Lib>Câble</Lib><Qte>3</Qte><PU>19.990</PU>') +
          line('2', 'KG', '<Lib>Café</Lib><Qte>2.500</Qte><PU>8.4</PU>') +
          '</Detail><Total ht="80.97" ttc="97.16"/></Facture>',
      )
      .join('')}</Lot>`;

  it.each([
    ['an attribute', (n: string, unit: string, cells: string) => `<Poste n="${n}" u="${unit}">${cells}</Poste>`],
    ['a type', (n: string, unit: string, cells: string) => `<Poste type="${unit}" n="${n}">${cells}</Poste>`],
  ])('stays a line where every document has the same two, kept apart by %s', async (_, line) => {
    const { body, mapping, faults } = await draftOf(pairs(line), 'fr-invoice', 'LOT_1.xml');
    expect(faults).toEqual([]);
    expect(body.source).toMatchObject({ document: '/Lot/Facture', row: 'Detail/Poste' });
    expect(mapping).toContain('6 rows, 3 documents');
    expect(mapping).not.toContain('Poste[@');
  });

  it('is not the breakdown of the VAT next to it, nor a lot inside it', async () => {
    const line = (n: number) =>
      `<P n="${n}"><Lib>Vis ${n}</Lib><Qte>${n}.5</Qte><PU>2.00</PU><Lots><Lot no="A${n}" q="1.25" jour="2026-10-0${n}"/><Lot no="B${n}" q="0.5" jour="2026-10-1${n}"/></Lots></P>`;
    const vat = '<T taux="20" base="10.00" montant="2.00"/><T taux="5.5" base="4.00" montant="0.22"/>';
    const text = `<Lot>${[1, 2]
      .map((at) => `<Facture numero="F${at}" date="2026-11-1${at}"><D>${line(1)}${line(2)}</D><V>${vat}</V></Facture>`)
      .join('')}</Lot>`;
    expect((await draftOf(text, 'fr-invoice', 'LOT_1.xml')).body.source).toMatchObject({
      document: '/Lot/Facture',
      row: 'D/P',
    });
  });
});

it.each([
  [
    'fr-invoice',
    `${HEAD}${ROWS.join('\n')}`,
    'fr',
    ['Le total HT diffère de Total HT', 'Le total TTC diffère de Total TTC'],
  ],
  [
    'fr-report',
    'Société;Date encaissement;Montant;Facture;Taux\nA;28/09/2026;10,00;F1;20\n',
    'es',
    ['Un cobro es negativo: un reembolso no se declara como un cobro'],
  ],
  [
    'sv-remission-note',
    'Nota,Fecha,Descripcion,Cantidad,Precio,Total\nN1,2026-09-28,Cable,2,1.50,3.00\n',
    'es',
    ['La suma de las líneas difiere de Total'],
  ],
] as const)(
  'checks, comments and questions of a draft for %s are in the language of the instance',
  async (target, text, language, says) => {
    const result = await inferDraft({ bytes: Buffer.from(text), file: 'x.csv', id: 'draft', target, tests, language });
    if ('problem' in result) throw new Error(result.problem.id);
    const { checks } = parse(result.mapping) as { readonly checks: readonly { readonly say: string }[] };
    expect(checks.map(({ say }) => say)).toEqual(says);
    expect(result.mapping.slice(0, 2 + MADE[language].length)).toBe(`# ${MADE[language]}`);
    const all = [...result.evidence, ...result.questions].map((one) => one.says).join('\n');
    expect(all).not.toMatch(/\b(?:column|rows?|the|and|was)\b/);
    expect(loadMapping(result.mapping, 'draft', world).faults.filter(({ level }) => level === 'error')).toEqual([]);
  },
);
