/**
 * Checks the PostgreSQL server of a ledger: a fail-over to a replica, or a power cut, must not forget what was sent. Input: its
 * place. Output: checks. An OperatorError of the server is thrown.
 */
import { DOCTOR_CHECK, DOCTOR_POSTGRES } from '../i18n/messages/doctor-messages.ts';
import { readDurability } from '../ledger/postgres/durability.ts';
import type { PostgresPlace } from '../ledger/postgres/postgres-place.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

export async function postgresChecks(place: PostgresPlace): Promise<readonly DoctorCheck[]> {
  const what = DOCTOR_CHECK.replicas();
  const { replicas, synchronous, weak } = await readDurability(place);
  const checks =
    replicas > 0 && !synchronous
      ? [failed(what, DOCTOR_POSTGRES.asynchronous({ replicas }), DOCTOR_POSTGRES.asynchronousHint())]
      : [ok(what, replicas > 0 ? DOCTOR_POSTGRES.synchronous({ replicas }) : DOCTOR_POSTGRES.alone())];
  if (weak.length > 0) checks.push(warning(what, DOCTOR_POSTGRES.weak({ settings: weak }), DOCTOR_POSTGRES.weakHint()));
  return checks;
}
