/** The instant since which no report covers what happens: one value in the table `meta`. */
import { type LedgerContext, readMetaValue } from './contract/ledger-context.ts';
import type { MaintenanceStore } from './contract/maintenance-store.ts';

export function createReportWindow({ read, write }: LedgerContext) {
  return {
    unreportedSince: () => read((sql) => readMetaValue(sql, 'untold')),
    openReportWindow: (at) =>
      write(async (sql) => {
        await sql.run(`INSERT INTO meta (key, value) VALUES ('untold', ?) ON CONFLICT (key) DO NOTHING`, at);
      }),
    closeReportWindow: () =>
      write(async (sql) => {
        await sql.run(`DELETE FROM meta WHERE key = 'untold'`);
      }),
  } satisfies Partial<MaintenanceStore>;
}
