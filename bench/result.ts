/** What one run of a case says, and the measures that a case in its own process takes of itself. */

import type { FormatName } from './exports/exports.ts';
import type { Quality } from './exports/format.ts';

export type Result = {
  readonly seconds: number;
  /** Of all threads of the process that is measured. */
  readonly cpuSeconds: number;
  /** Largest resident set of the process, in MB (2^20 bytes). */
  readonly peakMb: number;
  readonly documents: number;
  /** Further figures of this case, by name. */
  readonly more?: { readonly [figure: string]: number };
};

/** What a case is given; `size` counts documents. */
export type Settings = {
  readonly size: number;
  /** A file for its documents. */
  readonly out: string;
  readonly format: FormatName;
  readonly quality: Quality;
  /** The folder of the exports. */
  readonly exports: string;
  readonly latencyMs: number;
  readonly isQuick: boolean;
};

export type Case = (settings: Settings) => Promise<Result>;

/** The time of `work` alone, start of the process and reading of modules left out. */
export async function timed(
  work: () => Promise<number> | number,
  more?: () => { readonly [figure: string]: number },
): Promise<Result> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const documents = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { seconds, cpuSeconds: (user + system) / 1e6, peakMb, documents, ...(more ? { more: more() } : {}) };
}
