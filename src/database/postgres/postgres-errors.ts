/** Input: an error of connecting to the server, or of a statement. Output: the error that a person can act on. */
import type { Message } from '../../i18n/message.ts';
import { LEDGER_POSTGRES, LEDGER_UNAVAILABLE } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { ConnectionLost, LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { isConflict, isFatal, isOfStandstill, isServerFull, postgresCode } from './postgres-codes.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { PoolerBetween } from './postgres-session.ts';

/** Credentials, rights, names: the server is there and says no. */
const REFUSED = /^(?:28|3D)/;
/** Missing rights: a schema that one may not use counts as not there. */
const RIGHTS = /^(?:3F|42501)/;
/** The server is there and accepts nothing now: it starts or stops. */
const BUSY = /^(?:57P0\d|08)/;
/** It has no connection left, in all or for this user or database. */
const FULL = '53300';
/** The server asks for one: SCRAM refuses an empty one here, the older ways there. */
const PASSWORD = /^28P01|client password must be/;
const TLS = /SSL|TLS|certificate|self.signed/i;
/** A server, or the proxy in front of it, that ends while TLS begins: the words are those of TLS. */
const CUT = /^(?:ECONNRESET|EPIPE)$/;
/** A pooler refuses settings of the session, which it could not keep. */
const POOLER = /unsupported startup parameter/i;

/** An option of Node, which is not the program that people start; its authorities of the system are asked anyway. */
const ADVICE_OF_NODE = /; if the root CA is installed locally, .*$/;

const { full, fullHint, pooler, poolerHint, refused, refusedHint, tls, tlsHint, unreachable, unreachableHint } =
  LEDGER_POSTGRES;
const { rights, rightsHint, noPassword: noPasswordMessage, noPasswordHint } = LEDGER_POSTGRES;
const KINDS = {
  full: { code: 'ledger/postgres-unreachable', message: full, hint: fullHint },
  pooler: { code: 'ledger/postgres-pooler', message: pooler, hint: poolerHint },
  refused: { code: 'ledger/postgres-refused', message: refused, hint: refusedHint },
  tls: { code: 'ledger/postgres-tls', message: tls, hint: tlsHint },
  unreachable: { code: 'ledger/postgres-unreachable', message: unreachable, hint: unreachableHint },
} as const;

/** The given error if it is none of the connection. */
export function toPostgresError(error: unknown, place: PostgresPlace): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  const code = postgresCode(refusalIn(error)) ?? '';
  const values = { place: shownServer(place), problem: problemOf(error) };
  const make = (kind: keyof typeof KINDS) => {
    const { code, message, hint } = KINDS[kind];
    return new OperatorError(code, message(values), { hint: hint(), cause: error });
  };
  if (error instanceof PoolerBetween || POOLER.test(error.message)) return make('pooler');
  if (RIGHTS.test(code)) return postgresRights(place, values.problem, error);
  if (REFUSED.test(code) || /SASL/.test(error.message)) {
    return place.password === undefined && PASSWORD.test(`${code} ${error.message}`)
      ? noPassword(place, error)
      : make('refused');
  }
  if (code === FULL) return make('full');
  if (code !== '' && !BUSY.test(code)) return error;
  return make(isOfTls(error) ? 'tls' : 'unreachable');
}

function isOfTls(error: Error): boolean {
  const code = networkCode(error);
  return !CUT.test(code) && (TLS.test(error.message) || TLS.test(code));
}

/** The server knows the user, who may not do what a ledger needs; `problem` in the words of the server, or ours. */
export function postgresRights(place: PostgresPlace, problem: string | Message, cause?: unknown): OperatorError {
  const { user, database, schema } = place;
  return new OperatorError('ledger/postgres-refused', rights({ user, place: shownServer(place), problem }), {
    hint: rightsHint({ user, database, schema }),
    cause,
  });
}

function noPassword(place: PostgresPlace, cause: Error): OperatorError {
  const values = { place: shownServer(place), user: place.user };
  return new OperatorError('ledger/postgres-refused', noPasswordMessage(values), { hint: noPasswordHint(), cause });
}

function shownServer({ host, port }: PostgresPlace): string {
  return `${host}:${port}`;
}

/** What the server said, if it said anything; else the given error. */
function refusalIn(error: Error): Error {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (postgresCode(one) !== undefined) return one;
  return error;
}

/** Of an error after which the ledger cannot be used for now: what it comes from is the last cause. */
export function unavailable(error: unknown): LedgerUnavailable {
  const words = LEDGER_UNAVAILABLE;
  if (error instanceof Error && isOfStandstill(refusalIn(error))) {
    return new LedgerUnavailable('ledger/write-failed', error, {
      says: words.heldUp(),
      hint: words.heldUpHint(),
    });
  }
  for (let one = error; one instanceof Error; one = one.cause) {
    const problem = one.message;
    if (one instanceof LedgerUnavailable) return one;
    if (one instanceof ConnectionLost) {
      return new LedgerUnavailable('ledger/write-failed', error, { says: words.lost(), hint: words.lostHint() });
    }
    if (isServerFull(one)) {
      const full = { says: words.serverFull({ problem }), hint: words.serverFullHint() };
      return new LedgerUnavailable('ledger/disk-full', error, full);
    }
    if (isFatal(one) && !isConflict(one)) {
      const refused = { says: words.refused({ problem }), hint: words.refusedHint() };
      return new LedgerUnavailable('ledger/write-failed', error, refused);
    }
  }
  return new LedgerUnavailable('ledger/write-failed', error);
}

/** A host with several addresses fails with one error that has those of all of them. */
function problemOf(error: Error): string {
  const said = refusalIn(error);
  if (said !== error) return said.message;
  if (error instanceof LedgerUnavailable && error.cause instanceof Error) return problemOf(error.cause);
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  return (error.message || first?.message || networkCode(error)).replace(ADVICE_OF_NODE, '');
}

function networkCode(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
