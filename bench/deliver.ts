/**
 * Documents to a service: the right half of the line with its ledger and receipts, against undici with nothing.
 *
 * Both send the same request bodies, 16 at a time, to an imitated service in another process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Agent } from 'undici';
import { stringify } from 'yaml';
import type { WireRequest } from '../src/delivery/service.ts';
import { withToken } from '../src/delivery/token-cache.ts';
import { type Instance, makeFolders, readInstance, SETTINGS_FILE } from '../src/instance/instance.ts';
import type { PipelineEvent, RunContext } from '../src/pipeline/context/run-context.ts';
import { candidatesFor, claimFiles } from '../src/pipeline/intake/claim-inbox-files.ts';
import { ingestClaimed } from '../src/pipeline/intake/ingest-file.ts';
import { createLedgerOf, openLedgerOf, openWork } from '../src/pipeline/open-run.ts';
import { startReceiptWriter } from '../src/pipeline/publishing/publish-results.ts';
import { sendDue } from '../src/pipeline/submission/send-due.ts';
import type { Description } from '../src/sandbox/describe.ts';
import { mappingText } from './converting.ts';
import { exportFile } from './exports.ts';
import { newFolder } from './folders.ts';
import { type Measurement, type Result, timed } from './result.ts';

export const AT_A_TIME = 16;
const GIVE_UP_MS = 5_000;
const RECEIPT = /F2026-\d+\.receipt\.json$/;

type Admitted = {
  readonly instance: Instance;
  readonly work: RunContext;
  readonly authorized: () => number;
  readonly service: ChildProcess;
  /** Variables that the settings of the instance name. */
  readonly environment: Description['environment'];
};

/** The service that is imitated: the file of its process, what it is given, our settings for it and for the ledger. */
type Scenery = {
  readonly process: string;
  readonly given: string;
  readonly settings: object;
  readonly ledger?: object;
};

export const answering = (latencyMs: number): Scenery => ({
  process: 'sandbox-process.ts',
  given: String(latencyMs),
  settings: { concurrency: AT_A_TIME },
});

/** Every document authorized, its attempt and answer in the ledger, its receipt in outbox/: all of it durable. */
export const deliverOurs =
  (latencyMs: number): Measurement =>
  ({ size, out }) =>
    deliverAll(answering(latencyMs), size, out);

/** Every document authorized and with a receipt. `counts` grow meanwhile: how much by document is in the result. */
export async function deliverAll(
  scenery: Scenery,
  size: number,
  out: string,
  counts?: () => { readonly [count: string]: number },
): Promise<Result> {
  return await withAdmitted(scenery, size, out, async ({ instance, work, authorized }) => {
    await tokenBeforehand(work);
    const before = counts?.();
    const result = await timed(async () => {
      await sendWithReceipts(work);
      return authorized();
    });
    const after = counts?.();
    const receipts = readdirSync(instance.paths.outbox, { recursive: true }).filter((name) =>
      RECEIPT.test(String(name)),
    );
    if (authorized() !== size || receipts.length !== size) {
      throw new Error(`of ${size} documents ${authorized()} are authorized, ${receipts.length} have receipts`);
    }
    if (!(before && after)) return result;
    const more = Object.entries(after).map(([name, count]) => [name, (count - (before[name] ?? 0)) / size]);
    return { ...result, more: Object.fromEntries(more) };
  });
}

/** As the requests that are made for bare undici have it: it is asked for once, not for each document. */
export async function tokenBeforehand({ lines }: RunContext): Promise<void> {
  await lines.get('fr')!.accounts.usual.tokens.get();
}

export async function sendWithReceipts(work: RunContext): Promise<void> {
  const receipts = startReceiptWriter(work);
  const emit: RunContext['emit'] = (happening) => {
    work.emit(happening);
    if (happening.what === 'document') receipts.wake();
  };
  await sendDue({ ...work, emit }, work.lines.get('fr')!, GIVE_UP_MS);
  await receipts.end();
}

/** To a service whose capacity changes: how much of it was used, and how long a document was under way. */
export const deliverAtPace =
  (settings: object): Measurement =>
  ({ size, out }) =>
    withAdmitted({ process: 'queueing-process.ts', given: '', settings }, size, out, async (admitted) => {
      const { work, authorized, service } = admitted;
      const more: { [figure: string]: number } = {};
      const result = await timed(
        async () => {
          await sendWithReceipts(work);
          return authorized();
        },
        () => more,
      );
      service.send('how many?');
      const [possible] = (await once(service, 'message')) as [number];
      more.used = authorized() / possible;
      const times: number[] = [];
      for await (const { attempts } of work.ledger.find({})) times.push(...attempts.flatMap(({ ms }) => ms ?? []));
      more.underWay = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
      return result;
    });

