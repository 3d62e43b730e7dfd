/** `resolve`: a person records the outcome that no answer told, or decides that a document goes out again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { Entry, Evidence } from '../model/entry.ts';
import { SetupError } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import type { State } from '../model/state.ts';
import { openLedgerOf, openWork, resolveDocuments } from '../pipeline.ts';
import { wordOf } from './progress.ts';
import { openLog, openSession, stopOnSignals } from './session.ts';

/** What a person may record, and in which words the help says it. */
const OUTCOMES = {
  authorized: 'the service has authorized it',
  invalidated: 'the tax entity has invalidated it',
  rejected: 'the service has rejected it: correct it, same number',
  failed: 'the service has failed on it: its support is to be asked',
  contingency: 'the service has received it for contingency',
  returned: 'the service has returned it',
  ready: 'send it again: nothing was processed',
  invalid: 'a held document is not to be sent',
} as const satisfies { readonly [state in State]?: string };

type Options = { readonly as: keyof typeof OUTCOMES; readonly reason: string; readonly evidence?: string };

export function addResolve(program: Command): void {
  const meanings = Object.entries(OUTCOMES).map(([state, says]) => `${state} (${says})`);
  program
    .command('resolve')
    .description('record what a person found out about documents, or decide that they go out again')
    .argument('<documents...>', 'ids, document numbers or receipt names')
    .addOption(new Option('--as <state>', meanings.join('; ')).choices(Object.keys(OUTCOMES)).makeOptionMandatory())
    .requiredOption('--reason <text>', 'why, in words: kept with your name and the time')
    .option('--evidence <file>', 'the proof, e.g. a screenshot of the portal: its name and SHA-256 are kept')
    .action(async (names: string[], given: Options, command: Command) => {
      const evidence = evidenceOf(given);
      const { options, terminal, instance } = openSession(command);
      await using ledger = await openLedgerOf(instance);
      const entries = new Map<string, Entry>();
      for (const name of names) {
        let found = 0;
        for await (const entry of ledger.find({ ids: [name] })) {
          found++;
          entries.set(entry.id, entry);
        }
        if (found === 1) continue;
        throw new SetupError(
          found === 0 ? 'resolve/no-such-document' : 'resolve/several-documents',
          found === 0 ? `no document is called "${name}"` : `${found} documents are called "${name}"`,
          { hint: 'nothing was changed; name it by its id: nightpost show NUMBER' },
        );
      }
      const stopping = stopOnSignals(terminal);
      const log = openLog(instance);
      await using work = await openWork(instance, ledger, { stop: stopping.signal, tell: log });
      const { refused } = await resolveDocuments(work, [...entries.keys()], evidence);
      stopping.release();
      const told = [...entries.values()].map(({ id, facts, state }) => {
        const done = !refused.includes(id);
        return { id, number: facts.identifier, was: state, is: done ? given.as : state, recorded: done };
      });
      if (options.json) terminal.out(JSON.stringify(told, null, 2));
      else for (const one of told) terminal.out(printable(lineOf(one)));
      process.exitCode = refused.length > 0 ? 3 : 0;
    });
}

type Told = { readonly number: string; readonly was: State; readonly is: State; readonly recorded: boolean };

function lineOf({ number, was, is, recorded }: Told): string {
  if (!recorded) return `  ${number}: not recorded, a document that is ${was} (${wordOf(was)}) does not allow it`;
  return `  ${number}: ${was} -> ${is}${is === 'ready' ? ', sent by the next run' : ''}`;
}

function evidenceOf({ as, reason, evidence }: Options): Evidence {
  if (reason.trim() === '') {
    throw new SetupError('resolve/no-reason', '--reason needs a reason in words', {
      hint: 'nothing was changed; write what you found out and where',
    });
  }
  const recorded = { as, by: userInfo().username, at: new Date().toISOString(), reason };
  if (evidence === undefined) return recorded;
  try {
    const sha256 = createHash('sha256').update(readFileSync(evidence)).digest('hex');
    return { ...recorded, file: basename(evidence), sha256 };
  } catch (cause) {
    throw new SetupError('resolve/no-such-evidence', `the evidence ${evidence} cannot be read`, {
      cause,
      hint: 'nothing was changed; check the path',
    });
  }
}
