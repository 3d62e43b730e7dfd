/**
 * What a night costs at the least, with its documents ready-made. `bare`: undici posts them and keeps nothing. `floor`: it also
 * keeps what no program with the promise can leave out: a row before the request and one after it, those that meet in one
 * flushed commit; then two flushed files a document.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { Agent } from 'undici';
import { expectAccepted } from '../accepted.ts';
import { FORMATS } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { openConverter, partOf, type Variables } from '../program.ts';
import { type Case, type Settings, timed } from '../result.ts';
import { type RunningService, startService } from '../service.ts';
import { AT_A_TIME } from './night.ts';

const BATCH = 128;

type Ready = { readonly url: URL; readonly headers: Variables; readonly body: string };

export const floor: Case = async (settings) => {
  const folder = newFolder('floor');
  const writeInWorker = await partOf('write-in-worker.ts', 'writeInWorker');
  const syncFolder = await partOf('fsync-directory.ts', 'syncFolder');
  const table = openTable(join(folder, 'floor.sqlite'));
  const write = async (files: readonly { readonly path: string; readonly text: string }[]) => {
    await writeInWorker(files);
    await syncFolder(folder);
  };
  const receipts = receiptsIn(folder, write);
  return await sendReady(settings, {
    send: async (n, request, post) => {
      await table.set(n, 'sending', '');
      const answer = await post();
      void table.set(n, 'authorized', answer).then(() => receipts.add(n, request, answer));
    },
    end: async () => {
      await table.settled();
      await receipts.end();
    },
  });
};

export const bare: Case = async (settings) =>
  await sendReady(settings, { send: async (_n, _request, post) => void (await post()), end: async () => {} });

type Way = {
  readonly send: (n: number, request: Ready, post: () => Promise<string>) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The time from the first request to the end of the last record. */
async function sendReady(settings: Settings, { send, end }: Way) {
  using service = await startService('sandbox-process.ts', String(settings.latencyMs));
  const requests = await requestsFor(settings, service);
  const agent = new Agent({ connections: AT_A_TIME, pipelining: 1, allowH2: false });
  const limit = pLimit(AT_A_TIME);
  const result = await timed(async () => {
    await Promise.all(requests.map((request, n) => limit(() => send(n, request, () => post(agent, request)))));
    await end();
    return settings.size;
  });
  await agent.close();
  const { documents } = await service.accepted();
  if (documents !== settings.size) throw new Error(`of ${settings.size} documents ${documents} were accepted`);
  return result;
}

/** The text of the answer, which has to say that the document is authorized. */
async function post(agent: Agent, { url, headers, body }: Ready): Promise<string> {
  const answer = await agent.request({ origin: url.origin, path: url.pathname, method: 'POST', headers, body });
  const text = await answer.body.text();
  const said = JSON.parse(text) as { result: { status: { code: number } } };
  if (said.result.status.code !== 2) throw new Error(text);
  return text;
}

/** The requests that the program would send, with a token. */
async function requestsFor({ size, format, exports }: Settings, service: RunningService): Promise<readonly Ready[]> {
  const { instance, convertAll } = await openConverter(newFolder('ready'), FORMATS[format], service);
  const contents: string[] = [];
  const account = await convertAll(exports, (content) => contents.push(Buffer.from(content).toString()));
  expectAccepted(account, size);
  const [destination] = instance.destinations;
  const token = await tokenOf(service);
  return contents.map((content) => {
    const { payload } = JSON.parse(content) as { payload: { document: { identifier: string } } };
    const { identifier } = payload.document;
    const submission = { class: 'invoice', content, identifier, requestId: randomUUID(), now: new Date() };
    const { url, headers, body } = destination!.submit(submission);
    return { url: new URL(url), headers: { ...headers, authorization: `Bearer ${token}` }, body: String(body) };
  });
}

type FrenchSettings = { readonly 'identity-url': string; readonly realm: string; readonly 'client-id': string };

async function tokenOf({ services, environment }: RunningService): Promise<string> {
  const { 'identity-url': identity, realm, 'client-id': id } = services.fr as FrenchSettings;
  const secret = environment.NIGHTPOST_SANDBOX_FR_SECRET!;
  const answer = await fetch(`${identity}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** One table; what is set in one turn of the event loop shares a commit. */
function openTable(file: string) {
  const db = new DatabaseSync(file);
  for (const set of ['page_size = 8192', 'journal_mode = WAL', 'synchronous = FULL']) db.exec(`PRAGMA ${set}`);
  db.exec('CREATE TABLE document (n INTEGER PRIMARY KEY, state TEXT NOT NULL, answer TEXT NOT NULL)');
  const put = db.prepare('INSERT OR REPLACE INTO document (n, state, answer) VALUES (?, ?, ?)');
  const waiting: (() => void)[] = [];
  let open = false;
  let last = Promise.resolve();
  const commit = () => {
    db.exec('COMMIT');
    open = false;
    for (const settle of waiting.splice(0)) settle();
  };
  const set = (n: number, state: string, answer: string) => {
    if (!open) {
      db.exec('BEGIN IMMEDIATE');
      open = true;
      setImmediate(commit);
    }
    put.run(n, state, answer);
    last = new Promise<void>((resolve) => waiting.push(resolve));
    return last;
  };
  return { set, settled: () => last };
}

type Write = (files: readonly { readonly path: string; readonly text: string }[]) => Promise<void>;

/** Two files for each document, in batches, each batch with one flush of the folder. */
function receiptsIn(folder: string, write: Write) {
  let files: { path: string; text: string }[] = [];
  let turn = Promise.resolve();
  const writeBatch = async () => {
    const batch = files;
    files = [];
    if (batch.length > 0) await write(batch);
  };
  const add = (n: number, { body }: Ready, answer: string) => {
    files.push({ path: join(folder, `${n}.payload.json`), text: body });
    files.push({ path: join(folder, `${n}.receipt.json`), text: `${answer}\n`.repeat(4) });
    if (files.length >= 2 * BATCH) turn = turn.then(writeBatch);
  };
  return { add, end: async () => await turn.then(writeBatch) };
}
