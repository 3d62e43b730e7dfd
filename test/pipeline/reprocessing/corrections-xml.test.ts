/** Correction files of XML exports: elements byte for byte, comments in front, and the way back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';

const MAPPING = SALES_MAPPING.replace('ventes*.csv', 'ventes*.xml').replace(
  /source:[\s\S]*?calculated-columns:/,
  `source:
  format: xml
  namespaces: { f: "urn:f", t: "urn:t" }
  document: /f:Export/f:Facture
  row: f:Lignes/f:Ligne
  columns: { Societe: /f:Export/@societe, Num: /f:Export/f:Facture/@numero, Date: /f:Export/f:Facture/@date, Client: /f:Export/f:Facture/t:Client/t:Nom, Lig: "@no", Qte: f:Qte, PU: f:Prix, Taux: f:Taxe/@taux }
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  types: { Date: date, Qte: number, PU: number, Taux: number }
calculated-columns:`,
);

function facture(number: string, quantity: string, ends = '\r\n'): string {
  return [
    `  <g:Facture numero="${number}" date='05/09/2026'>`,
    `    <tiers:Client siren=">"><tiers:Nom>Société d’Élan &amp; <![CDATA[Cie <1>]]></tiers:Nom></tiers:Client>`,
    '    <g:Lignes>',
    `      <g:Ligne no="1"><g:Qte>2</g:Qte><g:Prix>10,50</g:Prix><g:Taxe taux="20"/></g:Ligne>`,
    `      <g:Ligne no="2"  ><g:Qte>${quantity}</g:Qte><!-- a note --><g:Prix>10,50</g:Prix><g:Taxe taux="20"/></g:Ligne>`,
    '    </g:Lignes>',
    '  </g:Facture>',
  ].join(ends);
}

const HEAD = `<?xml version="1.0" encoding="windows-1252"?>\r\n<g:Export xmlns:g="urn:f" xmlns:tiers="urn:t" societe="01">\r\n  <g:Autre><g:Facture/></g:Autre>\r\n`;
const EXPORT = `${HEAD}${['X1', 'X2', 'X3', 'X4'].map((number) => facture(number, number === 'X2' || number === 'X4' ? '2O -- x' : '2')).join('\r\n')}\r\n</g:Export>\r\n`;

async function failedNight(): Promise<Scene> {
  const scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  scene.drop('ventes.xml', iconv.encode(EXPORT, 'windows-1252'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 2 });
  return scene;
}

function textOf(scene: Scene): string {
  const [path] = scene.files('error').filter((one) => one.includes('.to-fix.'));
  expect(path).toMatch(/\.to-fix\.xml$/);
  return iconv.decode(readFileSync(join(scene.root, path!)), 'windows-1252');
}

function corrections(told: readonly PipelineEvent[]) {
  return told.find((one) => one.what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>;
}

const drop = (scene: Scene, name: string, text: string) => scene.drop(name, iconv.encode(text, 'windows-1252'));

test('the failed elements, byte for byte, inside the elements around them', async () => {
  await using scene = await failedNight();
  const comment = /<!-- _doc="[0-9a-f-]{36}\/1" _row="\d+-\d+" _error="((?!--)[^"])*" -->\r\n {2}/g;
  const text = textOf(scene);
  expect(text.match(comment)).toHaveLength(2);
  expect(text.match(/_error="([^"]*)"/)?.[1]).toContain('Qte');
  expect(text.replace(comment, '')).toBe(
    `${HEAD.replace('?>\r\n', '?>\n<!-- Correct the values below and drop this file into inbox/. Leave the comments with _doc, _row and _error. -->\r\n').replace(/\r\n {2}<g:Autre>.*\r\n$/, '')}\r\n${facture('X2', '2O -- x')}\r\n${facture('X4', '2O -- x')}\r\n</g:Export>\r\n`,
  );
});

test('a fault around several rows is in the comment once', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  const wrong = facture('X2', '2O').replace('05/09/2026', '05/13/2026');
  scene.drop('ventes.xml', iconv.encode(`${HEAD}${wrong}\r\n</g:Export>\r\n`, 'windows-1252'));
  await scene.night();
  const error = /_error="([^"]*)"/.exec(textOf(scene))![1]!;
  expect(error.match(/05\/13\/2026/g)).toHaveLength(1);
  expect(error).toContain("'2O' is not a number");
});

test('dropped as it is nothing changes; corrected it is authorized, each document once', async () => {
  await using scene = await failedNight();
  drop(scene, 'same.xml', textOf(scene));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 0, unchanged: 2, refused: 0, faults: [] });
  const text = textOf(scene);
  drop(scene, 'fixed.xml', text.replace('2O -- x', '3'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, unchanged: 1, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3, invalid: 1 });
  // The two rows of a document stand on one line, and each is accounted for.
  const summary = ['outbox', 'error']
    .flatMap((folder) => scene.files(folder))
    .find((path) => path.includes('fixed.xml.') && path.endsWith('.summary.json'));
  expect(JSON.parse(scene.read(summary!)).rows).toMatchObject({
    unaccounted: { count: 0 },
    twice: { count: 0 },
    leftOut: [
      { rule: 'corrected: its document is read again', count: 2, rows: '1-2' },
      { rule: 'unchanged: nothing to do', count: 2, rows: '3-4' },
    ],
  });
  const left = textOf(scene);
  expect(left).not.toContain('numero="X2"');
  // The whole old file once more, in UTF-8: what was accepted is left alone.
  const again = text.replaceAll('2O -- x', '3').replace('windows-1252', 'utf-8');
  scene.drop('again.xml', again);
  expect(corrections((await scene.night()).told)).toMatchObject({
    corrected: 1,
    faults: [{ code: 'correction/not-to-correct' }],
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 4 });
  expect(scene.sandbox.acceptances()).toHaveLength(4);
});

test('a value of the whole document is corrected on all its rows; what was corrected before stays so', async () => {
  await using scene = await failedNight();
  drop(scene, 'a.xml', textOf(scene).replace(/<tiers:Nom>[\s\S]*?<\/tiers:Nom>/, '<tiers:Nom>Autre</tiers:Nom>'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, unchanged: 1, faults: [] });
  const files = scene.files('error').filter((one) => one.includes('.to-fix.'));
  expect(files).toHaveLength(2);
  const text = files.map((path) => iconv.decode(readFileSync(join(scene.root, path)), 'windows-1252'));
  const second = text.find((one) => one.includes('numero="X2"'))!;
  expect(second).toContain(`corrected before: Client is 'Autre'`);
  drop(scene, 'b.xml', second.replace('2O -- x', '3'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, faults: [] });
  const receipt = JSON.parse(scene.read(scene.files('outbox').find((path) => path.endsWith('/X2.receipt.json'))!));
  expect(receipt.document.counterparty).toBe('Autre');
  expect(receipt.corrections).toHaveLength(3);
});

test('a number or a date at fault that is written another way is a correction, not the same as before', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  const wrong = [facture('X1', '8.4'), facture('X2', '2').replace('05/09/2026', '2026-09-05')];
  drop(scene, 'ventes.xml', `${HEAD}${wrong.join('\r\n')}\r\n</g:Export>\r\n`);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 2 });
  const mended = textOf(scene).replace('<g:Qte>8.4', '<g:Qte>8,4').replace("date='2026-09-05'", "date='05/09/2026'");
  drop(scene, 'mended.xml', mended);
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 2, unchanged: 0, refused: 0, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('added or removed elements, and those without their comment, are reported', async () => {
  await using scene = await failedNight();
  const line = '      <g:Ligne no="1"><g:Qte>2</g:Qte><g:Prix>10,50</g:Prix><g:Taxe taux="20"/></g:Ligne>\r\n';
  const text = textOf(scene).replaceAll('2O -- x', '3');
  drop(scene, 'removed.xml', text.replace(line, ''));
  const removed = corrections((await scene.night()).told);
  expect(removed).toMatchObject({ corrected: 1, refused: 1, faults: [{ code: 'correction/row-missing' }] });
  const rest = textOf(scene).replaceAll('2O -- x', '3');
  drop(scene, 'added.xml', rest.replace(line, line + line));
  expect(corrections((await scene.night()).told)).toMatchObject({
    corrected: 0,
    faults: [{ code: 'correction/row-unknown' }],
  });
  const element = /<g:Facture [\s\S]*<\/g:Facture>/.exec(rest)![0];
  drop(scene, 'unmarked.xml', rest.replace(element, `${element}\r\n${element}`));
  expect(corrections((await scene.night()).told)).toMatchObject({
    corrected: 1,
    faults: [{ code: 'correction/unknown-document', level: 'warning' }],
  });
  drop(scene, 'broken.xml', rest.replace('</g:Export>', ''));
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'corrections' || what === 'file-refused')).toHaveLength(1);
  expect(scene.sandbox.acceptances()).toHaveLength(4);
});

const manyRows = Array.from({ length: 400 }, () => '1-900000').join(', ');
test.each([
  ['half a million rows', '3-500000', 'correction/row-unknown'],
  ['400 ranges of 900,000 rows', manyRows, 'correction/row-unknown'],
  ['more rows than a file has', '3-999999999', 'correction/row-unknown'],
])('a comment with %s refuses its document, and nothing else', async (_, ranges, code) => {
  await using scene = await failedNight();
  drop(
    scene,
    'fixed.xml',
    textOf(scene)
      .replace(/_row="[^"]*"/, `_row="${ranges}"`)
      .replaceAll('2O -- x', '3'),
  );
  drop(scene, 'ventes-more.xml', EXPORT.replace(/"X(\d)"/g, '"Y$1"').replaceAll('2O -- x', '3'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 1, refused: 1, faults: [{ code }] });
  expect(tally(await scene.entries())).toEqual({ authorized: 7, invalid: 1 });
  expect((await scene.night()).told.filter(({ what }) => what === 'file-refused')).toEqual([]);
});

test('the rows of all comments together are bounded', async () => {
  await using scene = await failedNight();
  drop(scene, 'fixed.xml', textOf(scene).replace(/_row="[^"]*"/g, '_row="1-6000"'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 0, refused: 2 });
});
