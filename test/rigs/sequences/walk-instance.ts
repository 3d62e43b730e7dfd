/** An instance in memory with its ledger, on either engine: one program on SQLite, two watches on PostgreSQL. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { makeFolders, readInstance } from '../../../src/instance/instance.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { RoleName } from '../../../src/ledger/contract/worker-store.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { must } from '../../../src/model/must.ts';
import type { Clock, RunContext } from '../../../src/pipeline/context/run-context.ts';
import { createLedgerOf, ledgerPlaceOf, openRun } from '../../../src/runs/open-run.ts';
import { settleInterrupted } from '../../../src/runs/recover-run.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { placeOf, type TestServer } from '../../database/postgres/server.ts';
import { SALES_MAPPING } from '../../night.ts';

/** A program that works on the ledger. */
export type Program = { readonly ledger: Ledger; readonly work: RunContext & AsyncDisposable };

export type WalkInstance = AsyncDisposable & {
  /** The first one sends, decides and writes receipts; all take exports in. */
  readonly programs: () => readonly Program[];
  /** The first program ends in the middle of everything, and another one begins. */
  readonly restart: () => Promise<void>;
};

/** No request ever leaves: each task of a walk has its own service. */
const ADDRESS = 'http://127.0.0.1:9';
const ROLES: readonly RoleName[] = ['receipts', 'expected', 'acts', 'send fr'];
/** A file system in memory, on Linux. */
export const MEMORY = '/dev/shm';
let schemas = 0;

/** `server`: the ledger is on it, in a schema of its own. */
export async function openWalkInstance(clock: Clock, server?: TestServer): Promise<WalkInstance> {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'nightpost-walk-'));
  const { services, environment } = describeSandbox({
    fr: {
      ...{ url: ADDRESS, identityUrl: ADDRESS, realm: 'walk', clientId: 'walk', clientSecret: 'walk' },
      ...{ reportPath: '/report', consultationPath: '/documents/{identifier}' },
    },
    sv: {
      ...{ authUrl: ADDRESS, issueUrl: ADDRESS, user: 'walk', password: 'walk', credentialsHeader: 'authorization' },
      ...{ serviceIdParameter: 'service', consultationPath: '/documents/{identifier}' },
    },
  });
  const { leaseMs: _, ...postgres } = server ? placeOf(server.url, `walk_${process.pid}_${++schemas}`) : { leaseMs: 0 };
  const settings = {
    version: 1,
    services: { fr: services.fr },
    rules: { fr: 'wire', sv: 'wire' },
    ...(server && { ledger: { postgres } }),
  };
  writeFileSync(join(root, 'nightpost.yaml'), stringify(settings, { aliasDuplicateObjects: false }));
  mkdirSync(join(root, 'mappings'));
  writeFileSync(join(root, 'mappings/sales.yaml'), SALES_MAPPING);
  const instance = readInstance(root, { variables: environment });
  makeFolders(instance.paths);
  await createLedgerOf(instance);
  const begin = async (): Promise<Program> => {
    const place = ledgerPlaceOf(instance);
    // A worker whose own clock jumps has lost its lease: then only the documents see the clock of the walk.
    const ledger = await openLedger({ ...place, work: 'watch', ...(!server && { now: clock.now }) });
    const stop = new AbortController().signal;
    return { ledger, work: await openRun(instance, ledger, { stop, clock, onEvent: () => {} }) };
  };
  const close = async ({ ledger, work }: Program) => {
    await work[Symbol.asyncDispose]();
    await ledger[Symbol.asyncDispose]();
  };
  const lead = async ({ ledger, work }: Program) => {
    await ledger.roles?.sweep();
    await ledger.roles?.takeRoles(ROLES);
    await ledger.roles?.adoptFiles();
    for (const { id } of await ledger.intake.loadingFiles())
      await ledger.intake.refuseFile(id, { faults: [], rows: 0, leftOut: [] });
    await settleInterrupted(work);
  };
  const opened = async (others: readonly Program[]): Promise<readonly Program[]> => {
    return [...others, await begin()];
  };
  let programs = await opened([]);
  if (server) programs = await opened(programs);
  const leader = () => must(programs[0], 'the first program');
  await lead(leader());
  return {
    programs: () => programs,
    restart: async () => {
      await close(leader());
      programs = programs.slice(1);
      if (programs.length > 0) await lead(leader());
      programs = await opened(programs);
      if (programs.length === 1) await lead(leader());
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of programs) await close(program);
      rmSync(root, { recursive: true, force: true });
    },
  };
}
