/** What summaries show of documents that a later file has corrected. */
import { expect, test } from 'vitest';
import { createFormerReadings } from '../../src/maintenance/former-readings.ts';
import type { StoredSummary } from '../../src/receipts/read-receipts.ts';
import type { Receipt } from '../../src/receipts/receipt-schema.ts';

test('documents without a number are found by their rows', () => {
  const documents = Array.from({ length: 300 }, (_, index) => index + 2);
  const file = { name: 'ventes.csv', sha256: 'ab'.repeat(32), claimedAt: '2026-11-20T22:00:00.000Z' };
  const { note, formersOf } = createFormerReadings();
  const table = documents.map((row) => ({ correctedBy: { id: 'second' }, rows: String(row) }));
  note({ file: { ...file, id: 'first' }, table } as unknown as StoredSummary);
  note({ file: { ...file, id: 'second', rereads: 'first' }, table: [] } as unknown as StoredSummary);
  const found = documents.map((row) => {
    const receipt = {
      document: { identifier: '' },
      source: { file: file.name, sha256: file.sha256, rows: [row] },
      rules: null,
    };
    return formersOf('second', receipt as unknown as Receipt);
  });
  expect(found).toEqual(documents.map((row) => [{ file: 'first', number: '', rows: [row], rules: null }]));
});
