/** Health and metrics of the console as monitoring programs ask for them: real servers on loopback. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verbatimText } from '../../src/i18n/message.ts';
import { OperatorError } from '../../src/model/fault.ts';
import { readReadiness } from '../../src/views/metrics/readiness.ts';
import { parseExposition, seriesValue } from '../exposition.ts';
import { openScene, sales } from '../night.ts';
import { ask, openConsoleOf } from './console.ts';

test('serve answers health without sign-in and metrics on a port of its own, and each failure has its reason', async () => {
  await using scene = await openScene({ settings: { serve: { metrics: { port: 0 } } } });
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  await using open = await openConsoleOf(scene);
  const at = { port: open.metricsPort! };
  for (const port of [open.port, at.port]) {
    const [health, ready] = [await ask({ port }, '/healthz'), await ask({ port }, '/readyz')];
    expect([health.status, JSON.parse(health.body)]).toEqual([200, { status: 'ok' }]);
    expect([ready.status, JSON.parse(ready.body)]).toEqual([200, { status: 'ready', reasons: [] }]);
  }
  const scrape = await ask(at, '/metrics');
  expect([scrape.status, scrape.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const families = parseExposition(scrape.body);
  expect(seriesValue(families, 'nightpost_documents', { service: 'fr', state: 'authorized' })).toBe(2);
  expect(seriesValue(families, 'nightpost_send_allowed')).toBe(1);
  // The console itself has no metrics, and the port of the metrics no console.
  expect((await ask(open, '/metrics')).status).toBe(404);
  expect((await ask(at, `${open.base}/`)).status).toBe(404);
  expect((await ask(at, '/metrics', { method: 'POST' })).status).toBe(405);
  // A page of another site under a name that leads to this machine.
  expect((await ask(at, '/metrics', { headers: { host: `evil.example:${at.port}` } })).status).toBe(421);
  expect(open.defects).toEqual([]);
});

test('an instance that may not send is not ready, and says why', async () => {
  await using scene = await openScene({ settings: { serve: { metrics: { port: 0 } } } });
  rmSync(join(scene.root, 'state/installation.json'));
  await using open = await openConsoleOf(scene);
  const at = { port: open.metricsPort! };
  const ready = await ask(at, '/readyz');
  expect([ready.status, JSON.parse(ready.body)]).toEqual([503, { status: 'not-ready', reasons: ['ledger/foreign'] }]);
  expect((await ask(at, '/healthz')).status).toBe(200);
  expect(seriesValue(parseExposition((await ask(at, '/metrics')).body), 'nightpost_send_allowed')).toBe(0);
  const missing = await readReadiness(async () => {
    throw new OperatorError('ledger/missing', verbatimText('x'));
  });
  expect(missing).toEqual({ ready: false, reasons: ['ledger/missing'] });
  expect(await readReadiness(async () => Promise.reject(new Error('secret of a path')))).toEqual({
    ready: false,
    reasons: ['internal-error'],
  });
});

test('a port that is in use costs the metrics, and not the console', async () => {
  await using scene = await openScene();
  await using first = await openConsoleOf(scene);
  const flags = { 'serve.metrics.port': first.port };
  await using open = await openConsoleOf(scene, flags);
  expect([open.metricsPort, open.metricsRefused?.code]).toEqual([undefined, 'serve/port-taken']);
  expect((await ask(open, '/healthz')).status).toBe(200);
});

test('metrics with a token need it, from wherever they are asked for', async () => {
  const token = { file: 'metrics-token' };
  await using scene = await openScene({ settings: { serve: { metrics: { port: 0, host: '0.0.0.0', token } } } });
  writeFileSync(join(scene.root, 'metrics-token'), 'opensesame-for-metrics\n', { mode: 0o600 });
  await using open = await openConsoleOf(scene);
  const scrape = async (authorization?: string) =>
    (await ask({ port: open.metricsPort! }, '/metrics', { headers: authorization ? { authorization } : {} })).status;
  expect(await Promise.all([undefined, 'Bearer', 'Bearer opensesame-for-metric', 'Basic x'].map(scrape))).toEqual([
    401, 401, 401, 401,
  ]);
  expect(await scrape('Bearer opensesame-for-metrics')).toBe(200);
});
