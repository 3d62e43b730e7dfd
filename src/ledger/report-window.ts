/** The instant since which no report covers what happens, and the end of the chain then: values in the table `meta`. */

import { writeMetaValues } from '../database/meta-values.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type LedgerContext, readMetaValue } from './contract/ledger-context.ts';
import type { MaintenanceStore } from './contract/maintenance-store.ts';

export function createReportWindow({ read, write }: LedgerContext) {
  return {
    unreportedSince: () =>
      read(async (sql) => {
        const [at, link] = [await readMetaValue(sql, 'untold'), await readMetaValue(sql, 'untold-link')];
        return at === undefined ? undefined : definedOnly({ at, link: link === undefined ? undefined : Number(link) });
      }),
    openReportWindow: (at) =>
      write(async (sql) => {
        if ((await readMetaValue(sql, 'untold')) !== undefined) return;
        const [last] = await sql.all('SELECT MAX(n) AS n FROM receipt_link');
        await writeMetaValues(sql, { untold: at, 'untold-link': String(last?.n ?? 0) });
      }),
    closeReportWindow: () =>
      write(async (sql) => {
        await sql.run(`DELETE FROM meta WHERE key IN ('untold', 'untold-link')`);
      }),
  } satisfies Partial<MaintenanceStore>;
}
