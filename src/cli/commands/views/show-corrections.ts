/**
 * `preview` of a correction file: what a run would take, restore and refuse, and which documents would then pass.
 * Nothing is recorded or sent. Exit code 3 if a document would still need a person.
 */
import type { Message } from '../../../i18n/message.ts';
import { PREVIEWED_CORRECTION } from '../../../i18n/messages/cli-previews-messages.ts';
import { COUNT } from '../../../i18n/messages/cli-session-messages.ts';
import { isError, localize, showFaultIn } from '../../../model/fault.ts';
import { lookIntoLedgerOf, systemClock } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import { type CorrectionPreview, previewCorrections } from '../../../views/preview/preview-corrections.ts';
import type { Session } from '../../session/command-session.ts';
import { exitCodeIf } from '../../session/exit-codes.ts';

/** Cells of a document that are shown; the others are counted. */
const MOST_CHANGES = 5;

/** `path`: of a correction file. */
export async function showCorrections(session: Session, path: string, isJson: boolean): Promise<void> {
  const { instance, terminal, language } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const found = await previewCorrections({ instance, ledger, clock: systemClock }, path, new Date());
  const preview = {
    ...found,
    documents: found.documents.map((one) => ({ ...one, faults: localize(one.faults, language) })),
    faults: localize(found.faults, language),
  };
  if (isJson) terminal.out(JSON.stringify(preview, null, 2));
  else for (const line of linesOf(preview, session)) terminal.out(escapeControls(line));
  const isOpen = preview.documents.some(({ result }) => !DONE.has(result)) || preview.faults.some(isError);
  process.exitCode = exitCodeIf(isOpen, 3);
}

/** Results after which no person has to act. */
const DONE: ReadonlySet<string> = new Set(['corrected', 'late']);

function linesOf({ file, duplicateOf, documents, faults }: CorrectionPreview, { say, language }: Session): string[] {
  if (duplicateOf !== undefined) return [say(PREVIEWED_CORRECTION.duplicate({ file, first: duplicateOf }))];
  const lines = documents.flatMap(({ identifier, result, changes, faults: own }) => [
    `  ${say(PREVIEWED_CORRECTION[result]({ document: identifier }))}`,
    ...changes.slice(0, MOST_CHANGES).map((one) => `    ${say(PREVIEWED_CORRECTION.change(one))}`),
    ...moreChanges(changes.length - MOST_CHANGES).map((one) => `    ${say(one)}`),
    ...own.filter(isError).map((fault) => `    ${showFaultIn(fault, language)}`),
  ]);
  const passing = documents.filter(({ result }) => result === 'corrected' || result === 'readAgain').length;
  const counted = COUNT.document({ count: documents.length });
  return [
    ...lines,
    ...faults.map((fault) => `  ${showFaultIn(fault, language)}`),
    say(PREVIEWED_CORRECTION.counted({ file, documents: counted, passing })),
  ];
}

function moreChanges(count: number): readonly Message[] {
  return count > 0 ? [PREVIEWED_CORRECTION.moreChanges({ count })] : [];
}
