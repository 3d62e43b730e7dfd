import { describe, expect, it } from 'vitest';
import type { AccessToken } from '../../src/delivery/service.ts';
import { TokenRefused, tokenSource, withToken } from '../../src/delivery/token-cache.ts';
import { verbatimText } from '../../src/i18n/message.ts';

/** A source over a scripted identity provider and a clock that the test moves. */
function rig(answer: (call: number) => Promise<AccessToken> | AccessToken) {
  const clock = { ms: 0 };
  const calls: number[] = [];
  const authorize = async () => {
    calls.push(clock.ms);
    return await answer(calls.length);
  };
  return { clock, calls, source: tokenSource(authorize, { monotonicMs: () => clock.ms, random: () => 0 }) };
}

const numbered = (lifeSeconds?: number) => (call: number) => ({
  value: `t${call}`,
  ...(lifeSeconds === undefined ? {} : { lifeSeconds }),
});

const refused = () => Promise.reject(new TokenRefused('unreachable', verbatimText('down')));

async function outcome(promise: Promise<string>): Promise<string> {
  return await promise.catch((error: Error) => error.message);
}

describe('tokenSource', () => {
  it('asks once for 200 at the same time', async () => {
    const { source, calls } = rig(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return numbered(300)(call);
    });
    const values = await Promise.all(Array.from({ length: 200 }, () => source.get()));
    expect(new Set(values)).toEqual(new Set(['t1']));
    expect(calls).toHaveLength(1);
  });

  it('renews once for 50 that drop the same token, however late they come', async () => {
    const { source, calls } = rig(numbered(300));
    const old = await source.get();
    const again = await Promise.all(
      Array.from({ length: 50 }, async () => {
        source.drop(old);
        return await source.get();
      }),
    );
    expect(new Set(again)).toEqual(new Set(['t2']));
    source.drop(old);
    expect(await source.get()).toBe('t2');
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['an hour: 60 s before the end', 3600, 3540],
    ['five minutes', 300, 240],
    ['a minute: at 80 %', 60, 48],
    ['none given: five minutes', undefined, 240],
    ['0: 10 s', 0, 8],
    ['negative: 10 s', -5, 8],
    ['no number: five minutes', Number.NaN, 240],
    ['huge: a day', 1e12, 86_340],
    ['endless: a day', Number.POSITIVE_INFINITY, 86_340],
  ])('renews early, for a life of %s', async (_, life, renewSeconds) => {
    const { source, clock } = rig(numbered(life));
    await source.get();
    clock.ms = renewSeconds * 1000 - 1;
    expect(await source.get()).toBe('t1');
    clock.ms = renewSeconds * 1000;
    expect(await source.get()).toBe('t2');
  });

  it('makes at most one call per step of the back-off, for a thousand documents', async () => {
    const { source, clock, calls } = rig(refused);
    for (let n = 0; n < 1000; n++) {
      expect(await outcome(source.get())).toBe('down');
      clock.ms += 1000;
    }
    // 1, 2, 4 .. 256, then every 300 s.
    expect(calls.map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811]);
    expect(source.retryAt()).toBe(1_111_000);
  });

  it('asks at once again after a success', async () => {
    const { source, clock, calls } = rig((call) => (call % 2 ? refused() : numbered(10)(call)));
    await outcome(source.get());
    clock.ms = 1000;
    expect(await source.get()).toBe('t2');
    clock.ms = 100_000;
    expect(await outcome(source.get())).toBe('down');
    clock.ms = 101_000;
    expect(await source.get()).toBe('t4');
    expect(calls).toHaveLength(4);
  });

  it('serves the token in hand to its end while the renewal fails', async () => {
    const { source, clock, calls } = rig((call) => (call === 1 ? numbered(300)(call) : refused()));
    await source.get();
    clock.ms = 240_000;
    expect(await source.get()).toBe('t1');
    clock.ms = 240_500;
    expect(await source.get()).toBe('t1');
    expect(calls).toHaveLength(2);
    clock.ms = 300_000;
    expect(await outcome(source.get())).toBe('down');
  });

  it('survives an authorize that throws before it waits', async () => {
    let broken = true;
    const source = tokenSource(
      () => {
        if (broken) throw new TokenRefused('credentials', verbatimText('no secret'));
        return Promise.resolve({ value: 'ok' });
      },
      { monotonicMs: () => (broken ? 0 : 10_000), random: () => 0 },
    );
    expect(await outcome(source.get())).toBe('no secret');
    broken = false;
    expect(await source.get()).toBe('ok');
  });

  it.each(['', 'a b', 'a\r\nx: y', 'clé'])('takes no token that no header can carry: %j', async (value) => {
    const { source } = rig(() => ({ value }));
    await expect(source.get()).rejects.toMatchObject({ name: 'TokenRefused', why: 'unreachable' });
  });

  it.each([
    [16 * 1024, true],
    [16 * 1024 + 1, false],
  ])('a token of %i characters is taken: %j', async (length, taken) => {
    const { source } = rig(() => ({ value: 'x'.repeat(length) }));
    const got = await source.get().then(
      () => true,
      (error) => !(error instanceof TokenRefused && error.why === 'unreachable'),
    );
    expect(got).toBe(taken);
  });
});

it('withToken puts the token into the header and leaves the rest', () => {
  const request = { method: 'POST', url: 'https://a.example/', headers: { accept: 'x' }, body: '{}' } as const;
  expect(withToken(request, 't1')).toEqual({ ...request, headers: { accept: 'x', authorization: 'Bearer t1' } });
});
