/** Why a document stays as it is when its rows are read again. */
import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../model/ledger-entry.ts';

export function rowsOfAside(entry: LedgerEntry, aside: LedgerEntry): DataFault {
  const document = documentName(aside);
  return {
    code: 'reprocess/rows-differ',
    level: 'error',
    ...withMessage(
      REPROCESS.rowsOfAside({ own: entry.rows.map(String), document }),
      REPROCESS.takeBackFirst({ document }),
    ),
    origin: { file: entry.file.name, row: entry.rows[0] ?? 0 },
  };
}

export function rowsDiffer(entry: LedgerEntry, rows: readonly number[]): DataFault {
  return {
    code: 'reprocess/rows-differ',
    level: 'error',
    ...withMessage(
      REPROCESS.rowsDiffer({ own: entry.rows.map(String), rows: rows.map(String) }),
      REPROCESS.checkNumber(),
    ),
    origin: { file: entry.file.name, row: entry.rows[0] ?? 0 },
  };
}

export function withoutDocument(entry: LedgerEntry, of: 'file' | 'headers'): DataFault {
  const words =
    of === 'headers'
      ? withMessage(REPROCESS.headerAlone(), REPROCESS.bothAgain())
      : withMessage(REPROCESS.noDocument(), REPROCESS.staysAsItIs());
  return {
    code: 'reprocess/no-document',
    level: 'error',
    ...words,
    origin: { file: entry.file.name, row: entry.rows[0] ?? 0 },
  };
}
