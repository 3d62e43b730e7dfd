/** Nights over broken files under each language: what an operator reads of it is in that language, and it alone. */
import { expect, test } from 'vitest';
import type { Language } from '../../../src/i18n/message.ts';
import { allMessages, englishIn } from '../../catalogue.ts';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';

const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux';
const TABLED = SALES_MAPPING.replace('mapping: sales', 'mapping: tabled')
  .replace('ventes*.csv', 'tables*.csv')
  .replace('receiver: { name: $Client }', 'receiver: { name: { from: Client, table: clients } }')
  .replace('output:', 'tables: { clients: { A1: Alpha, B22222: Beta } }\noutput:');

const TYPES = 'columns: { Date: date, Qte: number, PU: number, Taux: number }';
const XML = SALES_MAPPING.replace('mapping: sales', 'mapping: tree')
  .replace('ventes*.csv', 'arbre*.xml')
  .replace('format: csv\n  delimiter: ";"', 'format: xml\n  document: /V/F\n  row: L')
  .replace(
    TYPES,
    `columns: { Num: ../N, Date: ../D, Client: ../C, Lig: I, Qte: Q, PU: P, Taux: T }\n  ${TYPES.replace('columns', 'types')}`,
  );
const TREE = (lines: string, number = 'A1') => `<V><F><N>${number}</N><D>05/09/2026</D><C>X</C>${lines}</F></V>`;
const FIXED = SALES_MAPPING.replace('mapping: sales', 'mapping: fixed')
  .replace('ventes*.csv', 'fixe*.txt')
  .replace('format: csv\n  delimiter: ";"', 'format: fixed\n  line-length: 30')
  .replace(
    TYPES,
    `columns: { Num: 1-4, Date: 5-14, Client: 15, Lig: 16, Qte: 17-20, PU: 21-25, Taux: 26-28 }\n  ${TYPES.replace('columns', 'types')}`,
  );

/** No number stands in two of them: which file is taken first is left to chance. */
const FILES: { readonly [name: string]: string } = {
  'ventes-1.csv': [
    HEAD,
    'F1;05/09/2026;Dupont;1;12,5O;10,50;20',
    'F2;2026-09-05;Dupont;1;2;1.234,50;20',
    'F3;31/02/2026;Dupont;1;2;1,5E+08;20',
    'F4;05/09/2026;Dupont;1;2;10,50;20',
    'F4;06/09/2026;Dupont;2;2;;20',
    ';05/09/2026;Dupont;1;2;10,50;20',
    'F5;05/09/2026;Dupont;1;2;10,50;20',
    'F4;05/09/2026;Dupont;1;2;10,50;20',
    ';;;;;;Total',
    '',
  ].join('\n'),
  'ventes-2.csv': 'Num;Date;Client;Lig;Quantite;PU;Taux\nF1;05/09/2026;X;1;2;10,50;20\n',
  'ventes-3.csv': 'a;b;c;d;e;f;g\n1;2;3;4;5;6;7\n',
  'ventes-4.csv': `${HEAD}\nF1;05/09/2026;"Dupont;1;2;10,50;20\n`,
  'ventes-5.csv': '',
  'ventes-6.csv': `${HEAD}\nR1;05/09/2026;Dupont;1;2;10;50;20\nR2;05/09/2026;Dupont;1;2\n`,
  'ventes-7.csv': `${HEAD}\n`,
  'ventes-8.csv': `${HEAD.replaceAll(';', ',')}\nF1,05/09/2026,X,1,2,10.50,20\n`,
  'ventes-9.csv': `${HEAD};Num\nF1;05/09/2026;X;1;2;10,50;20;F1\n`,
  'ventes-10.csv': `${HEAD}\nF1;05/09/2026;"X"Y;1;2;10,50;20\n`,
  'ventes-11.csv': `${HEAD}\nN1;05/09/2026;X;1;2;10,50;20`,
  'inconnu.csv': 'a;b\n1;2\n',
  'arbre-1.xml': TREE('<L><I>1</I><Q>x</Q><P>10,50</P><P>11</P><T>20</T></L>'),
  'arbre-2.xml': TREE('<L><I>1</I><Q>x</L>'),
  'arbre-3.xml': TREE('<L><I>Dupont & fils</I></L>'),
  'arbre-4.xml': `<!DOCTYPE V>${TREE('')}`,
  'arbre-5.xml': '<W/>',
  'arbre-6.xml': TREE('<L><I>1</I></L>', 'A6').replace('</V>', '<F><N>A7</N></F></V>'),
  'fixe-1.txt': 'X1  05/09/2026X1   2 1050 20  \nX2  05/09/2026X1\n',
  'fixe-2.txt': 'F1\t05/09/2026X1   2 1050 20  ZZ\n',
  'tables.csv': `${HEAD}\nT1;05/09/2026;B2222;1;2;10,50;20\nT2;05/09/2026;;1;2;10,50;20\n`,
};

