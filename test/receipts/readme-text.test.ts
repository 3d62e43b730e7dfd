import { expect, test } from 'vitest';
import { STATE_NAMES, stateInfo } from '../../src/model/state.ts';
import { readmeText } from '../../src/receipts/readme-text.ts';

test('the README names every state of the error folder in three languages, in lines that fit', () => {
  const text = readmeText();
  for (const state of STATE_NAMES) {
    const times = text.split(new RegExp(`\\(${state}\\)\u00a0?: `)).length - 1;
    expect([state, times]).toEqual([state, stateInfo(state).folder === 'error' ? 3 : 0]);
  }
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  expect(text).not.toMatch(/«$|^ *[»:;]/m);
  expect(text).not.toMatch(/undefined|\[object/);
});

test.each(['release', 'reject'] as const)('the README of pending/%s: three languages, lines that fit', (of) => {
  const text = readmeText(of);
  expect(text.match(/\.note\.txt/g)).toHaveLength(3);
  expect(text.match(/receipt\.json/g)).toHaveLength(3);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  expect(text).not.toMatch(/«$|^ *[»:;]/m);
});
