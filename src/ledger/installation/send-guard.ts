/**
 * Is this ledger the one of this installation, in its place, and not behind what it has been? Pure: what was found
 * comes in, the permission to send or the reason against it goes out.
 *
 * In no-send mode a ledger is only looked at: an old or copied one would give numbers and send documents twice.
 */
import type { Binding, SendGuard } from '../contract/ledger.ts';
import type { Witnessed } from './external-witness.ts';
import type { HighWaterMark } from './installation-file.ts';

/** What the ledger says of itself, and what stands outside of it. */
export type Found = {
  readonly schema: number;
  readonly installation: string;
  readonly generation: number;
  readonly place: string;
  readonly environment: string;
  readonly services: Binding['services'];
  /** state/installation.json; undefined where it is missing or unreadable. */
  readonly witness: HighWaterMark | undefined;
  /** Witnesses outside of state/. */
  readonly outside: readonly Witnessed[];
  /** ledger-file-stamp.ts: what ledger.sqlite itself has, and what it should have at least. */
  readonly stamp: { readonly inFile: number; readonly known: number };
  /** The folder that should hold one and does not. */
  readonly missing?: string;
  /** Path of a receipt, summary or archived export that the ledger does not know. */
  readonly stranger: string | undefined;
  /** Something was sent with it; documents were taken in; or neither. */
  readonly used: 'sent' | 'queued' | 'never';
  /** Where it lies now. */
  readonly here: string;
};

const CONFIRM =
  'After making sure that nothing was sent elsewhere, confirm it with "nightpost doctor --accept-ledger REASON"';
/** The way back that sends nothing twice: files that are copied into state/ bring no memory of what was sent since. */
const RESTORE =
  'Put a backup back only with "nightpost ledger restore FILE", which learns from the receipts what was sent since';
const LEARNS = 'it learns from the receipts too, and holds what it does not know until you end the quarantine';

/** The latest commit that anybody outside of the ledger has seen, or its own. */
export function reachedBy({ generation, witness, outside }: Found): number {
  return Math.max(generation, witness?.generation ?? 0, ...outside.map((one) => one.generation));
}

export function evaluateSendGuard(found: Found, schema: number, binding: Binding): SendGuard {
  const { witness } = found;
  if (found.schema > schema) {
    return no(
      'ledger/newer-schema',
      `The ledger was written by a newer version (schema ${found.schema}, this one knows ${schema}). Install that version.`,
    );
  }
  if (witness === undefined) {
    return no(
      'ledger/foreign',
      `state/installation.json is missing or unreadable, so nothing shows that this ledger is the latest. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  if (witness.installation !== found.installation) {
    return no(
      'ledger/foreign',
      `The ledger belongs to another installation (${found.installation}, expected ${witness.installation}). Put the right one back. ${CONFIRM}.`,
    );
  }
  const other = found.outside.find(({ installation }) => installation !== found.installation);
  if (other) {
    return no(
      'ledger/foreign',
      `The ledger belongs to another installation (${found.installation}) than this folder (${other.installation}, says ${other.path}). ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  const reached = reachedBy(found);
  if (reached > found.generation) {
    return no(
      'ledger/older',
      `The ledger is older than it was (commit ${found.generation}, it had reached ${reached}): state/ looks restored, and what was sent since is not in it. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  if (found.stamp.known > found.stamp.inFile) {
    return no(
      'ledger/older',
      `state/ledger.sqlite is older than its log beside it: it looks restored, and what was sent since is not in it. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  if (found.stranger !== undefined) {
    return no(
      'ledger/older',
      `The ledger does not know ${found.stranger}, which it wrote itself: state/ looks restored, and what was sent since is not in it. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  if (found.missing !== undefined) {
    return no(
      'ledger/witness-missing',
      `The witness of this ledger is not in ${found.missing} (ledger.witness-folder), so nothing shows that this ledger is the latest. Connect its disk. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  const replaced = found.outside.find((one) => one.replaced);
  if (replaced) {
    return no(
      'ledger/copied',
      `${replaced.path} is another file than the one that this ledger counts in: the whole folder looks restored, and what was sent since is in no file of it. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  if (found.place !== found.here) {
    return no(
      'ledger/copied',
      `The ledger was copied, moved to another machine or folder, or restored as files; the other copy may be sending. ${RESTORE}. ${CONFIRM}; ${LEARNS}.`,
    );
  }
  const changed = isBound(found, binding) ? changedBinding(found, binding) : undefined;
  if (changed) return no('ledger/other-services', `${changed} Put the settings right. ${CONFIRM}.`);
  return { send: true };
}

/**
 * The first submission binds: before it the settings may still be filled in. What is queued stays with its environment: it
 * was made under the settings of it.
 */
function isBound({ used, environment }: Found, binding: Binding): boolean {
  return used === 'sent' || (used === 'queued' && environment !== binding.environment);
}

function changedBinding({ environment, services }: Found, binding: Binding): string | undefined {
  if (environment !== binding.environment) {
    const [bound, said] = [services, binding.services].map(addresses);
    return `The ledger belongs to the environment "${environment}" (${bound}), the settings say "${binding.environment}" (${said}).`;
  }
  for (const [name, address] of Object.entries(binding.services)) {
    const bound = services[name];
    if (bound !== undefined && plainAddress(bound) !== plainAddress(address)) {
      return `The ledger is bound to ${bound} for the service "${name}", the settings say ${address}.`;
    }
  }
  return undefined;
}

function addresses(services: Binding['services']): string {
  const each = Object.entries(services).map(([name, address]) => `${name}: ${address}`);
  return each.length > 0 ? each.join(', ') : 'no services';
}

/** Host in lower case, no slash at the end: the same address in two spellings is no change. */
function plainAddress(address: string): string {
  const url = URL.parse(address);
  return (url ? `${url.origin}${url.pathname}${url.search}` : address).replace(/\/+$/, '');
}

function no(code: string, reason: string): SendGuard {
  return { send: false, code, reason };
}
