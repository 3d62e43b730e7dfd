/** The faults that refuse a workbook as a whole, each with its code, what is wrong and what to do. */
import type { Message } from '../../i18n/message.ts';
import { verbatimText } from '../../i18n/message.ts';
import { FILE_TEXT, XLSX_FILE } from '../../i18n/messages/readers-messages.ts';
import { MESSAGE, withMessage } from '../../model/fault.ts';
import { UnreadableFileError } from '../reader.ts';

/** `row`: of the sheet, if the fault has one. */
export function refuseWorkbook(
  file: string,
  code: string,
  message: Message,
  hint: Message,
  row = 0,
): UnreadableFileError {
  return new UnreadableFileError([{ code, level: 'error', ...withMessage(message, hint), origin: { file, row } }]);
}

export function emptyWorkbook(file: string): UnreadableFileError {
  return refuseWorkbook(file, 'file/empty', FILE_TEXT.empty(), FILE_TEXT.exportAgain());
}

/** The file is of another kind: `kind` is its name, as in "a PDF". */
export function otherKind(file: string, kind: Message, hint: Message = XLSX_FILE.otherReader()): UnreadableFileError {
  return refuseWorkbook(file, 'xlsx/other-kind', XLSX_FILE.otherKind({ kind }), hint);
}

/** `problem`: a message, or the error of a library. A fault of the format itself passes as it is. */
export function damagedWorkbook(file: string, problem: unknown): UnreadableFileError {
  if (isOwn(problem)) return problem;
  return refuseWorkbook(
    file,
    'xlsx/damaged',
    XLSX_FILE.damaged({ problem: asMessage(problem) }),
    XLSX_FILE.exportAgain(),
  );
}

/** The same for one part of the archive. A DOCTYPE has a code of its own. */
export function damagedPart(file: string, part: string, problem: unknown): UnreadableFileError {
  if (isOwn(problem)) return problem;
  if (problem instanceof UnreadableFileError && problem.faults[0]?.code === 'xml/doctype') {
    return refuseWorkbook(file, 'xlsx/doctype', XLSX_FILE.doctype({ part }), XLSX_FILE.exportAgain());
  }
  return damagedWorkbook(file, XLSX_FILE.damagedPart({ part, problem: asMessage(problem) }));
}

/** Letters that were encoded twice are no damage: to save the workbook again would keep them. */
function isOwn(problem: unknown): problem is UnreadableFileError {
  if (!(problem instanceof UnreadableFileError)) return false;
  return problem.faults.every(({ code }) => code.startsWith('xlsx/') || code === 'text/utf-8-twice');
}

function asMessage(problem: unknown): Message {
  if (problem instanceof UnreadableFileError) {
    const [fault] = problem.faults;
    return fault?.[MESSAGE]?.message ?? verbatimText(problem.message);
  }
  return problem instanceof Error ? verbatimText(problem.message) : (problem as Message);
}