const CODES = [
  ...['map/beside-broken-row', 'map/damaged-text', 'map/empty-in-formula', 'map/key-came-back', 'map/no-key'],
  ...['map/no-such-column', 'map/not-a-date', 'map/not-a-number', 'map/not-in-table', 'map/not-the-same'],
  ...['map/other-header', 'map/totals-row', 'csv/quote-not-closed', 'inbox/empty-file', 'csv/too-many-cells'],
  ...[
    'csv/too-few-cells',
    'intake/no-documents',
    'csv/wrong-delimiter',
    'csv/duplicate-column',
    'csv/text-after-quote',
  ],
  ...['csv/no-final-line-end', 'intake/no-mapping', 'xml/several-values', 'xml/not-well-formed', 'xml/doctype'],
  ...['xml/wrong-root', 'xml/document-without-rows', 'fixed/line-too-short', 'fixed/tab'],
  ...['correction/columns', 'correction/unknown-document', 'correction/row-missing'],
];

async function brokenNight(language: Language): Promise<Scene> {
  const scene = await openScene({
    settings: { rules: { fr: 'fr-2026', sv: 'wire', language } },
    mappings: { 'sales.yaml': SALES_MAPPING, 'tabled.yaml': TABLED, 'tree.yaml': XML, 'fixed.yaml': FIXED },
  });
  for (const [name, content] of Object.entries(FILES)) scene.drop(name, content);
  await scene.night();
  const corrections = scene.read(scene.files('error').find((path) => /ventes-1\..*to-fix/.test(path))!);
  scene.drop('a.csv', corrections.replace(/_row/, 'row'));
  scene.drop('b.csv', corrections.replace(/[\da-f-]{36}\/\d+/, 'nobody'));
  scene.drop('c.csv', corrections.replace(/(?<=;F?4;|\n)F4;05.*\n/, ''));
  await scene.night();
  return scene;
}

test.each(['fr', 'es'] as const)('nothing that an operator reads in %s is English', async (language) => {
  await using scene = await brokenNight(language);
  const sentences = await allMessages();
  const texts: string[] = [];
  const codes = new Set<string>();
  for (const path of ['outbox', 'pending', 'error'].flatMap(scene.files)) {
    const text = scene.read(path);
    if (!path.endsWith('.json')) {
      if (!path.endsWith('README.txt')) texts.push(text);
      continue;
    }
    const { faults = [] } = JSON.parse(text) as { faults?: { code: string; message: string; hint?: string }[] };
    for (const { code, message, hint = '' } of faults) {
      codes.add(code);
      texts.push(message, hint);
    }
  }
  expect([...codes]).toEqual(expect.arrayContaining(CODES));
  for (const text of texts) expect(englishIn(text, language, sentences), text).toBeUndefined();
});

test('the same night in another language differs only in its words', async () => {
  const told = async (language: Language) => {
    await using scene = await brokenNight(language);
    const entries = await scene.entries();
    return entries
      .map(({ facts, identity, faults }) => ({
        ...{ identifier: facts.identifier, digest: identity.digest, keys: identity.keys },
        faults: faults.map(({ code, at, given, origin }) => ({ code, at, given, origin })),
      }))
      .sort((a, b) => (a.digest < b.digest ? -1 : 1));
  };
  const english = await told('en');
  expect(english.length).toBeGreaterThan(5);
  expect(await told('fr')).toEqual(english);
});
