/** How the notices of an instance are: for `status`, the report, metrics and the console. Reads only; an older ledger has none. */
import type { Instance } from '../../instance/instance.ts';
import { channelNames } from '../../instance/notify-shape.ts';
import type { NoticeRecord, NoticeStore } from '../../ledger/contract/notice-store.ts';

/** `off`: channels whose receiver is gone (HTTP 410), with the time since when. */
export type NoticeCounts = {
  readonly waiting: number;
  readonly failed: number;
  readonly off: readonly { readonly channel: string; readonly since: string }[];
};

type Place = {
  readonly instance: Pick<Instance, 'settings'>;
  readonly ledger: { readonly notices: Pick<NoticeStore, 'noticeCounts' | 'channelState'> };
};

export async function readNoticeCounts({ instance, ledger }: Place): Promise<NoticeCounts> {
  const off: { channel: string; since: string }[] = [];
  for (const channel of channelNames(instance.settings.notify)) {
    const { offSince } = await ledger.notices.channelState(channel);
    if (offSince !== undefined) off.push({ channel, since: offSince });
  }
  return { ...(await ledger.notices.noticeCounts()), off };
}

/** The subject of a mail, or the type of a webhook body; undefined once its content is purged. */
export function subjectOfNotice({ content }: Pick<NoticeRecord, 'content'>): string | undefined {
  if (content === undefined) return undefined;
  const { mail, type } = JSON.parse(content) as {
    readonly mail?: { readonly subject: string };
    readonly type?: string;
  };
  return mail?.subject ?? type;
}
