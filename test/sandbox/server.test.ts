import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';
import type { SandboxEvent } from '../../src/sandbox/sandbox-settings.ts';
import { envelope, frIssue, frPost, frToken, invoice, note, recordOf, svIssue, svToken } from './client.ts';

test.each(['0.0.0.0', '::', '192.168.1.10', 'example.org', '127.0.0.1.example.org'])('%s is refused', async (host) => {
  await expect(startSandbox({ host })).rejects.toMatchObject({ code: 'sandbox/not-loopback' });
});

test('a port that is taken is a fault of the setup, and what was opened is closed again', async () => {
  await using first = await startSandbox();
  const taken = Number(new URL(first.sv.authUrl).port);
  await expect(startSandbox({ port: { sv: taken } })).rejects.toMatchObject({
    code: 'sandbox/port-in-use',
    hint: expect.stringMatching(/Another sandbox may be running: .*--port-sv .*services: sv: in nightpost\.yaml/),
  });
});

test('a closed sandbox is gone, even with an answer outstanding', async () => {
  const sandbox = await startSandbox({ latencyMs: 60_000 });
  const token = await frToken(sandbox);
  const waiting = frIssue(sandbox, token, 'F-1').catch(() => 'cut');
  while (!recordOf(sandbox, 'F-1')) await new Promise((resolve) => setTimeout(resolve, 1));
  await sandbox.close();
  expect(await waiting).toBe('cut');
  await expect(frToken(sandbox)).rejects.toThrow();
});

test('requests are counted by operation', async () => {
  await using sandbox = await startSandbox();
  const token = await frToken(sandbox);
  await frIssue(sandbox, token, 'F-1');
  await frPost(sandbox, 'guess', envelope({ payload: invoice('F-2') }));
  expect((await frPost(sandbox, token, {}, '/invoices')).status).toBe(404);
  await svIssue(sandbox, await svToken(sandbox, 1), note(1));
  expect(sandbox.requests()).toEqual({
    fr: { token: 1, submit: 2, consult: 0, other: 1 },
    sv: { token: 1, submit: 1, consult: 0, other: 0 },
  });
});

