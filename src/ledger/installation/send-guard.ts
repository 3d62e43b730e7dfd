/**
 * Decides whether a ledger is the one of this installation, in its place, and the latest. Pure. Input: the facts found.
 * Output: the permission to send, or the reason against it.
 *
 * In no-send mode a ledger is only read: an old or copied one would assign numbers and send documents twice.
 */
import type { Message } from '../../i18n/message.ts';
import { LEDGER_MOVE, SEND_GUARD } from '../../i18n/messages/send-guard-messages.ts';
import { greatestOf } from '../../text/long-lists.ts';
import type { Binding, SendGuard } from '../contract/ledger.ts';
import type { ExternalWitness } from './external-witness.ts';
import type { HighWaterMark } from './installation-file.ts';
import type { MoveMarks } from './move-marks.ts';

/** The facts inside the ledger, and the facts outside of it. */
export type LedgerFacts = MoveMarks & {
  readonly schema: number;
  readonly installation: string;
  readonly generation: number;
  readonly place: string;
  readonly environment: string;
  readonly services: Binding['services'];
  /** state/installation.json; undefined where it is missing or unreadable. */
  readonly witness: HighWaterMark | undefined;
  /** Witnesses outside of state/. */
  readonly externalWitnesses: readonly ExternalWitness[];
  /** Roles of workers whose witnesses have more commits than the ledger. */
  readonly rolesBehind: readonly { readonly role: string; readonly found: number; readonly reached: number }[];
  /** The last start that server-claim.ts knows; `isOurs`: it is the last one of this ledger too. */
  readonly claimed?: { readonly generation: number; readonly isOurs: boolean } | undefined;
  /** ledger-file-stamp.ts: the stamp in ledger.sqlite itself, and the lowest one that it should have. */
  readonly stamp: { readonly inFile: number; readonly known: number };
  /** The folder in which a witness is missing. */
  readonly missingWitness?: string;
  /** Path of a receipt, summary or archived export that the ledger does not know. */
  readonly unknownOutput: string | undefined;
  /** sent: with this ledger documents were sent; queued: documents were admitted; never: neither. */
  readonly used: 'sent' | 'queued' | 'never';
  /** Its current place. */
  readonly here: string;
  /** A server keeps it, whose replicas may be behind. */
  readonly onServer?: boolean;
};

/**
 * Commands in the messages. `restore` is the way back that sends nothing twice: files that are copied into state/ have no
 * record of what was sent since. `confirm` and `learns` are for a person who knows better.
 */
const CONFIRM = { confirm: SEND_GUARD.confirm() };
const LEARN = { ...CONFIRM, learns: SEND_GUARD.learns() };
const RESTORE = { ...LEARN, restore: SEND_GUARD.restore() };

/** The latest commit that any witness has recorded, or that of the ledger itself. */
export function latestGeneration({ generation, witness, externalWitnesses, claimed }: LedgerFacts): number {
  const outside = [
    witness?.generation ?? 0,
    claimed?.generation ?? 0,
    ...externalWitnesses.map((one) => one.generation),
  ];
  return Math.max(generation, greatestOf(outside));
}

/** The permission to send, or code and reason against it (docs/reference/ledger.md). Pure. */
export function evaluateSendGuard(facts: LedgerFacts, schema: number, binding: Binding): SendGuard {
  const { witness } = facts;
  if (facts.schema > schema) {
    return refuseSending('ledger/newer-schema', SEND_GUARD.newerSchema({ found: facts.schema, known: schema }));
  }
  const moving = guardOfMove(facts);
  if (moving) return moving;
  if (witness === undefined) {
    return refuseSending('ledger/foreign', SEND_GUARD.noInstallation(RESTORE));
  }
  if (witness.installation !== facts.installation) {
    return refuseSending(
      'ledger/foreign',
      SEND_GUARD.otherInstallation({ found: facts.installation, expected: witness.installation, ...CONFIRM }),
    );
  }
  const other = facts.externalWitnesses.find(({ installation }) => installation !== facts.installation);
  if (other) {
    return refuseSending(
      'ledger/foreign',
      SEND_GUARD.otherFolder({
        found: facts.installation,
        expected: other.installation,
        path: other.path,
        ...RESTORE,
      }),
    );
  }
  const lost = guardOfCommits(facts);
  if (lost) return lost;
  if (facts.stamp.known > facts.stamp.inFile) {
    return refuseSending('ledger/older', SEND_GUARD.olderLog(RESTORE));
  }
  if (facts.unknownOutput !== undefined) {
    return refuseSending('ledger/older', SEND_GUARD.unknownFile({ path: facts.unknownOutput, ...RESTORE }));
  }
  if (facts.missingWitness !== undefined) {
    return refuseSending(
      'ledger/witness-missing',
      SEND_GUARD.witnessMissing({ folder: facts.missingWitness, ...LEARN }),
    );
  }
  const replaced = facts.externalWitnesses.find((one) => one.isReplaced);
  if (replaced) {
    return refuseSending('ledger/copied', SEND_GUARD.otherFile({ path: replaced.path, ...RESTORE }));
  }
  if (facts.place !== facts.here) {
    return refuseSending('ledger/copied', SEND_GUARD.copied(RESTORE));
  }
  const changed = changedBinding(facts, binding);
  if (!changed) return { send: true };
  return isBound(facts, binding)
    ? refuseSending('ledger/other-services', changed)
    : { send: true, rebinds: SEND_GUARD.rebinds(bothBindings(facts, binding)) };
}

