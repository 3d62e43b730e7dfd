/**
 * Writes the metrics for the textfile collector of node_exporter: whole or not at all, and readable by every account,
 * because the collector has one of its own. Errors of the disk are thrown as Node gives them.
 */
import { open, rename, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TEMPORARY } from '../files/write-durable.ts';
import { exposition } from '../views/metrics/exposition.ts';
import { type MetricsPlace, readMetrics } from '../views/metrics/read-metrics.ts';
import type { RunMeters } from './run-meters.ts';

/** Reads the metrics as the holder of the lock, keeps their sums, and writes the file if the settings name one. */
export async function publishMetrics(
  { instance, ledger, now }: Pick<MetricsPlace, 'instance' | 'ledger' | 'now'>,
  meters: RunMeters,
): Promise<void> {
  const { samples, sums, rows } = await readMetrics({ instance, ledger, now, carried: meters.sums(), isHolder: true });
  await meters.save({ ledger: sums, rows });
  const { textfile } = instance.settings.metrics;
  if (textfile !== undefined) await replaceFile(resolve(instance.folder, textfile), exposition(samples));
}

async function replaceFile(path: string, text: string): Promise<void> {
  // The collector reads names that end in .prom alone.
  const temporary = path + TEMPORARY;
  await unlink(temporary).catch(() => undefined);
  try {
    await writeWhole(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    // The mask of the program takes the rights of others away, so they are set afterwards.
    await file.chmod(0o644);
    await file.sync();
  } finally {
    await file.close();
  }
}
