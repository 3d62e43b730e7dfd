/** Settings: who wins, what is refused and how it is said. */
import { expect, test } from 'vitest';
import { connection, millisecondsOf } from '../src/delivery/service-settings.ts';
import { type Overrides, readConfig } from '../src/instance/settings.ts';
import { settingsOfRun } from '../src/instance/settings-of-run.ts';
import { localize, OperatorError } from '../src/model/fault.ts';
import { showMarked } from '../src/yaml/yaml-document.ts';

const SERVICE = `
services:
  fr:
    base-url: https://fr.example
    identity-url: https://id.example
    realm: r
    client-id: c
    client-secret: { env: SECRET }
    sender-id: s
    integration: { id: i, name: n, version: '1' }
    concurrency: 2
`;

const FILE = `version: 1
company: Exemple
${SERVICE}
run: { max-errors: 7 }
environments:
  test:
    company: Test
    services:
      fr: { base-url: https://fr-test.example, concurrency: 3, client-secret: { file: test-secret } }
`;

function read(text: string, overrides: Overrides = {}) {
  return readConfig(text, 'nightpost.yaml', overrides);
}

function faultsOf(text: string, overrides: Overrides = {}) {
  try {
    read(text, overrides);
  } catch (error) {
    if (error instanceof OperatorError) return error.faults;
    throw error;
  }
  return [];
}

function effective(path: string, overrides: Overrides) {
  const found = read(FILE, overrides).effective.find((one) => one.path === path);
  return found && [found.value, found.source];
}

test('flag before variable before environment before file before default', () => {
  const path = 'services.fr.concurrency';
  const variables = { NIGHTPOST_SERVICES__FR__CONCURRENCY: '4' };
  const flags = { 'services.*.concurrency': 5 };
  expect(effective(path, {})).toEqual([2, 'file']);
  expect(effective(path, { environment: 'test' })).toEqual([3, 'environment']);
  expect(effective(path, { environment: 'test', variables })).toEqual([4, 'variable']);
  expect(effective(path, { environment: 'test', variables, flags })).toEqual([5, 'flag']);
  expect(effective('run.max-errors', {})).toEqual([7, 'file']);
  expect(effective('run.consult-per-minute', {})).toEqual([6, 'default']);
});

test('a flag for all services makes no block for one that is not used', () => {
  const { settings } = read(FILE, { flags: { 'services.*.concurrency': 5 } });
  expect(Object.keys(settings.services)).toEqual(['fr']);
});

test('an environment replaces what it names, a reference whole; the variable chooses it too', () => {
  const { settings } = read(FILE, { variables: { NIGHTPOST_ENVIRONMENT: 'test' } });
  expect(settings).toMatchObject({ company: 'Test', environment: 'test', run: { 'max-errors': 7 } });
  expect(settings.services.fr).toMatchObject({
    'base-url': 'https://fr-test.example',
    'identity-url': 'https://id.example',
    'client-secret': { file: 'test-secret' },
  });
  expect(effective('services.fr.client-secret.file', { environment: 'test' })).toEqual(['test-secret', 'environment']);
});

test('an environment that is not there', () => {
  expect(() => read(FILE, { environment: 'prod' })).toThrow(
    expect.objectContaining({ code: 'config/unknown-environment', hint: expect.stringContaining('known: test') }),
  );
});

test('all faults at once, each with its place, unknown keys with a suggestion', () => {
  const text = FILE.replace('company: Exemple', 'companny: Exemple')
    .replace('max-errors: 7', 'max-errors: 0')
    .replace('    realm: r\n', '')
    .replace('{ env: SECRET }', 'hunter2');
  const faults = faultsOf(text);
  expect(faults.map(({ code, mark }) => [code, mark?.line, mark?.column])).toEqual([
    ['config/missing', 6, 5],
    ['config/wrong-value', 9, 20],
    ['config/wrong-value', 14, 20],
    ['config/unknown-key', 2, 1],
  ]);
  const [missing, , , unknown] = faults;
  expect(missing?.message).toContain('services.fr.realm');
  expect(`${unknown?.message} ${unknown?.hint}`).toMatch(/"companny".*"company"/);
});

test('a literal secret in the file is refused, and the line that shows it hides it', () => {
  const text = FILE.replace('client-secret: { env: SECRET }', 'client-secret: hunter2');
  const faults = faultsOf(text);
  expect(faults.map(({ code }) => code)).toEqual(['config/wrong-value']);
  const shown = faults.map(showMarked).join('\n');
  expect(shown).toContain('client-secret: ***');
  expect(shown).not.toContain('hunter2');
});

