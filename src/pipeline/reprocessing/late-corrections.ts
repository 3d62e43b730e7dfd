/**
 * Corrections of a document that another person has corrected in the meantime. They are never applied and never lost
 * without a word: each changed cell is compared with the value that the document has now. The ledger and the comparison
 * in, ignored changes and their faults out.
 */
import { isDeepStrictEqual } from 'node:util';
import { format, type Message } from '../../i18n/message.ts';
import { CORRECTION_TEXT } from '../../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { Overlay } from '../../model/correction.ts';
import { MESSAGE } from '../../model/fault.ts';
import { CORRECTION_NOT_APPLIED, firstFileOf, type SourceFile } from '../../model/ledger-entry.ts';
import { isSameNumber, isSameText } from '../../readers/spreadsheet-damage.ts';
import type { RunContext } from '../context/run-context.ts';
import { overlayOf } from '../publishing/correction-files.ts';
import { UNKNOWN_OWNER } from '../sources/file-owner.ts';
import { changedSince, notOpen, rowNotTaken, sameValues } from './correction-faults.ts';
import type { Compared } from './diff-correction.ts';
import {
  type CorrectedDocument,
  type CorrectionRecord,
  type IgnoredChange,
  placeOfDocument,
} from './match-corrections.ts';

/** Of the first reading the ledger gives all corrections, also those that came after it. */
const UNCORRECTED: Overlay = new Map();

/**
 * `now` with the rows of late documents as they were when the file was written: a cell that no person changed in the file
 * is no correction, even if another person has corrected it since.
 */
export async function overlayAsWritten(
  ledger: QueryStore,
  docs: readonly CorrectedDocument[],
  now: Overlay,
): Promise<Overlay> {
  const overlay = new Map(now);
  const ofReading = new Map<string, Overlay>();
  for (const { entry, revision, standing } of docs) {
    if (standing === 'open') continue;
    const written = (await ledger.revisionsOfEntry(entry.id)).find((one) => one.revision === revision);
    if (!written) continue;
    const isFirst = written.file === firstFileOf(entry);
    const then = ofReading.get(written.file) ?? (isFirst ? UNCORRECTED : await overlayOf(ledger, { id: written.file }));
    ofReading.set(written.file, then);
    for (const row of entry.rows) {
      const cells = then.get(row);
      if (cells) overlay.set(row, cells);
      else overlay.delete(row);
    }
  }
  return overlay;
}

/** Sets the result of a document of which nothing is taken: its ignored changes and their fault, or that none differs. */
export function settleLate(
  file: CorrectionRecord,
  doc: CorrectedDocument,
  compared: Compared | undefined,
  { now, kindOf }: { readonly now: Overlay; readonly kindOf: Mapping['kindOf'] },
): void {
  const origin = placeOfDocument(file, doc, '_doc');
  const damaged = compared?.damaged.filter(({ refused }) => refused === 'at-fault' || refused === 'single') ?? [];
  const changes = [...(compared?.changes ?? []), ...damaged].map(({ row, column, from, to }) => ({
    ...{ row, column, given: to },
    kept: now.get(row)?.get(column) ?? from,
  }));
  doc.ignored = changes.filter(({ column, kept, given }) => {
    return !isSameText(kept, given) && !(kindOf(column) === 'number' && isSameNumber(kept, given));
  });
  const [first, ...others] = doc.ignored;
  const isLate = doc.standing === 'late';
  if (first) {
    const change = { ...first, more: others.length };
    doc.faults.push(isLate ? rowNotTaken(doc.entry, change, origin) : changedSince(doc.entry, change, origin));
    return;
  }
  doc.rule = 'late';
  doc.faults.push(isLate ? notOpen(doc.entry, origin) : sameValues(doc.entry, origin));
}

/** Adds the ignored changes of a document to its history, once for each file. */
export async function recordIgnored(
  { ledger, instance }: RunContext,
  file: SourceFile,
  { entry, ignored }: CorrectedDocument,
): Promise<void> {
  const [first, ...others] = ignored;
  if (!first) return;
  const { claimedAt: at, owner: person = UNKNOWN_OWNER } = file;
  const message = notApplied(file, first, others.length);
  const reason = format(message, instance.settings.rules.language);
  const isRecorded = (await ledger.queries.historyOf(entry.id)).some(
    ({ what, detail, ...line }) =>
      what === CORRECTION_NOT_APPLIED && line.at === at && isDeepStrictEqual(detail, { reason }),
  );
  if (isRecorded) return;
  const event = { what: CORRECTION_NOT_APPLIED, entry: entry.id, file: file.id, at, person, detail: { reason } };
  await ledger.corrections.recordEvent({ ...event, [MESSAGE]: { message } });
}

/** Characters of a cell that the history quotes. */
const LONGEST = 200;

function notApplied({ name }: Pick<SourceFile, 'name'>, change: IgnoredChange, more: number): Message {
  const { row, column } = change;
  const [kept, given] = [change.kept, change.given].map((text) => text.slice(0, LONGEST)) as [string, string];
  return CORRECTION_TEXT.notApplied({ file: name, row, column, kept, given, more });
}
