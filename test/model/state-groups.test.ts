/** The six groups of states that people see: each state in one, and no two words alike in a language. */
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import {
  SET_ASIDE_INFO,
  STATE_GROUP_NAMES,
  STATE_GROUPS,
  STATE_NAMES,
  stateGroup,
  stateInfo,
  WAITING_STATES,
} from '../../src/model/state.ts';

test('each state is in one group', () => {
  const grouped = STATE_GROUP_NAMES.flatMap((name) => [...STATE_GROUPS[name].states]);
  expect(grouped.toSorted()).toEqual(STATE_NAMES.toSorted());
  for (const state of STATE_NAMES) expect(STATE_GROUPS[stateGroup(state)].states).toContain(state);
});

test('the states that wait for a person are those of all groups but the ones done and under way', () => {
  const groups = STATE_GROUP_NAMES.filter((name) => name !== 'done' && name !== 'under-way');
  expect(groups.flatMap((name) => [...STATE_GROUPS[name].states]).toSorted()).toEqual([...WAITING_STATES].toSorted());
});

test('a document set aside is done, whatever its state', () => {
  expect(stateGroup('invalid', { isSetAside: true })).toBe('done');
  expect(stateGroup('invalid')).toBe('to-correct');
});

test.each(['en', 'fr', 'es'] as const)('no two groups and no two states have the same word in %s', (language) => {
  const groups = STATE_GROUP_NAMES.map((name) => format(STATE_GROUPS[name].words, language));
  const states = [...STATE_NAMES.map(stateInfo), SET_ASIDE_INFO].map(({ name }) => format(name, language));
  expect(new Set(groups).size).toBe(groups.length);
  expect(new Set(states).size).toBe(states.length);
});
