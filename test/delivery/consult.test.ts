import { describe, expect, it } from 'vitest';
import { doubtful, frenchContingency, fromFiveNextDay } from '../../src/delivery/consultation-schedule.ts';
import { judgeConsultation, type Policy } from '../../src/delivery/response-policy.ts';
import type { Ours } from '../../src/delivery/service.ts';
import type { Exchange } from '../../src/model/answer.ts';
import type { State } from '../../src/model/state.ts';

const MIN = 60_000;
const HOUR = 60 * MIN;
const NOW = new Date('2026-11-21T05:30:00Z');

const policy: Policy = {
  places: { code: '/code', identifier: '/id' },
  strictEcho: false,
  resendOn401: true,
  resendOn429: true,
  contingency: frenchContingency,
};

const ours = (tries = 0): Ours => ({
  class: 'invoice',
  identifier: 'F-7',
  requestId: 'c-1',
  now: NOW,
  tokenRenewed: false,
  tries,
  random: () => 0,
});

function answered(code: number | string, status = 200, id = '"F-7"'): Exchange {
  return { sent: true, status, headers: {}, body: `{"code":${code},"id":${id}}` };
}

const consulted = (exchange: Exchange, before: State, tries = 0) =>
  judgeConsultation(exchange, ours(tries), before, policy);

describe('schedules', () => {
  it('asks about French code 8 after 15 min, 1 h, 4 h, 12 h, then daily', () => {
    let at = NOW.getTime();
    const hours: number[] = [];
    for (let done = 0; done < 6; done++) {
      at = frenchContingency(new Date(at), done, () => 0)!;
      hours.push((at - NOW.getTime()) / HOUR);
    }
    expect(hours).toEqual([0.25, 1, 4, 12, 36, 60]);
  });

  it('asks about doubtful documents twice, a full hour apart, then leaves them to people', () => {
    const gaps = [0, 1, 2].map((done) => doubtful(NOW, done, () => 0));
    expect(gaps).toEqual([NOW.getTime() + 5 * MIN, NOW.getTime() + HOUR, undefined]);
  });

  const salvador = (now: string, random = 0) =>
    new Date(fromFiveNextDay('America/El_Salvador')(new Date(now), 0, () => random)!).toISOString();

  it('asks about Salvadoran code 8 from 05:00 of the next local day', () => {
    // 23:30 local of the 20th, the case of the contract; one minute past midnight local belongs to the 21st.
    expect(salvador('2026-11-21T05:30:00Z')).toBe('2026-11-21T11:00:00.000Z');
    expect(salvador('2026-11-21T06:01:00Z')).toBe('2026-11-22T11:00:00.000Z');
    expect(salvador('2026-12-31T20:00:00Z')).toBe('2027-01-01T11:00:00.000Z');
    expect(salvador('2026-11-21T05:30:00Z', 0.999)).toBe('2026-11-21T11:29:58.200Z');
  });

  it('keeps to the clock on the wall where summer time begins', () => {
    const paris = fromFiveNextDay('Europe/Paris');
    expect(new Date(paris(new Date('2027-03-27T22:00:00Z'), 0, () => 0)!).toISOString()).toBe(
      '2027-03-28T03:00:00.000Z',
    );
  });
});

