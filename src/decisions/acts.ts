/**
 * The table of the acts of people: what each needs, gives, waits for, and may leave. Every part of the program that treats acts
 * alike or apart reads this table; what an act does is `carryOut`, what a state allows is `STATES`.
 */
import { type Act, actsFor, keepsStateAside, type State } from '../model/state.ts';
import type { ActName, ActOf, PersonAct } from './act.ts';

type ActTraits = {
  /** What the state of a document has to allow; absent for acts that no state decides about. */
  readonly needs?: Act;
  /** A person decides what becomes of the document (`whyNotDecided`), and a file may prove it. */
  readonly decides?: true;
  /** The state that it gives; absent where that is asked for, is read again, or stays. */
  readonly gives?: State;
  /** The two-person rule asks about the amount, and, of an act that may lead to a second submission or ends the question, about doubt. */
  readonly approval?: 'amount' | 'amount-and-doubt';
  /**
   * When a run carries it out: in turn with the intake (it changes documents), after the acts before it (it changes none), at once
   * (it is about no document and no file), or apart from all others (it waits for a service).
   */
  readonly order: 'turn' | 'queue' | 'at-once' | 'apart';
  /** A stop may leave it half done: the next holder of the lock completes it. */
  readonly inParts?: true;
  /** `undo` can take it back. */
  readonly undoable?: true;
  /** The next run sends the documents. */
  readonly sends?: true;
};

/** The acts of the work list come first, in the order in which they are offered. */
const ACTS = {
  fix: { needs: 'fix', approval: 'amount', order: 'turn', inParts: true, undoable: true, sends: true },
  consult: { needs: 'consult', order: 'apart', inParts: true },
  resolve: { needs: 'resolve', decides: true, approval: 'amount-and-doubt', order: 'turn', undoable: true },
  release: {
    needs: 'release',
    decides: true,
    gives: 'ready',
    approval: 'amount',
    order: 'turn',
    undoable: true,
    sends: true,
  },
  retry: {
    needs: 'retry',
    decides: true,
    gives: 'ready',
    approval: 'amount-and-doubt',
    order: 'turn',
    undoable: true,
    sends: true,
  },
  acknowledge: {
    needs: 'acknowledge',
    decides: true,
    gives: 'invalidated',
    approval: 'amount',
    order: 'turn',
    undoable: true,
  },
  reprocess: { needs: 'fix', approval: 'amount', order: 'turn', inParts: true, sends: true },
  'set-aside': {
    needs: 'set-aside',
    decides: true,
    gives: 'invalid',
    approval: 'amount',
    order: 'turn',
    undoable: true,
  },
  /** The form of `fix` that names a text instead of rows. */
  'replace-cells': { approval: 'amount', order: 'turn', inParts: true, undoable: true, sends: true },
  'reprocess-file': { order: 'turn', inParts: true },
  undo: { order: 'turn', inParts: true },
  'set-file-aside': { order: 'queue' },
  'undo-file': { order: 'queue' },
  'report-again': { order: 'queue' },
  'undo-export': { order: 'at-once' },
  waive: { order: 'at-once' },
  resume: { order: 'at-once' },
} as const satisfies { readonly [name in ActName]: ActTraits };

type Names<Trait> = { readonly [name in ActName]: (typeof ACTS)[name] extends Trait ? name : never }[ActName];

/** Acts by which a person decides what becomes of a document. */
export type DecidingAct = Names<{ readonly decides: true }>;

/** Acts that the work list offers for documents. */
export type WorkAct = Names<{ readonly needs: Act }>;

export function traitsOf(name: ActName): ActTraits {
  return ACTS[name];
}

export function isDecision(act: PersonAct): act is ActOf<DecidingAct> {
  return traitsOf(act.act).decides === true;
}

export const WORK_ACTS = (Object.keys(ACTS) as readonly ActName[]).filter(
  (name): name is WorkAct => 'needs' in ACTS[name],
);

export function isWorkAct(text: unknown): text is WorkAct {
  return (WORK_ACTS as readonly unknown[]).includes(text);
}

/** What a person may do with a document, in the order in which it is offered. `hold`: the rule of a held one, which is also its cause. */
export function workActsFor(state: State, hold: string | undefined): readonly WorkAct[] {
  const allowed = actsFor(state, hold);
  return WORK_ACTS.filter((name) => allowed.includes(ACTS[name].needs));
}

/** The state that a decision records; the ledger takes `invalid` for a document that is set aside, in whatever state that stays. */
export function recordedAs(act: ActOf<DecidingAct>): State {
  return act.act === 'resolve' ? act.as : ACTS[act.act].gives;
}

/** The state of a document after the decision. */
export function stateAfter(act: ActOf<DecidingAct>, before: State): State {
  return act.act === 'set-aside' && keepsStateAside(before) ? before : recordedAs(act);
}
