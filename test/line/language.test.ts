/** Nights over broken files under each language: what an operator reads of it is in that language, and it alone. */
import { expect, test } from 'vitest';
import type { Language } from '../../src/model/words.ts';
import { openScene, SALES_MAPPING, type Scene } from '../night.ts';
import { allSentences, englishIn } from '../sentences.ts';

const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux';
const TABLED = SALES_MAPPING.replace('mapping: sales', 'mapping: tabled')
  .replace('ventes*.csv', 'tables*.csv')
  .replace('receiver: { name: $Client }', 'receiver: { name: { from: Client, table: clients } }')
  .replace('output:', 'tables: { clients: { A1: Alpha, B22222: Beta } }\noutput:');

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
  'tables.csv': `${HEAD}\nT1;05/09/2026;B2222;1;2;10,50;20\nT2;05/09/2026;;1;2;10,50;20\n`,
};

const CODES = [
  ...['map/beside-broken-row', 'map/damaged-text', 'map/empty-in-formula', 'map/key-came-back', 'map/no-key'],
  ...['map/no-such-column', 'map/not-a-date', 'map/not-a-number', 'map/not-in-table', 'map/not-the-same'],
  ...['map/other-header', 'map/totals-row'],
];

async function brokenNight(language: Language): Promise<Scene> {
  const scene = await openScene({
    settings: { rules: { fr: 'fr-2026', sv: 'wire', language } },
    mappings: { 'sales.yaml': SALES_MAPPING, 'tabled.yaml': TABLED },
  });
  for (const [name, content] of Object.entries(FILES)) scene.drop(name, content);
  await scene.night();
  return scene;
}

test.each(['fr', 'es'] as const)('nothing that an operator reads in %s is English', async (language) => {
  await using scene = await brokenNight(language);
  const sentences = await allSentences();
  const texts: string[] = [];
  const codes = new Set<string>();
  for (const path of scene.files('error')) {
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

test('the same night in another language is told apart by words alone', async () => {
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
