/**
 * The checks of `doctor` on request of a person: one at a time for an instance, the last report in memory. Errors of a folder
 * that cannot be listed are thrown to those who wait.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { checkWholeInstance } from '../../../doctor/all-checks.ts';
import type { DoctorCheck } from '../../../doctor/run-doctor.ts';
import type { Instance } from '../../../instance/instance.ts';

/** `at` is ISO 8601 in UTC; `by` is the name of the person. */
type DoctorReport = { readonly at: string; readonly by: string; readonly checks: readonly DoctorCheck[] };

/** A service that does not answer keeps no page waiting for longer. */
const WAIT_MS = 15_000;

const reports = new Map<string, DoctorReport>();
const running = new Map<string, Promise<void>>();

/** Of the instance in this folder, since the console began. */
export function lastDoctorReport(folder: string): DoctorReport | undefined {
  return reports.get(folder);
}

/** False if the checks go on: their report comes later. A second request waits for the same checks. */
export async function runDoctor(instance: Instance, by: string): Promise<boolean> {
  const { folder } = instance;
  const work = running.get(folder) ?? start(instance, by);
  const leave = new AbortController();
  const late = pause(WAIT_MS, false, { signal: leave.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    leave.abort();
  }
}

function start(instance: Instance, by: string): Promise<void> {
  const { folder } = instance;
  const work = (async () => {
    const checks = await checkWholeInstance(instance, {});
    reports.set(folder, { at: new Date().toISOString(), by, checks });
  })().finally(() => running.delete(folder));
  running.set(folder, work);
  // Also if no one waits any more.
  work.catch(() => undefined);
  return work;
}
