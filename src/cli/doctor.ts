/** `doctor`: is everything in place for tonight; one line per check, nothing is sent but a request for a token. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type Instance, makeFolders } from '../instance.ts';
import { SetupError } from '../model/fault.ts';
import { acceptLedgerOf, lookIntoLedgerOf, openWork } from '../pipeline.ts';
import { openSession } from './session.ts';
import { counted, green, red, table, yellow } from './terminal.ts';

type Options = { readonly offline?: boolean; readonly acceptLedger?: string; readonly hold?: boolean };

type Check = { readonly what: string; readonly result: 'ok' | 'warning' | 'error'; readonly says: string };

const ROOM_BYTES = 500 * 1024 * 1024;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the machine, the folders, the ledger and the services before the first night')
    .option('--offline', 'do not ask the services for a token')
    .option(
      '--accept-ledger <reason>',
      'a person confirms: this ledger, here and with these settings, is the one to go on with',
    )
    .option('--hold', 'with --accept-ledger: hold what is queued, because it may have been sent from elsewhere')
    .action(async (given: Options, command: Command) => {
      const { options, terminal, instance } = openSession(command);
      makeFolders(instance.paths);
      if (given.acceptLedger !== undefined) {
        refuseBlank(given.acceptLedger);
        const told = { by: userInfo().username, reason: given.acceptLedger, hold: given.hold === true };
        const { was, held } = acceptLedgerOf(instance, told);
        terminal.talk(
          `The ledger is accepted (it was ${was.send ? 'free to send' : was.code}); ${counted(held, 'document')} held.`,
        );
      }
      const checks = [
        {
          what: 'settings and mappings',
          result: 'ok',
          says: `${counted(instance.mappings.length, 'mapping')}, ${counted(instance.warnings.length, 'warning')}`,
        } as const,
        node(),
        ...folders(instance),
        await room(instance),
        zone(),
        ...(await ledgerAndServices(instance, given.offline === true)),
      ];
      if (options.json) terminal.out(JSON.stringify(checks, null, 2));
      else
        terminal.out(
          table(
            [{ title: '', styled: true }, { title: 'check' }, { title: '' }],
            checks.map(({ what, result, says }) => [sign(result), what, says]),
          ),
        );
      process.exitCode = checks.some(({ result }) => result === 'error') ? 2 : 0;
    });
}

/** A decision without a reason is none that anybody could look up later. */
function refuseBlank(reason: string): void {
  if (reason.trim() !== '') return;
  throw new SetupError('doctor/no-reason', '--accept-ledger needs a reason in words', {
    hint: 'write why this ledger is the right one: --accept-ledger "moved to the new server on 20 November"',
  });
}

function sign(result: Check['result']): string {
  return result === 'ok' ? green('ok') : result === 'warning' ? yellow('warning') : red('ERROR');
}

function node(): Check {
  return {
    what: 'node',
    result: 'ok',
    says: `${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
  };
}

/** Receipts carry names and amounts: nobody else on the machine may read them. */
function folders({ paths }: Instance): Check[] {
  const modes = Object.entries(paths).map(([name, path]) => ({
    name,
    open: process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0,
  }));
  const open = modes.filter((one) => one.open).map(({ name }) => name);
  const volumes = new Set([statSync(paths.inbox).dev, statSync(paths.processing).dev]);
  return [
    {
      what: 'folders',
      result: open.length > 0 ? 'warning' : 'ok',
      says: open.length > 0 ? `readable by everybody: ${open.join(', ')} (chmod o-rwx)` : 'private',
    },
    {
      what: 'volumes',
      result: volumes.size > 1 ? 'warning' : 'ok',
      says:
        volumes.size > 1
          ? 'the inbox lies on another volume: files are copied instead of renamed'
          : 'inbox and processing share one',
    },
  ];
}

async function room({ folder }: Instance): Promise<Check> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return {
    what: 'disk',
    result: free < ROOM_BYTES ? 'warning' : 'ok',
    says: `${Math.floor(free / 1024 ** 2)} MiB free`,
  };
}

function zone(): Check {
  const now = new Date();
  const wrong = now.getFullYear() < 2025;
  return {
    what: 'clock',
    result: wrong ? 'error' : 'ok',
    says: `${now.toISOString()}, zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
  };
}

async function ledgerAndServices(instance: Instance, offline: boolean): Promise<Check[]> {
  try {
    // Only looked at: a run may be working, and asking for a token needs no lock.
    await using ledger = await lookIntoLedgerOf(instance);
    const { guard } = ledger;
    const own: Check = guard.send
      ? { what: 'ledger', result: 'ok', says: 'may send' }
      : { what: 'ledger', result: 'error', says: `nothing is sent (${guard.code}): ${guard.reason}` };
    if (offline) return [own];
    const stop = new AbortController().signal;
    await using work = await openWork(instance, ledger, { stop, tell: () => {} });
    const services = await Promise.all(
      [...work.lines.values()].map(async ({ destination, tokens }): Promise<Check> => {
        const what = `service ${destination.name}`;
        try {
          await tokens.get();
          return { what, result: 'ok', says: `${destination.baseUrl}: a token was given` };
        } catch (error) {
          return { what, result: 'error', says: error instanceof Error ? error.message : String(error) };
        }
      }),
    );
    const lacking = instance.destinations.flatMap(({ name, lacks }) =>
      instance.classesOf(name).flatMap((documentClass): Check[] => {
        const says = lacks(documentClass);
        return says === undefined ? [] : [{ what: `service ${name}`, result: 'warning', says }];
      }),
    );
    return [own, ...services, ...lacking];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return [
      {
        what: error.code.startsWith('ledger/') ? 'ledger' : 'secrets and connections',
        result: 'error',
        says: `${error.code}: ${error.message}${error.hint ? ` - ${error.hint}` : ''}`,
      },
    ];
  }
}
