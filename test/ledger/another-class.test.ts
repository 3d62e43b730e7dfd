/** One number under two classes of French documents: both go out, and the second says so. */
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../src/documents/check-document.ts';
import { frInvoice } from '../../src/documents/fr/fr-invoice.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import type { JsonObject } from '../../src/model/draft.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { wireDraft, wirePayload } from '../make.ts';
import { admit, all, send } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { answer, clock } from './make.ts';

const CODE = 'ledger/number-of-another-class';

async function opened(): Promise<Ledger> {
  const place = { folder: temporaryFolder(), binding: BINDING, now: clock().now };
  await initLedger(place);
  return await openLedger(place);
}

/** The invoice of the contract under another class, and with what else is another. */
function made(documentClass: string, changes: object = {}, row = 2): DocumentOutcome {
  const payload = wirePayload('invoice') as { readonly document: JsonObject };
  const draft = wireDraft('invoice', {
    class: documentClass,
    payload: { ...payload, document: { ...payload.document, ...changes } },
    rows: [row],
  });
  return checkDocument(draft, frInvoice);
}

function toldOf({ faults }: LedgerEntry): readonly string[] {
  return faults.filter(({ code }) => code === CODE).map(({ message }) => message);
}

async function told(ledger: Ledger, outcome: DocumentOutcome): Promise<readonly (string | undefined)[]> {
  const file = await admit(ledger, [outcome]);
  const [entry] = await all(ledger.queries.entriesOf(file.id));
  return [entry!.state, ...entry!.faults.filter(({ code }) => code === CODE).map(({ level }) => level)];
}

describe('a number that another class has', () => {
  test.each([
    ['invoice', 'credit-note'],
    ['credit-note', 'invoice'],
    ['invoice', 'corrective'],
    ['corrective', 'credit-note'],
  ])('%s, then %s: the second is told of, and goes out', async (first, second) => {
    await using ledger = await opened();
    expect(await told(ledger, made(first))).toEqual(['ready']);
    expect(await told(ledger, made(second))).toEqual(['ready', 'warning']);
  });

  test('names the document and its state, also where both are in one file', async () => {
    await using ledger = await opened();
    const file = await admit(ledger, [made('invoice'), made('credit-note', {}, 3)]);
    const [first, second] = await all(ledger.queries.entriesOf(file.id));
    expect(toldOf(first!)).toEqual([]);
    expect(toldOf(second!)).toEqual([expect.stringContaining(`invoice ${first!.name} (ready)`)]);
    await send(ledger, answer(2, 'authorized'));
    const third = await admit(ledger, [made('corrective')]);
    const [entry] = await all(ledger.queries.entriesOf(third.id));
    expect(toldOf(entry!)).toHaveLength(2);
    expect(toldOf(entry!).join()).toContain(`${first!.name} (authorized)`);
  });

  test('another number, another year or another series gives no warning', async () => {
    await using ledger = await opened();
    await admit(ledger, [made('invoice')]);
    expect(await told(ledger, made('credit-note', { identifier: 'OTHER-1' }))).toEqual(['ready']);
    expect(await told(ledger, made('credit-note', { date: '2019-01-01' }))).toEqual(['ready']);
    expect(await told(ledger, made('credit-note', { series: 'ZZ' }))).toEqual(['ready']);
  });

  test('of what could not become a document the number is free', async () => {
    await using ledger = await opened();
    const wrong = made('invoice', { 'date-due': 'soon' });
    expect('faults' in wrong).toBe(true);
    expect(await told(ledger, wrong)).toEqual(['invalid']);
    expect(await told(ledger, made('credit-note'))).toEqual(['ready']);
  });

  test('the identity is that of the class: the same class again is a duplicate, as before', async () => {
    await using ledger = await opened();
    await admit(ledger, [made('invoice')]);
    await admit(ledger, [made('credit-note')]);
    expect((await told(ledger, made('invoice')))[0]).toBe('duplicate');
    expect((await told(ledger, made('credit-note', { 'date-due': '2030-01-01' })))[0]).toBe('conflict');
  });
});
