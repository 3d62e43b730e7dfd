/** Builders for the receipt tests: an instance folder, source files and entries that differ only where a test cares. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LedgerEntry, SourceFile } from '../../src/model/ledger-entry.ts';

export const DAY = '2026-11-20';

export async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'np-receipts-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** What the chain of receipts ends in: nothing yet. */
export const CHAIN = { run: 'run-1', at: '2026-11-20T01:00:03.000Z' };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function makeFile(more: Partial<SourceFile> = {}): SourceFile {
  return {
    id: '019aa0f0-0000-7000-8000-00000000f11e',
    name: 'ventes_1119.csv',
    sha256: 'a'.repeat(64),
    size: 1234,
    modifiedAt: '2026-11-19T23:00:00.000Z',
    claimedAt: '2026-11-20T01:00:00.000Z',
    day: DAY,
    run: 'run-1',
    path: 'processing/run-1/x__ventes_1119.csv',
    state: 'admitted',
    mapping: { id: 'ventes', version: '3', file: 'mappings/ventes.yaml', sha256: 'b'.repeat(64), program: '0.1.0' },
    encoding: 'windows-1252',
    rows: 3,
    leftOut: [],
    faults: [],
    changes: 1,
    ...more,
  };
}

export function makeEntry(n: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const number = `FA-2026-${String(n).padStart(4, '0')}`;
  return {
    id: `019aa0f0-0000-7000-8000-${String(n).padStart(12, '0')}`,
    revision: 1,
    kind: 'fr-invoice',
    service: 'fr',
    class: 'invoice',
    state: 'authorized',
    since: '2026-11-20T01:00:02.000Z',
    facts: {
      identifier: number,
      date: '2026-11-19',
      currency: 'EUR',
      amount: '1481.40',
      counterparty: 'Dupont & Fils',
    },
    name: number,
    file: makeFile(),
    rows: [n + 1],
    contentSha256: sha256(payloadOf(n)),
    identity: { keys: [`fr|732829320|invoice||${number}|2026`], digest: sha256(`digest ${n}`) },
    faults: [],
    attempts: [],
    ...more,
  };
}

/** An entry that was never sent: without content. */
export function makeInvalid(n: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const { contentSha256: _, ...rest } = makeEntry(n, { state: 'invalid', ...more });
  return rest;
}

export function payloadOf(n: number): string {
  return `{"payload":{"identifier":"FA-2026-${n}","amount":1481.40}}`;
}

export async function* stream<T>(values: Iterable<T>): AsyncIterable<T> {
  yield* values;
}
