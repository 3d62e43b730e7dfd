/**
 * Ingests everything: files that a stop left as `loading`, then the inbox, until a look at it finds no more. Files of other workers
 * that are gone come before the rest of the inbox, files during which the program died last and alone. Errors of disk and ledger end
 * the intake; a file's own faults do not.
 */
import { sep } from 'node:path';
import type { TakeTurn } from '../../files/turns.ts';
import { INBOX_NAME } from '../../i18n/messages/pipeline-messages.ts';
import { LONG_MS } from '../../inbox/inbox-rules.ts';
import type { InboxScan } from '../../inbox/scan-inbox.ts';
import { type Fault, withMessage } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { nameText } from '../../text/safe-file-name.ts';
import type { Intake } from '../context/intake-signal.ts';
import type { RunContext } from '../context/run-context.ts';
import { processingOf } from '../context/worker-folders.ts';
import { excludeIncompletePairs } from '../sources/file-pairs.ts';
import { moveLeftAttachments } from '../sources/move-attachments.ts';
import { candidatesFor, claimPages, scanForRun } from './claim-inbox-files.ts';
import { kindOfName } from './inbox-names.ts';
import { ingestClaimed } from './ingest-file.ts';
import { ingestSmallFiles } from './ingest-small-files.ts';
import { type LookMode, reportWaiting } from './look-at-inbox.ts';

type IngestOptions = {
  readonly files?: readonly string[] | undefined;
  /** Called between two groups of files. */
  readonly between?: Intake['letSend'];
  readonly turn?: TakeTurn;
  /** Leaves files that are `loading` to others. */
  readonly alone?: boolean;
};

/**
 * `run` gives young files time to settle, and reports those that still wait. `files`: only these paths, which a person
 * named.
 */
export async function ingestAll(
  context: RunContext,
  mode: LookMode,
  { files, between, turn, alone = false }: IngestOptions = {},
): Promise<void> {
  const loading = alone ? [] : await context.ledger.intake.loadingFiles();
  const unsuspected = loading.filter(({ id }) => context.readingMarks.deathsOf(id) === 0);
  await ingestSmallFiles(context, unsuspected, { between, turn });
  if (context.stop.aborted) return;
  // A stop left them, and every export that was taken with them has been read.
  if (files) await moveLeftAttachments(context);
  context.inboxMemory.asked?.clear();
  let waiting: InboxScan['waiting'] = [];
  let most: number | undefined;
  const look = async (): Promise<InboxScan['ready']> => {
    // Every export of the look before has been read; the ones of this look bring their own.
    await moveLeftAttachments(context);
    const seen = await scanForRun(context, mode, most);
    waiting = seen.waiting;
    const found = await excludeIncompletePairs(context, seen.ready);
    const kinds = Map.groupBy(found, ({ name }) => kindOfName(context.instance, nameText(name)));
    const exports = kinds.get('export') ?? [];
    // What stays where it is does not hide the rest of the inbox.
    if (exports.length === 0 && seen.more) {
      most = 2 * seen.ready.length;
      return await look();
    }
    // Documents of the exports ask for their attachments first.
    if (exports.length === 0) refuseDoubtful(context, kinds.get('export-or-attachment') ?? [], mode);
    return exports;
  };
  let ready = files ? await excludeIncompletePairs(context, await candidatesFor(context, files)) : await look();
  while (ready.length > 0 && !context.stop.aborted) {
    for await (const page of claimPages(context, ready)) {
      await ingestSmallFiles(context, page, { between, turn });
      await ingestSmallFiles(context, await adoptedFiles(context), { between, turn });
      if (context.stop.aborted) return;
    }
    if (files) return await moveLeftAttachments(context);
    // What arrived meanwhile, and what one look did not list.
    ready = await look();
  }
  if (mode === 'watch' || files) return;
  reportWaiting(context, waiting);
}

/**
 * A name that may be an export or an attachment, and that no document has asked for: sent as a document it could be the
 * attachment of another one. It stays, and a person decides by naming it. A watch gives the export that may ask for it a day.
 */
function refuseDoubtful(
  { inboxMemory, clock, emit }: RunContext,
  candidates: InboxScan['ready'],
  mode: LookMode,
): void {
  const { asked, doubtful } = inboxMemory;
  for (const { name: bytes, mtimeMs } of candidates) {
    const name = nameText(bytes);
    if (asked?.has(name) || doubtful?.get(name) === mtimeMs) continue;
    if (mode === 'watch' && clock.now().getTime() - mtimeMs < LONG_MS) continue;
    doubtful?.set(name, mtimeMs);
    const words = withMessage(INBOX_NAME.twoMeanings({ name }), INBOX_NAME.decide({ name }));
    const fault: Fault = { code: 'intake/two-meanings', level: 'error', origin: { file: name, row: 0 }, ...words };
    emit({ what: 'inbox-refused', file: name, fault });
  }
}

/** Files that this worker has taken over from one that is gone; its own claims are in its own folder. */
async function adoptedFiles(context: RunContext): Promise<readonly SourceFile[]> {
  if (!context.ledger.roles) return [];
  const own = processingOf(context) + sep;
  const loading = await context.ledger.intake.loadingFiles();
  return loading.filter(({ id, path }) => !path.startsWith(own) && context.readingMarks.deathsOf(id) === 0);
}

/** Ingests the files during which the program died, last and alone. True if there were any. */
export async function ingestSuspects(context: RunContext, turn: TakeTurn): Promise<boolean> {
  const loading = await context.ledger.intake.loadingFiles();
  const suspects = loading.filter(({ id }) => context.readingMarks.deathsOf(id) > 0);
  for (const file of suspects) if (!context.stop.aborted) await turn(() => ingestClaimed(context, file));
  if (suspects.length > 0) await moveLeftAttachments(context);
  return suspects.length > 0;
}
