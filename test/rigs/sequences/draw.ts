/** Draws the next step of a walk from those that fit what the documents are now. The same chance gives the same walk. */
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { State } from '../../../src/model/state.ts';
import type { Random } from '../random.ts';
import type { Fate } from '../sent-again.ts';
import { type DecidingStep, FAULTY, type Said, type Step } from './step.ts';
import type { Walk, WalkDocument } from './walk.ts';

const MINUTE_MS = 60_000;

type Choice = readonly [weight: number, step: () => Step];
/** How often each answer is drawn. */
const SAID: readonly Said[] = [
  ...(['lost', 'lost', 'lost', 'lost', 'gateway', 'authorized', 'authorized', 'rejected', 'rejected'] as const),
  ...(['refused', 'refused', 'returned', 'contingency', 'failed', 'invalidated', 'token', 'later', 'closed'] as const),
];
const FATES: readonly (Fate | undefined)[] = [undefined, undefined, 2, 2, 2, 6, 8, 4, 11];
const CLOCK_MS = [6, 65, 65, 65, 65, 24 * 60, -10, -120].map((minutes) => minutes * MINUTE_MS);
const RESOLVED_AS = ['rejected', 'rejected', 'authorized', 'failed', 'returned', 'contingency', 'invalidated'] as const;
/** What people mostly do in a state; anything else is tried too, and refused. */
const USUAL: { readonly [state in State]?: readonly DecidingStep['act'][] } = {
  'in-doubt': ['retry', 'retry', 'resolve', 'resolve', 'undo'],
  refused: ['retry', 'retry', 'resolve', 'set-aside', 'undo'],
  returned: ['retry', 'resolve', 'set-aside', 'undo'],
  failed: ['retry', 'set-aside', 'undo'],
  rejected: ['undo', 'undo', 'set-aside'],
  authorized: ['undo'],
  contingency: ['resolve', 'undo'],
  invalidated: ['acknowledge', 'undo'],
  held: ['release', 'release', 'set-aside'],
  ready: ['undo'],
  invalid: ['undo', 'set-aside'],
};
const ANY = ['retry', 'resolve', 'release', 'set-aside', 'undo'] as const;
const ASKED_BY_PERSON: ReadonlySet<State> = new Set(['in-doubt', 'returned', 'refused', 'contingency']);

export function drawStep(random: Random, walk: Walk, workers: number): Step {
  const choices: Choice[] = [
    [2, () => ({ do: 'clock', ms: random.one(CLOCK_MS) })],
    [0.1, () => ({ do: 'hold', rule: random.one(['same-cause', 'ledger-accepted']) })],
    [workers > 1 ? 0.03 : 0.1, () => ({ do: 'restart', ...fateOf(random) })],
  ];
  const standing = walk.tasks().filter((task) => task.waits() === 'walk').length;
  if (standing > 0) choices.push([2, () => ({ do: 'go-on', nth: random.below(standing) })]);
  if (walk.documents.some(({ moved }) => moved))
    choices.push([3, () => ({ do: 'take', ...(random.isOneIn(2) && { pauses: 1 }) })]);
  for (const [doc, document] of walk.documents.entries())
    choices.push(...choicesOf(random, walk, { doc, document }, workers));
  let at = random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, step] of choices) {
    at -= weight;
    if (at < 0) return step();
  }
  return { do: 'clock', ms: 0 };
}

type Of = { readonly doc: number; readonly document: WalkDocument };

function choicesOf(random: Random, walk: Walk, of: Of, workers: number): readonly Choice[] {
  const { entry, staged } = of.document;
  const exported = exports(random, of, workers);
  if (!entry) return exported;
  const ready: readonly Choice[] =
    entry.state === 'ready' && !staged ? [[5, () => ({ do: 'send', doc: of.doc, ...pausesOf(random, 2) })]] : [];
  const taken: readonly Choice[] =
    entry.state === 'sending' && workers === 1
      ? [[2, () => ({ do: 'take-over', doc: of.doc, ...fateOf(random) })]]
      : [];
  return [...exported, ...ready, ...taken, ...answers(random, walk, of), ...decisions(random, { ...of, entry })];
}

/** An export of what is under way is a conflict or a duplicate. */
const CORRECTED: ReadonlySet<State> = new Set(['rejected', 'held', 'invalid', 'conflict']);

