import { expect, test } from 'vitest';
import { z } from 'zod';
import { format, type Language, wordsOf } from '../../src/i18n/message.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { composeReceipt, receiptText } from '../../src/receipts/compose-receipt.ts';
import { nextAction } from '../../src/receipts/next-action.ts';
import { receiptShape } from '../../src/receipts/receipt-schema.ts';
import { makeEntry, makeInvalid } from './make.ts';

const full = makeEntry(42, {
  state: 'rejected',
  rows: [12, 13],
  attempts: [
    {
      n: 1,
      act: 'submit',
      run: 'run-1',
      requestId: 'r-1',
      at: '2026-11-20T01:00:01.000Z',
      ms: 412,
      http: 200,
      code: 6,
      outcome: 'rejected',
      reason: 'rejected by the service',
      answer: { code: 6, message: 'not for the attempts list' },
    },
  ],
  answer: {
    code: 6,
    name: 'Rejected',
    message: 'Bad VAT',
    trackingId: 't-1',
    statuses: [{ code: 6, message: 'Bad VAT' }],
  },
  notFound: { times: 1, firstAt: '2026-11-20T22:00:00.000Z', lastAt: '2026-11-20T03:00:00.000Z' },
  evidence: { as: 'authorized', by: 'marie', at: '2026-11-21T09:00:00.000Z', reason: 'seen in the portal' },
  faults: [
    {
      code: 'map/not-a-number',
      level: 'error',
      message: '"12,5O" is not a number',
      at: '/lines/0/quantity',
      origin: { file: 'ventes_1119.csv', row: 12, column: 'QTE' },
      given: '12,5O',
      hint: 'Correct the cell.',
      mark: { file: 'mappings/ventes.yaml', line: 3, column: 1, length: 2, text: 'x' },
    },
  ],
});

test('the receipt of a rejected document says all that the product page lists', () => {
  expect(composeReceipt(full, { environment: 'prod' })).toEqual({
    receipt: 1,
    id: full.id,
    revision: 1,
    state: 'rejected',
    since: '2026-11-20T01:00:02.000Z',
    words: { en: 'To correct', fr: 'À corriger', es: 'Por corregir' },
    next: wordsOf(nextAction('rejected')),
    service: 'fr',
    kind: 'fr-invoice',
    class: 'invoice',
    environment: 'prod',
    document: {
      identifier: 'FA-2026-0042',
      date: '2026-11-19',
      currency: 'EUR',
      finalAmount: '1481.40',
      counterparty: 'Dupont & Fils',
      issuer: null,
    },
    rules: null,
    answer: {
      code: 6,
      name: 'Rejected',
      message: 'Bad VAT',
      documentType: null,
      contentInto: null,
      file: null,
      pagination: null,
      trackingId: 't-1',
      statuses: [{ code: 6, message: 'Bad VAT' }],
    },
    notFound: { times: 1, lastAt: '2026-11-20T03:00:00.000Z' },
    source: { file: 'ventes_1119.csv', sha256: 'a'.repeat(64), rows: [12, 13], encoding: 'windows-1252' },
    mapping: { id: 'ventes', file: 'mappings/ventes.yaml', version: '3', sha256: 'b'.repeat(64), program: '0.1.0' },
    payload: { file: 'FA-2026-0042.payload.json', sha256: full.contentSha256 },
    first: null,
    identity: { ...full.identity, receiver: null },
    hold: null,
    faults: full.faults,
    corrections: [],
    attempts: [
      {
        n: 1,
        act: 'submit',
        run: 'run-1',
        requestId: 'r-1',
        at: '2026-11-20T01:00:01.000Z',
        ms: 412,
        http: 200,
        code: 6,
        outcome: 'rejected',
        reason: 'rejected by the service',
      },
    ],
    evidence: {
      as: 'authorized',
      by: 'marie',
      at: '2026-11-21T09:00:00.000Z',
      reason: 'seen in the portal',
      file: null,
      sha256: null,
    },
    previous: null,
  });
});

test('every state gives a receipt of the published shape, the same bytes each time', () => {
  for (const state of STATE_NAMES) {
    for (const entry of [makeEntry(1, { state }), makeInvalid(1, { state }), { ...full, state }]) {
      const receipt = composeReceipt(entry, { environment: 'prod', previous: 'c'.repeat(64) });
      expect(receiptShape.parse(receipt)).toEqual(receipt);
      // The order in which the ledger happened to build its objects must not show.
      const shuffled = Object.fromEntries(Object.entries(entry).reverse()) as typeof entry;
      expect(receiptText(composeReceipt(shuffled, { environment: 'prod', previous: 'c'.repeat(64) }))).toBe(
        receiptText(receipt),
      );
    }
  }
});

test('the shape can be published as JSON Schema', () => {
  const schema = z.toJSONSchema(receiptShape);
  expect(schema.required).toEqual(Object.keys(composeReceipt(full, { environment: 'prod' })));
  expect(schema.additionalProperties).toBe(false);
});

test('the text ends with one line end and is indented by two', () => {
  const text = receiptText(composeReceipt(full, { environment: 'prod' }));
  expect(text.startsWith('{\n  "receipt": 1,\n')).toBe(true);
  expect(text.endsWith('\n}\n')).toBe(true);
});

test('states that must not be sent again say so in every language', () => {
  for (const state of ['in-doubt', 'contingency', 'returned'] as const) {
    const inLanguage = (language: Language) => format(nextAction(state), language);
    expect(inLanguage('en')).toMatch(/(never|not) send it again/i);
    expect(inLanguage('fr')).toMatch(/ne le renvoyez (pas|jamais)/i);
    expect(inLanguage('es')).toMatch(/no lo (envíe de nuevo|reenvíe)/i);
  }
});
