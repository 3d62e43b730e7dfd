/** The VAT of a draft: the table of codes and the calculated column of rates. */

import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { Vat } from '../analysis/vat-evidence.ts';
import { type MappingDraft, writeTable } from './draft-values.ts';
import { columnName, formula, type YamlWriter } from './yaml-writer.ts';

export function writeVatTable(yaml: YamlWriter, vat: Extract<Vat, { kind: 'table' }>): void {
  const entries = vat.entries.map(({ code, rows, rate, says }) => ({ code, rows, value: rate, says }));
  writeTable(yaml, 'vat', { column: vat.role.column.name, entries, empty: '20' });
}

/** The column of rates can be grouped by as it is; a comma in its name would end the name in `rows by`. */
export function hasPlainRates({ vat }: DraftAnalysis): boolean {
  return vat.kind === 'column' && !vat.fraction && !vat.role.column.name.includes(',');
}

/** Not needed where a column holds the rates in percent. */
export function writeRate({ yaml, analysis, parts }: MappingDraft, name: string): void {
  const { vat, notes } = analysis;
  if (vat.kind === 'table') yaml.put(2, `${name}: { from: ${columnName(vat.role.column.name)}, table: vat }`);
  else if (vat.kind === 'fixed') yaml.put(2, `${name}: ${vat.rate}`, vat.says);
  else if (!vat.fraction) yaml.put(2, `${name}: ${parts.cell('vatRate')}`, notes.evidenceAt('rate'));
  else yaml.put(2, `${name}: ${formula(`ROUND(${parts.column('vatRate')} * 100, 2)`)}`, notes.evidenceAt('rate'));
}
