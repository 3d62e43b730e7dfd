import { expect, test } from 'vitest';
import { missingAttachment } from '../../src/mapping/expressions/attachment-expression.ts';
import { boundTo, FACTS, findingsOf, groupsOf, loaded, rowsOf } from './world.ts';

const mapping = (accepts: string, name = '$Pdf') => `
mapping: t
version: 1
target: fr-invoice
accepts: { files: "*.csv"${accepts} }
source: { format: csv }
documents: { one-per: Num, class: invoice, never-twice: Num }
output:
  document: { identifier: $Num }
file: { filename: $Pdf, data: { base64: ${name} } }
`;

function made(text: string, csv: string, companion?: (name: string) => string) {
  const { table, rows } = rowsOf(csv);
  const bound = boundTo(loaded(text), table);
  const facts = companion ? { ...FACTS, companion } : FACTS;
  return groupsOf(bound, { table, rows, leftOut: [] }, facts).map((group) => {
    const { draft, faults } = bound.compose(group, facts);
    return draft?.file ?? faults.map(({ code }) => code);
  });
}

test('the content of the named file; nothing where the cell is empty', () => {
  const text = mapping(', companions: "*.pdf"');
  const read = (name: string) => `<${name}>`;
  expect(made(text, 'Num;Pdf\nA;a.pdf\nB;\nC;X.PDF', read)).toEqual([
    { filename: 'a.pdf', data: '<a.pdf>' },
    [],
    { filename: 'X.PDF', data: '<X.PDF>' },
  ]);
});

test('a formula may make the name', () => {
  const text = mapping(', companions: "*.pdf"', '= "F-" & $Num & ".pdf"');
  expect(made(text, 'Num;Pdf\nA;x', (name) => name)).toEqual([{ filename: 'x', data: 'F-A.pdf' }]);
});

test('the document is refused when no file is next to the export', () => {
  expect(made(mapping(', companions: "*.pdf"'), 'Num;Pdf\nA;a.pdf')).toEqual([['map/no-companion']]);
});

test('check asks for the names of such files', () => {
  expect(findingsOf(mapping('')).join()).toContain('map/no-companions');
});

test('an attachment that arrives while the document is composed is missing in all of it', () => {
  let asked = 0;
  const arriving = (name: string) => (asked++ === 0 ? missingAttachment(name) : name);
  const { table, rows } = rowsOf('Num;Pdf\nA;a.pdf');
  const bound = boundTo(loaded(mapping(', companions: "*.pdf"')), table);
  const facts = { ...FACTS, companion: arriving };
  const composed = groupsOf(bound, { table, rows, leftOut: [] }, facts).map((group) => bound.compose(group, facts));
  expect(composed).toMatchObject([{ known: { class: 'invoice' }, faults: [{ code: 'map/no-companion' }] }]);
  expect(composed[0]?.draft).toBeUndefined();
  expect(asked).toBe(1);
});
