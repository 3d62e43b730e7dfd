/** A service that asks for a wait, or gives no answer, is left alone by all requests to it, in this run and the next ones. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resumeService } from '../../../src/pipeline/submission/service-pauses.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../../night.ts';

const MINUTE = 60_000;
const later = (minutes: number) => ({ ...systemClock, now: () => new Date(Date.now() + minutes * MINUTE) });
const SETTINGS = { run: { 'give-up-after': '1s', 'consult-per-minute': 60 } };
const LIMITED = { http: 429, retryAfterSeconds: 3600, body: '' } as const;
const DOUBTFUL = sales(['F1-XLOST', 'F2-XLOST']);

test('a wait that the service asks for outlasts the run', async () => {
  await using scene = await openScene({ settings: SETTINGS });
  scene.sandbox.script([{ match: { act: 'submit' }, answer: LIMITED }]);
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  for (const minutes of [0, 1, 30, 59]) {
    const { stops } = await scene.night({ clock: later(minutes) });
    expect(stops).toMatchObject([{ service: 'fr', cause: 'unreachable' }]);
  }
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  await scene.night({ clock: later(61) });
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  scene.sandbox.script([]);
  await scene.night({ clock: later(62) });
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  const decision = { by: 'ana', reason: 'they said so', at: new Date().toISOString() };
  expect(await scene.desk(({ ledger }) => resumeService(ledger.submissions, 'fr', decision))).toBe(true);
  await scene.night({ clock: later(63) });
  expect(scene.sandbox.requests().fr.submit).toBeGreaterThan(2);
});

test('a document that its class keeps in the queue ends no wait for another one', async () => {
  const report = SALES_MAPPING.replace('mapping: sales', 'mapping: report')
    .replace('target: fr-invoice', 'target: fr-report')
    .replace('class: invoice', 'class: report')
    .replace('ventes*.csv', 'reports*.csv')
    .replace(
      /output:[\s\S]*$/,
      "output:\n  document: { identifier: $Num }\n  issuer: { identifier: '732829320', identifier-type: siren }\n",
    );
  await using scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING, 'report.yaml': report },
    services: { fr: { 'report-path': undefined } },
  });
  scene.drop('reports.csv', sales(['R1']));
  await scene.night();
  scene.sandbox.script([
    { match: { act: 'submit', number: 'F2' }, answer: { http: 429, retryAfterSeconds: 2, body: '' }, times: 1 },
  ]);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  const { stops } = await scene.night();
  expect([stops.map(({ cause }) => cause), tally(await scene.entries())]).toEqual([
    ['not-configured'],
    { authorized: 2, ready: 1 },
  ]);
});

test.each([
  ['asks for a wait', LIMITED],
  ['cuts the connection', { drop: 'before' }],
] as const)('a round of questions ends where the service %s', async (_, answer) => {
  await using scene = await openScene({ settings: SETTINGS });
  scene.drop('ventes.csv', DOUBTFUL);
  await scene.night();
  scene.sandbox.script([{ match: { act: 'consult' }, answer }]);
  const asked = () => scene.sandbox.requests().fr.consult;
  await scene.night({ clock: later(10) });
  expect(asked()).toBe(1);
  scene.drop('ventes-2.csv', sales(['F3']));
  await scene.night({ clock: later(11) });
  const isLimited = 'http' in answer;
  expect([asked(), tally(await scene.entries()).authorized]).toEqual(isLimited ? [1, undefined] : [2, 1]);
  scene.sandbox.script([]);
  await scene.night({ clock: later(72) });
  await scene.night({ clock: later(73) });
  expect(tally(await scene.entries()).authorized).toBe(3);
});

test('a token is taken when its document may leave, and not before', async () => {
  // Fifty times as fast as the clock of the wall.
  const begun = performance.now();
  const monotonic = () => (performance.now() - begun) * 50;
  const clock = {
    ...systemClock,
    monotonic,
    sleep: (ms: number, signal?: AbortSignal) => pause(ms / 50, undefined, { signal }).catch(() => undefined),
  };
  let [tokens, refused] = [0, 0];
  const ends = new Map<string, number>();
  await using service = createServer(async (request, response) => {
    const body = await text(request);
    const end = (status: number, given: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(given));
    if (request.url?.endsWith('/token')) {
      const token = `token-${++tokens}`;
      ends.set(token, monotonic() + 12_000);
      return end(200, { access_token: token, token_type: 'Bearer', expires_in: 12 });
    }
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (monotonic() > (ends.get(token) ?? 0)) return end(401, { refused: ++refused });
    const { context, action } = JSON.parse(body);
    const document = { identifier: action.content.payload.document.identifier, 'tracking-id': 'T' };
    const result = { status: { code: 2, name: 'x' }, content: { document } };
    return end(200, { context: { 'request-id': context['request-id'] }, result });
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  await using scene = await openScene({
    services: { fr: { 'base-url': url, 'identity-url': url, rate: '10/m', concurrency: 4 } },
  });
  scene.drop('ventes.csv', sales(Array.from({ length: 8 }, (_, n) => `F${n}`)));
  await scene.night({ clock });
  service.closeAllConnections();
  expect([refused, tally(await scene.entries())]).toEqual([0, { authorized: 8 }]);
  expect(tokens).toBeGreaterThan(1);
});
