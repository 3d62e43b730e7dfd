/** What a summary and a receipt say, as a ledger that replaces another one records it. */
import type { ImportedEntry, ImportedFile } from '../ledger/records/import-outputs.ts';
import { definedOnly } from '../model/defined-only.ts';
import { parseRowRanges, type StoredReceipt, type StoredSummary } from '../receipts/read-receipts.ts';
import { archived, rowsOf } from './restore-lost-summary.ts';

export function isImported(state: string): state is ImportedFile['state'] {
  return state === 'admitted' || state === 'refused' || state === 'duplicate';
}

type Underway = { readonly state: ImportedFile['state']; readonly copy: string | undefined };

export function fileOfSummary(
  root: string,
  { day, file, mapping, faults, rows }: StoredSummary,
  { state, copy }: Underway,
) {
  return {
    ...file,
    state,
    day,
    path: copy ?? archived(root, day, file),
    isUnderWay: copy !== undefined,
    mapping: mapping as ImportedFile['mapping'],
    rows: rows.read,
    leftOut: rows.leftOut.flatMap(({ rule, rows: text }) => parseRowRanges(text).map((row) => ({ row, rule }))),
    faults,
  };
}

export function entryOfReceipt(
  { name, folder, within: day, receipt, payload }: StoredReceipt,
  identity: NonNullable<StoredReceipt['receipt']['identity']>,
  file: string,
): ImportedEntry {
  const { document, source } = receipt;
  const { identifier, date, currency, finalAmount, counterparty, issuer } = document;
  const facts = definedOnly({
    identifier,
    date: date ?? undefined,
    currency: currency ?? undefined,
    amount: finalAmount ?? undefined,
    counterparty: counterparty ?? undefined,
    issuer: issuer ?? undefined,
    receiver: identity.receiver ?? undefined,
    rules: receipt.rules ?? undefined,
  });
  const { id, revision, service, kind, class: of, state, since, faults, attempts, answer, evidence, hold } = receipt;
  return {
    ...{
      id,
      name,
      revision,
      file,
      service,
      kind,
      class: of,
      state,
      since,
      facts,
      rows: rowsOf(source),
      faults,
      attempts,
    },
    ...{ answer, evidence, hold, folder, day, ...identity, numbers: identity.numbers ?? [] },
    payload: { text: payload ?? null, sha256: receipt.payload?.sha256 ?? null },
    previous: receipt.previous ?? null,
    closed: receipt.closed ?? null,
    isRepeated: receipt.first !== null,
  };
}
