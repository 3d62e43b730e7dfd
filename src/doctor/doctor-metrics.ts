/**
 * Checks the file of metrics (setting `metrics.textfile`): a file next to it is written and removed, and accounts like that of
 * the collector can reach it. No check without the setting. A run goes on without the file, so that findings are warnings.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DOCTOR_METRICS } from '../i18n/messages/doctor-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { type DoctorCheck, ok, warning } from './run-doctor.ts';

/** Others may go through the folder. */
const PASS = 0o001;
/** Others may read the file. */
const READ = 0o004;

export function metricsChecks({ folder, settings }: Pick<Instance, 'folder' | 'settings'>): readonly DoctorCheck[] {
  const { textfile } = settings.metrics;
  if (textfile === undefined) return [];
  const what = DOCTOR_METRICS.what();
  const path = resolve(folder, textfile);
  const probe = `${path}.doctor-${process.pid}`;
  try {
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe, { force: true });
    const { mode = READ } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if ((mode & READ) === 0)
      return [warning(what, DOCTOR_METRICS.private({ path }), DOCTOR_METRICS.openFile({ path }))];
    const closed = closedFolder(dirname(path));
    if (closed === undefined) return [ok(what, DOCTOR_METRICS.ready({ path }))];
    return [warning(what, DOCTOR_METRICS.closed({ folder: closed, path }), DOCTOR_METRICS.moveFile())];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return [warning(what, DOCTOR_METRICS.notWritten({ path, code }), DOCTOR_METRICS.hint())];
  }
}

/** The first folder on the way that others cannot go through; Windows has no such modes. */
function closedFolder(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const above = dirname(folder);
  const found = above === folder ? undefined : closedFolder(above);
  return found ?? ((statSync(folder).mode & PASS) === 0 ? folder : undefined);
}
