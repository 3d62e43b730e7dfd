/** The two diagrams that the code draws: the states of a document from src/model/state.ts, the ladder from its test's table. */
import { format } from '../src/i18n/message.ts';
import { type Act, keepsStateAside, STATE_NAMES, type State, stateInfo } from '../src/model/state.ts';
import { FOUNDATIONS, MAY_IMPORT, STAGES } from '../test/import-ladder.ts';

/** What admission makes of a document, before anything is sent. */
const ADMITTED: ReadonlySet<State> = new Set(['invalid', 'duplicate', 'conflict', 'held', 'ready']);

/** Act of a person -> the label of its arrow, and where the arrow ends: a state, or whatever answer comes. */
const ARROWS: { readonly [act in Act]: readonly [label: string, to: State | 'answer'] } = {
  fix: ['fix', 'ready'],
  retry: ['retry', 'ready'],
  release: ['release', 'ready'],
  'set-aside': ['set aside', 'invalid'],
  consult: ['consult', 'answer'],
  resolve: ['resolve', 'answer'],
  acknowledge: ['acknowledge', 'invalidated'],
};

/** A mermaid state diagram: admission, sending, answers, and an arrow for each act of a person. */
export function stateDiagram(): string {
  const names = STATE_NAMES.map((state) => `  state "${state} (${format(stateInfo(state).words, 'en')})" as ${id(state)}`);
  const answers = STATE_NAMES.filter((state) => !ADMITTED.has(state) && state !== 'sending');
  const machine = [
    '[*] --> admission',
    ...[...ADMITTED].map((state) => `admission --> ${id(state)}`),
    'ready --> sending : intention recorded',
    'sending --> ready : proven not sent',
    'sending --> answer : answered, or fate unknown',
    ...answers.map((state) => `answer --> ${id(state)}`),
  ];
  const actors = Map.groupBy(STATE_NAMES, (state) => stateInfo(state).actor);
  return mermaid('stateDiagram-v2', [
    '  state admission <<choice>>',
    '  state answer <<choice>>',
    ...names,
    ...[...machine, ...STATE_NAMES.flatMap(actsOf)].map((line) => `  ${line}`),
    ...Object.entries(COLORS).map(([actor, color]) => `  classDef ${actor} fill:${color},color:#111`),
    ...[...actors].map(([actor, states]) => `  class ${states.map(id).join(',')} ${actor}`),
  ]);
}

const COLORS = { finance: '#f6d58a', admin: '#f3b0a2', support: '#d9c2f0', machine: '#b9d7f5', nobody: '#bfe3c0' };

/** Acts that lead to the same place share an arrow. */
function actsOf(state: State): readonly string[] {
  const arrows = Map.groupBy(
    stateInfo(state).acts.filter((act) => ARROWS[act][1] !== state && !(act === 'set-aside' && keepsStateAside(state))),
    (act) => ARROWS[act][1],
  );
  return [...arrows].map(([to, acts]) => `${id(state)} --> ${id(to)} : ${acts.map((act) => ARROWS[act][0]).join(', ')}`);
}

function id(name: string): string {
  return name.replaceAll('-', '_');
}

/** A mermaid flowchart: what each folder of src/ imports, the foundations and the stages drawn as one box each. */
export function ladderDiagram(): string {
  const folders = Object.keys(MAY_IMPORT).filter((name) => boxOf(name) === name);
  const arrows = folders.flatMap((from) => {
    const to = new Set((MAY_IMPORT[from] ?? []).map(boxOf).filter((box) => box !== from));
    return [...to].filter((box) => !isImplied(box, to)).map((box) => `  ${nodeOf(from)} --> ${nodeOf(box)}`);
  });
  return mermaid('flowchart TD', [
    `  stages["${STAGES.join('<br>')}<br>(never each other)"]`,
    `  foundations["${FOUNDATIONS.join(', ')}<br>(each may import those before it)"]`,
    ...folders.map((name) => `  ${nodeOf(name)}["${name}"]`),
    '  stages --> foundations',
    '  stages -- ledger alone --> database',
    ...arrows,
  ]);
}

function boxOf(name: string): string {
  const top = name.split('/')[0]!;
  if (FOUNDATIONS.includes(top)) return 'foundations';
  return STAGES.includes(top) ? 'stages' : top;
}

/** An arrow to a box that another box of the same folder reaches anyway is left out. */
function isImplied(box: string, all: ReadonlySet<string>): boolean {
  return [...all].some((other) => other !== box && reaches(other).has(box));
}

function reaches(from: string): ReadonlySet<string> {
  if (from === 'stages') return new Set(['foundations', 'database']);
  return new Set((MAY_IMPORT[from] ?? []).map(boxOf).flatMap((box) => [box, ...(box === 'stages' ? ['foundations'] : [])]));
}

function nodeOf(name: string): string {
  return name.replace(/\W/g, '_');
}

function mermaid(kind: string, lines: readonly string[]): string {
  return ['```mermaid', kind, ...lines, '```'].join('\n');
}
