import { expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { note, svIssue, svToken } from './client.ts';

test('the settings lead to the services and carry no secret', async () => {
  await using sandbox = await startSandbox();
  const { services, environment } = describeSandbox(sandbox);
  expect(services).toMatchObject({
    fr: { 'base-url': sandbox.fr.url, 'client-secret': { env: 'NIGHTPOST_SANDBOX_FR_SECRET' } },
    sv: { 'issue-url': sandbox.sv.issueUrl, credentials: { env: 'NIGHTPOST_SANDBOX_SV_CREDENTIALS' } },
  });
  expect(Object.values(environment)).toEqual([sandbox.fr.clientSecret, `${sandbox.sv.user}:${sandbox.sv.password}`]);
  for (const secret of Object.values(environment)) expect(JSON.stringify(services)).not.toContain(secret);
});

test('the pointers of the remission-note answer find what they name', async () => {
  await using sandbox = await startSandbox();
  const { body } = await svIssue(sandbox, await svToken(sandbox, 1), note(5));
  const { answer } = describeSandbox(sandbox).services.sv as { answer: { [name: string]: string } };
  const at = (pointer: string) =>
    pointer
      .slice(1)
      .split('/')
      .reduce((value, key) => value[key], body);
  const found = Object.fromEntries(Object.entries(answer).map(([name, pointer]) => [name, at(pointer)]));
  expect(found).toEqual({
    code: 2,
    name: 'Autorizado',
    message: 'Autorizado',
    identifier: 5,
    'tracking-id': expect.stringMatching(/^[0-9A-F-]{36}$/),
  });
});
