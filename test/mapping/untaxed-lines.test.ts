/** Lines without VAT out of a CSV export, as docs/how-to/consultant/totals.md describes them: the shipped mapping with that block. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openScene } from '../night.ts';
import { REPOSITORY } from '../samples/instance.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8');
const [, block = ''] =
  /## Lines without VAT[\s\S]*?```yaml\n([\s\S]*?)```/.exec(read('docs/how-to/consultant/totals.md')) ?? [];

/** The mapping with what the page adds: its tables and columns, and the treatment in place of `standard`. */
function described(): string {
  const added = parse(block) as {
    readonly tables: object;
    readonly 'calculated-columns': object;
    readonly output: { readonly totals: { readonly subtotals: readonly object[] } };
  };
  const mapping = parse(read('mappings/sage-invoices.yaml'));
  Object.assign(mapping.tables, added.tables);
  Object.assign(mapping['calculated-columns'], added['calculated-columns']);
  mapping.output.lines.make.taxes[0].subtype = '$treatment';
  mapping.output.totals.subtotals = added.output.totals.subtotals;
  const { tests: _, answers: __, ...rest } = mapping;
  return JSON.stringify(rest);
}

test('an exempt line and an export of one invoice are each in the totals with their reason', async () => {
  expect(block).not.toBe('');
  const tables = (name: string) => read(`mappings/tables/${name}`);
  const text = described()
    .replace('{"file":"mappings/tables/units.csv","key":"erp","value":"code"}', JSON.stringify({ U: 'C62' }))
    .replace('{"file":"mappings/tables/companies.yaml"}', JSON.stringify(parse(tables('companies.yaml'))));
  await using scene = await openScene({
    mappings: { 'sage-invoices.yaml': text },
    settings: { rules: { fr: 'fr-2026', sv: 'wire' } },
  });
  const [header = '', first = ''] = read('mappings/samples/sage-invoices.csv').split(/\r?\n/);
  const columns = header.split(';');
  const cells = (values: { readonly [column: string]: string }) =>
    first
      .split(';')
      .map((cell, at) => values[columns[at] ?? ''] ?? cell)
      .join(';');
  const line = { Qte: '1', PUHT: '10,00', TotalHT: '30,00', TotalTTC: '32,00', Unite: 'U' };
  const rows = ['T20', 'T0', 'EXP'].map((CodeTVA, n) => cells({ ...line, CodeTVA, NumLig: String(n + 1) }));
  scene.drop('FAC_1.csv', Buffer.from(`${[header, ...rows].join('\r\n')}\r\n`, 'latin1'));
  await scene.night();
  const [entry] = await scene.entries();
  expect([entry?.state, entry?.faults.map(({ code, message }) => `${code} ${message}`)]).toEqual(['authorized', []]);
  const content = await scene.look((ledger) => ledger.queries.contentOf(entry!.id));
  const [, tax] = JSON.parse(content!).payload.totals.subtotals;
  expect(tax.subtotals).toMatchObject([
    { subtype: 'standard', percent: 20, 'taxable-amount': 10, amount: 2 },
    { subtype: 'exempt', percent: 0, 'taxable-amount': 10, amount: 0, reason: { identifier: 'VATEX-FR-CGI261-4' } },
    { subtype: 'export', percent: 0, 'taxable-amount': 10, amount: 0, reason: { identifier: 'VATEX-EU-G' } },
  ]);
  expect(tax.subtotals[0]).not.toHaveProperty('reason');
});
