/** When a service takes documents: back-off, pauses, the probe, the error limit. The clock is given. */

import { expect, test } from 'vitest';
import { connectionWords } from '../../../src/delivery/connection-words.ts';
import { tokenCallFailure } from '../../../src/delivery/token-cache.ts';
import { verbatimText } from '../../../src/i18n/message.ts';
import { REASON } from '../../../src/i18n/messages/delivery-messages.ts';
import type { Verdict } from '../../../src/model/answer.ts';
import { because } from '../../../src/model/answer.ts';
import { type CircuitBreaker, createCircuitBreaker } from '../../../src/pipeline/service-state/circuit-breaker.ts';

const good: Verdict = { state: 'authorized', reason: 'code 2', answer: { code: 2 } };
const rejected: Verdict = { state: 'rejected', reason: 'code 6', answer: { code: 6 } };
const notSent: Verdict = { state: 'ready', reason: 'refused', resend: { kind: 'not-sent', afterMs: 1000 } };
const limited: Verdict = { state: 'ready', reason: '429', resend: { kind: 'rate-limited', afterMs: 7000 } };
const serverError: Verdict = { state: 'in-doubt', reason: 'HTTP 502', strike: 'server-error' };
const foreignEcho: Verdict = { state: 'in-doubt', reason: '', strike: 'foreign-echo' };
const clientError: Verdict = { state: 'refused', reason: 'HTTP 422', strike: 'client-error' };

function gateAt(): { gate: CircuitBreaker; pass: (ms: number) => void } {
  let now = 0;
  const gate = createCircuitBreaker({ maxErrors: 3, monotonic: () => now });
  return { gate, pass: (ms) => (now += ms) };
}

test('not sent: closes for a second, then two, at most five minutes; one probe at a time until an answer', () => {
  const { gate, pass } = gateAt();
  gate.judge(notSent);
  expect(gate.waitMs()).toBe(1000);
  pass(1000);
  expect(gate.waitMs()).toBe(0);
  expect(gate.probing()).toBe(true);
  gate.judge(notSent);
  expect(gate.waitMs()).toBe(2000);
  for (let n = 0; n < 12; n++) {
    pass(gate.waitMs());
    gate.judge(notSent);
  }
  expect(gate.waitMs()).toBe(300_000);
  expect(gate.unreachableSince()).toBe(0);
  gate.judge(good);
  expect(gate.probing()).toBe(false);
  expect(gate.unreachableSince()).toBeUndefined();
});

test('429 closes for as long as the service asks', () => {
  const { gate, pass } = gateAt();
  gate.judge(limited);
  expect(gate.waitMs()).toBe(7000);
  pass(7000);
  expect(gate.waitMs()).toBe(0);
});

test('answers to what was on the wire when the gate closed do not open it', () => {
  const { gate, pass } = gateAt();
  pass(1000);
  gate.judge(limited, 0);
  gate.judge(good, 0);
  expect([gate.waitMs(), gate.probing(), gate.closed()?.cause]).toEqual([7000, true, 'rate-limited']);
  // A late failure to connect shortens nothing, and names no other cause.
  gate.judge(notSent, 0);
  expect([gate.waitMs(), gate.closed()?.cause]).toEqual([7000, 'rate-limited']);
  // Nor does the answer to a question of a person.
  gate.judge(good, 1000);
  expect(gate.waitMs()).toBe(7000);
  pass(7000);
  gate.judge(good, 0);
  expect(gate.probing()).toBe(true);
  gate.judge(good, 8000);
  expect([gate.waitMs(), gate.probing(), gate.closed()]).toEqual([0, false, undefined]);
});

test('an old answer does not begin the back-off of an unreachable service once more', () => {
  const { gate, pass } = gateAt();
  pass(1000);
  gate.judge(notSent, 0);
  gate.judge(good, 0);
  expect([gate.waitMs(), gate.unreachableSince()]).toEqual([1000, 1000]);
  pass(1000);
  gate.judge(notSent, 2000);
  expect([gate.waitMs(), gate.unreachableSince()]).toEqual([2000, 1000]);
  gate.judge(good, 2000);
  expect([gate.waitMs(), gate.unreachableSince()]).toEqual([0, undefined]);
});

test('what is left of a wait goes on in the next run', () => {
  const { gate, pass } = gateAt();
  gate.startPaused({ says: 'HTTP 429', ms: 5000 });
  expect([gate.waitMs(), gate.closed()]).toEqual([5000, { cause: 'rate-limited', says: 'HTTP 429' }]);
  pass(5000);
  expect([gate.waitMs(), gate.probing()]).toEqual([0, true]);
});