/** The first documents of a queue that is `times` as long. */
export const deliverFromBacklog =
  (times: number): Measurement =>
  ({ size, out }) =>
    withAdmitted(answering(0), size * times, out, async ({ work, authorized }) => {
      const enough = new AbortController();
      const emit: RunContext['emit'] = (happening) => {
        work.emit(happening);
        if (authorized() >= size) enough.abort();
      };
      return await timed(async () => {
        await sendWithReceipts({ ...work, emit, stop: enough.signal });
        return authorized();
      });
    });

/** The requests of the same documents, made beforehand, through one Agent. */
export const deliverRaw =
  (latencyMs: number): Measurement =>
  ({ size, out }) =>
    withAdmitted(answering(latencyMs), size, out, async ({ work }) => {
      const requests = await requestsOf(work, size);
      const agent = new Agent({ connections: AT_A_TIME, pipelining: 1, allowH2: false });
      const limit = pLimit(AT_A_TIME);
      const result = await timed(async () => {
        await Promise.all(requests.map((request) => limit(() => post(agent, request))));
        return size;
      });
      await agent.close();
      return result;
    });

/** The text of the answer, which has to say that the document is authorized. */
export async function post(agent: Agent, { url, method, headers, body }: WireRequest): Promise<string> {
  const { origin, pathname } = new URL(url);
  const answer = await agent.request({ origin, path: pathname, method, headers, body: body ?? null });
  const text = await answer.body.text();
  const said = JSON.parse(text) as { result: { status: { code: number } } };
  if (said.result.status.code !== 2) throw new Error(text);
  return text;
}

export async function requestsOf(work: RunContext, size: number): Promise<readonly WireRequest[]> {
  const { destination, accounts } = work.lines.get('fr')!;
  const token = await accounts.usual.tokens.get();
  const due = await work.ledger.due('fr', Date.now(), size);
  return Promise.all(
    due.map(async ({ id, class: documentClass, identifier }) => {
      const content = (await work.ledger.contentOf(id))!;
      const now = new Date();
      return withToken(destination.submit({ class: documentClass, content, identifier, requestId: id, now }), token);
    }),
  );
}

export async function withAdmitted<T>(
  scenery: Scenery,
  size: number,
  out: string,
  work: (admitted: Admitted) => Promise<T>,
): Promise<T> {
  const folder = newFolder(out);
  mkdirSync(join(folder, 'mappings'), { recursive: true, mode: 0o700 });
  const service = fork(join(import.meta.dirname, scenery.process), [scenery.given]);
  try {
    const [described] = (await once(service, 'message')) as [Description];
    const instance = await newInstance(folder, described, scenery.settings, scenery.ledger);
    const { environment } = described;
    return await admitted(instance, service, exportFile('csv', size), size, (own) => work({ ...own, environment }));
  } finally {
    service.disconnect();
  }
}

export async function newInstance(
  folder: string,
  { services, environment }: Description,
  own: object,
  ledger: object = {},
): Promise<Instance> {
  const settings = { version: 1, services: { fr: { ...services.fr, ...own } }, rules: { fr: 'wire' }, ledger };
  writeFileSync(join(folder, SETTINGS_FILE), stringify(settings), { mode: 0o600 });
  writeFileSync(join(folder, 'mappings', 'bench.yaml'), mappingText());
  const instance = readInstance(folder, { variables: environment });
  makeFolders(instance.paths);
  await createLedgerOf(instance);
  return instance;
}

async function admitted<T>(
  instance: Instance,
  service: ChildProcess,
  file: string,
  size: number,
  then: (admitted: Omit<Admitted, 'environment'>) => Promise<T>,
): Promise<T> {
  let count = 0;
  const onEvent = (happening: PipelineEvent) => {
    if (happening.what === 'document' && happening.state === 'authorized') count++;
    if (happening.what === 'file-admitted' && happening.documents !== size) throw new Error('documents are missing');
  };
  await using ledger = await openLedgerOf(instance);
  await using work = await openWork(instance, ledger, { onEvent, stop: new AbortController().signal });
  for await (const claimed of claimFiles(work, await candidatesFor(work, [file]))) await ingestClaimed(work, claimed);
  return await then({ instance, work, authorized: () => count, service });
}
