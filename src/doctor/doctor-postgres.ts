/**
 * Checks the PostgreSQL server of a ledger: a fail-over to a replica, or a power cut, must not forget what was sent. Input: its
 * place. Output: checks. An OperatorError of the server is thrown.
 */

import { checkPages } from '../database/postgres/check-pages.ts';
import { readDurability, type ServerDurability } from '../database/postgres/durability.ts';
import type { PostgresPlace } from '../database/postgres/postgres-place.ts';
import type { Message } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_LEDGER, DOCTOR_MACHINE, DOCTOR_POSTGRES } from '../i18n/messages/doctor-messages.ts';
import { compareClocks } from './doctor-machine.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/** `damaged`: identities that are not as they were written. */
export async function pagesCheck(place: PostgresPlace, damaged: readonly Message[]): Promise<DoctorCheck> {
  const what = DOCTOR_CHECK.pages();
  const { tables, indexes, problems, unlooked } = await checkPages(place);
  const found = [...damaged, ...problems];
  if (found.length > 0) return failed(what, DOCTOR_LEDGER.damaged({ problems: found }), DOCTOR_POSTGRES.damagedHint());
  if (unlooked === undefined) return ok(what, DOCTOR_POSTGRES.sound({ tables, indexes }));
  const command = commandOf(place);
  return warning(what, DOCTOR_POSTGRES.unlooked({ problem: unlooked }), DOCTOR_POSTGRES.unlookedHint({ command }));
}

function commandOf({ host, port, database, schema }: PostgresPlace): string {
  return `pg_amcheck --host ${host} --port ${port} --username postgres --install-missing --heapallindexed --schema ${schema} ${database}`;
}

export async function postgresChecks(place: PostgresPlace, now = () => new Date()): Promise<readonly DoctorCheck[]> {
  const what = DOCTOR_CHECK.replicas();
  const durability = await readDurability(place);
  const { weak, now: theirs } = durability;
  const clock = compareClocks('PostgreSQL', new Date(theirs).toISOString(), now(), DOCTOR_MACHINE.setClock());
  const checks = [replicaCheck(what, durability)];
  if (weak.length > 0) checks.push(warning(what, DOCTOR_POSTGRES.weak({ settings: weak }), DOCTOR_POSTGRES.weakHint()));
  return [...clock, ...checks];
}

function replicaCheck(what: Message, { replicas, waits, synchronous, receivers }: ServerDurability): DoctorCheck {
  if (replicas === 0) {
    return waits && receivers.length === 0
      ? failed(what, DOCTOR_POSTGRES.away(), DOCTOR_POSTGRES.awayHint())
      : ok(what, DOCTOR_POSTGRES.alone());
  }
  if (synchronous) return ok(what, DOCTOR_POSTGRES.synchronous({ replicas }));
  return receivers.length > 0
    ? failed(what, DOCTOR_POSTGRES.receiver({ replicas, receivers }), DOCTOR_POSTGRES.receiverHint())
    : failed(what, DOCTOR_POSTGRES.asynchronous({ replicas }), DOCTOR_POSTGRES.asynchronousHint());
}
