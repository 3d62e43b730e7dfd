/** Input: an error of connecting to the server, or of its first statements. Output: the error that a person can act on. */
import { LEDGER_POSTGRES } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { postgresCode } from './postgres-codes.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { PoolerBetween } from './postgres-session.ts';

/** Credentials, rights, names: the server is there and says no. */
const REFUSED = /^(?:28|3D|3F|42501)/;
/** The server is there and accepts nothing now: it starts, stops or has no connection left. */
const BUSY = /^(?:53300|57P0\d|08)/;
const TLS = /SSL|TLS|certificate|self.signed/i;
/** A pooler refuses settings of the session, which it could not keep. */
const POOLER = /unsupported startup parameter/i;

/** An option of Node, which is not the program that people start; its authorities of the system are asked anyway. */
const ADVICE_OF_NODE = /; if the root CA is installed locally, .*$/;

const { pooler, poolerHint, refused, refusedHint, tls, tlsHint, unreachable, unreachableHint } = LEDGER_POSTGRES;
const KINDS = {
  pooler: { code: 'ledger/postgres-pooler', message: pooler, hint: poolerHint },
  refused: { code: 'ledger/postgres-refused', message: refused, hint: refusedHint },
  tls: { code: 'ledger/postgres-tls', message: tls, hint: tlsHint },
  unreachable: { code: 'ledger/postgres-unreachable', message: unreachable, hint: unreachableHint },
} as const;

/** The given error if it is none of the connection. */
export function toPostgresError(error: unknown, place: PostgresPlace): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error;
  const code = postgresCode(error) ?? '';
  const values = { place: `${place.host}:${place.port}`, problem: problemOf(error) };
  const make = (kind: keyof typeof KINDS) => {
    const { code, message, hint } = KINDS[kind];
    return new OperatorError(code, message(values), { hint: hint(), cause: error });
  };
  if (error instanceof PoolerBetween || POOLER.test(error.message)) return make('pooler');
  if (REFUSED.test(code) || /SASL/.test(error.message)) return make('refused');
  if (code !== '' && !BUSY.test(code)) return error;
  return make(TLS.test(error.message) || TLS.test(networkCode(error)) ? 'tls' : 'unreachable');
}

/** A host with several addresses fails with one error that has those of all of them. */
function problemOf(error: Error): string {
  if (error instanceof LedgerUnavailable && error.cause instanceof Error) return problemOf(error.cause);
  const [first] = error instanceof AggregateError ? (error.errors as readonly Error[]) : [];
  return (error.message || first?.message || networkCode(error)).replace(ADVICE_OF_NODE, '');
}

function networkCode(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
