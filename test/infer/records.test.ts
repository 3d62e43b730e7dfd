/** Records of several kinds: what stands next to the lines is compared with them, what trailers count and add is kept. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filledIn, inferMapping } from '../../src/views/preview/infer-mapping.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';

const folder = fileURLToPath(new URL('../../', import.meta.url));
const SIRENS = ['999200116', '999200124', '999200157'];
const RATES = { N: 20, R: 5.5, I: 10 } as const;
type Code = keyof typeof RATES;

const money = (value: number) => value.toFixed(2).replace('.', ',');

/** Documents of one to three lines, a code of VAT on each line, its rate in records V only; the trailer F counts and adds. */
function sales(documents = 9): string {
  const lines: string[] = [];
  let all = 0;
  let rows = 0;
  for (let at = 0; at < documents; at++) {
    const codes = ([['N'], ['R'], ['N', 'R', 'I'], ['I']] as const)[at % 4]!;
    const items = codes.map((code: Code, n) => ({ code, quantity: at + n + 2, price: 12.5 + 3 * n + at, n }));
    const nets = items.map((item) => ({ ...item, net: Math.round(item.quantity * item.price * 100) / 100 }));
    const vat = nets.map(({ code, net }) => ({ code, net, tax: Math.round(net * RATES[code] + 1e-6) / 100 }));
    const net = nets.reduce((sum, one) => sum + one.net, 0);
    const gross = net + vat.reduce((sum, one) => sum + one.tax, 0);
    all += Math.round(gross * 100);
    rows += items.length;
    const name = ['Élan & Fils', 'Brûlé-Cœur', 'Noël Menuiserie'][at % 3]!;
    lines.push(
      `H;26${String(8001 + at)};${String(at + 14).padStart(2, '0')}/09/2026;${SIRENS[at % 3]};${name};${at + 1} rue Haute;69001;Lyon;${money(net)};${money(gross)}`,
      ...nets.map((one) => `L;${one.n + 1};Câble d'acier ${one.n};${one.quantity};PCE;${money(one.price)};${one.code}`),
      ...vat.map((one) => `V;${money(RATES[one.code])};${money(one.net)};${money(one.tax)}`),
    );
  }
  lines.push(`F;${documents};${rows};${money(all / 100)}`);
  return `${lines.join('\r\n')}\r\n`;
}

const draftOf = async (text: string, file = 'VTE_01.txt') => {
  const inferred = await inferMapping({ bytes: Buffer.from(text), file, target: 'fr-invoice', folder });
  return {
    ...inferred,
    body: parse(inferred.mapping) as { readonly [part: string]: { readonly [key: string]: unknown } },
  };
};

/** Codes of what is refused once the placeholders are filled in. */
async function refusals(mapping: string, text: string): Promise<readonly string[]> {
  const { faults, refused } = await convertText(filledIn(mapping), text);
  return [...faults, ...refused].map(({ code }) => code);
}

describe('records next to the lines', () => {
  it('become a list that the checks hold against the lines and the totals', async () => {
    const { body, mapping, trial } = await draftOf(sales());
    expect(trial.faults.filter(({ level }) => level === 'error')).toEqual([]);
    expect([trial.good, trial.documents]).toEqual([9, 9]);
    expect(body.source!['record-types']).toMatchObject({
      lists: { V: { value: 'V', columns: ['', 'rate', 'base', 'tax'] } },
    });
    expect(await refusals(mapping, sales())).toEqual([]);
  });

  it.each([
    [
      'more VAT',
      (text: string) => text.replace(/(V;20,00;[^;]*;)(\d+),/, (_, head, tax) => `${head}${Number(tax) + 1},`),
    ],
    ['another rate', (text: string) => text.replace('V;5,50;', 'V;10,00;')],
    ['another base', (text: string) => text.replace(/(V;5,50;)(\d+),/, (_, head, net) => `${head}${Number(net) - 1},`)],
  ])('hold their document where they say otherwise: %s', async (_, change) => {
    const { mapping } = await draftOf(sales());
    expect(change(sales())).not.toBe(sales());
    expect(new Set(await refusals(mapping, change(sales())))).toEqual(new Set(['map/check-failed']));
  });

  it('hold back the document above them where they may be headers, and are asked about', async () => {
    const text = `${sales().replace(/^H;268003/m, 'D;D001;22/09/2026;999200116;Quote;9 rue Basse;69001;Lyon;1,00;1,20\r\nL;1;Quote;1;PCE;1,00;N\r\n$&')}`;
    const { questions, mapping } = await draftOf(text);
    const at = text.slice(0, text.indexOf('L;1;Quote')).split('\r\n').length;
    expect(questions.some((one) => one.at === 'source.leave-out' && one.says.includes(`${at}`))).toBe(true);
    expect(await refusals(mapping, text)).toContain('csv/line-without-header');
  });

  it('are left out and asked about where nothing adds up to them', async () => {
    const text = sales().replace(/^V;.*;(.*)$/gm, (_, tax) => `V;X;Y;7${tax}`);
    const { body, questions } = await draftOf(text);
    expect(body.source!['leave-out']).toContainEqual({ column: 1, equals: 'V' });
    expect(questions.some(({ at, says }) => at === 'source.leave-out' && says.includes('"V"'))).toBe(true);
  });
});

