/**
 * A whole night of UBL invoices, one file each, against the same invoices in one file: from the inbox to receipts and
 * archive, by the program's own run, to an imitated service that answers at once.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { makeFolders, readInstance, SETTINGS_FILE } from '../src/instance/instance.ts';
import type { PipelineEvent } from '../src/pipeline/context/run-context.ts';
import { createLedgerOf, openLedgerOf, openWork } from '../src/pipeline/open-run.ts';
import { run } from '../src/pipeline/run.ts';
import type { Description } from '../src/sandbox/describe.ts';
import { AT_A_TIME } from './deliver.ts';
import { newFolder } from './folders.ts';
import { type Measurement, timed } from './result.ts';
import { optionsOf, upToDate } from './start.ts';

const start = promisify(execFile);
const PROJECT = join(import.meta.dirname, '..');
const MAPPINGS = join(PROJECT, 'mappings');
const SAMPLE = join(MAPPINGS, 'samples', 'ubl-invoice.xml');
const NUMBER = 'UB-2026-0088';
const BATCH = 'urn:example:batch';
const RECEIPT = /B\d+\.receipt\.json$/;

type Inbox = 'many' | 'one';

/** Every document authorized, its receipt in outbox/, its file in archive/. */
export const nightOf =
  (inbox: Inbox): Measurement =>
  async ({ size, out }) => {
    const folder = newFolder(out);
    const service = fork(join(import.meta.dirname, 'sandbox-process.ts'), ['0']);
    try {
      const [described] = (await once(service, 'message')) as [Description];
      const instance = await newUblInstance(folder, described, inbox);
      fill(instance.paths.inbox, inbox, size);
      const more: { [figure: string]: number } = {};
      let authorized = 0;
      const startMs = performance.now();
      const onEvent = (happening: PipelineEvent) => {
        if (happening.what === 'file-refused' || happening.what === 'inbox-refused')
          throw new Error('a file was refused');
        if (happening.what !== 'document') return;
        more.first ??= (performance.now() - startMs) / 1000;
        if (happening.state === 'authorized') authorized++;
      };
      await using ledger = await openLedgerOf(instance);
      await using work = await openWork(instance, ledger, { onEvent, stop: new AbortController().signal });
      const result = await timed(
        async () => {
          await run(work, {});
          return authorized;
        },
        () => more,
      );
      const receipts = namesIn(instance.paths.outbox).filter((name) => RECEIPT.test(name)).length;
      const left = readdirSync(instance.paths.inbox).length;
      if (authorized !== size || receipts !== size || left > 0) {
        throw new Error(
          `of ${size} documents ${authorized} are authorized, ${receipts} have receipts; ${left} files left`,
        );
      }
      return result;
    } finally {
      service.disconnect();
    }
  };

/** How long the run of a crowd works before it is asked to end. */
const WORKS_MS = 20_000;

/** An inbox that no run empties: how soon one sends, what `status` takes beside it, and how soon it ends when it is asked to. */
export const crowd: Measurement = async ({ size, out }) => {
  const folder = newFolder(out);
  const service = fork(join(import.meta.dirname, 'sandbox-process.ts'), ['0']);
  try {
    const [described] = (await once(service, 'message')) as [Description];
    const instance = await newUblInstance(folder, described, 'many');
    fill(instance.paths.inbox, 'many', size);
    // Fills the cache of compiled code.
    await statusSeconds(folder, described.environment);
    const more: { [figure: string]: number } = { before: await statusSeconds(folder, described.environment) };
    const startMs = performance.now();
    const since = () => (performance.now() - startMs) / 1000;
    let taken = 0;
    const onEvent = (happening: PipelineEvent) => {
      if (happening.what === 'document') more.first ??= since();
      if (happening.what === 'file-admitted') taken++;
    };
    const stop = new AbortController();
    await using ledger = await openLedgerOf(instance);
    await using work = await openWork(instance, ledger, { onEvent, stop: stop.signal });
    return await timed(
      async () => {
        const running = run(work, {});
        await wait(WORKS_MS / 2);
        more.beside = await statusSeconds(folder, described.environment);
        await wait(Math.max(0, WORKS_MS - since() * 1000));
        more.taken = taken / since();
        const askedAt = since();
        stop.abort();
        await running;
        more.end = since() - askedAt;
        return taken;
      },
      () => more,
    );
  } finally {
    service.disconnect();
  }
};

/** Of the built program, as people call it. */
async function statusSeconds(folder: string, environment: Description['environment']): Promise<number> {
  const main = upToDate();
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const startMs = performance.now();
  await start(process.execPath, [...optionsOf(main), main, '-C', folder, 'status', '--json'], {
    env: { ...env, ...environment },
  });
  return (performance.now() - startMs) / 1000;
}

/** The shipped mapping of UBL; of many invoices in one file it differs in its paths alone. */
async function newUblInstance(folder: string, { services, environment }: Description, inbox: Inbox) {
  const mappings = join(folder, 'mappings');
  mkdirSync(mappings, { mode: 0o700 });
  cpSync(join(MAPPINGS, 'blocks'), join(mappings, 'blocks'), { recursive: true });
  const [text] = readFileSync(join(MAPPINGS, 'ubl-invoice.yaml'), 'utf8').split('\ntests:');
  writeFileSync(join(mappings, 'ubl-invoice.yaml'), inbox === 'many' ? `${text}\n` : `${batched(text!)}\n`);
  const own = { concurrency: AT_A_TIME };
  const settings = { version: 1, services: { fr: { ...services.fr, ...own } }, inbox: { settle: '1ms' } };
  writeFileSync(join(folder, SETTINGS_FILE), stringify(settings), { mode: 0o600 });
  const instance = readInstance(folder, { variables: environment });
  makeFolders(instance.paths);
  await createLedgerOf(instance);
  return instance;
}

function batched(mapping: string): string {
  return mapping
    .replaceAll(/(?<=[ [])\/Invoice\b/g, '/b:Batch/Invoice')
    .replace('  namespaces:\n', `  namespaces:\n    b: "${BATCH}"\n`)
    .replace(/one-per: file\b/, 'one-per: [number]');
}

/** The sample of the shipped mapping under a number of its own, again and again. */
export function fill(folder: string, inbox: Inbox, size: number): void {
  const sample = readFileSync(SAMPLE, 'utf8');
  const invoice = (n: number) => sample.replace(NUMBER, `B${n}`);
  if (inbox === 'many') {
    for (let n = 0; n < size; n++) writeFileSync(join(folder, `UBL_B${n}.xml`), invoice(n));
    return;
  }
  const file = openSync(join(folder, 'UBL_batch.xml'), 'w');
  writeSync(file, `<?xml version="1.0" encoding="UTF-8"?>\n<b:Batch xmlns:b="${BATCH}">\n`);
  for (let n = 0; n < size; n++) writeSync(file, invoice(n).replace(/^<\?xml.*\?>\s*/, ''));
  writeSync(file, '</b:Batch>\n');
  closeSync(file);
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
