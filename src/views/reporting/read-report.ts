/**
 * A morning report as it was written. Other bytes than those that the ledger records are no report: throws OperatorError
 * `report/changed`, or `report/purged` where a purge removed it. Reads only.
 */
import { join } from 'node:path';
import { plainBytes } from '../../files/read-plain.ts';
import type { Message } from '../../i18n/message.ts';
import { NIGHT_REPORT } from '../../i18n/messages/report/report-page-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { localeOf } from '../../instance/locale.ts';
import type { RecordedReport } from '../../ledger/contract/report-store.ts';
import { OperatorError } from '../../model/fault.ts';
import { reportPaths } from '../../receipts/report-files.ts';
import { localTime } from '../../text/local-time.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { NightReport } from './report-shape.ts';

type Place = Pick<Instance, 'folder' | 'settings'>;

export function readReport({ folder, settings }: Place, { id, sha256, purged }: RecordedReport): NightReport {
  if (purged) throw new OperatorError('report/purged', purgedWords({ id, purged }, settings));
  const path = join(folder, reportPaths(id).json);
  const text = plainBytes(path)?.toString('utf8') ?? '';
  if (sha256Hex(text) !== sha256) throw new OperatorError('report/changed', NIGHT_REPORT.gone({ id }));
  return JSON.parse(text) as NightReport;
}

/** Who removed the files of a report, when and why. */
export function purgedWords(
  { id, purged }: Pick<RecordedReport, 'id' | 'purged'>,
  settings: Place['settings'],
): Message {
  const { by = '', at = '', reason = '' } = purged ?? {};
  return NIGHT_REPORT.purged({ id, by, at: localTime(at, localeOf(settings)), reason });
}

/** Path of the page of a report. */
export function pageOfReport({ folder }: Pick<Place, 'folder'>, { id }: Pick<RecordedReport, 'id'>): string {
  return join(folder, reportPaths(id).page);
}
