/**
 * Files of reports that a stop, or a refusal of the disk, kept from being recorded: no link has them, and a later report covers
 * what they did. Those of another run that works now stay.
 */
import { join } from 'node:path';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { removeOutput } from '../receipts/output-folders.ts';
import { reportPaths } from '../receipts/report-files.ts';

type Place = { readonly instance: Pick<Instance, 'folder'>; readonly ledger: Ledger };

/** `run`: the caller, whose own earlier report may have failed. A refusal of the disk throws its OperatorError. */
export async function dropLeftReports({ instance, ledger }: Place, run = ''): Promise<void> {
  for (const id of await ledger.reports.unfinishedReports(run)) {
    for (const path of Object.values(reportPaths(id))) await removeOutput(join(instance.folder, path));
    await ledger.reports.dropReport(id);
  }
}
