/** SAP IDocs: qualified segments, segments that repeat without a qualifier, sums that are none, and who issues. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { inferMapping } from '../../src/views/preview/infer-mapping.ts';

const folder = fileURLToPath(new URL('../../', import.meta.url));
const VATS = ['FR48999200116', 'FR72999200124', 'FR96999200132'];
const segment = (name: string, fields: { readonly [name: string]: string | number }) =>
  `<${name} SEGMENT="1">${Object.entries(fields)
    .map(([key, value]) => `<${key}>${value}</${key}>`)
    .join('')}</${name}>`;
const taxOf = (net: number, rate: string) => Math.round(net * Number(rate)) / 100;

/** E1EDK04 comes once or twice in a document; E1EDS01 has the number of items, and the total without or with tax. */
function idocs({ net: withNet = false, issuer = '' } = {}): string {
  const documents = Array.from({ length: 6 }, (_, at) => {
    const lines = (at % 3 === 0 ? ['20.000', '5.500'] : ['20.000']).map((rate, n) => ({
      rate,
      net: (at + 2 + n) * (12.5 + n),
      n,
    }));
    const net = lines.reduce((sum, line) => sum + line.net, 0);
    const tax = lines.reduce((sum, { rate, net: own }) => sum + taxOf(own, rate), 0);
    return `<IDOC BEGIN="1">${segment('EDI_DC40', { DOCNUM: `000000081500471${at}` })}${segment('E1EDK01', {
      CURCY: 'EUR',
      ...(issuer === 'EIGENUINR' ? { EIGENUINR: 'FR93999100027' } : {}),
      BSART: 'INVO',
    })}${issuer === '' ? '' : segment('E1EDKA1', { PARVW: 'RS', NAME1: 'Vallon Négoce', ...(issuer === 'RS' ? { STCEG: 'FR93999100027', STRAS: '3 chemin', ORT01: 'Vallon', LAND1: 'FR' } : {}) })}${segment(
      'E1EDKA1',
      {
        PARVW: 'RE',
        NAME1: `Payeur ${at}`,
        STRAS: `${at} quai`,
        ORT01: 'Lyon',
        PSTLZ: 69001,
        LAND1: 'FR',
        STCEG: VATS[at % 3]!,
      },
    )}${segment('E1EDK02', { QUALF: '009', BELNR: `009000123${at}`, DATUM: `2026091${at}` })}${lines
      .map(({ rate, net: own }) =>
        segment('E1EDK04', { MWSKZ: rate === '20.000' ? 'A1' : 'A2', MSATZ: rate, MWSBT: taxOf(own, rate).toFixed(2) }),
      )
      .join('')}${lines
      .map(
        ({ rate, n }) =>
          `<E1EDP01 SEGMENT="1"><POSEX>0000${n + 1}0</POSEX><MENGE>${at + 2 + n}.000</MENGE><MENEE>PCE</MENEE><VPREI>${(12.5 + n).toFixed(2)}</VPREI>` +
          `${segment('E1EDP19', { QUALF: '002', IDTNR: `M${n}`, KTEXT: `Câble ${n}` })}${segment('E1EDP04', { MSATZ: rate })}</E1EDP01>`,
      )
      .join(
        '',
      )}${segment('E1EDS01', { SUMID: '001', SUMME: lines.length })}${withNet ? segment('E1EDS01', { SUMID: '010', SUMME: net.toFixed(2) }) : ''}${segment('E1EDS01', { SUMID: '011', SUMME: (net + tax).toFixed(2) })}</IDOC>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><INVOIC02>${documents.join('')}</INVOIC02>`;
}

async function draftOf(text: string) {
  const inferred = await inferMapping({ bytes: Buffer.from(text), file: 'INVOIC_1.xml', target: 'fr-invoice', folder });
  const code = inferred.mapping.replaceAll(/ *#.*/g, '');
  return {
    ...inferred,
    code,
    body: parse(inferred.mapping) as { readonly [part: string]: { readonly [part: string]: unknown } },
  };
}

it.each([false, true])('gives whole documents, whether the net total is in the file or not: %s', async (net) => {
  const { trial, code } = await draftOf(idocs({ net }));
  expect([trial.good, trial.documents]).toEqual([6, 6]);
  expect(code).not.toContain('E1EDK04');
  expect(code).not.toContain('E1EDS01_001');
});

it.each(['RS', 'EIGENUINR'])('finds who issues: %s', async (issuer) => {
  const { body, questions, trial } = await draftOf(idocs({ issuer }));
  const text = JSON.stringify(body.output!.issuer);
  expect(text).toContain('"type":"siren","value":"= SIREN-OF(');
  expect(text).toContain('RS_NAME1');
  expect(questions.some(({ says }) => says.includes('does not say who sends'))).toBe(false);
  expect(trial.good).toBe(6);
});

it('leaves to a person what the file does not say of the issuer', async () => {
  const { mapping, questions } = await draftOf(idocs({ issuer: 'EIGENUINR' }));
  expect(mapping).toContain('name: $E1EDKA1_RS_NAME1');
  expect(mapping).toContain('address: { street: FILL IN');
  expect(questions.find(({ at }) => at === 'output.issuer')?.says).toContain('address');
});

it('takes the SIREN of the receiver out of its VAT number', async () => {
  const { body } = await draftOf(idocs());
  const text = JSON.stringify(body.output!.receiver);
  expect(text).toContain('"type":"siren","value":"= SIREN-OF(');
  expect(text).toContain('"type":"routing-address","value":"= SIREN-OF(');
});

it('makes no check of a column that is named like a total and agrees with no document', async () => {
  const row = (n: number) => `F${n};1${n}/09/2026;Élan;999200116;Vis;${n};10,00;20;${n + 40},00;${n * 12},00\n`;
  const head = 'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA;Total HT;Total TTC\n';
  const text = head + [1, 2, 3, 4].map(row).join('');
  const inferred = await inferMapping({ bytes: Buffer.from(text), file: 'VTE_1.csv', target: 'fr-invoice', folder });
  const { checks } = parse(inferred.mapping) as { readonly checks: readonly { readonly that: string }[] };
  expect(checks.map(({ that }) => that).join()).not.toContain('Total HT');
  expect(inferred.questions.find(({ at }) => at === 'checks')?.says).toContain('"Total HT"');
  expect(inferred.trial.good).toBe(4);
});
