/** Forms with large files, sent at the same time. */
import { expect, test } from 'vitest';
import { MOST_BODY_BYTES, readForm } from '../../src/console/server/read-form.ts';

test('of many large forms at once only four are in memory, and all are read', async () => {
  let reading = 0;
  let most = 0;
  async function* body() {
    most = Math.max(most, ++reading);
    yield Buffer.from('--x\r\nContent-Disposition: form-data; name="a"; filename="b.pdf"\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    yield Buffer.from('bytes\r\n--x--\r\n');
    reading--;
  }
  const requestOf = () =>
    new Request('http://127.0.0.1/', {
      method: 'POST',
      // Asked for only when it is read.
      body: new ReadableStream({ pull: pullOf(body) }, { highWaterMark: 0 }),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      duplex: 'half',
    } as RequestInit);
  const forms = await Promise.all(
    Array.from({ length: 24 }, async () => await readForm(requestOf(), 32 * MOST_BODY_BYTES)),
  );
  expect(forms.map((form) => (form.get('a') as File).size)).toEqual(Array.from({ length: 24 }, () => 5));
  expect(most).toBe(4);
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
