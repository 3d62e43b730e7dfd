/** What the outbox of every ledger has to do: each channel has a queue of its own. */
import { expect, test } from 'vitest';
import type { NewNotice, NoticeKind } from '../../src/ledger/contract/notice-store.ts';
import { AT } from '../ledger/acts.ts';
import type { LedgerUnderTest } from './ledger.ts';

const AT_MS = Date.parse(AT);

function notice(channel: string, n: number, kind: NoticeKind = 'change'): NewNotice {
  const id = `${channel}-${String(n).padStart(4, '0')}`;
  return { id, channel, kind, at: AT, dueAt: AT_MS + n, content: '{}' };
}

export function outboxContract(name: string, { open }: LedgerUnderTest): void {
  test(`${name}: 1,000 waiting notices of a channel leave out none of another one`, async () => {
    const { ledger } = await open({ now: () => new Date(AT) });
    const many = Array.from({ length: 1000 }, (_, n) => notice('crm', n));
    await ledger.notices.addNotices([
      { channel: 'crm', notices: [...many, notice('crm', 5000, 'failed')] },
      { channel: 'people', notices: [notice('people', 6000, 'attention'), notice('people', 9000, 'attention')] },
    ]);
    const dueMs = AT_MS + 7000;
    expect(await ledger.notices.channelsDue(dueMs)).toEqual(['crm', 'people']);
    expect((await ledger.notices.dueNotices('people', dueMs, 200)).map(({ id }) => id)).toEqual(['people-6000']);
    const [first, second, ...others] = await ledger.notices.dueNotices('crm', dueMs, 200);
    // What people have to hear comes before changes of documents, of which there may be thousands.
    expect([first?.id, second?.id, others.length]).toEqual(['crm-5000', 'crm-0000', 198]);
    await ledger.notices.endTry('people-6000', { state: 'sent', at: AT });
    expect(await ledger.notices.channelsDue(dueMs)).toEqual(['crm']);
    expect(await ledger.notices.channelsDue(AT_MS - 1)).toEqual([]);
  });

  test(`${name}: a notice of a clock that was a year ahead is due, one of tomorrow waits`, async () => {
    const { ledger } = await open({ now: () => new Date(AT) });
    const dayMs = 86_400_000;
    const tomorrow = { ...notice('people', 1), dueAt: AT_MS + dayMs };
    await ledger.notices.addNotices([
      { channel: 'crm', notices: [{ ...notice('crm', 1), dueAt: AT_MS + 365 * dayMs }] },
      { channel: 'people', notices: [tomorrow] },
    ]);
    expect(await ledger.notices.channelsDue(AT_MS)).toEqual(['crm']);
    expect(await ledger.notices.dueNotices('people', AT_MS, 9)).toEqual([]);
    const [late] = await ledger.notices.dueNotices('crm', AT_MS, 9);
    expect(late?.id).toBe('crm-0001');
    await ledger.notices.beginTry(late!, AT_MS + 60_000);
    expect(await ledger.notices.channelsDue(AT_MS)).toEqual([]);
  });

  test(`${name}: of those that read a notice one may try it, and no one after it was sent`, async () => {
    const { ledger } = await open({ now: () => new Date(AT) });
    await ledger.notices.addNotices([{ channel: 'crm', notices: [notice('crm', 0)] }]);
    const [seen] = await ledger.notices.dueNotices('crm', AT_MS, 1);
    const tries = await Promise.all([ledger.notices.beginTry(seen!, AT_MS), ledger.notices.beginTry(seen!, AT_MS)]);
    expect(tries.toSorted()).toEqual([false, true]);
    const [again] = await ledger.notices.dueNotices('crm', AT_MS, 1);
    await ledger.notices.endTry(seen!.id, { state: 'sent', at: AT });
    expect(await ledger.notices.beginTry(again!, AT_MS)).toBe(false);
  });
}
