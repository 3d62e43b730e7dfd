/**
 * What every destination service keeps to: strict, described settings, pure requests, a total judgement, token calls
 * that survive hostile servers and never quote a secret.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DeliveryService, Destination, Http, Ours, Submission } from '../../src/delivery/service.ts';
import { TokenRefused } from '../../src/delivery/token-cache.ts';
import { format } from '../../src/i18n/message.ts';
import type { Exchange } from '../../src/model/answer.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { runs } from '../seed.ts';

export type ServiceCase = {
  readonly service: DeliveryService;
  /** The least settings with which it opens, and the same with a consultation. */
  readonly settings: { readonly [key: string]: unknown };
  readonly consultation: { readonly [key: string]: unknown };
  readonly class: string;
  /** Content of a document of that class, with digits that a detour over floats would change. */
  readonly content: string;
  /** The body of an answer of the service with this code. */
  readonly answer: (code: number, of: Submission) => string;
};

const SECRET = 'canary:8h+&=%ä "secret';
const NOW = new Date('2026-11-20T12:00:00Z');

export function serviceContract(given: ServiceCase): void {
  const { service, settings } = given;
  const open = (more: object = {}): Destination => service.open({ ...settings, ...more });
  const submission: Submission = {
    class: given.class,
    content: given.content,
    identifier: 'F-2026/7',
    requestId: '0190-1',
    now: NOW,
  };
  const ours = (more: Partial<Ours> = {}): Ours => ({
    ...submission,
    tokenRenewed: false,
    tries: 0,
    random: () => 0.5,
    ...more,
  });

  describe(`the contract of a service: ${service.name}`, () => {
    describe('settings', () => {
      it('may be checked twice', () => {
        const once = service.settings.parse(settings);
        expect(service.settings.parse(once)).toEqual(once);
      });

      it('refuses what it does not know, and what is missing', () => {
        expect(() => open({ 'base-ulr': 'x' })).toThrow(expect.objectContaining({ code: 'delivery/wrong-setting' }));
        for (const key of Object.keys(settings)) {
          const { [key]: _, ...less } = settings;
          expect(() => service.open(less), key).toThrow(expect.objectContaining({ name: 'SetupError' }));
        }
      });

      it.each([
        'ftp://service.example',
        'http://service.example',
        'http://127.0.0.1.service.example',
        'https://user@service.example',
        'https://user:pass@service.example',
        'https://service.example/?key=1',
        'https://service.example/#a',
        'service.example',
        '',
      ])('takes no address %j', (address) => {
        for (const key of Object.keys(settings).filter((name) => name.endsWith('-url'))) {
          expect(() => open({ [key]: address }), key).toThrow(expect.objectContaining({ name: 'SetupError' }));
        }
      });

      it('takes no secret as text', () => {
        for (const [key, value] of Object.entries(settings)) {
          if (typeof value === 'object' && value !== null && 'env' in value) {
            expect(() => open({ [key]: 'hunter2' })).toThrow(/by reference/);
          }
        }
      });

      it('describes each setting', () => {
        const schema = z.toJSONSchema(service.settings, { io: 'input' }) as Described;
        expect(undescribed(schema, '')).toEqual([]);
      });
    });

    describe('a request', () => {
      it('carries the content to the digit, below the address the ledger is bound to', () => {
        const destination = open();
        const request = destination.submit(submission);
        expect(request.body).toContain(given.content);
        expect(() => JSON.parse(request.body!)).not.toThrow();
        expect(request.url.startsWith(destination.baseUrl)).toBe(true);
        expect(new URL(request.url).search).toBe('');
        expect(request).toEqual(open().submit(submission));
      });

      it('is there for its classes only', () => {
        expect(open().lacks(given.class)).toBeUndefined();
        expect(format(open().lacks('no-such-class')!, 'en')).toMatch(/no-such-class/);
      });
    });

    describe('judgement', () => {
      const answered = (code: number, status = 200): Exchange => ({
        sent: true,
        status,
        headers: { 'content-type': 'application/json' },
        body: given.answer(code, submission),
      });

      it.each([
        [2, 'authorized'],
        [4, 'failed'],
        [6, 'rejected'],
        [8, 'contingency'],
        [11, 'invalidated'],
        [15, 'returned'],
        [18, 'in-doubt'],
        [7, 'in-doubt'],
      ])('reads code %i as %s', (code, state) => {
        expect(open().judge(answered(code), ours())).toMatchObject({ state, answer: { code } });
      });

      it('is total, and sends again only what was not processed', () => {
        const destination = open();
        const text = fc.oneof(
          fc.string(),
          fc.json(),
          fc.integer().map((code) => given.answer(code, submission)),
        );
        const error = fc.record({ code: fc.string(), message: fc.string() });
        const exchange = fc.oneof(
          fc.record({ sent: fc.constant(false as const), error }),
          fc.record({ sent: fc.constant(true as const), error }),
          fc.record({
            sent: fc.constant(true as const),
            status: fc.integer({ min: 100, max: 999 }),
            headers: fc.dictionary(fc.constantFrom('retry-after', 'content-encoding'), fc.string()),
            body: fc.option(text, { nil: undefined }),
          }),
        );
        fc.assert(
          fc.property(exchange, fc.boolean(), fc.nat({ max: 2000 }), (one, tokenRenewed, tries) => {
            const verdict = destination.judge(one, ours({ tokenRenewed, tries }));
            expect(STATE_NAMES).toContain(verdict.state);
            expect(verdict.state === 'ready').toBe(verdict.resend !== undefined);
            if (verdict.resend && one.sent) expect('status' in one && [401, 429].includes(one.status)).toBe(true);
            const consulted = destination.judgeConsultation(one, ours({ tries }), 'in-doubt');
            expect(consulted.resend).toBeUndefined();
          }),
          { numRuns: runs(500) },
        );
      });
    });

    describe('consultation', () => {
      it('is not guessed where it is not configured', () => {
        expect(open().consult).toBeUndefined();
      });

      it('names the document, whatever its number looks like', () => {
        const destination = open({ consultation: given.consultation });
        const asked = (identifier: string) =>
          destination.consult!({ ...submission, identifier, trackingId: 'T/1' })?.url ?? '';
        expect(asked('F 7/é?#')).toContain('F%207%2F%C3%A9%3F%23');
        expect(asked('..')).toBe('');
      });

      it.each([
        ['a placeholder that does not exist', { path: '/d/{identifer}' }],
        ['no document named', { path: '/d' }],
        ['a GET with a body', { method: 'GET', body: { id: '{identifier}' } }],
      ])('refuses %s', (_, wrong) => {
        expect(() => open({ consultation: { ...given.consultation, ...wrong } })).toThrow(/consultation/);
      });
    });

    describe('a token call', () => {
      const exchanges: readonly (readonly [string, 'credentials' | 'unreachable', Exchange])[] = [
        ['not sent', 'unreachable', { sent: false, error: { code: 'ECONNREFUSED', message: SECRET } }],
        ['no answer', 'unreachable', { sent: true, error: { code: 'ECONNRESET', message: SECRET } }],
        ['400', 'credentials', page(400)],
        ['401', 'credentials', page(401)],
        ['403', 'credentials', page(403)],
        ['302', 'unreachable', page(302)],
        ['404', 'unreachable', page(404)],
        ['500', 'unreachable', page(500)],
        ['an HTML page', 'unreachable', page(200)],
        ['JSON without a token', 'unreachable', { sent: true, status: 200, headers: {}, body: `{"x":"${SECRET}"}` }],
        ['no text', 'unreachable', { sent: true, status: 200, headers: {}, body: undefined }],
      ];

      it.each(exchanges)('that ends with %s says so without a secret', async (_, why, exchange) => {
        const http: Http = async () => exchange;
        const error = await open()
          .authorize(http, async () => SECRET)
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(TokenRefused);
        expect(error).toMatchObject({ why });
        const { message, stack, cause } = error as Error;
        expect(`${message}${stack}${JSON.stringify(error)}${String(cause)}`).not.toMatch(/canary|Y2FuYXJ5/);
      });

      it('never puts a secret into an address', async () => {
        const urls: string[] = [];
        const http: Http = async (request) => {
          urls.push(request.url);
          return page(500);
        };
        await open()
          .authorize(http, async () => SECRET)
          .catch(() => undefined);
        expect(urls).toHaveLength(1);
        expect(decodeURIComponent(urls[0]!)).not.toMatch(/canary|Y2FuYXJ5/);
      });
    });
  });
}

function page(status: number): Exchange {
  return { sent: true, status, headers: { 'content-type': 'text/html' }, body: `<html>${SECRET}</html>` };
}

type Described = {
  readonly description?: string;
  readonly properties?: { readonly [key: string]: Described };
  readonly anyOf?: readonly Described[];
};

/** Secret references describe themselves at the setting that takes one. */
function undescribed(schema: Described, at: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    ...(inner.description === undefined ? [`${at}/${key}`] : []),
    ...undescribed(inner, `${at}/${key}`),
  ]);
}
