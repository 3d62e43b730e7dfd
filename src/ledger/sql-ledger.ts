/** The Ledger, put together from its parts over any driver; the parts hold the statements, the driver the engine. */

import type { Language } from '../i18n/message.ts';
import type { Guard, Ledger } from './contract/ledger.ts';
import { type Desk, guarded, note, text } from './contract/ledger-context.ts';
import type { Driver } from './database/database-driver.ts';
import { idSource } from './database/uuid-v7.ts';
import { correctingOf } from './intake/record-corrections.ts';
import { stagingOf } from './intake/staging.ts';
import { stagingAgainOf } from './intake/staging-revision.ts';
import { auditingOf } from './records/audit-queries.ts';
import { recoverStaged } from './records/finish-staging.ts';
import { entriesOf } from './records/ledger-entries.ts';
import { knownOf } from './records/prior-knowledge.ts';
import { purgingOf } from './records/purge-records.ts';
import { chainOf } from './records/receipt-chain.ts';
import { filesOf } from './records/source-files.ts';
import { consultingOf } from './submission/consultations.ts';
import { holdingOf } from './submission/holds.ts';
import { resolvingOf } from './submission/resolutions.ts';
import { sendingOf } from './submission/submissions.ts';

export type LedgerParts = {
  readonly driver: Driver;
  readonly guard: Guard;
  readonly now: () => Date;
  readonly sequences?: { readonly [name: string]: number };
  readonly language?: Language;
  /** Beside a run that works: nothing is finished for it. */
  readonly readOnly?: boolean;
};

/** Finishes what a crash left between two steps, then hands out the ledger. Closing it closes the driver. */
export async function ledgerOver({
  driver,
  guard,
  now,
  sequences = {},
  language = 'en',
  readOnly = false,
}: LedgerParts): Promise<Ledger> {
  const desk: Desk = { ...guarded(driver, guard), now, newId: idSource(now), sequences, language };
  if (guard.send && !readOnly) await recoverStaged(desk);
  return {
    guard,
    ...filesOf(desk),
    ...stagingOf(desk),
    ...stagingAgainOf(desk),
    ...correctingOf(desk),
    ...sendingOf(desk),
    ...consultingOf(desk),
    ...resolvingOf(desk),
    ...entriesOf(desk),
    ...chainOf(desk),
    ...auditingOf(desk),
    ...pausesOf(desk),
    ...tellingOf(desk),
    ...knownOf(desk),
    ...purgingOf(desk),
    ...holdingOf(desk),
    [Symbol.asyncDispose]: driver.close,
  };
}

function tellingOf({ read, write }: Desk): Pick<Ledger, 'untoldSince' | 'beginTelling' | 'endTelling'> {
  return {
    untoldSince: () =>
      read(async (sql) => {
        const [row] = await sql.all(`SELECT value FROM meta WHERE key = 'untold'`);
        return row && text(row, 'value');
      }),
    beginTelling: (at) =>
      write(async (sql) => {
        await sql.run(`INSERT INTO meta (key, value) VALUES ('untold', ?) ON CONFLICT (key) DO NOTHING`, at);
      }),
    endTelling: () =>
      write(async (sql) => {
        await sql.run(`DELETE FROM meta WHERE key = 'untold'`);
      }),
  };
}

function pausesOf(desk: Desk): Pick<Ledger, 'pauseOf' | 'pause'> {
  return {
    pauseOf: (service) =>
      desk.read(async (sql) => {
        const [row] = await sql.all('SELECT value FROM meta WHERE key = ?', `pause ${service}`);
        return row && JSON.parse(text(row, 'value'));
      }),
    pause: (service, pause, decision) =>
      desk.write(async (sql) => {
        const key = `pause ${service}`;
        await sql.run('DELETE FROM meta WHERE key = ?', key);
        if (pause) await sql.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, JSON.stringify(pause));
        const what = pause && !decision ? 'paused' : 'resumed';
        const at = decision?.at ?? pause?.at;
        const person = decision && { person: decision.by };
        const detail = { service, ...pause, ...(decision && { reason: decision.reason }) };
        await note(sql, desk, { what, ...(at === undefined ? {} : { at }), ...person, detail });
      }),
  };
}
