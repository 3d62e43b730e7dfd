import { expect, test } from 'vitest';
import type { Language } from '../../src/i18n/message.ts';
import { STATE_NAMES, stateInfo } from '../../src/model/state.ts';
import { leftoverNoteText, noteText } from '../../src/receipts/decision-note.ts';
import { readmeText } from '../../src/receipts/readme-text.ts';

test('the README names every state of the error folder in three languages, in lines that fit', () => {
  const text = readmeText('error', 'en');
  for (const state of STATE_NAMES) {
    const times = text.split(new RegExp(`\\(${state}\\)\u00a0?: `)).length - 1;
    expect([state, times]).toEqual([state, stateInfo(state).folder === 'error' ? 3 : 0]);
  }
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  expect(text).not.toMatch(/«$|^ *[»:;]/m);
  expect(text).not.toMatch(/undefined|\[object/);
});

test.each(['release', 'reject'] as const)('the README of pending/%s: three languages, lines that fit', (of) => {
  const text = readmeText(of, 'fr');
  expect(text.match(/\.note\.txt/g)).toHaveLength(3);
  expect(text.match(/receipt\.json/g)).toHaveLength(3);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  expect(text).not.toMatch(/«$|^ *[»:;]/m);
});

test('the language of the instance comes first, the others after it', () => {
  const titles = ['Release held documents', 'Libérer des documents en attente', 'Liberar documentos retenidos'];
  const orderIn = (language: Language) =>
    titles
      .map((title) => title.toUpperCase())
      .sort((a, b) => readmeText('release', language).indexOf(a) - readmeText('release', language).indexOf(b));
  expect(orderIn('es').map((title) => title.slice(0, 7))).toEqual(['LIBERAR', 'RELEASE', 'LIBÉRER']);
  expect(orderIn('fr')[0]).toMatch(/^LIBÉRER/);
  expect(noteText('older', 'fr').split('\n\n')[0]).toMatch(/^Le document a changé/);
  expect(leftoverNoteText(['a.txt'], 'es')).toMatch(/^No son recibos/);
});