describe('judgeConsultation', () => {
  it.each([
    [2, 'authorized'],
    [4, 'failed'],
    [6, 'rejected'],
    [11, 'invalidated'],
  ] as const)('code %i decides', (code, state) => {
    for (const before of ['contingency', 'in-doubt', 'returned', 'refused'] as const) {
      const verdict = consulted(answered(code), before);
      expect(verdict).toMatchObject({ state, answer: { code } });
      expect(verdict.consultAt).toBeUndefined();
    }
  });

  // What the service has under the number of a document that only code 15 answered may be another document.
  const FOUND: readonly (readonly [code: number, before: State, onlyReturned: boolean, after: State])[] = [
    [2, 'returned', true, 'returned'],
    [4, 'returned', true, 'returned'],
    [6, 'returned', true, 'returned'],
    [8, 'returned', true, 'returned'],
    [11, 'returned', true, 'returned'],
    [15, 'returned', true, 'returned'],
    [18, 'returned', true, 'returned'],
    [2, 'returned', false, 'authorized'],
    [4, 'returned', false, 'failed'],
    [6, 'returned', false, 'rejected'],
    [11, 'returned', false, 'invalidated'],
    [2, 'in-doubt', false, 'authorized'],
    [6, 'in-doubt', false, 'rejected'],
    [2, 'contingency', false, 'authorized'],
    [2, 'refused', false, 'authorized'],
  ];

  it.each(FOUND)('code %i for one that is %s, only returned: %s', (code, before, onlyReturned, after) => {
    const verdict = judgeConsultation(answered(code), { ...ours(), onlyReturned }, before, policy);
    expect(verdict).toMatchObject({ state: after, answer: { code } });
    // What was found for certain is a person's to compare; asking again would say the same.
    if (onlyReturned) expect(verdict.consultAt !== undefined).toBe(![2, 4, 6, 11].includes(code));
  });

  const ASKED_IN = ['contingency', 'in-doubt', 'returned', 'refused'] as const;

  it('code 15 leaves the state', () => {
    for (const before of ASKED_IN) {
      expect(consulted(answered(15), before)).toMatchObject({ state: before, answer: { code: 15 } });
    }
  });

  it('code 8 means that the service has it: in contingency, unless it may be another document', () => {
    for (const before of ASKED_IN) {
      expect(consulted(answered(8), before)).toMatchObject({ state: 'contingency', answer: { code: 8 } });
      expect(consulted(answered(8), before).consultAt).toBeGreaterThan(NOW.getTime());
    }
    const other = judgeConsultation(answered(8), { ...ours(), onlyReturned: true }, 'returned', policy);
    expect(other).toMatchObject({ state: 'returned', answer: { code: 8 } });
  });

  it('an answer with an unknown code is kept: it is not "does not exist"', () => {
    expect(consulted(answered(3), 'in-doubt')).toMatchObject({ state: 'in-doubt', answer: { code: 3 } });
  });

  it('keeps code 18 as a flag', () => {
    expect(consulted(answered(18, 404), 'in-doubt')).toMatchObject({
      state: 'in-doubt',
      consultAt: NOW.getTime() + 5 * MIN,
    });
    expect(consulted(answered(18), 'in-doubt', 1).consultAt).toBe(NOW.getTime() + HOUR);
    expect(consulted(answered(18), 'in-doubt', 2).consultAt).toBeUndefined();
    expect(consulted(answered(18), 'contingency', 9).consultAt).toBe(NOW.getTime() + 24 * HOUR);
  });

  it('goes on asking daily about a doubtful document that turns out to be in contingency', () => {
    expect(consulted(answered(8), 'in-doubt', 9).consultAt).toBe(NOW.getTime() + 24 * HOUR);
  });

  it.each<[string, Exchange]>([
    ['not sent', { sent: false, error: { code: 'ECONNREFUSED', message: '' } }],
    ['reset', { sent: true, error: { code: 'ECONNRESET', message: '' } }],
    ['500', { sent: true, status: 500, headers: {}, body: '' }],
    ['404 without a code', { sent: true, status: 404, headers: {}, body: '<html>' }],
    ['401', { sent: true, status: 401, headers: {}, body: '' }],
    ['2 under 500', answered(2, 500)],
    ['another document', answered(2, 200, '"F-8"')],
    ['a text for a code', answered('"2"')],
    ['an unknown code', answered(3)],
  ])('changes nothing: %s', (_, exchange) => {
    for (const before of ['contingency', 'in-doubt', 'returned', 'refused'] as const) {
      const verdict = consulted(exchange, before);
      expect(verdict.state).toBe(before);
      expect(verdict.resend ?? verdict.pause).toBeUndefined();
      expect(verdict.consultAt !== undefined).toBe(before !== 'refused');
    }
  });

  it('does not count a failure as the last of two answers', () => {
    const failed: Exchange = { sent: true, status: 500, headers: {}, body: '' };
    expect(consulted(failed, 'in-doubt', 7).consultAt).toBe(NOW.getTime() + HOUR);
  });
});
