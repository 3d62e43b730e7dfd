/** `verify`: proves that exports, contents, answers, states and receipts still belong together. Reads only. */
import { type Command, InvalidArgumentError } from 'commander';
import { SetupError } from '../model/fault.ts';
import { type Head, headText, readHead } from '../model/link.ts';
import { printable } from '../model/printable.ts';
import { type Break, lookIntoLedgerOf, type Proven, systemClock, verify } from '../pipeline.ts';
import { isEmpty, type SelectorOptions, selectorOf, withSelectors } from './selecting.ts';
import { openSessionToLook, type Session } from './session.ts';
import { bold, counted, dim, green, yellow } from './terminal.ts';

type Options = SelectorOptions & { readonly all?: boolean; readonly head?: Head };

/** As many as a person reads; all of them are counted. */
const MAX_LISTED = 1000;

export function addVerify(program: Command): void {
  withSelectors(
    program
      .command('verify')
      .description('proves that exports, mappings, contents, answers and receipts still belong together; reads only')
      .argument('[documents...]', 'ids, document numbers or receipt names; - reads them from standard input')
      .option('--all', 'everything there is; also where nothing is named')
      .option('--head <n:hash>', 'the end of the chain of receipts that was kept elsewhere', readHeadOption),
  ).action(async (names: string[], given: Options, command: Command) => {
    const session = openSessionToLook(command);
    const { options, terminal, instance } = session;
    const selector = selectorOf(names, given);
    const isAll = isEmpty(selector);
    if (given.all && !isAll) {
      throw new SetupError('verify/all-or-some', '--all and documents are asked for at once', {
        hint: 'leave one out',
      });
    }
    await using ledger = await lookIntoLedgerOf(instance);
    const breaks: Break[] = [];
    const startedMs = performance.now();
    const proven = await verify(
      { instance, ledger, clock: systemClock },
      {
        ...(isAll ? {} : { selector }),
        ...(given.head ? { head: given.head } : {}),
        onBreak: (one) => {
          if (breaks.length < MAX_LISTED) breaks.push(one);
          if (!options.json) terminal.out(told(one));
        },
        onProgress: (documents) => terminal.live(`  ${counted(documents, 'document')} proven`),
      },
    );
    terminal.live('');
    if (!isAll && proven.documents === 0) {
      throw new SetupError('verify/no-such-document', 'no document is known by what was asked for', {
        hint: 'list documents with: nightpost errors, or nightpost status',
      });
    }
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    const head = proven.head ? headText(proven.head) : null;
    if (options.json) terminal.out(JSON.stringify({ ...proven, head, seconds, found: breaks }, null, 2));
    else if (!options.quiet || proven.breaks > 0) show(session, proven, isAll, seconds);
    if (proven.breaks > 0) process.exitCode = 3;
  });
}

function readHeadOption(text: string): Head {
  const head = readHead(text);
  if (head) return head;
  throw new InvalidArgumentError('Write it as the report of a run shows it: number, colon, 64 letters and digits.');
}

function told({ code, message, means, document, path }: Break): string {
  const where = [document, path].filter((one) => one !== undefined).map((one) => printable(one));
  return `${bold(yellow(`  ${where.join('   ')}`))}\n    ${code}  ${printable(message)}\n    ${dim(means)}`;
}

function show({ terminal }: Session, proven: Proven, isAll: boolean, seconds: number): void {
  const { links, head, files, mappings, documents, contents, answers, hearsay, purged, notSettled, breaks } = proven;
  const lines = [
    `  chain       ${counted(links, 'link')}${head ? `, ends in ${headText(head)}` : ''}`,
    `  exports     ${files} read again by their hash${isAll ? `, with ${counted(mappings, 'mapping version')}` : ''}`,
    `  contents    ${contents} made again from their rows, the same as recorded`,
    `  answers     ${answers} judged again${hearsay > 0 ? `, ${hearsay} known from receipts alone: the ledger was made again from them` : ''}`,
    `  documents   ${documents} gone through, in ${seconds} s`,
    ...(purged > 0 ? [`  purged      ${purged} documents and exports: who, when and why tells nightpost show`] : []),
    ...(notSettled > 0 ? [`  not settled ${notSettled}: a run has not finished them yet`] : []),
  ];
  for (const line of lines) terminal.out(line);
  terminal.out(
    breaks === 0
      ? green(`  Everything belongs together.`)
      : bold(yellow(`  ${counted(breaks, 'break')}: what they mean and what to do: nightpost explain CODE`)),
  );
}
