/** What a code of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) means for a transaction. */

/** Two transactions met: this one was undone and may run again. The last: it waited for another one that holds a lock. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** Classes that concern the whole transaction or the connection, not the one statement; rights and names that are gone. */
const FATAL = /^(?:08|25|28|3D|3F|40|53|55|57|58|XX|F0|42501|42P01)/;

/** The server ends the connection: a transaction that stood still, an end of the server or of this process by a person. */
const LAST = /^(?:25P0[34]|57P0[1-5])$/;

/** The five characters of an error of the server; undefined for any other. */
export function postgresCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object) ? code : undefined;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(postgresCode(error) ?? '');
}

export function isFatal(error: unknown): boolean {
  return FATAL.test(postgresCode(error) ?? '');
}

export function endsConnection(error: unknown): boolean {
  return LAST.test(postgresCode(error) ?? '');
}

/** This program stood still in the middle of a transaction, until the server ended the connection. */
export function isOfStandstill(error: unknown): boolean {
  return postgresCode(error) === '25P03';
}

/** The disk of the server has no room. */
export function isServerFull(error: unknown): boolean {
  return postgresCode(error) === '53100';
}

/** An error of a COMMIT after which nothing of the transaction is stored, on this server or on any copy of it. */
export function isUndone(error: unknown): boolean {
  const code = postgresCode(error) ?? '';
  return CONFLICTS.has(code) || code.startsWith('23');
}

/** A page or an index that is not as the server wrote it. */
export function isDataDamaged(error: unknown): boolean {
  const code = postgresCode(error);
  return code === 'XX001' || code === 'XX002';
}
