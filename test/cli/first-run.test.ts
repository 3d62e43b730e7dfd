/** From `init` to the first document: what is printed leads there, and no confirmation is asked for on the way. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { SALES_MAPPING, sales } from '../night.ts';
import { command } from '../program.ts';

type Status = { readonly services: readonly { readonly service: string; readonly answered: boolean }[] };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'nightpost-first-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('a template that is not filled in fails every check, and no command works with it', async () => {
  const root = join(folder(), 'instance');
  expect((await command(['init', root])).code).toBe(0);
  const checked = await command(['-C', root, '--json', 'check']);
  expect(checked.code).toBe(2);
  const { findings } = JSON.parse(checked.out) as { findings: { code: string; mark: { line: number } }[] };
  const lines = readFileSync(join(root, 'nightpost.yaml'), 'utf8').split('\n');
  const marked = findings
    .filter(({ code }) => code === 'config/not-filled-in')
    .map(({ mark }) => lines[mark.line - 1]!);
  expect(marked.map((line) => line.trim().split(':')[0])).toEqual([
    'company',
    'base-url',
    'identity-url',
    'realm',
    'client-id',
    'sender-id',
  ]);
  writeFileSync(join(root, 'mappings/sales.yaml'), SALES_MAPPING);
  writeFileSync(join(root, 'inbox/ventes.csv'), sales(['F1']));
  expect(await command(['-C', root, 'run'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('config/not-filled-in'),
  });
  expect(readFileSync(join(root, 'inbox/ventes.csv'), 'utf8')).toBe(sales(['F1']));
});

test('init, settings, secret, mapping, check, run: the document is sent', async () => {
  await using sandbox = await startSandbox({});
  const { services, environment } = describeSandbox(sandbox);
  const root = join(folder(), 'instance');
  expect((await command(['init', root])).code).toBe(0);
  const fr = services.fr as unknown as { readonly [key: string]: string };
  const settings = join(root, 'nightpost.yaml');
  const [, name] = /"client-secret":{"env":"(\w+)"}/.exec(JSON.stringify(fr))!;
  const filled = readFileSync(settings, 'utf8')
    .replace('company: FILL IN', 'company: Exemple SARL')
    .replace('https://fr.example.invalid', fr['base-url']!)
    .replace('https://identity.example.invalid', fr['identity-url']!)
    .replace('realm: FILL IN', `realm: ${fr.realm}`)
    .replace('client-id: FILL IN', `client-id: ${fr['client-id']}`)
    .replace('sender-id: FILL IN', `sender-id: ${fr['sender-id']}`)
    .replace('new-mapping: true', 'new-mapping: false')
    .replace('fr: fr-2026', 'fr: wire');
  writeFileSync(settings, filled);
  mkdirSync(join(root, 'secrets'), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'secrets/fr-client-secret'), environment[name!]!, { mode: 0o600 });
  writeFileSync(join(root, 'mappings/sales.yaml'), SALES_MAPPING);
  expect(await command(['-C', root, 'check'])).toMatchObject({ code: 0 });
  const path = join(root, 'inbox/ventes.csv');
  writeFileSync(path, sales(['F1']));
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
  const reached = async () => {
    const status = JSON.parse((await command(['-C', root, '--json', 'status'])).out) as Status;
    return status.services.map(({ answered }) => answered);
  };
  expect(await reached()).toEqual([false]);
  const ended = await command(['-C', root, 'run']);
  expect(ended.err).not.toContain('ledger/');
  // The ledger of the template was bound to no address, so none was replaced.
  expect(ended.err).not.toContain('http://');
  expect(ended.code).toBe(0);
  expect(sandbox.acceptances()).toHaveLength(1);
  expect(await reached()).toEqual([true]);
});

test('before anything was sent another address needs no confirmation; the next run that writes says so, once', async () => {
  await using sandbox = await startSandbox({});
  const root = join(folder(), 'instance');
  expect((await command(['init', root, '--sandbox'])).code).toBe(0);
  const settings = join(root, 'nightpost.yaml');
  const { origin } = new URL(sandbox.fr.url);
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('http://127.0.0.1:7501', origin));
  const says = `fr: ${origin}`;
  const doctor = await command(['-C', root, 'doctor', '--offline']);
  expect(doctor.out).toContain(says);
  const [first, second] = [await command(['-C', root, 'run']), await command(['-C', root, 'run'])];
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.err).toContain(says);
  expect(second.err).not.toContain(says);
});

test('init says which environment it wrote, and its commands can be pasted', async () => {
  const root = join(folder(), "l'instance $HOME");
  const test_ = await command(['init', root]);
  expect(test_.out).toContain('nightpost --env production init FOLDER');
  expect(test_.out).toContain(`nightpost -C '${root.replace("'", "'\\''")}' doctor`);
  const production = await command(['--env', 'production', 'init', join(folder(), 'x')]);
  expect(production.out).not.toContain('--env production');
});
