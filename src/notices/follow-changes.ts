/**
 * Documents that changed since a channel looked last, as webhook bodies of at most 100: the place in the history and the notice
 * are one commit, so each change is reported at least once. The first look only takes the place. Reads the ledger.
 */
import type { Instance } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { LedgerEntry } from '../model/ledger-entry.ts';
import { openLedgerChanges } from '../search/ledger-changes.ts';
import { type Channel, channelsOf } from './channel.ts';
import type { ChangedDocuments, WebhookBody } from './webhook-body.ts';

const MOST = 100;

type Place = { readonly instance: Instance; readonly ledger: Ledger };

/** Records what changed for each channel that asks for it. */
export async function recordChanges({ instance, ledger }: Place, now: Date, run?: string): Promise<void> {
  const channels = channelsOf(instance).filter(({ settings }) => settings.webhook?.types.includes('document.changed'));
  if (channels.length === 0) return;
  const about = {
    environment: instance.settings.environment,
    installation: await ledger.notices.installation(),
    now,
    run,
  };
  await using changes = await openLedgerChanges(ledgerSiteOf(instance));
  for (const channel of channels) {
    const { followed, offSince } = await ledger.notices.channelState(channel.name);
    if (offSince !== undefined) continue;
    if (followed === undefined) {
      await ledger.notices.addNotices([
        { channel: channel.name, notices: [], followed: (await changes.since(undefined)).place },
      ]);
      continue;
    }
    for (let place = followed, more = true; more; ) {
      const next = await changes.next(place);
      more = next.more;
      if (next.place === place) break;
      place = next.place;
      const entries = await ledger.queries.entriesById(next.documents);
      const notices = pagesOf(entries).map((page, n) => noticeOf(channel, page, `${place}-${n}`, about));
      await ledger.notices.addNotices([{ channel: channel.name, notices, followed: place }]);
    }
  }
}

function pagesOf(entries: readonly LedgerEntry[]): readonly (readonly LedgerEntry[])[] {
  return Array.from({ length: Math.ceil(entries.length / MOST) }, (_, n) => entries.slice(n * MOST, (n + 1) * MOST));
}

type About = {
  readonly environment: string;
  readonly installation: string;
  readonly now: Date;
  readonly run: string | undefined;
};

function noticeOf(
  { name, settings }: Channel,
  entries: readonly LedgerEntry[],
  part: string,
  { environment, installation, now, run }: About,
) {
  const at = now.toISOString();
  const documents: ChangedDocuments = entries.map(({ id, state, since, service, class: documentClass, facts }) => {
    const { amount, currency, counterparty } = facts;
    const full = settings.details === 'full' ? { amount, currency, counterparty } : {};
    const identifier = settings.details === 'counts' ? undefined : facts.identifier;
    return definedOnly({ id, state, since, service, class: documentClass, identifier, ...full });
  });
  const body: WebhookBody = { type: 'document.changed', at, installation, environment, data: { documents } };
  const content = JSON.stringify({ webhook: JSON.stringify(body), type: body.type });
  const id = `changes.${part}.${name}`;
  return definedOnly({ id, channel: name, kind: 'change' as const, run, at, dueAt: now.getTime(), content });
}
