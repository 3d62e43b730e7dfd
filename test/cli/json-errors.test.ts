/** With --json a failure is an object on standard output, for every command and also for a mistyped command line. */
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { command } from '../program.ts';

type Failure = {
  readonly error: { readonly code: string; readonly message: string; readonly faults: readonly unknown[] };
};

test.each(COMMANDS.map(({ name }) => name))('%s prints a usage error as an object', async (name) => {
  const { out, code } = await command([name, '--json', '--no-such-option']);
  expect(code).toBe(2);
  const { error } = JSON.parse(out) as Failure;
  expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(/--no-such-option|--as/), faults: [] });
});

test.each(['status', 'errors', 'runs', 'run', 'verify', 'consult', 'backup', 'check', 'doctor', 'warnings'])(
  '%s without an instance prints its error as an object, with the exit code as before',
  async (name) => {
    const { out, code } = await command(['-C', '/nonexistent', name, '--json']);
    expect(code).toBe(2);
    const { error } = JSON.parse(out) as Failure;
    expect(error).toMatchObject({ code: expect.stringMatching(/^\w+\/[\w-]+$/), message: expect.any(String) });
  },
);
