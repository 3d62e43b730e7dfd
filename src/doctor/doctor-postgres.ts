/**
 * Checks the PostgreSQL server of a ledger: a fail-over to a replica, or a power cut, must not forget what was sent. Input: its
 * place. Output: checks. An OperatorError of the server is thrown.
 */
import type { Message } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_LEDGER, DOCTOR_MACHINE, DOCTOR_POSTGRES } from '../i18n/messages/doctor-messages.ts';
import { checkPages } from '../ledger/postgres/check-pages.ts';
import { readDurability } from '../ledger/postgres/durability.ts';
import type { PostgresPlace } from '../ledger/postgres/postgres-place.ts';
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
  const { replicas, synchronous, weak, now: theirs } = await readDurability(place);
  const clock = compareClocks('PostgreSQL', new Date(theirs).toISOString(), now(), DOCTOR_MACHINE.setClock());
  const checks =
    replicas > 0 && !synchronous
      ? [failed(what, DOCTOR_POSTGRES.asynchronous({ replicas }), DOCTOR_POSTGRES.asynchronousHint())]
      : [ok(what, replicas > 0 ? DOCTOR_POSTGRES.synchronous({ replicas }) : DOCTOR_POSTGRES.alone())];
  if (weak.length > 0) checks.push(warning(what, DOCTOR_POSTGRES.weak({ settings: weak }), DOCTOR_POSTGRES.weakHint()));
  return [...clock, ...checks];
}
