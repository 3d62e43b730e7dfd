/** `reject FILE`: a person dismisses a file that was refused as a whole, such as one that is not an export. */

import { format } from '../../i18n/message.ts';
import { REJECT_FILE, SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { dismissFile } from '../../pipeline/decide.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import type { Session } from './command-session.ts';
import { fileCalled } from './document-selection.ts';
import { type OperatorDecision, withInstanceLock } from './operator-decision.ts';
import { refusedFiles } from './refused-files.ts';

/** False where the name is none of a refused file. */
export async function rejectFile(
  session: Session,
  [name, second]: readonly string[],
  { dryRun, ...decision }: OperatorDecision & { readonly dryRun?: boolean },
): Promise<boolean> {
  if (name === undefined || name === '-' || second !== undefined) return false;
  const { instance, options, terminal } = session;
  const found = async () => {
    await using ledger = await lookIntoLedgerOf(instance);
    refuseSeveral(
      name,
      (await refusedFiles(ledger)).filter((one) => one.name === name),
    );
    const aside = await ledger.dismissedFiles();
    // One that was dropped again has the same name, and needs no decision.
    const canBe = (file: SourceFile) => file.state === 'refused' || isSourceMissing(file);
    return (
      (await fileCalled(ledger, name, (file) => canBe(file) && !aside.has(file.id))) ??
      (await fileCalled(ledger, name, canBe))
    );
  };
  const file = await found();
  if (!file) return false;
  if (!dryRun) await withInstanceLock(session, (work) => dismissFile(work, file, decision));
  const says = dryRun ? REJECT_FILE.would : REJECT_FILE.done;
  if (options.json) terminal.out(JSON.stringify({ dryRun: dryRun === true, file: file.name }, null, 2));
  else terminal.out(`  ${format(says({ file: escapeControls(file.name) }), instance.settings.rules.language)}`);
  return true;
}

/** Each of them is another file, and only a person knows which of them is no export. */
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
