/** The engine that keeps the ledger of an instance: SQLite in its folder, or PostgreSQL where the settings name one. */
import { existsSync } from 'node:fs';
import { readMetaValues } from '../database/meta-values.ts';
import { LEDGER_MOVE } from '../i18n/messages/send-guard-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import type { LedgerSite } from './contract/ledger-site.ts';
import type { LedgerEngine } from './engine/ledger-engine.ts';
import { sqliteEngine } from './engine/sqlite-engine.ts';
import { readMoveMarks } from './installation/move-marks.ts';
import { type StateFolder, stateFolder } from './installation/state-folder.ts';
import type { LedgerPlace } from './ledger-place.ts';

type ServerSource = NonNullable<LedgerSite['postgres']>;
type Place = Pick<LedgerPlace, 'folder' | 'witnessFolder' | 'machine' | 'postgres'> & Partial<Pick<LedgerPlace, 'now'>>;

/** Throws `ledger/not-moved` where the settings name a server while the ledger of the folder is still in use. */
export async function chooseEngine(place: Place): Promise<LedgerEngine> {
  const state = stateOf(place);
  const sqlite = sqliteEngine(state, place);
  if (!place.postgres) return sqlite;
  if (existsSync(state.ledger)) await refuseNotMoved(sqlite, state);
  return await postgresEngineOf(place.postgres, state);
}

/** Both, for a move between them. */
export async function enginesOf(place: Place & { readonly postgres: ServerSource }) {
  const state = stateOf(place);
  return { sqlite: sqliteEngine(state, place), postgres: await postgresEngineOf(place.postgres, state) };
}

/** The client is loaded only here: other instances start without it. */
async function postgresEngineOf(postgres: ServerSource, state: StateFolder): Promise<LedgerEngine> {
  const { postgresEngine } = await import('./engine/postgres-engine.ts');
  return postgresEngine({ place: await postgres(), state });
}

/** A folder that several machines share has no inodes that they agree on: its witnesses are not marked with theirs. */
export function stateOf({ folder, witnessFolder, postgres }: Place): StateFolder {
  const state = stateFolder(folder, witnessFolder);
  if (!postgres) return state;
  const { archived, folder: outside } = state.outside;
  return { ...state, outside: definedOnly({ archived, folder: outside }) };
}

async function refuseNotMoved(sqlite: LedgerEngine, { ledger }: StateFolder): Promise<void> {
  const look = await sqlite.look({ checked: true });
  const marks = readMoveMarks(await look.read(readMetaValues));
  await look.close();
  if (marks.moved ?? marks.arriving) return;
  throw new OperatorError('ledger/not-moved', LEDGER_MOVE.notMoved({ file: ledger }), {
    hint: LEDGER_MOVE.notMovedHint(),
  });
}
