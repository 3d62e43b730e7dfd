/**
 * Notices of an instance whose ledger takes no writes, in no-send mode: urgent topics, sent at once without the outbox. What each
 * channel has reported is kept in memory, so a program that begins again reports it again. A failed read of the ledger throws.
 */
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { ReportedTopic } from '../ledger/contract/notice-store.ts';
import { composeReports } from './compose-notices.ts';
import { type NoticeTry, sendAtOnce } from './deliver-notices.ts';

/** One look, with the ledger of now. The digest rules hold as for the outbox: a topic once a day, one notice an hour. */
type DirectLook = (
  place: { readonly instance: Instance; readonly ledger: Ledger },
  now: Date,
) => Promise<readonly NoticeTry[]>;

export function openDirectNotices(): DirectLook {
  const reported = new Map<string, readonly ReportedTopic[]>();
  const latestAt = new Map<string, string>();
  return async ({ instance, ledger }, now) => {
    const remembering: Ledger = {
      ...ledger,
      notices: {
        ...ledger.notices,
        reportedTopics: async (channel) => reported.get(channel) ?? [],
        channelState: async (channel) => {
          const latest = latestAt.get(channel);
          return latest === undefined ? {} : { latestAt: latest };
        },
      },
    };
    const reports = await composeReports({ instance, ledger: remembering }, { scope: 'now', now });
    for (const { channel, notices, put = [], drop = [] } of reports) {
      const renewed = new Set([...drop, ...put.map(({ topic }) => topic)]);
      const kept = (reported.get(channel) ?? []).filter(({ topic }) => !renewed.has(topic));
      reported.set(channel, [...kept, ...put]);
      if (notices.length > 0) latestAt.set(channel, now.toISOString());
    }
    return await sendAtOnce(instance, reports, now);
  };
}
