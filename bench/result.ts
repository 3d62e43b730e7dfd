/** What one run of one measurement says, and the measures every run takes of itself. */

export type Result = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Largest resident set of the process, in MB (2^20 bytes). */
  readonly peakMb: number;
  readonly documents: number;
  /** Further figures of this measurement, by name. */
  readonly more?: { readonly [figure: string]: number };
};

/** Where a run writes, and how much it does. */
export type Settings = { readonly size: number; readonly out: string; readonly extra?: string };

export type Measurement = (settings: Settings) => Promise<Result>;

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