function exports(
  random: Random,
  { doc, document: { entry, staged, moved, part } }: Of,
  workers: number,
): readonly Choice[] {
  if (staged) {
    return [
      [1.5, () => ({ do: 'admit', doc })],
      [0.1, () => ({ do: 'start-over', doc })],
    ];
  }
  if (!entry) return [[4, () => ({ do: 'export', doc, text: random.isOneIn(4) ? 3 : random.below(3) })]];
  // What a person decides about from a folder is replaced at that moment.
  const weight = moved ? 4 : CORRECTED.has(entry.state) ? 2 : 0.2;
  const text = () => (moved ? random.one([3, 7]) : random.below(FAULTY + 1));
  return [
    [CORRECTED.has(entry.state) ? 1 : 0, () => ({ do: 'fix', doc, text: text() })],
    [
      CORRECTED.has(entry.state) && !part ? 0.5 : 0,
      () => ({ do: 'split', doc, text: text(), ...(random.isOneIn(2) && { waits: true }) }),
    ],
    [
      CORRECTED.has(entry.state) && part ? 1 : 0,
      () => ({ do: 'join', doc, text: text(), ...(random.isOneIn(2) && { waits: true }) }),
    ],
    [weight, () => ({ do: 'export', doc, text: text() })],
    [weight, () => ({ do: 'stage', doc, text: text(), ...(workers > 1 && { worker: random.below(workers) }) })],
  ];
}

function answers(random: Random, walk: Walk, { doc, document: { entry } }: Of): readonly Choice[] {
  const onWire = (kind: string) =>
    walk.tasks().filter((task) => task.kind === kind && task.doc === doc && task.waits() === 'service').length;
  const choices: Choice[] = [];
  if (onWire('send') > 0)
    choices.push([
      entry?.state === 'sending' ? 5 : 2,
      () => ({ do: 'answer', doc, said: random.one(SAID), ...fateOf(random) }),
    ]);
  const asked = onWire('ask');
  if (asked > 0) choices.push([2.5, () => ({ do: 'reply', doc, nth: random.below(asked), said: random.one(REPLIED) })]);
  if (entry?.state === 'contingency') {
    choices.push([0.5, () => ({ do: 'becomes', doc, fate: random.one([2, 4, 6, 11]) })]);
  }
  if (entry && ASKED_BY_PERSON.has(entry.state)) {
    choices.push([2, () => ({ do: 'ask', doc, by: 'person', ...pausesOf(random, 2) })]);
    choices.push([1, () => ({ do: 'ask', doc, by: 'watch', ...pausesOf(random, 2) })]);
  }
  return choices;
}

/** A question is mostly answered with what is so; a service may not know yet what it has taken in. */
const REPLIED = ['truth', 'truth', 'truth', 'not-found', 'not-found', 'not-found', 'gateway', 'lost'] as const;

function decisions(
  random: Random,
  { doc, document: { looks, moved }, entry }: Of & { readonly entry: LedgerEntry },
): readonly Choice[] {
  const { state, notFound } = entry;
  const choices: Choice[] = [[0.5, () => ({ do: 'look', doc, person: random.below(2) })]];
  if (state === 'held' && !moved) {
    choices.push([2, () => ({ do: 'move', doc, to: random.isOneIn(4) ? 'reject' : 'release' })]);
  }
  choices.push([USUAL[state] ? 1.5 : 0.3, () => decision(random, { doc, state })]);
  if (looks.size > 0) choices.push([0.5, () => ({ ...decision(random, { doc, state }), fromEarlier: true })]);
  if (notFound?.times === 1) choices.push([2, () => ({ do: 'clock', ms: 65 * MINUTE_MS })]);
  else if (notFound) choices.push([5, () => ({ do: 'decide', doc, person: 0, act: 'retry', proof: true })]);
  return choices;
}

function decision(random: Random, { doc, state }: { readonly doc: number; readonly state: State }): DecidingStep {
  const act = random.one(random.isOneIn(8) ? ANY : (USUAL[state] ?? ANY));
  const as = act === 'resolve' ? { as: random.one(RESOLVED_AS) } : {};
  const proof = random.isOneIn(4) ? {} : ({ proof: true } as const);
  return { do: 'decide', doc, person: random.below(2), act, ...as, ...proof, ...pausesOf(random, 3) };
}

function fateOf(random: Random): { readonly fate?: Fate } {
  const fate = random.one(FATES);
  return fate === undefined ? {} : { fate };
}

function pausesOf(random: Random, most: number): { readonly pauses?: number } {
  return random.isOneIn(5) ? { pauses: 1 + random.below(most) } : {};
}
