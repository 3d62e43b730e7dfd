/**
 * Is this ledger the one of this installation, in its place, and not behind what it has been? Pure: what was found
 * comes in, the permission to send or the reason against it goes out.
 *
 * In no-send mode a ledger is only looked at: an old or copied one would give numbers and send documents twice.
 */
import type { Binding, Guard } from './ledger.ts';

/** What the ledger says of itself, and what stands outside of it. */
export type Found = {
  readonly schema: number;
  readonly installation: string;
  readonly generation: number;
  readonly place: string;
  readonly environment: string;
  readonly services: Binding['services'];
  /** state/installation.json; undefined where it is missing or unreadable. */
  readonly witness: { readonly installation: string; readonly generation: number } | undefined;
  /** Where it lies now. */
  readonly here: string;
};

const CONFIRM =
  'After making sure that nothing was sent elsewhere, confirm it with "nightpost doctor --accept-ledger REASON"';

export function guardOf(found: Found, schema: number, binding: Binding): Guard {
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
      `state/installation.json is missing or unreadable, so nothing shows that this ledger is the latest. Restore it. ${CONFIRM}.`,
    );
  }
  if (witness.installation !== found.installation) {
    return no(
      'ledger/foreign',
      `The ledger belongs to another installation (${found.installation}, expected ${witness.installation}). Put the right one back. ${CONFIRM}.`,
    );
  }
  if (witness.generation > found.generation) {
    return no(
      'ledger/older',
      `The ledger is older than it was (commit ${found.generation}, it had reached ${witness.generation}): it looks like a restored backup, and what was sent since is not in it. Put the latest one back. ${CONFIRM}; what is queued is then held for a person.`,
    );
  }
  if (found.place !== found.here) {
    return no(
      'ledger/copied',
      `The ledger was copied or moved to another machine or folder; the other copy may be sending. ${CONFIRM}.`,
    );
  }
  const changed = changedBinding(found, binding);
  if (changed) return no('ledger/other-services', `${changed} Put the settings right. ${CONFIRM}.`);
  return { send: true };
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

function no(code: string, reason: string): Guard {
  return { send: false, code, reason };
}
