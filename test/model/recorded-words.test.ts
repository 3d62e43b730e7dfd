/** Reasons that the ledger keeps: with their message for each language, in their own words where it has none. */
import { expect, test } from 'vitest';
import { decimalText, format } from '../../src/i18n/message.ts';
import { LEDGER_HOLD } from '../../src/i18n/messages/ledger-messages.ts';
import { HOLD } from '../../src/i18n/messages/pipeline-messages.ts';
import { combineHolds } from '../../src/ledger/records/combine-holds.ts';
import type { Hold } from '../../src/model/document.ts';
import { holdOf, readStoredHold, recordedWords, storedHold } from '../../src/model/recorded-words.ts';

const LANGUAGES = ['en', 'fr', 'es'] as const;
const AMOUNT = HOLD.amount({ amount: decimalText('75.60'), currency: 'EUR', limit: decimalText('60.00') });
const TWICE = LEDGER_HOLD.numberTwice();
const stored = (hold: Hold) => readStoredHold(storedHold(hold));

test.each(LANGUAGES)('two reasons of a hold recorded in %s have the words of each language', (recorded) => {
  const before = stored(holdOf('amount-over', AMOUNT, recorded));
  const hold = stored(combineHolds({ language: recorded }, holdOf('number-twice', TWICE, recorded), before));
  const both = LEDGER_HOLD.and({ one: TWICE, other: AMOUNT });
  expect(hold).toEqual({ rule: 'number-twice', says: format(both, recorded) });
  for (const language of LANGUAGES) expect(recordedWords(hold.says, hold, language)).toBe(format(both, language));
});

test('a reason of an earlier version stays in its words inside a combined one', () => {
  const before = readStoredHold('{"rule":"amount-over","says":"too much"}');
  const hold = stored(combineHolds({ language: 'en' }, holdOf('number-twice', TWICE, 'en'), before));
  expect(recordedWords(hold.says, hold, 'fr')).toBe(`${format(TWICE, 'fr')}\u00A0; too much`);
});

test.each([
  ['its message is not in the catalog', { id: 'hold.ofAnotherVersion', values: {} }],
  ['its message lacks a value', { id: AMOUNT.id ?? '', values: { amount: '1' } }],
])('a reason keeps its words if %s', (_, message) => {
  const phrases = JSON.stringify({ message });
  const hold = readStoredHold(JSON.stringify({ rule: 'amount-over', says: 'as recorded', phrases }));
  expect(recordedWords(hold.says, hold, 'fr')).toBe('as recorded');
});

test('a very long reason is stored in words alone', () => {
  const name = 'x'.repeat(3000);
  const hold = holdOf('unknown-receiver', HOLD.receiver({ name, receiver: '1' }), 'en');
  expect(JSON.parse(storedHold(hold))).toEqual({ rule: 'unknown-receiver', says: hold.says });
});

test('the JSON of a hold begins with its rule, by which documents are selected', () => {
  expect(storedHold(holdOf('number-twice', TWICE, 'en'))).toMatch(/^\{"rule":"number-twice",/);
});
