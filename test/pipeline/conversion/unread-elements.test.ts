/** Elements of an export that its document does not hold: the receipt says so, or no document is made. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING } from '../../night.ts';

const mappingWith = (level: string) =>
  SALES_MAPPING.replace(
    /delimiter: ";"/,
    `row: /Ventes/F/L\n  document: /Ventes/F\n  ${level}\n  columns: { Num: ../@n, Date: ../Date, Client: ../Client, Lig: "@n", Qte: Quantite, PU: PU, Taux: Taux }`,
  )
    .replace('format: csv', 'format: xml')
    .replace('columns: { Date: date', 'types: { Date: date')
    .replaceAll('ventes*.csv', 'ventes*.xml');

const invoice = (number: string, more = '', moreOfLine = '') =>
  `<F n="${number}"><Date>05/09/2026</Date><Client>C</Client>${more}<L n="1"><Quantite>2</Quantite><PU>10,50</PU><Taux>20</Taux>${moreOfLine}</L></F>`;

/** By number: state, and what was said of its elements. */
async function nightWith(level: string, file: string) {
  await using scene = await openScene({ mappings: { 'sales.yaml': mappingWith(level) } });
  scene.drop('ventes.xml', file);
  await scene.night();
  const receipts = ['outbox', 'error'].flatMap((folder) =>
    scene.files(folder).filter((path) => path.endsWith('.receipt.json')),
  );
  return Object.fromEntries(
    receipts.map((path) => {
      const {
        document,
        state,
        faults = [],
      } = JSON.parse(scene.read(path)) as {
        document: { identifier: string };
        state: string;
        faults?: { code: string; level: string; message: string; line?: number; origin?: { line?: number } }[];
      };
      const said = faults.filter(({ code }) => code === 'map/unmapped-elements');
      return [document.identifier, [state, ...said.map(({ level: how, message }) => `${how}: ${message}`)]];
    }),
  );
}

const FILE = `<Ventes>${invoice('F1')}
${invoice('F2', '<Remise>5</Remise>', '<Lot>A</Lot><Lot>B</Lot>')}
${invoice('F3', '', '<Lot>C</Lot>')}</Ventes>`;

test('an unread element is a warning in the receipt, and the document is sent', async () => {
  expect(await nightWith('unmapped: warn', FILE)).toEqual({
    F1: ['authorized'],
    F2: ['authorized', 'warning: The document does not contain 3 elements of the file: F/Remise, F/L/Lot'],
    F3: ['authorized', 'warning: The document does not contain one element of the file: F/L/Lot'],
  });
});

test('an unread element is an error when the mapping refuses it, and the other documents are sent', async () => {
  expect(await nightWith('refused-paths: [/Ventes/F/Remise]', FILE)).toEqual({
    F1: ['authorized'],
    F2: ['invalid', 'error: The document does not contain one element of the file: F/Remise'],
    F3: ['authorized'],
  });
});

test('unread elements give no warning when the mapping does not ask for them', async () => {
  expect(await nightWith('encoding: utf-8', FILE)).toEqual({
    F1: ['authorized'],
    F2: ['authorized'],
    F3: ['authorized'],
  });
});

test('what is there many times is counted, and named once', async () => {
  const { F1 } = await nightWith('unmapped: warn', `<Ventes>${invoice('F1', '<X>1</X>'.repeat(250))}</Ventes>`);
  expect(F1?.[1]).toBe('warning: The document does not contain 250 elements of the file: F/X');
});

test('of many paths the first are named, and all are counted', async () => {
  const many = Array.from({ length: 20 }, (_, n) => `<X${n}>1</X${n}>`).join('');
  const { F1 } = await nightWith('unmapped: warn', `<Ventes>${invoice('F1', many)}</Ventes>`);
  expect(F1?.[1]).toMatch(/^warning: .*\b20 elements .*F\/X0, .*F\/X5 and 14 other paths$/);
});
