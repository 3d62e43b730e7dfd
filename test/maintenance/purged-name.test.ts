import { expect, test, vi } from 'vitest';
import { openConsoleOf } from '../console/console.ts';
import { filesWith } from '../files-with.ts';
import { openScene, sales } from '../night.ts';
import { webReceiver } from '../notices/receivers.ts';
import { commandIn } from '../program.ts';

const NAME = 'Zoroastre Quetzal';
const OTHER = 'Jeanne Dupont';

test('the name of a purged counterparty is in no file of the instance, also not in a freed page', async () => {
  await using hook = await webReceiver();
  const webhook = { url: { env: 'PURGED_HOOK' }, secret: { env: 'PURGED_SECRET' }, types: ['document.changed'] };
  vi.stubEnv('PURGED_HOOK', hook.url);
  vi.stubEnv('PURGED_SECRET', `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  await using there = await openScene({
    settings: {
      receipts: { answers: 'xml' },
      corrections: { files: ['csv'] },
      notify: [{ webhook, on: ['always'], details: 'full' }],
    },
  });
  const to = (numbers: readonly string[], name: string, quantity = '2') =>
    sales(numbers, quantity).replaceAll(/Client \w+/g, name);
  there.drop('ventes-1.csv', `${to(['F1'], NAME, '2O')}${to(['F2', 'F3'], NAME).split('\n').slice(1).join('\n')}`);
  there.drop('ventes-2.csv', to(['F4', 'F5'], OTHER));
  expect((await commandIn(there, 'run')).code).toBe(3);
  expect((await commandIn(there, 'fix', 'F1', 'Qte=2', '--reason', 'letter O')).code).toBe(0);
  expect((await commandIn(there, 'run')).code).toBe(0);
  expect(hook.received.filter(({ body }) => body.includes(NAME)).length).toBeGreaterThan(0);
  expect((await commandIn(there, 'find', NAME)).out).toContain('F2');
  {
    await using _console = await openConsoleOf(there);
    expect(filesWith(there, NAME).length).toBeGreaterThan(5);
    const purged = await commandIn(there, 'purge', '--subject', NAME, '--reason', 'request of a person');
    expect(purged).toMatchObject({ code: 0, err: '' });
    expect(filesWith(there, NAME)).toEqual([]);
  }
  expect(filesWith(there, NAME)).toEqual([]);
  // What is about another one stays, and the ledger is whole.
  expect(filesWith(there, OTHER).length).toBeGreaterThan(3);
  expect((await commandIn(there, 'find', OTHER)).out).toContain('F4');
  const verified = await commandIn(there, 'verify');
  expect(verified.code).toBe(0);
  there.drop('ventes-3.csv', to(['F2'], NAME));
  await commandIn(there, 'run');
  expect(there.sandbox.requests().fr.submit).toBe(5);
});