const CANARY = 'canary-hunter2';
test.each([
  ['a misspelt key', `client-secrt: ${CANARY}`],
  ['beside a reference', `client-secret: { file: x, plain: ${CANARY} }`],
  ['a key of our own making', `proxy-password: "${CANARY}"`],
  ['a list', `client-secret: [a, ${CANARY}]`],
  ['a block without key', `client-secret: { ${CANARY} }`],
  ['a key where a reference belongs', `client-secret: { ${CANARY}: x }`],
  ['a text over several lines', `client-secret: |\n      -----BEGIN KEY-----\n      ${CANARY}\n    wrong: x`],
  ['the user of a proxy', `connection: { proxy: "http://user:${CANARY}@proxy.example" }`],
  ['the user of an address', `identity-url: https://user:${CANARY}@id.example`],
  ['a quote that is not closed', `client-secret: "${CANARY}`],
  ['a tab before it', `\tclient-secret: ${CANARY}`],
  ['a merge key', `<<: ${CANARY}`],
  ['twice', `client-secret: ${CANARY}\n    client-secret: ${CANARY}`],
  ['a comment at its end', `secret: ${CANARY} # of ${CANARY}`],
])('a literal secret is not quoted by any fault: %s', (_, line) => {
  const faults = faultsOf(FILE.replace('client-secret: { env: SECRET }', line));
  expect(faults.length).toBeGreaterThan(0);
  const shown = (['en', 'fr', 'es'] as const).flatMap((language) => localize(faults, language).map(showMarked));
  expect(JSON.stringify(faults) + shown.join('\n')).not.toContain(CANARY);
});

test('settings of a list that hold no secret are shown', () => {
  const sender = '      - { issuers: ["732829320"], mappings: [sage-invoices], sender-id: S, wrng: unknown-words }';
  const faults = faultsOf(FILE.replace('    concurrency: 2\n', `    concurrency: 2\n    senders:\n${sender}\n`));
  const shown = faults.map(showMarked).join('\n');
  expect(shown).toContain('issuers: ["732829320"], mappings: [sage-invoices]');
  expect(shown).not.toContain('unknown-words');
});

test('nor elsewhere in the file, where its key says what it is, or no key is known', () => {
  for (const line of [
    `client-secret: ${CANARY}`,
    `servces: { fr: { a: ${CANARY} } }`,
    `inbox: { password: ${CANARY} }`,
  ]) {
    const shown = faultsOf(`${FILE}${line}\n`).map(showMarked).join('\n');
    expect(shown).not.toBe('');
    expect(shown).not.toContain(CANARY);
  }
});

test('what is no secret stays readable, and the underline at its place', () => {
  const shown = faultsOf(FILE.replace('realm: r', 'realm: [r, s]')).map(showMarked).join('\n');
  expect(shown).toContain('realm: [r, s]');
  const [fault] = faultsOf(FILE.replace('{ env: SECRET }', `{ file: x, plain: ${CANARY} }`));
  expect(fault?.mark?.text).toContain(`client-secret: { file: x, plain: ${'*'.repeat(CANARY.length)} }`);
});

test('a literal secret is refused from a variable too, and is not quoted', () => {
  const faults = faultsOf(FILE, { variables: { NIGHTPOST_SERVICES__FR__CLIENT_SECRET: 'canary-hunter2' } });
  expect(faults).toHaveLength(1);
  expect(JSON.stringify(faults)).not.toContain('canary-hunter2');
  const inFile = faultsOf(FILE.replace('{ env: SECRET }', 'canary-hunter2'));
  expect(inFile.map(({ message, hint, given }) => `${message}${hint}${given}`).join()).not.toContain('canary-hunter2');
});

test('an unknown variable with our prefix is a fault, others are not ours', () => {
  expect(faultsOf(FILE, { variables: { NIGHTPOST_INBOX__SETTEL: '3s' } })).toHaveLength(1);
  expect(faultsOf(FILE, { variables: { NIGHTPOST_SANDBOX: 'x', HOME__DIR: 'y' } })).toEqual([]);
  const misspelled = faultsOf(FILE, { variables: { NIGHTPOST_INBOX_SETTLE: '3s' } });
  expect(misspelled).toHaveLength(1);
  expect(JSON.stringify(misspelled)).toContain('NIGHTPOST_INBOX__SETTLE');
  // As Kubernetes sets it next to a service of that name.
  expect(faultsOf(FILE, { variables: { NIGHTPOST_SERVE_PORT: 'tcp://10.0.0.1:80' } })).toEqual([]);
  expect(faultsOf(FILE, { variables: { NIGHTPOST_SERVE_PORT: '8080' } })).toHaveLength(1);
  // A secret may be in a variable with the name of its setting.
  const named = 'services: { fr: { client-secret: { env: NIGHTPOST_SERVICES_FR_CLIENT_SECRET } } }';
  const ofNamed = faultsOf(named, { variables: { NIGHTPOST_SERVICES_FR_CLIENT_SECRET: 'x' } });
  expect(ofNamed.map(({ code }) => code)).not.toContain('config/unknown-key');
});

