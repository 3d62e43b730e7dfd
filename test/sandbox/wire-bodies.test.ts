import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { wireText } from '../make.ts';
import { envelope, frPost, frToken, svIssue, svToken } from './client.ts';

test.each(['invoice', 'credit-note', 'corrective', 'report'] as const)(
  'the %s of the contract is taken in',
  async (name) => {
    await using sandbox = await startSandbox();
    const path = name === 'report' ? sandbox.fr.reportPath : '/invoice';
    const body = envelope({ payload: JSON.parse(wireText(name)) }, name);
    const answer = await frPost(sandbox, await frToken(sandbox), body, path);
    expect(answer.body.result.status).toMatchObject({ code: 2, message: 'Authorized' });
  },
);

test('the remission note of the contract is taken in', async () => {
  await using sandbox = await startSandbox();
  const { body } = await svIssue(sandbox, await svToken(sandbox, 1), wireText('remission-note'));
  expect(body).toMatchObject({ codigo: 2, mensaje: 'Autorizado' });
});
