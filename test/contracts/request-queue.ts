/** What every queue of requests has to do, on any engine. */
import { expect, test } from 'vitest';
import type { RequestQueue } from '../../src/ledger/contract/request-queue.ts';

/** `open`: a queue of its own for the test; `again`: the same one, as another process opens it. */
export type QueueScene = { readonly queue: RequestQueue; readonly again: () => Promise<RequestQueue> };

const AT = '2026-11-23T01:00:00.000Z';
const LATER = '2026-11-23T02:00:00.000Z';
const asked = (id: string, person = 'anna') => ({ id, at: AT, person, reason: `why ${id}`, act: '{"act":"resume"}' });

export function requestQueueContract(engine: string, open: () => Promise<QueueScene>): void {
  test(`${engine}: what was added is there for another process, once, in its order`, async () => {
    const { queue, again } = await open();
    await queue.add({ ...asked('b'), look: '{"count":1}', keys: '{"names":["anna"]}', session: 's' });
    await queue.add(asked('a'));
    await queue.add({ ...asked('b'), reason: 'another' });
    await using other = await again();
    expect(await other.waiting()).toBe(2);
    expect(await other.next(0, AT)).toEqual({
      ...asked('b'),
      ...{ look: '{"count":1}', keys: '{"names":["anna"]}', tries: 0 },
    });
    expect((await other.next(0, AT, ['b']))?.id).toBe('a');
    expect(await other.next(0, AT, ['b', 'a'])).toBeUndefined();
    expect(await other.find('unknown')).toBeUndefined();
    expect(await other.beginning('')).toEqual({ id: 'a' });
    expect(await other.beginning('c')).toBeUndefined();
  });

  test(`${engine}: tries are counted, and an act that was not complete is put back`, async () => {
    const { queue } = await open();
    await queue.add(asked('a'));
    await queue.begin('a');
    await queue.begin('a');
    expect([await queue.next(1, AT), (await queue.next(2, AT))?.tries]).toEqual([undefined, 2]);
    for (let n = 0; n < 3; n++) await queue.putBack('a');
    expect((await queue.next(0, AT))?.tries).toBe(0);
    await queue.begin('a');
    await queue.withdraw('a');
    expect((await queue.find('a'))?.id).toBe('a');
    await queue.putBack('a');
    await queue.withdraw('a');
    expect(await queue.find('a')).toBeUndefined();
  });

  test(`${engine}: an answer ends a request, for good and without its act`, async () => {
    const { queue, again } = await open();
    await queue.add(asked('a'));
    expect(await queue.answerOf('a')).toBeUndefined();
    await queue.answer('a', '{"result":1}', LATER);
    await queue.answer('a', '{"result":2}', LATER);
    await using other = await again();
    expect(await other.answerOf('a')).toBe('{"result":1}');
    expect(await other.find('a')).toEqual({ ...asked('a'), act: '', done: LATER, answer: '{"result":1}' });
    expect(await other.beginning('a')).toEqual({ id: 'a', answer: '{"result":1}' });
    expect([await other.next(9, AT), await other.waiting()]).toEqual([undefined, 0]);
    await queue.forget(LATER);
    expect(await queue.find('a')).toBeDefined();
    await queue.forget('2026-11-23T02:00:00.001Z');
    expect(await queue.find('a')).toBeUndefined();
  });

  test(`${engine}: a request that waits for another person is seen once that person has answered, or never does`, async () => {
    const { queue, again } = await open();
    const approval = { about: '[]', expires: LATER };
    await queue.add({ ...asked('a'), approval });
    await queue.add(asked('b'));
    await queue.begin('b');
    await queue.hold('b', approval);
    await using other = await again();
    expect((await other.waitingForPeople(AT)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect([await other.next(9, AT), await other.waiting()]).toEqual([undefined, 0]);
    expect((await other.next(9, LATER))?.id).toBe('a');
    expect(
      await Promise.all([other.judge('a', '{"as":"approved"}', AT), queue.judge('a', '{"as":"refused"}', AT)]),
    ).toSatisfy((both: readonly boolean[]) => both.filter(Boolean).length === 1);
    expect(await queue.judge('b', '{}', LATER)).toBe(false);
    await queue.hold('a', { about: '[1]', expires: LATER });
    expect(await queue.next(9, AT)).toMatchObject({ id: 'a', about: '[]', tries: 0 });
    await queue.withdraw('a');
    expect(await queue.find('a')).toBeDefined();
  });

  test(`${engine}: the reasons of a person, each once, the latest first; answers that are meant are dropped`, async () => {
    const { queue, again } = await open();
    for (const [id, reason] of [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'x'],
      ['4', ''],
    ] as const)
      await queue.add({ ...asked(id), reason });
    await queue.add(asked('5', 'paul'));
    expect(await queue.reasonsOf('anna', 5)).toEqual(['x', 'y']);
    expect(await queue.reasonsOf('anna', 1)).toEqual(['x']);
    for (const id of ['1', '2']) await queue.answer(id, `{"of":${id}}`, AT);
    await queue.forgetAnswers((answer) => answer === '{"of":1}');
    expect([await queue.find('1'), (await queue.find('2'))?.answer]).toEqual([undefined, '{"of":2}']);
    expect(await queue.hasChanged()).toBe(true);
    await using other = await again();
    await other.add(asked('6'));
    expect(await queue.hasChanged()).toBe(true);
  });
}
