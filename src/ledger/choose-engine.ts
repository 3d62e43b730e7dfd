/** The engine that keeps the ledger of an instance: SQLite in its folder, or PostgreSQL where the settings name one. */
import { stateFolder } from './installation/state-folder.ts';
import type { LedgerEngine } from './ledger-engine.ts';
import type { LedgerPlace } from './ledger-place.ts';
import { sqliteEngine } from './sqlite-engine.ts';

export async function chooseEngine({ folder, witnessFolder, machine }: LedgerPlace): Promise<LedgerEngine> {
  return sqliteEngine(stateFolder(folder, witnessFolder), machine);
}
