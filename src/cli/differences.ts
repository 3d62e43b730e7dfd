/** `preview FILE --format diff`: what today's mapping would change, against the ledger or against another mapping. */
import { resolve } from 'node:path';
import { showFault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { stateInfo } from '../model/state.ts';
import { diffWithLedger, type LedgerDifference, lookIntoLedgerOf } from '../pipeline.ts';
import { showMappingDiff } from './diff.ts';
import { changeText } from './fields.ts';
import type { Session } from './session.ts';
import { bold } from './terminal.ts';

const WORDS = {
  same: 'the same',
  changed: 'changed',
  new: 'not in the ledger',
  'now-refused': 'refused now, it was made then',
  'now-valid': 'made now, it was refused then',
  'still-refused': 'refused, as it was then',
} as const satisfies Record<LedgerDifference['what'], string>;

/** Gives the exit code: 3 where a document that was made would now be refused. */
export async function differences(
  session: Session,
  path: string,
  given: { readonly doc?: string; readonly against?: string },
): Promise<number> {
  const { options, terminal, instance } = session;
  if (given.against !== undefined) {
    return await showMappingDiff(session, { old: given.against, paths: [resolve(path)], ...given });
  }
  await using ledger = await lookIntoLedgerOf(instance);
  const counts = new Map<LedgerDifference['what'], number>();
  let count = 0;
  for await (const difference of diffWithLedger(instance, ledger, path, new Date(), given.doc)) {
    counts.set(difference.what, (counts.get(difference.what) ?? 0) + 1);
    count++;
    if (options.json) terminal.out(`${count === 1 ? '[' : ','}${JSON.stringify(difference)}`);
    else if (difference.what !== 'same') terminal.out(shown(difference));
  }
  if (options.json) terminal.out(count === 0 ? '[]' : ']');
  const told = [...counts].map(([what, number]) => `${number} ${WORDS[what]}`);
  terminal.talk(told.length > 0 ? `Against the ledger: ${told.join('; ')}.` : 'No such document in this file.');
  return counts.has('now-refused') ? 3 : 0;
}

function shown({ what, identifier, class: documentClass, rows, recorded, changes, faults }: LedgerDifference): string {
  const then = recorded ? `   ${stateInfo(recorded.state).words.en}, by ${recorded.mapping ?? 'no mapping'}` : '';
  return [
    bold(
      `  ${printable(identifier) || '(no number)'}   ${documentClass}   rows ${rows.join(', ')}   ${WORDS[what]}${then}`,
    ),
    ...changes.map(changeText),
    ...faults.map((fault) => `    ${showFault(fault)}`),
  ].join('\n');
}