/** Others have seen commits that it does not have, or another one with the number of its last start. */
function guardOfCommits(facts: LedgerFacts): SendGuard | undefined {
  const { generation, claimed, onServer } = facts;
  const older = onServer ? SEND_GUARD.olderServer : SEND_GUARD.olderCommit;
  const lost = findLost(facts);
  if (lost) return refuseSending('ledger/older', older({ ...lost, ...RESTORE }));
  if (claimed?.generation !== generation || claimed.isOurs) return undefined;
  return refuseSending('ledger/older', SEND_GUARD.otherServer({ reached: generation, ...RESTORE }));
}

/** The commits that it has, and those that were witnessed: of all, or of a role. */
function findLost(facts: LedgerFacts): { readonly found: number; readonly reached: number } | undefined {
  const { generation: found, rolesBehind } = facts;
  const reached = latestGeneration(facts);
  if (reached > found) return { found, reached };
  const [behind] = rolesBehind;
  return behind && { found: behind.found, reached: behind.reached };
}

/** Another ledger continues it, or it does not continue the other one yet. */
export function guardOfMove({ moved, arriving }: MoveMarks): SendGuard | undefined {
  if (moved) {
    const says = moved.to === 'postgres' ? LEDGER_MOVE.moved : LEDGER_MOVE.movedToFile;
    return refuseSending('ledger/moved', says({ at: moved.at, to: moved.place }));
  }
  return arriving && refuseSending('ledger/move-unfinished', LEDGER_MOVE.unfinished({ to: arriving.place }));
}

/**
 * The first submission binds: before it the settings may still be completed. Queued documents stay with their
 * environment: they were made under its settings.
 */
function isBound({ used, environment }: LedgerFacts, binding: Binding): boolean {
  return used === 'sent' || (used === 'queued' && environment !== binding.environment);
}

function changedBinding({ environment, services }: LedgerFacts, binding: Binding): Message | undefined {
  if (environment !== binding.environment) {
    return SEND_GUARD.otherEnvironment({ ...bothBindings({ environment, services }, binding), ...CONFIRM });
  }
  for (const [name, address] of Object.entries(binding.services)) {
    const bound = services[name];
    if (bound !== undefined && plainAddress(bound) !== plainAddress(address)) {
      return SEND_GUARD.otherAddress({ bound, service: name, address, ...CONFIRM });
    }
  }
  return undefined;
}

/** The binding of the ledger and that of the settings, in words. */
function bothBindings({ environment, services }: Binding, binding: Binding) {
  const { environment: settings } = binding;
  return { environment, settings, bound: listAddresses(services), services: listAddresses(binding.services) };
}

function listAddresses(services: Binding['services']): string | Message {
  const each = Object.entries(services).map(([name, address]) => `${name}: ${address}`);
  return each.length > 0 ? each.join(', ') : SEND_GUARD.noServices();
}

/** Host in lower case, no slash at the end: the same address in two spellings is no change. */
function plainAddress(address: string): string {
  const url = URL.parse(address);
  return (url ? `${url.origin}${url.pathname}${url.search}` : address).replace(/\/+$/, '');
}

function refuseSending(code: string, reason: Message): SendGuard {
  return { send: false, code, reason };
}
