/**
 * `reject FILE`: a person sets aside a refused file, such as one that is not an export, or a correction file that was
 * refused in part. A name and a decision come in; several files with the name throw OperatorError `select/several-files`.
 */

import type { PersonDecision } from '../../decisions/carry-out.ts';
import { format } from '../../i18n/message.ts';
import { REJECT_FILE, SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { needsAction, refusedFiles } from '../../views/queries/refused-files.ts';
import { isEmpty } from '../../views/queries/select-documents.ts';
import type { Session } from './command-session.ts';
import { fileCalled, type SelectorOptions, selectorOf } from './document-selection.ts';
import { submitDecision } from './operator-decision.ts';

/**
 * Resolves to false if there is not exactly one name or it is not a refused file's: then `reject` looks for documents.
 */
export async function rejectFile(
  session: Session,
  [name, second]: readonly string[],
  { dryRun, ...given }: PersonDecision & SelectorOptions & { readonly dryRun?: boolean },
): Promise<boolean> {
  const { by, at, reason } = given;
  // A filter selects documents: no file has a state or a cause.
  if (
    name === undefined ||
    name === '-' ||
    second !== undefined ||
    !isEmpty(selectorOf([], given, session.locale.zone))
  )
    return false;
  const { instance, options, terminal } = session;
  const found = async () => {
    await using ledger = await lookIntoLedgerOf(instance);
    refuseSeveral(
      name,
      (await refusedFiles(ledger.queries)).filter((one) => one.name === name),
    );
    const aside = await ledger.queries.filesSetAside();
    // A file that is set aside already comes last: a later one with its name may need the decision.
    return (
      (await fileCalled(ledger.queries, name, (file) => needsAction(file) && !aside.has(file.id))) ??
      (await fileCalled(ledger.queries, name, needsAction))
    );
  };
  const file = await found();
  if (!file) return false;
  if (!dryRun && !(await submitDecision(session, { act: 'set-file-aside', file: file.id }, { by, at, reason })))
    return true;
  const says = dryRun ? REJECT_FILE.would : REJECT_FILE.done;
  if (options.json) terminal.out(JSON.stringify({ dryRun: dryRun === true, file: file.name }, null, 2));
  else terminal.out(`  ${format(says({ file: escapeControls(file.name) }), instance.settings.rules.language)}`);
  return true;
}

/** Files with one name have different contents: only a person knows which of them is not an export. */
function refuseSeveral(name: string, files: readonly SourceFile[]): void {
  if (files.length < 2) return;
  const each = files.map(({ id, day, size }) => `${id} (${day}, ${size} B)`).join(', ');
  throw new OperatorError(
    'select/several-files',
    SELECTION.severalFiles({ count: files.length, name: escapeControls(name), each }),
    {
      hint: SELECTION.nameFile(),
    },
  );
}
