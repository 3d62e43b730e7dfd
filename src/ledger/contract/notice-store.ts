/**
 * The part of the ledger for notices: an outbox, the topics that each channel has reported, and channels that are switched
 * off. A notice is sent at least once: a try is recorded before it is made, its end after it.
 */

/** Why a notice is made. `change`: documents changed, for a program that asked for it; `test`: a person asked for it. */
export type NoticeKind = 'attention' | 'failed' | 'absent' | 'recovered' | 'always' | 'change' | 'test';

/** `failed`: not accepted after the last try, or refused for good. */
export type NoticeState = 'waiting' | 'sent' | 'failed';

/** A notice as it is made; every try sends the same `content` (JSON, its shape depends on the channel). */
export type NewNotice = {
  /** What a receiver recognizes a repeated notice by. */
  readonly id: string;
  /** Name of the channel in the settings. */
  readonly channel: string;
  readonly kind: NoticeKind;
  readonly run?: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Epoch milliseconds of the first try. */
  readonly dueAt: number;
  readonly content: string;
};

/** `content` is absent once it is purged. */
export type NoticeRecord = Omit<NewNotice, 'content'> & {
  readonly state: NoticeState;
  /** Tries that began. */
  readonly tries: number;
  readonly endedAt?: string;
  /** Why the latest try failed. */
  readonly problem?: string;
  readonly content?: string;
};

/** A topic that a channel has reported: what waits, failed or is missing. */
export type ReportedTopic = {
  readonly topic: string;
  readonly kind: NoticeKind;
  /** At the latest report. */
  readonly documents: number;
  /** ISO 8601 in UTC: its first report, and the latest. */
  readonly firstAt: string;
  readonly reportedAt: string;
  /** What it is, in the language of the channel, for the line that closes it. */
  readonly words: string;
};

/** What one channel reports now: recorded together, or not at all. */
export type ChannelReport = {
  readonly channel: string;
  readonly notices: readonly NewNotice[];
  readonly put?: readonly ReportedTopic[];
  /** Topics that are over. */
  readonly drop?: readonly string[];
  /** How far the channel has followed the history: a text for the next question. */
  readonly followed?: string;
};

export type NoticeStore = {
  /** Records the reports in one commit; a notice whose id is known already changes nothing. */
  addNotices(reports: readonly ChannelReport[]): Promise<void>;
  /** Channels with notices that wait and are due, or that a clock that was ahead made due later than any wait; by name. */
  channelsDue(nowMs: number): Promise<readonly string[]>;
  /** Those of one channel, the oldest first, `change` after all others: a receiver that fails delays no other one. */
  dueNotices(channel: string, nowMs: number, limit: number): Promise<readonly NoticeRecord[]>;
  /**
   * Counts a try and sets the time of the next one; false if the notice does not wait any more, or was tried since it was read:
   * then it must not be sent.
   */
  beginTry(notice: Pick<NoticeRecord, 'id' | 'tries'>, nextAtMs: number): Promise<boolean>;
  /** `waiting` keeps it for its next try. */
  endTry(
    id: string,
    end: { readonly state: NoticeState; readonly at: string; readonly problem?: string },
  ): Promise<void>;
  /** A receiver that is gone for good (HTTP 410): its notices fail, and it gets no new one. `undefined` switches it on again. */
  switchOff(channel: string, at: string | undefined): Promise<void>;
  /** The latest first, at most `limit`. */
  list(limit: number, states?: readonly NoticeState[]): Promise<readonly NoticeRecord[]>;
  noticeCounts(): Promise<{ readonly waiting: number; readonly failed: number }>;
  reportedTopics(channel: string): Promise<readonly ReportedTopic[]>;
  /** Where a channel is in the history, since when it is switched off, and when its latest notice was made. */
  channelState(channel: string): Promise<ChannelState>;
  /**
   * Drops the contents of notices that were made before `at` and wait no more; with `isMeant`, of those that are meant, which
   * are sent no more. Returns how many; `dryRun` only counts them.
   */
  purgeNotices(at: string, options?: NoticePurge): Promise<number>;
  /** Id of the installation of this ledger. */
  installation(): Promise<string>;
};

/** Which notices lose their content. */
export type NoticePurge = { readonly isMeant?: (content: string) => boolean; readonly dryRun?: boolean };

type ChannelState = { readonly followed?: string; readonly offSince?: string; readonly latestAt?: string };
