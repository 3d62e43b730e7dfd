/** What becomes of documents that are read again, in words: told before it is done and after. */
import type { Entry } from '../model/entry.ts';
import { isError, showFault } from '../model/fault.ts';
import type { Becomes } from '../pipeline.ts';
import { stateWords } from './progress.ts';

/** Faults of one document that are shown before the rest is counted. */
const FAULTS = 5;

export function becomingLines(one: Becomes, dryRun: boolean): readonly string[] {
  const name = nameOf(one.entry);
  const was = one.entry.state;
  if ('fault' in one) return [`  ${name}: stays ${stateWords(was)}`, `    ${showFault(one.fault)}`];
  if (one.state === 'unchanged') {
    const rejected =
      was === 'rejected' ? 'the service has rejected this very content' : 'this very content was set aside';
    return [`  ${name}: stays ${stateWords(was)}: ${rejected}; correct a cell with: nightpost fix`];
  }
  const { identifier, faults } = one.outcome;
  if (one.absorbed) {
    return [`  ${name}: ${was}, its rows ${dryRun ? 'would be' : 'are now'} part of ${identifier || one.first}`];
  }
  const now = identifier === '' || identifier === one.entry.facts.identifier ? '' : `, as ${identifier}`;
  const more = one.more === 0 ? '' : `; its rows make ${one.more} more`;
  const would = dryRun ? 'would become' : 'is now';
  const then = one.state === 'ready' ? `${would} ready, sent by the next run` : `${would} ${stateWords(one.state)}`;
  const first = one.first === undefined ? '' : `: the number belongs to ${one.first}`;
  const head = one.state === 'invalid' && was === 'invalid' ? `still ${stateWords('invalid')}` : `${was}, ${then}`;
  const held = one.state === 'held' ? `: ${one.outcome.hold ?? ''}` : '';
  const wrong = one.state === 'invalid' ? faults.filter(isError) : faults;
  return [
    `  ${name}: ${head}${now}${held}${first}${more}`,
    ...wrong.slice(0, FAULTS).map((fault) => `    ${showFault(fault)}`),
    ...(wrong.length > FAULTS ? [`    and ${wrong.length - FAULTS} more faults`] : []),
  ];
}

/** As data. */
export function becomingObject(one: Becomes) {
  const { id, facts, state, name } = one.entry;
  const about = { id, number: facts.identifier || name, was: state };
  if ('fault' in one) return { ...about, becomes: null, faults: [one.fault] };
  const { identifier, amount, faults, hold } = one.outcome;
  return {
    ...about,
    becomes: one.state,
    as: identifier,
    amount: amount ?? null,
    first: one.first ?? null,
    more: one.more,
    hold: hold ?? null,
    faults,
  };
}

export function needsPeople(one: Becomes): boolean {
  return 'fault' in one || (one.state !== 'ready' && one.state !== 'duplicate');
}

export function nameOf({ facts, name }: Pick<Entry, 'facts' | 'name'>): string {
  return facts.identifier || name;
}
