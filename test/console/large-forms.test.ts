/** Forms with large files, sent at the same time. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { MOST_BODY_BYTES, readForm, readJson } from '../../src/console/server/read-form.ts';
import { readProvenForm } from '../../src/console/server/read-upload.ts';
import { beginSha256, sha256Hex } from '../../src/text/sha256.ts';
import { openScene, sales } from '../night.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

/** How many of so many bodies are read at the same time; each has a part that comes late. */
async function mostAtOnce(pieces: readonly string[], type: string, read: (request: Request) => Promise<unknown>) {
  let reading = 0;
  let most = 0;
  async function* body() {
    most = Math.max(most, ++reading);
    for (const piece of pieces) {
      yield Buffer.from(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    reading--;
  }
  const requestOf = () =>
    new Request('http://127.0.0.1/', {
      method: 'POST',
      // Asked for only when it is read.
      body: new ReadableStream({ pull: pullOf(body) }, { highWaterMark: 0 }),
      headers: { 'content-type': type },
      duplex: 'half',
    } as RequestInit);
  const values = await Promise.all(Array.from({ length: 24 }, async () => await read(requestOf())));
  return { most, values };
}

test('of many large forms at once only four are in memory, and all are read', async () => {
  const head = '--x\r\nContent-Disposition: form-data; name="a"; filename="b.pdf"\r\n\r\n';
  const { most, values } = await mostAtOnce(
    [head, 'bytes\r\n--x--\r\n'],
    'multipart/form-data; boundary=x',
    async (request) => ((await readForm(request, 9 * MOST_BODY_BYTES)).get('a') as File).size,
  );
  expect(values).toEqual(Array.from({ length: 24 }, () => 5));
  expect(most).toBe(4);
});

test('of many large bodies of the API at once only four are in memory, small ones do not wait', async () => {
  const read = async (request: Request) => await readJson(request, 8 * MOST_BODY_BYTES);
  const { most, values } = await mostAtOnce(['[1', ',2]'], 'application/json', read);
  expect(values).toEqual(Array.from({ length: 24 }, () => [1, 2]));
  expect(most).toBe(4);
  const small = async (request: Request) => await readJson(request, MOST_BODY_BYTES);
  expect((await mostAtOnce(['[1', ',2]'], 'application/json', small)).most).toBe(24);
});

function pullOf(body: () => AsyncGenerator<Uint8Array>) {
  let iterator: AsyncGenerator<Uint8Array> | undefined;
  return async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    iterator ??= body();
    const { value, done } = await iterator.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
}

/** Bytes outside of the heap that something still holds. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

const MIB = 1024 ** 2;

/** A form whose file is sent but for its end; `end` sends the rest of the form. */
async function sendProof(open: TestConsole, session: { readonly cookie: string }, fields: Record<string, string>) {
  const { reason = '', ...before } = fields;
  const sent = request({
    host: '127.0.0.1',
    port: open.port,
    path: `${open.base}/acts`,
    method: 'POST',
    agent: false,
    headers: { ...session, ...SAME_ORIGIN, 'content-type': 'multipart/form-data; boundary=--x' },
  });
  const field = (name: string, value: string) =>
    `----x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const write = async (part: string | Buffer) => sent.write(part) || (await once(sent, 'drain'));
  for (const [name, value] of Object.entries(before)) await write(field(name, value));
  await write('----x\r\nContent-Disposition: form-data; name="evidence"; filename="portal.png"\r\n\r\n');
  const hash = beginSha256();
  for (let n = 0; n < 31; n++) {
    const piece = Buffer.alloc(MIB, n);
    hash.update(piece);
    await write(piece);
  }
  const end = async () => {
    sent.end(`\r\n${field('reason', reason)}----x--\r\n`);
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
    answer.resume();
    return answer.statusCode;
  };
  return { end, sha256: hash.digest('hex') };
}

test('a proof of any size is hashed as it comes and never in memory', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['D1-XLOST', 'D2-XLOST', 'D3-XLOST']));
  await scene.night();
  await using open = await openConsoleOf(scene);
  const session = await signInAs(scene, open, 'operator');
  const forms: Record<string, string>[] = [];
  for (const { id } of await scene.entries()) {
    const { body } = await ask(open, `${open.base}/work?id=${id}&act=resolve`, { headers: session });
    const hidden = [...body.slice(body.indexOf('id="act"')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const shown = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
    forms.push({ ...shown, csrf: csrfIn(body), as: 'authorized', reason: 'seen in the portal' });
  }
  const before = heldBytes();
  const proofs = await Promise.all(forms.map(async (form) => await sendProof(open, session, form)));
  await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(8 * MIB), { timeout: 5000, interval: 200 });
  for (const { end } of proofs) expect(await end()).toBe(303);
  expect((await scene.entries()).map(({ evidence }) => [evidence?.file, evidence?.reason, evidence?.sha256])).toEqual(
    proofs.map(({ sha256 }) => ['portal.png', 'seen in the portal', sha256]),
  );
});

const part = (name: string, value: string, file = '') =>
  `----x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
const FILE = '; filename="a%22b.pdf"';

async function provenForm(body: string) {
  const headers = { 'content-type': 'multipart/form-data; boundary=--x' };
  const { fields, proof } = await readProvenForm(
    new Request('http://127.0.0.1/', { method: 'POST', body, headers }),
    20,
  );
  return { fields: [...fields], proof };
}

test('fields count before and after the file, and a file that was not chosen is none', async () => {
  const proof = { file: 'a"b.pdf', sha256: sha256Hex('x\r\n--y') };
  const fields = [
    ['a', '1'],
    ['a', ''],
  ];
  const one = `${part('a', '1')}${part('evidence', 'x\r\n--y', FILE)}${part('a', '')}`;
  expect(await provenForm(`${one}----x--`)).toEqual({ fields, proof });
  expect(await provenForm(`${one}----x--\r\n`)).toEqual({ fields, proof });
  expect(await provenForm(`${part('evidence', '', '; filename=""')}----x--\r\n`)).toEqual({ fields: [] });
});

test.each([
  ['two files', `${part('b', 'x', FILE)}${part('c', 'x', FILE)}----x--\r\n`, 400],
  ['no end', part('a', 'x'), 400],
  ['an end in the file', part('b', 'x', FILE).slice(0, -2), 400],
  ['a part without a name', '----x\r\nContent-Type: text/plain\r\n\r\nx\r\n----x--\r\n', 400],
  ['a file that is too large', `${part('b', 'x'.repeat(21), FILE)}----x--\r\n`, 413],
  ['fields that are too large together', `${part('a', 'x'.repeat(MIB / 2)).repeat(2)}----x--\r\n`, 413],
  ['more parts than fit', `${part('a', '').repeat(MIB / 32)}----x--\r\n`, 413],
  ['a name of a file that is too long', `${part('b', 'x', `; filename="${'x'.repeat(9000)}"`)}----x--\r\n`, 413],
])('a form with a proof is refused: %s', async (_, body, status) => {
  await expect(provenForm(body)).rejects.toMatchObject({ problem: { status } });
});