test('each acceptance is a line in the log at its instant, and a duplicate is another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const acceptanceLog = join(folder, 'accepted.jsonl');
  const lines = () =>
    readFileSync(acceptanceLog, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  try {
    await using sandbox = await startSandbox({ acceptanceLog, clock: () => 0, latencyMs: 0 });
    const token = await frToken(sandbox);
    await expect(frIssue(sandbox, token, 'F-1-XLOST')).rejects.toThrow();
    const identity = 'fr|123456782|invoice||F-1-XLOST|2026';
    const line = { service: 'fr', identity, requestId: expect.any(String), at: '1970-01-01T00:00:00.000Z' };
    expect(lines()).toEqual([{ ...line, event: 'accepted', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await frIssue(sandbox, token, 'F-2-X6');
    await expect(frIssue(sandbox, token, 'F-1-XLOST')).rejects.toThrow();
    const [first, second, ...more] = lines();
    expect(second).toMatchObject({ event: 'duplicate', identity, digest: first.digest });
    expect(second.requestId).not.toBe(first.requestId);
    expect(more).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('without duplicate detection a service accepts twice, and it shows', async () => {
  await using sandbox = await startSandbox({ refuseDuplicates: false });
  const token = await frToken(sandbox);
  await frIssue(sandbox, token, 'F-1');
  expect((await frIssue(sandbox, token, 'F-1')).body.result.status.code).toBe(2);
  expect(recordOf(sandbox, 'F-1')).toMatchObject({ accepted: 2, duplicates: 1 });
});

test('equal documents that arrive together are accepted once', async () => {
  await using sandbox = await startSandbox({ latencyMs: 5 });
  const token = await frToken(sandbox);
  const answers = await Promise.all(Array.from({ length: 8 }, () => frIssue(sandbox, token, 'F-1')));
  const codes = answers.map(({ body }) => body.result.status.code as number);
  expect(codes.sort((a, b) => a - b)).toEqual([2, ...Array(7).fill(15)]);
  expect(recordOf(sandbox, 'F-1')).toMatchObject({ accepted: 1, duplicates: 7 });
});

test.each([429, 503] as const)('above its capacity the service answers %i and takes nothing in', async (overload) => {
  await using sandbox = await startSandbox({ capacity: 1, overload, latencyMs: 60_000 });
  const token = await frToken(sandbox);
  const first = frIssue(sandbox, token, 'F-1').catch(() => {});
  while (!recordOf(sandbox, 'F-1')) await new Promise((resolve) => setTimeout(resolve, 1));
  sandbox.tune({ latencyMs: 0 });
  const { status, headers } = await frIssue(sandbox, token, 'F-2');
  expect({ status, again: headers.get('retry-after') }).toEqual({ status: overload, again: '1' });
  expect(recordOf(sandbox, 'F-2')).toBeUndefined();
  sandbox.tune({ capacity: 2 });
  expect((await frIssue(sandbox, token, 'F-2')).status).toBe(200);
  await sandbox.close();
  await first;
});

test('a place taken by a client that went away is free again', async () => {
  await using sandbox = await startSandbox({ capacity: 1, latencyMs: 60_000 });
  const token = await frToken(sandbox);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const leaving = request(`${sandbox.fr.url}/invoice`, { method: 'POST', headers });
  leaving.on('error', () => {});
  leaving.end(JSON.stringify(envelope({ payload: invoice('F-1') })));
  while (!recordOf(sandbox, 'F-1')) await new Promise((resolve) => setTimeout(resolve, 1));
  leaving.destroy();
  sandbox.tune({ latencyMs: 0 });
  let status = 429;
  while (status === 429) ({ status } = await frIssue(sandbox, token, 'F-2'));
  expect(status).toBe(200);
});

test('chance fails the same documents under the same seed', async () => {
  const night = async (seed: number) => {
    await using sandbox = await startSandbox({ seed, failRate: 0.5, failWith: { code: 4 } });
    const token = await frToken(sandbox);
    const codes: number[] = [];
    for (let n = 0; n < 30; n++) codes.push((await frIssue(sandbox, token, `F-${n}`)).body.result.status.code);
    return codes;
  };
  const first = await night(7);
  expect(first).toEqual(await night(7));
  expect(first).not.toEqual(await night(8));
  expect(new Set(first)).toEqual(new Set([2, 4]));
});

test('a submission is reported before it is taken in and when its answer leaves', async () => {
  const seen: (SandboxEvent & { accepted: number | undefined })[] = [];
  await using sandbox = await startSandbox({
    log: (event) => seen.push({ ...event, accepted: recordOf(sandbox, event.number)?.accepted }),
  });
  const token = await frToken(sandbox);
  await frIssue(sandbox, token, 'F-1');
  expect(seen).toMatchObject([
    {
      event: 'received',
      service: 'fr',
      act: 'submit',
      number: 'F-1',
      requestId: expect.any(String),
      accepted: undefined,
    },
    { event: 'answered', http: 200, code: 2, dropped: false, accepted: 1 },
  ]);
});

test('unvalidated, any document is taken in as long as its envelope can be followed', async () => {
  await using sandbox = await startSandbox({ validate: false });
  const token = await frToken(sandbox);
  expect((await frIssue(sandbox, token, 'F-1', { colour: 'red' })).body.result.status.code).toBe(2);
  for (const body of ['', 'null', '[]', '{"context":7}', {}])
    expect((await frPost(sandbox, token, body)).status).toBe(400);
  expect((await svIssue(sandbox, await svToken(sandbox, 1), note(1, { color: 1 }))).body.codigo).toBe(2);
});

test('a body above 32 MiB is refused', async () => {
  await using sandbox = await startSandbox();
  const token = await frToken(sandbox);
  expect((await frPost(sandbox, token, ' '.repeat(32 * 1024 * 1024 + 1))).status).toBe(413);
  expect(sandbox.requests().fr.submit).toBe(0);
});
