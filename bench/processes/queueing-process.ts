/**
 * A service with a queue, in a process of its own: it works on so many requests at once, so many milliseconds each, and the
 * others wait in line; how many changes all the time. Tokens and settings are those of the sandbox. Asked later, it says how
 * many documents it took, how many it could have taken from the first to the last, and how long they were with it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';

const SERVICE_MS = Number(process.argv[2]);
const STEP_MS = 50 * SERVICE_MS;
const CAPACITIES = [8, 2, 12, 4];

const sandbox = await startSandbox({ validate: false });
let firstMs: number | undefined;
let lastMs = 0;
let busy = 0;
const line: (() => void)[] = [];
const times: number[] = [];

function capacityAt(ms: number): number {
  return CAPACITIES[Math.floor((ms - firstMs!) / STEP_MS) % CAPACITIES.length]!;
}

function work(): void {
  while (line.length > 0 && busy < capacityAt(performance.now())) {
    busy++;
    const answer = line.shift()!;
    setTimeout(() => {
      busy--;
      lastMs = performance.now();
      answer();
      work();
    }, SERVICE_MS);
  }
}

const server = createServer(async (request, response) => {
  firstMs ??= performance.now();
  const { context } = (await json(request)) as { context: { 'request-id': string } };
  const sinceMs = performance.now();
  line.push(() => {
    times.push(performance.now() - sinceMs);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ context, result: { status: { code: 2, name: 'Authorized' } } }));
  });
  work();
});
// Where the capacity has grown while nobody answered or asked.
const growing = setInterval(work, 50);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', (asked) => {
  if (asked === 'how many?') return process.send?.({ documents: times.length, requests: times.length });
  let possible = 0;
  for (let ms = firstMs!; ms < lastMs; ms++) possible += capacityAt(ms) / SERVICE_MS;
  process.send?.({ possible, underWay: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] });
});
process.once('disconnect', () => {
  clearInterval(growing);
  server.close();
  server.closeAllConnections();
  void sandbox.close();
});
const described = describeSandbox(sandbox);
const { port } = server.address() as AddressInfo;
const fr = { ...described.services.fr, 'base-url': `http://127.0.0.1:${port}` };
process.send?.({ ...described, services: { ...described.services, fr } });