test.each([
  ['server errors', serverError],
  ['client errors', clientError],
])('three %s in a row pause, two and a good answer do not', (_, verdict) => {
  const { gate } = gateAt();
  gate.judge(verdict);
  gate.judge(verdict);
  gate.judge(good);
  gate.judge(verdict);
  expect(gate.judge(verdict)).toBeUndefined();
  expect(gate.judge(verdict)).toMatchObject({ cause: 'paused' });
  expect(gate.waitMs()).toBe(Number.POSITIVE_INFINITY);
});

test('the reason of a pause is that of the last answer, and of it alone', () => {
  const { gate } = gateAt();
  gate.judge({ ...serverError, reason: 'HTTP 502' });
  gate.judge({ ...serverError, reason: 'HTTP 503' });
  const { says } = gate.judge({ ...serverError, reason: 'HTTP 500' }) ?? {};
  expect(says).toBe('3 in a row without a valid answer; the last one: HTTP 500');
  const { gate: probe } = gateAt();
  probe.startPaused();
  expect(probe.judge({ ...serverError, reason: 'HTTP 500' })).toMatchObject({ says: 'HTTP 500' });
});

test('three foreign echoes in a row are a cause of their own; the probe has one try', () => {
  const { gate } = gateAt();
  expect(gate.judge(foreignEcho)).toBeUndefined();
  gate.judge(foreignEcho);
  gate.judge(good);
  gate.judge(foreignEcho);
  gate.judge(foreignEcho);
  expect(gate.judge(foreignEcho)).toMatchObject({ cause: 'foreign-echo' });
  gate.startPaused();
  expect(gate.judge(foreignEcho)).toMatchObject({ cause: 'foreign-echo' });
});

test('the probe after a pause has one try', () => {
  const { gate } = gateAt();
  gate.startPaused();
  expect(gate.waitMs()).toBe(0);
  expect(gate.probing()).toBe(true);
  expect(gate.judge(serverError)).toMatchObject({ cause: 'paused' });
  gate.startPaused();
  gate.judge(good);
  expect(gate.probing()).toBe(false);
  expect(gate.judge(serverError)).toBeUndefined();
});

test.each([
  ['credentials', 'credentials'],
  ['forbidden', 'credentials'],
  ['tls', 'paused'],
  ['redirect', 'paused'],
] as const)('a pause for %s closes until a person or the next run', (cause, closed) => {
  const { gate } = gateAt();
  expect(gate.judge({ state: 'refused', reason: '', pause: { cause, says: verbatimText('') } })).toMatchObject({
    cause: closed,
  });
  expect(gate.waitMs()).toBe(Number.POSITIVE_INFINITY);
});

test('so many documents in a row that were not accepted stop the night', () => {
  const { gate } = gateAt();
  gate.judge(rejected);
  gate.judge(rejected);
  gate.judge(good);
  gate.judge(rejected);
  gate.judge(rejected);
  expect(gate.judge(rejected)).toMatchObject({ cause: 'errors' });
});

test('no token: refused credentials close for good, an unreachable identity provider for a while', () => {
  const { gate, pass } = gateAt();
  gate.noToken('unreachable', verbatimText('no answer'));
  expect(gate.waitMs()).toBe(1000);
  pass(1000);
  gate.noToken('credentials', verbatimText('HTTP 401'));
  expect(gate.closed()).toMatchObject({ cause: 'credentials' });
  expect(gate.waitMs()).toBe(Number.POSITIVE_INFINITY);
});

test('an answer that was on its way when the gate closed for good does not open it, and the cause stays', () => {
  const { gate } = gateAt();
  gate.judge({ state: 'returned', reason: '', pause: { cause: 'credentials', says: verbatimText('HTTP 401') } });
  gate.judge(good);
  expect(gate.waitMs()).toBe(Number.POSITIVE_INFINITY);
  expect(gate.closed()).toMatchObject({ cause: 'credentials', says: 'HTTP 401' });
  gate.judge(notSent);
  expect(gate.closed()).toMatchObject({ cause: 'credentials' });
});

test('an answer opens a gate that was only waiting', () => {
  const { gate } = gateAt();
  gate.judge(notSent);
  gate.judge(good);
  expect([gate.waitMs(), gate.closed(), gate.probing()]).toEqual([0, undefined, false]);
});

test('reasons are in the language of the settings', () => {
  const gate = createCircuitBreaker({ maxErrors: 3, monotonic: () => 0, language: 'fr' });
  const error = connectionWords({ code: 'ECONNREFUSED', message: '' });
  gate.judge({ state: 'ready', ...because(REASON.notSent({ error })), resend: { kind: 'not-sent', afterMs: 1 } });
  expect(gate.closed()?.says).toBe('non envoyé\u00a0: ECONNREFUSED\u00a0: connexion refusée');
  gate.noToken('credentials', tokenCallFailure({ sent: true, status: 401, headers: {}, body: '' }).says);
  expect(gate.closed()?.says).toContain('la demande de jeton a été refusée par HTTP 401');
});
