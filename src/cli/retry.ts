/** `retry`, `release`, `reject`: a person decides that a document goes out, or that it does not. Its bytes stay as they are. */
import type { Command } from 'commander';
import type { Instance } from '../instance.ts';
import type { Entry } from '../model/entry.ts';
import { SetupError } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { type Act, type State, stateInfo } from '../model/state.ts';
import { lookIntoLedgerOf, resolveDocuments, whyNotRepeated } from '../pipeline.ts';
import { atWork, confirmed, type DecisionOptions, decisionOf, proofOf, withDecision } from './deciding.ts';
import { stateWords } from './progress.ts';
import { type SelectorOptions, selectDocuments, selectorOf, withSelectors } from './selecting.ts';
import { openSession } from './session.ts';

type Options = DecisionOptions & SelectorOptions & { readonly yes?: boolean; readonly evidence?: string };

type Way = {
  readonly command: 'retry' | 'release' | 'reject';
  readonly says: string;
  readonly as: State;
  /** What is done with a document. */
  readonly done: string;
  /** What becomes of a document. */
  readonly ending: string;
  /** Undefined: the state allows it. */
  readonly whyNot: (instance: Instance, entry: Entry, hasEvidence: boolean) => string | undefined;
};

const WAYS: readonly Way[] = [
  {
    command: 'retry',
    done: 'sent again',
    says: 'send documents again as they are: those that failed inside the service or were refused, once the cause is mended',
    as: 'ready',
    ending: 'sent again by the next run',
    whyNot: whyNotRepeated,
  },
  {
    command: 'release',
    done: 'released',
    says: 'let held documents go out',
    as: 'ready',
    ending: 'sent by the next run',
    whyNot: held('release'),
  },
  {
    command: 'reject',
    done: 'rejected',
    says: 'set held documents aside: they are not sent',
    as: 'invalid',
    ending: 'set aside, not sent',
    whyNot: held('reject'),
  },
];

function held(act: Act) {
  return (_: Instance, { state }: Entry) =>
    (stateInfo(state).acts as readonly Act[]).includes(act)
      ? undefined
      : `only held documents can be ${act === 'release' ? 'released' : 'rejected'}`;
}

export function addRetry(program: Command): void {
  for (const way of WAYS) addWay(program, way);
}

function addWay(program: Command, way: Way): void {
  const command = program
    .command(way.command)
    .description(way.says)
    .argument('[documents...]', 'ids, document numbers or receipt names; - reads them from standard input');
  if (way.command === 'retry') {
    command.option(
      '--evidence <file>',
      'the proof that a doubtful document did not arrive: its name and SHA-256 are kept',
    );
  }
  withSelectors(withDecision(command)).action(async (names: string[], given: Options, self: Command) => {
    const session = openSession(self);
    const { instance, options, terminal } = session;
    const decision = { ...decisionOf(given), ...proofOf(given.evidence), as: way.as };
    const selector = selectorOf(names, given);
    if (way.command === 'retry' && !selector.ids && selector.states?.includes('in-doubt')) throw inDoubt();
    const judged = async (): Promise<Told[]> => {
      await using ledger = await lookIntoLedgerOf(instance);
      return (await selectDocuments(ledger, selector, way.command)).map((entry) => {
        const why = way.whyNot(instance, entry, given.evidence !== undefined);
        const { id, facts, name, state } = entry;
        return { id, number: facts.identifier || name, was: state, ...(why === undefined ? {} : { why }) };
      });
    };
    let told = await judged();
    const possible = told.filter(({ why }) => why === undefined);
    if (!given.dryRun && possible.length > 0) {
      const does = way.command === 'retry' ? 'Send again' : way.command === 'release' ? 'Release' : 'Set aside';
      if (!(await confirmed(selector, possible.length, { ...given, does })))
        return terminal.talk('Nothing was changed.');
      const ids = possible.map(({ id }) => id);
      const { refused } = await atWork(session, (work) => resolveDocuments(work, ids, decision));
      told = told.map((one) => (refused.includes(one.id) ? { ...one, why: 'its state has changed meanwhile' } : one));
    }
    const dryRun = given.dryRun === true;
    if (options.json) terminal.out(JSON.stringify({ dryRun, documents: told }, null, 2));
    else for (const one of told) terminal.out(printable(lineOf(one, way, dryRun)));
    if (told.length === 0 && !options.quiet) terminal.talk('  No document is meant: nothing was changed.');
    if (dryRun && !options.quiet) terminal.talk('  Nothing was changed (--dry-run).');
    process.exitCode = told.some(({ why }) => why !== undefined) ? 3 : 0;
  });
}

type Told = { readonly id: string; readonly number: string; readonly was: State; readonly why?: string };

function lineOf({ number, was, why }: Told, { done, ending }: Way, dryRun: boolean): string {
  if (why !== undefined) return `  ${number}: not ${done}, it is ${stateWords(was)}: ${why}`;
  return dryRun ? `  ${number}: ${was}, would be ${ending}` : `  ${number}: ${was}, now ${ending}`;
}

function inDoubt(): SetupError {
  return new SetupError(
    'retry/in-doubt',
    'documents in doubt are never sent again together: each of them may have arrived',
    {
      hint: 'ask the services with "nightpost consult --state in-doubt", look each up there, and record what you find with "nightpost resolve NUMBER --as ..."',
    },
  );
}
