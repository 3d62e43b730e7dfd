/**
 * Where the attachments of a reading come from: the inbox for an export, and what was recorded with the first reading for
 * every later one. A file that is not at rest is waited for a few times, before its document is refused.
 */
import { emptyMemory, type InboxMemory, type RestLook } from '../../inbox/at-rest.ts';
import { INBOX_RULES } from '../../inbox/inbox-rules.ts';
import { rememberNames } from '../../inbox/scan-inbox.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { type Correction, isOfReceipts, type SourceFile } from '../../model/ledger-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { archivedAttachment } from './archived-attachment.ts';
import { firstReading } from './first-reading.ts';
import {
  ATTACHMENT_BYTES,
  AttachmentGrowingError,
  type OpenAttachments,
  openAttachments,
  type RecordedAttachments,
} from './open-attachments.ts';

/** How often a file gets the settle time before the document that asks for it is refused. */
const WAITS = 3;

type AttachmentContext = Pick<RunContext, 'instance' | 'ledger' | 'clock'> & {
  /** What earlier looks into the inbox saw; absent in a preview. */
  readonly inboxMemory?: InboxMemory;
};

/** For an export; `waited`: how often it has already waited for an attachment. */
export async function attachmentsOfExport(
  context: RunContext,
  file: SourceFile,
  { mapping, waited }: { readonly mapping: Mapping; readonly waited: number },
): Promise<OpenAttachments> {
  if (mapping.accepts.companions.length === 0) return openFrom(context, {});
  const patient = waited < WAITS;
  // A restored ledger knows them from the summary of an export that it reads again.
  const own = await recordedOf(context, file);
  if (own.all.length > 0 || isOfReceipts(file)) return openFrom(context, { patient, recorded: own });
  const earlier = await context.ledger.intake.fileBySha256(file.sha256);
  // Where the mapping asks for the name, equal bytes under another one may be another export, with another file of the name.
  const isOther = earlier?.name !== file.name && mapping.asks.has('file');
  if (!earlier || isOther) return openFrom(context, { patient });
  return openFrom(context, { patient, recorded: { ...(await recordedOf(context, earlier)), inboxFirst: true } });
}

/** For documents of this file, or of an earlier reading of it, that are read again with these corrections. */
export async function attachmentsOfReading(
  context: AttachmentContext,
  file: SourceFile,
  { patient = false, corrections }: { readonly patient?: boolean; readonly corrections: readonly Correction[] },
): Promise<OpenAttachments> {
  return openFrom(context, { patient, recorded: await recordedOf(context, file, corrections) });
}

async function recordedOf(
  { instance, ledger }: AttachmentContext,
  file: SourceFile,
  corrections: readonly Correction[] = [],
): Promise<RecordedAttachments> {
  const first = await firstReading(ledger.queries, file);
  const all = await ledger.queries.attachmentsOfReadings(first.id);
  const isLost = (name: string) => isOfReceipts(first) && !corrections.some(({ to }) => to === name);
  return { all, inboxFirst: false, isLost, pathOf: (one) => archivedAttachment(instance, one) };
}

function openFrom(
  context: AttachmentContext,
  options: { readonly patient?: boolean; readonly recorded?: RecordedAttachments },
): OpenAttachments {
  const { instance } = context;
  // Without earlier looks, a time in the future proves nothing in any of them.
  const memory = context.inboxMemory ?? emptyMemory();
  const look = () => lookNow({ ...context, inboxMemory: memory });
  const opened = openAttachments(instance.paths.inbox, { ...options, look, isSecret: instance.secrets.isIn });
  const read: OpenAttachments['read'] = (name) => {
    memory.asked?.add(name);
    return opened.read(name);
  };
  return { ...opened, read };
}

function lookNow({ instance, clock, inboxMemory: memory }: Required<AttachmentContext>): RestLook {
  const { settle } = instance.settings.inbox;
  const rules = { ...INBOX_RULES, settleMs: settle, looks: memory.looks ?? 1, maxBytes: ATTACHMENT_BYTES } as const;
  return { rules, nowMs: clock.now().getTime(), memory };
}

/** Gives files that documents may ask for one settle time to come to rest: all of them, so that one wait is enough. */
export async function waitForAttachments(context: RunContext): Promise<void> {
  const companions = context.instance.mappings.flatMap(({ accepts }) => accepts.companions);
  rememberNames(context.instance.paths.inbox, companions, lookNow(context));
  await context.clock.sleep(context.instance.settings.inbox.settle, context.stop);
}

/** The result of `act`, which is done again as long as an attachment is not at rest; `patient` is false the last time. */
export async function whileGrowing<T>(context: RunContext, act: (patient: boolean) => Promise<T>): Promise<T> {
  for (let waited = 0; waited < WAITS && !context.stop.aborted; waited++) {
    try {
      return await act(true);
    } catch (error) {
      if (!(error instanceof AttachmentGrowingError)) throw error;
      await waitForAttachments(context);
    }
  }
  return await act(false);
}
