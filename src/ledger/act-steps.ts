/**
 * Steps of acts in the table `act_step`: the deciding methods of the ledger, each with a record of its result in the same
 * commit. A step that throws records nothing. The result of a whole request has the empty name.
 */

import type { Statements, TransactionBody } from '../database/database-driver.ts';
import type { ActStepStore, DecidingMethods } from './contract/act-step-store.ts';
import { type LedgerContext, text } from './contract/ledger-context.ts';
import type { SeenVersion } from './contract/submission-store.ts';
import { createCorrectionRecords } from './intake/record-corrections.ts';
import { createPauses } from './submission/pauses.ts';
import { createResolutions, isVersion } from './submission/resolutions.ts';

const WHOLE = '';
const FIND = 'SELECT result FROM act_step WHERE request = ? AND step = ?';
const ADD = 'INSERT INTO act_step (request, step, at, result) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

export function createActSteps(context: LedgerContext): ActStepStore {
  const { read, write, now } = context;
  return {
    stepsOf: (request, seen = new Map()) => decidingMethods(context, request, seen),
    stepsMade: (request) =>
      read(async (sql) => {
        const rows = await sql.all('SELECT step FROM act_step WHERE request = ?', request);
        return new Set(rows.map((row) => text(row, 'step')));
      }),
    resultOf: (request) =>
      read(async (sql) => {
        const [row] = await sql.all(FIND, request, WHOLE);
        return row && text(row, 'result');
      }),
    finishRequest: (request, result) =>
      write(async (sql) => {
        await sql.run(ADD, request, WHOLE, now().toISOString(), result);
        await sql.run('DELETE FROM act_step WHERE request = ? AND step <> ?', request, WHOLE);
      }),
    forgetRequests: (at) =>
      write(async (sql) => void (await sql.run('DELETE FROM act_step WHERE step = ? AND at < ?', WHOLE, at))),
    forgetResults: (isMeant) =>
      write(async (sql) => {
        for (const row of await sql.all('SELECT request, result FROM act_step WHERE step = ?', WHOLE)) {
          if (isMeant(text(row, 'result'))) {
            await sql.run('DELETE FROM act_step WHERE request = ? AND step = ?', text(row, 'request'), WHOLE);
          }
        }
      }),
  };
}

function decidingMethods(
  context: LedgerContext,
  request: string,
  seen: ReadonlyMap<string, SeenVersion>,
): DecidingMethods {
  /** Each method makes one write: that write is the step. */
  const step = (name: string, otherwise?: Unseen): LedgerContext => ({
    ...context,
    write: <T>(body: TransactionBody<T>, order?: 'ends' | 'first') =>
      context.write(async (sql) => {
        const [made] = await sql.all(FIND, request, name);
        if (made) return JSON.parse(text(made, 'result')) as T;
        const result = otherwise && (await isOther(sql, otherwise)) ? (otherwise.result as T) : await body(sql);
        await sql.run(ADD, request, name, context.now().toISOString(), JSON.stringify(result ?? null));
        return result;
      }, order),
  });
  const of = (id: string, result: unknown): Unseen => ({ id, version: seen.get(id), result });
  return {
    submissions: {
      resolve: (id, evidence, options) =>
        createResolutions(step(`resolve ${id}`)).resolve(id, evidence, { seen: seen.get(id), ...options }),
      withdraw: (id, as, decision, of) => createResolutions(step(`withdraw ${id}`)).withdraw(id, as, decision, of),
      putBack: (id, decision) => createResolutions(step(`putBack ${id}`)).putBack(id, decision),
      undo: (id, decision) => createResolutions(step(`undo ${id}`, of(id, 'moved-on'))).undo(id, decision),
      pause: (service, pause, decision) => createPauses(step(`pause ${service}`)).pause(service, pause, decision),
    },
    corrections: {
      openReprocess: (id, asked) => createCorrectionRecords(step(`openReprocess ${id}`)).openReprocess(id, asked),
      recordEvent: (event) =>
        createCorrectionRecords(
          step(event.entry === undefined ? `recordEvent ${event.what}` : `recordEvent ${event.what} ${event.entry}`),
        ).recordEvent(event),
    },
  };
}

/** What a step returns that finds another version of a document than the person has seen. */
type Unseen = { readonly id: string; readonly version: SeenVersion | undefined; readonly result: unknown };

async function isOther(sql: Statements, { id, version }: Unseen): Promise<boolean> {
  if (!version) return false;
  const [now] = await sql.all('SELECT revision, state, since FROM entry WHERE id = ?', id);
  return !isVersion(now, version);
}
