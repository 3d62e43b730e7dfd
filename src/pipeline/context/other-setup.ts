/**
 * Among several workers the one that writes receipts decides how exports are converted: a worker with other settings, mappings or
 * another version takes no files until that one has ended. So one export is never converted in two ways, by any watch.
 */
import type { RecordedWorker, WorkerSetup } from '../../ledger/contract/worker-store.ts';
import type { RunContext } from './run-context.ts';

/** What differs between two workers; `mappings` by their ids. */
export type SetupDifference = {
  readonly version: boolean;
  readonly settings: boolean;
  readonly mappings: readonly string[];
};

/** The worker whose settings and mappings count: the one that has the role of receipts, also while its lease runs out. */
export function leadOf(workers: readonly RecordedWorker[]): RecordedWorker | undefined {
  return workers.find(({ goneMs, roles }) => goneMs === undefined && roles.includes('receipts'));
}

/** Undefined where both convert an export in the same way. */
export function differenceBetween(one: RecordedWorker, other: RecordedWorker): SetupDifference | undefined {
  const version = one.version !== other.version;
  if (!version && one.settingsSha256 === other.settingsSha256) return undefined;
  const [a, b] = [one, other].map(({ setup }): WorkerSetup => setup ?? { settings: '', mappings: {} }) as [
    WorkerSetup,
    WorkerSetup,
  ];
  const ids = [...new Set([...Object.keys(a.mappings), ...Object.keys(b.mappings)])];
  const mappings = ids.filter((id) => a.mappings[id] !== b.mappings[id]).toSorted();
  return { version, settings: a.settings !== b.settings, mappings };
}

/**
 * A function for each look into the inbox: true if this program may take files. It emits `conversion-waits` once for each worker
 * that it waits for, and `conversion-goes-on` after it. Always true where one program works alone.
 */
export function mayConvertNow({ ledger, emit }: Pick<RunContext, 'ledger' | 'emit'>): () => Promise<boolean> {
  const { roles } = ledger;
  if (!roles) return async () => true;
  let waitsFor: string | undefined;
  return async () => {
    const workers = await ledger.workers.list();
    const own = workers.find(({ id }) => id === roles.id);
    const lead = leadOf(workers);
    // Between two holders of the role: the next look knows who decides.
    if (!own || !lead) return false;
    const differs = own.id === lead.id ? undefined : differenceBetween(own, lead);
    if (!differs) {
      if (waitsFor !== undefined) emit({ what: 'conversion-goes-on' });
      waitsFor = undefined;
      return true;
    }
    if (waitsFor !== lead.id) emit({ what: 'conversion-waits', host: lead.host, pid: lead.pid, ...differs });
    waitsFor = lead.id;
    return false;
  };
}
