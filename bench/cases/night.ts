/**
 * A whole night by the commands of the program: the export is in the inbox, `nightpost run` converts it, sends its documents
 * to a service in another process, and writes their receipts. Counted afterwards, by receipts and by the service.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAccepted } from '../accepted.ts';
import { type Ended, runCommand } from '../command.ts';
import { FORMATS } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { type Account, writeInstance } from '../program.ts';
import type { Case, Result, Settings } from '../result.ts';
import { type RunningService, startService } from '../service.ts';

export const AT_A_TIME = 16;
/** Of the rules that are the default. */
const PROFILES = { fr: /^fr-2026$/, sv: /^sv-/ } as const;

export type Prepared = { readonly folder: string; readonly service: RunningService };
export type During = Prepared & { readonly stop: AbortController };

export type NightOptions = {
  /** Further settings of the instance, and of its service. */
  readonly own?: object;
  readonly ownService?: object;
  /** The process of the service and its arguments, in place of the imitated one. */
  readonly service?: readonly [file: string, ...args: string[]];
  /** Changes the mapping. */
  readonly adapt?: (mapping: string) => string;
  /** Before the program starts; the export is in the inbox. */
  readonly prepare?: (prepared: Prepared) => Promise<void>;
  /** Runs next to the program; aborting `stop` asks it to end. Its figures are of the result once the program has ended. */
  readonly during?: (during: During) => Promise<() => Promise<{ readonly [figure: string]: number }>>;
  /** A module that the program loads first. */
  readonly loads?: string;
  /** A command after it, whose time is added. */
  readonly after?: readonly string[];
  /** The night is not over when it ends: nothing is counted but what the service accepted. */
  readonly isPart?: boolean;
};

export const night: Case = async (settings) => await spendNight(settings, {});

/** With the first question of the morning: either of them has made the search index. */
export const nightListed: Case = (settings) => spendNight(settings, { after: ['list'] });

export async function spendNight(settings: Settings, options: NightOptions): Promise<Result> {
  const { format: name, exports, latencyMs } = settings;
  const format = FORMATS[name];
  const folder = newFolder('night');
  using service = await startService(...(options.service ?? (['sandbox-process.ts', String(latencyMs)] as const)));
  const { environment, services } = service;
  const ownService = { ...services[format.service], concurrency: AT_A_TIME, ...options.ownService };
  const adapt = options.adapt ?? format.adapt;
  const given = { environment, services: { ...services, [format.service]: ownService } };
  writeInstance(folder, { ...format, ...(adapt && { adapt }) }, given, options.own);
  await runCommand(folder, ['--quiet', 'init', '--ledger'], environment);
  cpSync(exports, join(folder, 'inbox'), { recursive: true });
  await options.prepare?.({ folder, service });
  const stop = new AbortController();
  const running = runCommand(folder, ['--quiet', 'run'], environment, { stop: stop.signal, loads: options.loads });
  const figures = await options.during?.({ folder, service, stop });
  const ended = await running;
  const then = options.after && (await runCommand(folder, ['--quiet', ...options.after], environment));
  const more = await figures?.();
  const documents = options.isPart ? (await service.accepted()).documents : await counted(folder, settings, service);
  return { ...measuresOf(then ? [ended, then] : [ended]), documents, ...(more && { more }) };
}

function measuresOf(ends: readonly Ended[]): Omit<Result, 'documents'> {
  const sum = (of: 'seconds' | 'cpuSeconds') => ends.reduce((all, end) => all + end[of], 0);
  return { seconds: sum('seconds'), cpuSeconds: sum('cpuSeconds'), peakMb: Math.max(...ends.map((end) => end.peakMb)) };
}

/** Receipts, service and inbox have to say the same, and what the export is made for. */
async function counted(folder: string, { format, quality, size }: Settings, service: RunningService): Promise<number> {
  const account = accountOf(folder, PROFILES[FORMATS[format].service]);
  expectAccepted(account, size, quality);
  const { documents, requests } = await service.accepted();
  const left = readdirSync(join(folder, 'inbox')).length;
  if (documents !== account.documents || requests !== documents || left > 0) {
    throw new Error(`${account.documents} receipts, ${documents} accepted in ${requests} requests, ${left} files left`);
  }
  return size;
}

type Receipt = {
  readonly state: string;
  readonly rules: string;
  readonly faults: readonly { readonly level: string }[];
};

/** What the receipts say; each has to be of a document under the rules that are the default. */
function accountOf(folder: string, profile: RegExp): Account {
  let [documents, warnings, refused] = [0, 0, 0];
  for (const place of ['outbox', 'error']) {
    if (!existsSync(join(folder, place))) continue;
    for (const name of readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.receipt.json')) continue;
      const { state, rules, faults } = JSON.parse(readFileSync(join(folder, place, name), 'utf8')) as Receipt;
      if (!profile.test(rules)) throw new Error(`${name} is under the rules ${rules}`);
      if (state === 'authorized') documents++;
      if (state === 'invalid') refused++;
      warnings += faults.filter(({ level }) => level === 'warning').length;
    }
  }
  return { documents, warnings, refused };
}
