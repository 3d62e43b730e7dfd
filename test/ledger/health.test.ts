import { expect, test } from 'vitest';
import { inspectLedger } from '../../src/ledger/ledger-health.ts';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import { admit, begun, INTENT } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { answer, clock, valid } from './make.ts';

test('a ledger was last written when a request was begun, and then when its answer was judged', async () => {
  const place = { folder: temporaryFolder(), binding: BINDING, now: clock('2026-11-20T20:00:00.000Z').now };
  await initLedger(place);
  await using ledger = await openLedger(place);
  await admit(ledger, [valid()]);
  const lastAt = async () => (await inspectLedger(place, { deep: false })).lastAt;
  expect((await lastAt())! < INTENT.at).toBe(true);
  const sending = await begun(ledger);
  expect(await lastAt()).toBe(INTENT.at);
  const { exchange, verdict } = answer(2, 'authorized');
  await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, '2026-11-20T22:31:00.000Z');
  expect(await lastAt()).toBe('2026-11-20T22:31:00.000Z');
});