describe('the rates of codes in a file without names', () => {
  it('come from the total with VAT of each document', async () => {
    const { body } = await draftOf(sales());
    expect(body.tables?.vat).toEqual({ N: 20, R: 5.5, I: 10 });
  });

  it('are refused by the total where the lines have no code: a rate for all is not taken as complete', async () => {
    const text = sales()
      .replace(/^(L;.*);[NRI]$/gm, '$1')
      .replace(/^V;.*\r\n/gm, '');
    const { trial, mapping } = await draftOf(text);
    expect(mapping).toContain('@totals.final-amount - $H10');
    expect(trial.good).toBeLessThan(9);
  });
});

describe('control totals', () => {
  const controlsOf = (body: Awaited<ReturnType<typeof draftOf>>['body']) => body.source!.controls;

  it('are what a trailer counts and adds', async () => {
    const { body, mapping } = await draftOf(sales());
    const where = { column: 1, equals: 'F' };
    expect(controlsOf(body)).toEqual([
      { where, value: 2, 'count-of': 'documents' },
      { where, value: 3, 'count-of': 'rows' },
      { where, value: 4, 'sum-of': 'H10', 'once-per': 'document' },
    ]);
    const cut = sales().replace(/H;268003[\s\S]*?(?=H;268004)/, '');
    expect(await refusals(mapping, cut)).toContain('file/control-total-differs');
  });

  it('are what a totals row below named columns adds', async () => {
    const row = (n: number, line: number, net: string, gross: string) =>
      `F${n};1${n}/09/2026;Élan;999200116;Vis ${line};1;10,00;20;${net};${gross}\n`;
    const head = 'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA;Total HT;Total TTC\n';
    const rows = row(1, 1, '20,00', '24,00') + row(1, 2, '20,00', '24,00') + row(2, 1, '10,00', '12,00');
    const { body } = await draftOf(`${head}${rows}Total général;;;;;;;;30,00;36,00\n`, 'VTE_1.csv');
    const where = { column: 'Facture', 'starts-with': 'Total' };
    expect(controlsOf(body)).toEqual([
      { where, value: 'Total HT', 'sum-of': 'Total HT', 'once-per': 'document' },
      { where, value: 'Total TTC', 'sum-of': 'Total TTC', 'once-per': 'document' },
    ]);
    expect(body.source!['leave-out']).toBeUndefined();
  });

  it.each([
    ['what agrees with nothing', 'F;77;88;9,99'],
    ['zeros', 'F;0;0;0,00'],
  ])('are not made of %s', async (_, trailer) => {
    const { body } = await draftOf(sales().replace(/^F;.*$/m, trailer));
    expect(controlsOf(body)).toBeUndefined();
    expect(body.source!['leave-out']).toContainEqual({ column: 1, equals: 'F' });
  });

  it('are not made of a number that counts documents and rows alike', async () => {
    const single =
      'H;F1001;14/09/2026;999200116;Élan;10,00\nL;Vis;1;10,00;20\nH;F1002;15/09/2026;999200116;Élan;12,00\nL;Clou;1;12,00;20\nF;2;22,00\n';
    const { body } = await draftOf(single);
    expect(JSON.stringify(controlsOf(body) ?? [])).not.toContain('count-of');
  });
});
