/**
 * Moves a ledger from SQLite to PostgreSQL, or back. The copy is complete before the source is marked `moved`, and counts only
 * after it: a stop at any instant leaves at most one ledger that may send, and the same command goes on.
 */

import type { Driver, Statements } from '../../database/database-driver.ts';
import { readMetaValues, writeMetaValues } from '../../database/meta-values.ts';
import { SCHEMA_VERSION } from '../../database/migrations.ts';
import { LEDGER_MOVE } from '../../i18n/messages/send-guard-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { stateOf } from '../choose-engine.ts';
import { insertDecision } from '../contract/ledger-context.ts';
import { copyExactly, listTables } from '../engine/copy-tables.ts';
import type { LedgerEdit, LedgerEngine } from '../engine/ledger-engine.ts';
import { requireWitnessFolder } from '../installation/external-witness.ts';
import { type MoveMark, readMoveMarks } from '../installation/move-marks.ts';
import { evaluateSendGuard, type LedgerFacts } from '../installation/send-guard.ts';
import { markWitnesses, type StateFolder } from '../installation/state-folder.ts';
import { readLedgerFacts } from '../ledger-facts.ts';
import type { LedgerPlace } from '../ledger-place.ts';

/** Both engines of an instance. `to` continues what `from` has. */
export type Move = {
  readonly place: LedgerPlace;
  readonly from: LedgerEngine;
  readonly to: LedgerEngine;
  readonly by: string;
  /** Called after each step that is durable, for tests that stop there. */
  readonly reached?: (step: 'copied' | 'marked' | 'opened') => void;
};

/** `documents`: all that the ledger knows; `place`: where it is from now on. */
export type MovedLedger = { readonly documents: number; readonly place: string };

export async function moveLedger(move: Move): Promise<MovedLedger> {
  const { place, from, to } = move;
  const state = stateOf(place);
  requireWitnessFolder(state.outside);
  const now = place.now();
  await using locks = new AsyncDisposableStack();
  for (const engine of [from, to]) {
    locks.adopt(await engine.lock('upkeep', now, place.onWait), async (unlock) => await unlock());
  }
  // Reads every page.
  await (await from.look()).close();
  const source = await from.edit();
  locks.adopt(source, (open) => open.close());
  const facts = await readLedgerFacts(source, { engine: from, state, place });
  const mark = facts.moved ?? (await copyLedger(move, { source, facts, state }));
  const target = await to.edit();
  locks.adopt(target, (open) => open.close());
  return await openTarget(move, { target, mark, state, installation: facts.installation });
}

type Source = { readonly source: LedgerEdit; readonly facts: LedgerFacts; readonly state: StateFolder };

/** Copies everything, then marks the source. Until then the source may go on as if nothing had happened. */
async function copyLedger(move: Move, { source, facts, state }: Source): Promise<MoveMark> {
  const { place, from, to, reached } = move;
  const guard = evaluateSendGuard(facts, SCHEMA_VERSION, place.binding);
  if (!guard.send) throw new OperatorError(guard.code, guard.reason);
  await source.migrate(facts.schema);
  const mark = { to: to.name, place: to.shownPlace, at: place.now().toISOString(), generation: facts.generation };
  const arriving = { arriving: JSON.stringify(mark) };
  await source.read(refuseUnderWay);
  const target = await prepareTarget(move, facts.installation, state);
  try {
    const sqlite = from.name === 'sqlite' ? source : target;
    const tables = await sqlite.read(listTables);
    await source.read(async (rows) => {
      await target.write(async (sql) => {
        await copyExactly(rows, sql, tables);
        await writeMetaValues(sql, arriving);
      });
    });
  } finally {
    await target.close();
  }
  reached?.('copied');
  const generation = facts.generation + 1;
  await source.write((sql) => writeMetaValues(sql, { moved: JSON.stringify(mark), generation: String(generation) }));
  markWitnesses(state, { installation: facts.installation, generation });
  reached?.('marked');
  return mark;
}

/** A target that is empty, or the left-over of a move that was stopped, or a ledger that was moved from there before. */
async function prepareTarget({ to }: Move, installation: string, state: StateFolder): Promise<LedgerEdit> {
  if (!(await to.exists())) return await to.create();
  const target = await to.edit();
  const meta = await target.read(readMetaValues);
  const { moved, arriving } = readMoveMarks(meta);
  const owner = meta.get('installation');
  // Without an installation it was made by a move that was stopped before it copied anything.
  const isLeftOver = owner === undefined || (owner === installation && (moved ?? arriving) !== undefined);
  if (!isLeftOver) {
    await target.close();
    throw new OperatorError('ledger/exists', LEDGER_MOVE.inUse({ to: to.shownPlace }), {
      hint: LEDGER_MOVE.inUseHint({ file: state.ledger }),
    });
  }
  await target.migrate(Number(meta.get('schema')));
  return target;
}

async function refuseUnderWay(sql: Statements): Promise<void> {
  const [row] = await sql.all(
    `SELECT (SELECT COUNT(*) FROM staged) + (SELECT COUNT(*) FROM entry WHERE state = 'sending') AS count`,
  );
  const count = Number(row?.count);
  if (count === 0) return;
  throw new OperatorError('ledger/move-under-way', LEDGER_MOVE.underWay({ count }), {
    hint: LEDGER_MOVE.underWayHint(),
  });
}

type Target = {
  readonly target: Driver;
  readonly mark: MoveMark;
  readonly state: StateFolder;
  readonly installation: string;
};

/** The copy counts from here on. A copy that counts already stays as it is. */
async function openTarget(move: Move, { target, mark, state, installation }: Target): Promise<MovedLedger> {
  const { to, by, place, reached } = move;
  // One commit of the source marked it; this is the next.
  const generation = mark.generation + 2;
  const here = await to.findPlace();
  let isNew = false;
  const documents = await target.write(async (sql) => {
    isNew = false;
    const meta = await readMetaValues(sql);
    const { arriving, moved } = readMoveMarks(meta);
    const isOurs = meta.get('installation') === installation;
    const isOpen = !arriving && !moved && Number(meta.get('generation')) >= generation;
    if (isOurs && isOpen) return await countEntries(sql);
    if (arriving?.generation !== mark.generation || !isOurs) {
      throw new OperatorError('ledger/move-other', LEDGER_MOVE.otherMove({ to: to.shownPlace }), {
        hint: LEDGER_MOVE.otherMoveHint(),
      });
    }
    await sql.run(`DELETE FROM meta WHERE key IN ('arriving', 'stamp')`);
    await writeMetaValues(sql, { generation: String(generation), place: here });
    const detail = { to: mark.to, place: mark.place };
    await insertDecision(sql, { at: place.now(), what: 'ledger-moved', person: by, detail });
    isNew = true;
    return await countEntries(sql);
  });
  if (isNew) markWitnesses(state, { installation, generation }, true);
  reached?.('opened');
  return { documents, place: to.shownPlace };
}

async function countEntries(sql: Statements): Promise<number> {
  const [row] = await sql.all('SELECT COUNT(*) AS count FROM entry');
  return Number(must(row, 'the count of entries').count);
}
