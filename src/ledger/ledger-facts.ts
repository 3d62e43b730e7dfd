/** Finds the facts that decide whether a ledger may send (send-guard.ts). Input: an open ledger. Changes nothing. */

import type { Driver, Statements } from '../database/database-driver.ts';
import { readMetaValues } from '../database/meta-values.ts';
import type { Binding } from './contract/ledger.ts';
import type { LedgerEngine } from './engine/ledger-engine.ts';
import { readExternalWitnesses, type WitnessPlaces } from './installation/external-witness.ts';
import { readWitness } from './installation/installation-file.ts';
import { readMoveMarks } from './installation/move-marks.ts';
import { type RoleCount, readRoleWitnesses } from './installation/role-witnesses.ts';
import type { LedgerFacts } from './installation/send-guard.ts';
import { readServerClaim, type ServerClaim, START_KEY } from './installation/server-claim.ts';
import type { StateFolder } from './installation/state-folder.ts';
import { findUnknownOutput, type NewestOutputs } from './installation/unknown-outputs.ts';
import type { LedgerPlace } from './ledger-place.ts';

type Found = { readonly engine: LedgerEngine; readonly state: StateFolder; readonly place: LedgerPlace };

export async function readLedgerFacts(look: Driver, found: Found): Promise<LedgerFacts> {
  const { engine, state, place } = found;
  // The witnesses are read first: a run may commit in between, and its ledger must not seem older than they are. On a server a
  // read sees the moment of its first statement, so the ledger is read a second time for everything else.
  const before = await look.read(readMetaValues);
  const own = before.get('installation') ?? '';
  const senders = Object.keys(place.binding.services).map((name) => `send ${name}`);
  const roles = engine.name === 'postgres' ? ['receipts', ...senders] : [];
  const witnesses = {
    witness: readWitness(state.witness),
    externalWitnesses: readExternalWitnesses(state.outside, own),
    roles: readRoleWitnesses(state, own, roles),
    claim: engine.name === 'postgres' ? readServerClaim(state, own) : undefined,
  };
  const newest = place.newestOutputs?.();
  return await look.read(async (sql) => await compare(sql, found, { ...witnesses, newest }));
}

type Witnessed = Pick<LedgerFacts, 'witness' | 'externalWitnesses'> & {
  readonly roles: readonly RoleCount[];
  readonly claim: ServerClaim | undefined;
  readonly newest: NewestOutputs | undefined;
};

async function compare(
  sql: Statements,
  { engine, state }: Found,
  { witness, externalWitnesses: outside, roles, claim, newest }: Witnessed,
): Promise<LedgerFacts> {
  const meta = await readMetaValues(sql);
  const services = [...meta].filter(([key]) => key.startsWith('service '));
  return {
    ...readMoveMarks(meta),
    schema: Number(meta.get('schema')),
    installation: meta.get('installation') ?? '',
    generation: Number(meta.get('generation')),
    place: meta.get('place') ?? '',
    environment: meta.get('environment') ?? '',
    services: Object.fromEntries(services.map(([key, address]) => [key.slice('service '.length), address])),
    witness,
    externalWitnesses: outside,
    used: await readUse(sql, meta),
    rolesBehind: await findRolesBehind(sql, roles),
    claimed: claim && { generation: claim.generation, isOurs: claim.start === meta.get(START_KEY) },
    ...missingWitness(state.outside, meta.get('witness-folder'), outside),
    stamp: engine.readStamps(meta),
    unknownOutput: newest && (await findUnknownOutput(sql, newest, Number(meta.get('learned') ?? 0))),
    here: await engine.findPlace(),
    onServer: engine.name === 'postgres',
  };
}

/** Roles under which more commits were witnessed than the ledger has. */
async function findRolesBehind(sql: Statements, roles: readonly RoleCount[]): Promise<LedgerFacts['rolesBehind']> {
  const behind: { role: string; found: number; reached: number }[] = [];
  for (const { role, generation: reached } of roles) {
    const [row] = await sql.all('SELECT generation FROM role WHERE name = ?', role);
    const found = (row?.generation as number | undefined) ?? 0;
    if (reached > found) behind.push({ role, found, reached });
  }
  return behind;
}

/** What the ledger records of the settings that it is bound to. */
export function bindingMeta({ environment, services }: Binding): { readonly [key: string]: string } {
  const bound = Object.entries(services).map(([name, address]) => [`service ${name}`, address]);
  return { environment, ...Object.fromEntries(bound) };
}

/**
 * `never` is a proof: no attempt, no document. A ledger that was restored, rebuilt or accepted proves nothing, because
 * its folders may have lost the receipts of what was sent.
 */
async function readUse(sql: Statements, meta: ReadonlyMap<string, string>): Promise<LedgerFacts['used']> {
  if (meta.has('learned') || meta.has('rebuilt')) return 'sent';
  const any = async (from: string) => (await sql.all(`SELECT 1 AS one FROM ${from} LIMIT 1`)).length > 0;
  if ((await any('attempt')) || (await any('entry WHERE submits > 0'))) return 'sent';
  return (await any('entry')) ? 'queued' : 'never';
}

/** The folder of the settings, if it had a witness and has none now. */
function missingWitness(
  { folder, archived }: WitnessPlaces,
  recorded: string | undefined,
  witnesses: LedgerFacts['externalWitnesses'],
): Pick<LedgerFacts, 'missingWitness'> {
  const isThere = witnesses.some(({ path }) => path !== archived);
  return folder !== undefined && folder === recorded && !isThere ? { missingWitness: folder } : {};
}