test.each([
  ['250ms', 250],
  ['5s', 5000],
  ['3 s', 3000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
])('a duration %s', (text, ms) => {
  expect(read(`${FILE}inbox: { settle: ${text} }\n`).settings.inbox.settle).toBe(ms);
});

test.each(['10s', '10 s', '10\u00a0s'])('a duration of a connection, %j', (text) => {
  const { 'total-timeout': total } = connection.parse({ 'total-timeout': text });
  expect(millisecondsOf(total)).toBe(10_000);
});

test.each(['24h', '1440m'])('a duration of a connection has an end: %s', (text) => {
  expect(connection.safeParse({ 'total-timeout': text }).success).toBe(true);
  for (const longer of ['25h', '600h', '9999999999999ms'])
    expect(connection.safeParse({ 'headers-timeout': longer }).success).toBe(false);
});

test.each([
  ['10KiB', 10_240],
  ['20MiB', 20_971_520],
  ['20 MiB', 20_971_520],
  ['4GiB', 4_294_967_296],
])('a size %s', (text, bytes) => {
  expect(read(`${FILE}inbox: { max-file: ${text} }\n`).settings.inbox['max-file']).toBe(bytes);
});

test.each(['settle: 5', 'settle: 5  s', 'settle: 5 sec', 'settle: -1s', 'max-file: 4GB', 'max-file: 4'])(
  '%s is refused',
  (setting) => {
    expect(faultsOf(`${FILE}inbox: { ${setting} }\n`)).toMatchObject([
      { level: 'error', mark: { file: 'nightpost.yaml' } },
    ]);
  },
);

test.each([
  ['an alias', '*x'],
  ['a text that is not YAML', '{ a: '],
  ['thousands of levels', '['.repeat(20_000)],
  ['aliases that grow', `[&a [x, x], ${'*a, '.repeat(500)}]`],
])('a variable with %s is a text', (_, text) => {
  const faults = faultsOf(FILE, { variables: { NIGHTPOST_SERVICES__FR__CONCURRENCY: text } });
  expect(faults.map(({ code }) => code)).toEqual(['config/wrong-value']);
});

test('a run records addresses, environment, severities and holds as they apply; no secret, nor the place of one', () => {
  const text = `version: 1
company: Exemple SARL
environment: test${SERVICE}
rules: { language: fr, severity: { FR-NOT-3: { level: off, reason: agreed } } }
run: { hold: { over: { EUR: 50000 } } }
keep: { logs: 30d }
environments: { test: { run: { max-errors: 7 } } }
`;
  const recorded = settingsOfRun(readConfig(text, 'nightpost.yaml'));
  expect(recorded).toMatchObject({
    environment: 'test',
    'services.fr.base-url': 'https://fr.example',
    'rules.severity.FR-NOT-3.level': 'off',
    'run.hold.over.EUR': '50000',
    'run.max-errors': '7',
  });
  const written = JSON.stringify(recorded);
  for (const left of ['SECRET', 'client-secret', 'rules.language', 'keep.', 'company'])
    expect(written).not.toContain(left);
});

test('the host of a server has no port and no brackets, and a socket has no TLS', () => {
  const faults = (host: string, more = '') => {
    const postgres = `{ host: '${host}', database: d, user: u${more} }`;
    return faultsOf(`version: 1\ncompany: E\n${SERVICE}ledger: { postgres: ${postgres} }\n`).map(
      ({ message }) => message,
    );
  };
  const wrong = [expect.stringContaining('"ledger.postgres.host"')];
  for (const host of ['db.example.org', '::1', 'fe80::1', '10.0.0.1', 'DB_1']) expect(faults(host)).toEqual([]);
  for (const host of ['localhost:5432', '[::1]', 'postgres://db/x', 'db example']) expect(faults(host)).toEqual(wrong);
  expect(faults('db1,db2')).toEqual([expect.stringContaining('names several servers')]);
  expect(faults('/run/postgresql', ', tls: off')).toEqual([]);
  expect(faults('/run/postgresql')).toEqual(wrong);
});
