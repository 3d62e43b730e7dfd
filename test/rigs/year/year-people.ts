/** The people of a year: each day they fix, set aside, undo, ask, resolve, retry, acknowledge and release what waits, by commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEntry, SourceFile } from '../../../src/model/ledger-entry.ts';
import type { State } from '../../../src/model/state.ts';
import type { Scene } from '../../night.ts';
import { commandIn, type Ended } from '../../program.ts';
import type { Random } from '../random.ts';
import type { YearExports } from './year-exports.ts';

export type People = {
  /** One command; an exit code that it may not end with is a fault. */
  readonly type: (...words: string[]) => Promise<Ended>;
  /** Most of what is open, one command after the other; false if there is nothing. */
  readonly clear: () => Promise<boolean>;
  /** Decisions about a number that let the program send it once more. */
  readonly decisions: ReadonlyMap<string, number>;
  readonly decided: (number: string) => void;
};

type Waiting = { readonly documents: readonly LedgerEntry[]; readonly files: readonly SourceFile[] };

/** Nothing to do, documents need people, a service away, an export missing. */
const EXPECTED: ReadonlySet<number | string> = new Set([0, 3, 5, 7]);
const PEOPLE = ['anna', 'bruno'];

export function openPeopleOf(scene: Scene, random: Random, exports: YearExports, faults: string[]): People {
  const decisions = new Map<string, number>();
  const proof = join(scene.root, 'proof.txt');
  writeFileSync(proof, 'seen in the portal');
  const type = async (...words: string[]) => {
    const ended = await commandIn(scene, ...words);
    const isInternal = /internal error|at file:/.test(ended.err);
    if (!EXPECTED.has(ended.code) || isInternal)
      faults.push(`${words.join(' ')} ended with ${ended.code}: ${ended.err.slice(0, 1500)}${ended.out.slice(0, 300)}`);
    return ended;
  };
  const because = () => ['--reason', 'as agreed', '--by', random.one(PEOPLE)];
  const decided = (number: string) => void decisions.set(number, (decisions.get(number) ?? 0) + 1);
  const accepted = (number: string) =>
    scene.sandbox.acceptances().some((one) => one.number === number && one.accepted > 0);

  async function sendAgain(act: 'retry' | 'release', number: string): Promise<void> {
    decided(number);
    await type(act, number, ...because());
  }

  async function setAside(number: string): Promise<void> {
    await type('set-aside', number, ...because());
    if (random.isOneIn(4)) await type('undo', number, ...because());
  }

  async function correct(number: string): Promise<void> {
    if (exports.isCorrectedLater(number) && !random.isOneIn(6)) return;
    if (random.isOneIn(4)) return await setAside(number);
    decided(number);
    await type('fix', number, 'Qte=2', '--yes', ...because());
  }

  /** A person who found the document in the portal of the service, or did not find it. */
  async function settle(number: string, { consulted }: { readonly consulted: boolean }): Promise<void> {
    if (consulted) await type('consult', number);
    if (accepted(number)) await type('resolve', number, '--as', 'authorized', '--evidence', proof, ...because());
    else if (random.isOneIn(2)) await type('resolve', number, '--as', 'rejected', '--evidence', proof, ...because());
    else await type('set-aside', number, ...because());
  }

  const BY_STATE: { readonly [state in State]?: (number: string) => Promise<unknown> } = {
    invalid: correct,
    rejected: (number) => (random.isOneIn(2) ? sendAgain('retry', number) : setAside(number)),
    failed: (number) => (random.isOneIn(2) ? sendAgain('retry', number) : setAside(number)),
    refused: (number) => (random.isOneIn(2) ? sendAgain('retry', number) : setAside(number)),
    returned: (number) => settle(number, { consulted: true }),
    'in-doubt': (number) => settle(number, { consulted: random.isOneIn(2) }),
    invalidated: (number) => type('acknowledge', number, ...because()),
    held: (number) => (random.isOneIn(9) ? setAside(number) : sendAgain('release', number)),
    conflict: (number) => type('set-aside', number, ...because()),
  };

  return {
    type,
    decisions,
    decided,
    clear: async () => {
      const { documents, files } = JSON.parse((await type('--json', 'errors')).out) as Waiting;
      // Not everybody is at work each day.
      for (const { facts, name, state } of documents)
        if (!random.isOneIn(5)) await BY_STATE[state]?.(state === 'conflict' ? name : facts.identifier || name);
      for (const { name } of files) if (random.isOneIn(2)) await type('set-aside', name, ...because());
      return documents.length + files.length > 0;
    },
  };
}
