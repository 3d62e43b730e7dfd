/** The VAT of a draft: the table of codes and the calculated column of rates. */

import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { Vat } from '../analysis/vat-evidence.ts';
import { type DraftColumns, type MappingDraft, UNKNOWN, writeTable } from './draft-values.ts';
import { columnName, formula, type YamlWriter } from './yaml-writer.ts';

/** The table `vat`: code of the column -> rate in percent; open codes are comments. */
export function writeVatTable(yaml: YamlWriter, vat: Extract<Vat, { kind: 'table' }>): void {
  const entries = vat.entries.map(({ code, rows, rate, says }) => ({ code, rows, value: rate, says }));
  writeTable(yaml, 'vat', { column: vat.role.column.name, entries, empty: '20' });
}

/**
 * The name of the calculated column of rates. Undefined where a column of the file has them in percent and can be grouped by
 * as it is: a comma in its name would end the name in `rows by`.
 */
export function rateName({ vat }: DraftAnalysis, parts: DraftColumns): string | undefined {
  const isPlain = vat.kind === 'column' && !vat.fraction && !vat.role.column.name.includes(',');
  return isPlain ? undefined : parts.free('rate');
}

/** Not needed where a column holds the rates in percent. */
export function writeRate({ yaml, analysis, parts }: MappingDraft, name: string): void {
  const { vat, notes } = analysis;
  if (vat.kind === 'table') yaml.put(2, `${name}: { from: ${columnName(vat.role.column.name)}, table: vat }`);
  else if (vat.kind === 'fixed') yaml.put(2, `${name}: ${vat.rate ?? UNKNOWN.rate}`, vat.says);
  else if (!vat.fraction) yaml.put(2, `${name}: ${parts.cell('vatRate')}`, notes.evidenceAt('rate'));
  else yaml.put(2, `${name}: ${formula(`ROUND(${parts.column('vatRate')} * 100, 2)`)}`, notes.evidenceAt('rate'));
}
