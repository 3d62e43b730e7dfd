/** `init`: options and questions make the same settings, wrong values make nothing, and nothing is overwritten. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { settingsTemplate } from '../../src/authoring/instance-template.ts';
import { readConfig } from '../../src/instance/settings.ts';
import { command, start } from '../program.ts';
import { HAS_TERMINAL, onTerminal } from '../terminal.ts';

const ENGLISH = { LC_ALL: 'C.UTF-8' };
const FRENCH = { LC_ALL: 'fr_FR.UTF-8' };

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'instance');
}

/** The settings file as plain data. */
function settingsOf(root: string) {
  return parse(readFileSync(join(root, 'nightpost.yaml'), 'utf8')) as Record<string, unknown>;
}

const FR = {
  'base-url': 'https://fr.example.org/api',
  'identity-url': 'https://id.example.org',
  realm: 'erp',
  'client-id': '0042',
  'sender-id': 'a: b',
};
const OPTIONS = [
  ...['--country', 'fr,sv', '--language', 'es', '--company', 'Café & Fils: "SARL" #1', '--keep', '10y'],
  ...Object.entries(FR).flatMap(([name, value]) => [`--fr-${name}`, value]),
  ...['--sv-auth-url', 'https://auth.example.org', '--sv-issue-url', 'https://issue.example.org'],
  ...['--expect', 'ventas=FAC_*.csv@02:00,weekdays', '--expect', 'nómina=P[12].csv@06:00,mon,thu'],
  ...['--expect', 'mes=ENC_*.csv@12:00,monthly:31', '--expect', 'día=D_*.csv@23:59'],
];
const FILLED = {
  version: 1,
  company: 'Café & Fils: "SARL" #1',
  environment: 'production',
  services: {
    fr: { ...FR, 'client-secret': { file: 'secrets/fr-client-secret' } },
    sv: { 'auth-url': 'https://auth.example.org', 'issue-url': 'https://issue.example.org' },
  },
  rules: { fr: 'fr-2026', sv: 'sv-by-day', language: 'es' },
  expect: [
    { name: 'ventas', files: 'FAC_*.csv', by: '02:00', on: 'weekdays' },
    { name: 'nómina', files: 'P[12].csv', by: '06:00', on: ['mon', 'thu'] },
    { name: 'mes', files: 'ENC_*.csv', by: '12:00', on: { monthly: 31 } },
    { name: 'día', files: 'D_*.csv', by: '23:59', on: 'daily' },
  ],
  keep: { archive: '10y', receipts: '10y', content: '10y', logs: '90d' },
  environments: { production: {} },
};

test('every option is in the settings, and check names what is left to fill in', async () => {
  const root = place();
  const { code, out } = await command(['--json', '--env', 'production', 'init', root, ...OPTIONS]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    folder: root,
    environment: 'production',
    language: 'es',
    settingsWritten: true,
    next: ['secret set fr-client-secret', 'check', 'doctor'].map((next) => `nightpost -C ${root} ${next}`),
  });
  expect(settingsOf(root)).toMatchObject(FILLED);
  for (const name of ['secrets', 'inbox', 'mappings', 'state'])
    expect(statSync(join(root, name)).isDirectory()).toBe(true);
  const checked = await command(['-C', root, '--json', 'check']);
  const { findings } = JSON.parse(checked.out) as { findings: { code: string; mark: { text: string } }[] };
  expect(findings.map(({ code: what, mark }) => [what, mark.text.trim().split(':')[0]])).toEqual(
    ['credentials-header', 'service-id-in', 'token-answer', 'answer'].map((key) => ['config/not-filled-in', key]),
  );
});

test.each([
  [ENGLISH, { environment: 'test', rules: { fr: 'fr-2026', language: 'en' } }, 'fr'],
  [FRENCH, { environment: 'test', rules: { fr: 'fr-2026', language: 'fr' } }, 'fr'],
  [{ LC_ALL: 'es_SV.UTF-8' }, { environment: 'test', rules: { sv: 'sv-by-day', language: 'es' } }, 'sv'],
])('without options the language of the system %j decides', async (env, settings, service) => {
  const root = place();
  const { code, out } = await command(['init', root, '--yes'], env);
  expect(code).toBe(0);
  expect(settingsOf(root)).toMatchObject(settings);
  expect(Object.keys(settingsOf(root).services as object)).toEqual([service]);
  expect(
    out
      .trim()
      .split('\n')
      .filter((line) => line.length > 80 && !line.includes(root)),
  ).toEqual([]);
  expect(out).toMatch(/1\. nightpost .* secret set \S+\n.*\n +2\. nightpost .* check\n.*\n +3\. nightpost .* doctor\n/);
});

test('the settings for the sandbox are in the language of the system too', async () => {
  const root = place();
  expect((await command(['init', root, '--sandbox', '--company', 'Société'], FRENCH)).code).toBe(0);
  expect(settingsOf(root)).toMatchObject({ company: 'Société', environment: 'default', rules: { language: 'fr' } });
  expect((await command(['-C', root, 'check'], FRENCH)).code).toBe(0);
});

test('the sandbox with --country has settings, secrets and mappings of that country alone', async () => {
  const [fr, sv] = [place(), place()];
  expect((await command(['init', fr, '--sandbox', '--country', 'fr'], ENGLISH)).code).toBe(0);
  expect((await command(['init', sv, '--sandbox', '--mappings', '--country', 'sv'], ENGLISH)).code).toBe(0);
  for (const [root, country, secret] of [
    [fr, 'fr', 'NIGHTPOST_SANDBOX_FR_SECRET'],
    [sv, 'sv', 'NIGHTPOST_SANDBOX_SV_CREDENTIALS'],
  ] as const) {
    expect(Object.keys(settingsOf(root).services as object)).toEqual([country]);
    expect(readdirSync(join(root, 'secrets'))).toEqual([secret]);
    expect((await command(['-C', root, 'check'], ENGLISH)).code).toBe(0);
  }
  const mappings = globSync('*.yaml', { cwd: join(sv, 'mappings') });
  expect(mappings.sort()).toEqual(['sv-remission-notes.yaml', 'sv-transfers.yaml']);
});

test.each([
  [['--fr-base-url', 'http://fr.example.org'], 'init/wrong-value'],
  [['--env', 'Production'], 'init/wrong-value'],
  [['--env', 'x\n  y: z'], 'init/wrong-value'],
  [['--sandbox', '--fr-realm', 'x'], 'init/sandbox-services'],
  [['--env', 'sandbox', '--fr-realm', 'x'], 'init/sandbox-services'],
  [['--env', 'production', '--sandbox'], '--env has no effect'],
  [['--country', 'fr', '--sv-auth-url', 'https://a.example.org'], '--sv-auth-url is for a country'],
  [['--ledger', '--country', 'fr'], '--country has no effect'],
  [['--ledger', '--sandbox'], '--sandbox has no effect'],
  [['--country', 'de'], 'fr, sv'],
  [['--country', ''], 'fr, sv'],
  [['--language', 'de'], 'en, fr, es'],
  [['--keep', '10'], '10y'],
  [['--keep', '0d'], '10y'],
  [['--expect', 'FAC_*.csv@02:00'], 'NAME=PATTERN@HH:MM'],
  [['--expect', 'a=b@24:00'], 'NAME=PATTERN@HH:MM'],
  [['--expect', 'a=b@02:00,sunday'], 'NAME=PATTERN@HH:MM'],
  [['--expect', 'a=b@02:00,monthly:32'], 'NAME=PATTERN@HH:MM'],
])('init %j is refused, and nothing is made', async (options, words) => {
  const root = place();
  const { code, err, out } = await command(['init', root, ...options], ENGLISH);
  expect(code).toBe(2);
  expect(err + out).toContain(words);
  expect(existsSync(root)).toBe(false);
});

test('texts of a person never become keys of the settings', () => {
  const texts = [
    'x\ny: z',
    ' blanks ',
    '#',
    "it's",
    'no',
    '007',
    '- a',
    '{a: b}',
    'a: b',
    '*a',
    '\u00a0',
    'x'.repeat(300),
  ];
  for (const text of texts) {
    const services = { 'fr.realm': text };
    const expect_ = [{ name: text, files: text, by: '02:00', on: 'daily' }];
    const answers = { language: 'en', environment: 'test', countries: ['fr'], services, expect: expect_ } as const;
    const { settings } = readConfig(settingsTemplate({ ...answers, company: text }), 'nightpost.yaml');
    expect(settings.company).toBe(text);
    expect(settings.services.fr).toMatchObject({ realm: text });
    expect(settings.expect).toMatchObject([{ name: text, files: text }]);
  }
});

test('nothing is overwritten: settings, mappings, secrets', async () => {
  const root = place();
  mkdirSync(join(root, 'mappings/tables'), { recursive: true });
  mkdirSync(join(root, 'secrets'));
  const mine = ['mappings/sage-invoices.yaml', 'mappings/tables/units.csv', 'secrets/NIGHTPOST_SANDBOX_FR_SECRET'];
  for (const name of mine) writeFileSync(join(root, name), 'mine', { mode: 0o640 });
  expect((await command(['init', root, '--sandbox', '--mappings'])).code).toBe(0);
  for (const name of mine) {
    expect(readFileSync(join(root, name), 'utf8')).toBe('mine');
    if (process.platform !== 'win32') expect(statSync(join(root, name)).mode & 0o777).toBe(0o640);
  }
  expect(readdirSync(join(root, 'mappings')).length).toBeGreaterThan(10);
  const settings = readFileSync(join(root, 'nightpost.yaml'), 'utf8');
  const { code, err } = await command(['init', root, '--yes']);
  expect([code, err]).toEqual([2, expect.stringContaining('init/exists')]);
  expect(readFileSync(join(root, 'nightpost.yaml'), 'utf8')).toBe(settings);
});

const terminal = test.skipIf(!HAS_TERMINAL);

terminal('on a terminal each question has its default in brackets (skipped without script)', async () => {
  const root = place();
  const { code, screen } = await onTerminal(
    ['init', root],
    [
      { sees: '[fr]\u00A0:', types: 'es\r' },
      { sees: 'Empresa', types: 'Panadería: Ñandú\r' },
      { sees: '[test]:', types: 'Producción\r' },
      { sees: '[test]:', types: 'production\r' },
      { sees: '[sv]:', types: 'de\r' },
      { sees: '[sv]:', types: '\r' },
      { sees: 'services.sv.auth-url', types: 'http://auth.example.org\r' },
      { sees: 'services.sv.auth-url [', types: 'https://auth.example.org\r' },
      { sees: 'services.sv.issue-url', types: '\r' },
      { sees: '[ninguna más]:', types: 'notas=NR_*.csv@23:00,mon,thu\r' },
      { sees: '[ninguna más]:', types: '\r' },
      { sees: '[siempre]:', types: '10y\r' },
    ],
    FRENCH,
  );
  expect(screen).toContain('Langue des messages');
  expect(code).toBe(0);
  expect(settingsOf(root)).toMatchObject({
    company: 'Panadería: Ñandú',
    environment: 'production',
    services: { sv: { 'auth-url': 'https://auth.example.org', 'issue-url': 'https://issue.example.invalid' } },
    rules: { sv: 'sv-by-day', language: 'es' },
    expect: [{ name: 'notas', files: 'NR_*.csv', by: '23:00', on: ['mon', 'thu'] }],
    keep: { archive: '10y' },
  });
});

terminal(
  'Enter at every question makes what --yes makes, and an option is not asked for (skipped without script)',
  async () => {
    const [asked, taken] = [place(), place()];
    const questions = [
      'Language',
      'Services:',
      'Countries',
      'base-url',
      'identity-url',
      'realm',
      'client-id',
      'sender-id',
    ];
    const steps = [...questions, 'no more', 'contents'].map((sees) => ({ sees, types: '\r' }));
    const { code, screen } = await onTerminal(['init', asked, '--company', 'X'], steps, ENGLISH);
    expect(code).toBe(0);
    expect(screen).not.toContain('Company');
    const yes = await onTerminal(['init', taken, '--company', 'X', '--yes'], [], ENGLISH);
    expect(yes.code).toBe(0);
    expect(settingsOf(asked)).toEqual(settingsOf(taken));
  },
);

terminal(
  '"sandbox" in place of an environment makes an instance for the imitated services (skipped without script)',
  async () => {
    const root = place();
    const steps = ['\r', '\r', 'sandbox\r', '\r', '\r'];
    const sees = ['Language', 'Company', 'Services:', 'no more', 'contents'];
    const { code } = await onTerminal(
      ['init', root],
      steps.map((types, n) => ({ sees: sees[n]!, types })),
      ENGLISH,
    );
    expect(code).toBe(0);
    expect(settingsOf(root)).toMatchObject({ environment: 'default', company: 'Exemple SARL' });
    expect(readdirSync(join(root, 'secrets'))).toHaveLength(2);
  },
);

terminal.each([
  ['Ctrl+C', '\u0003'],
  ['Ctrl+D', '\u0004'],
])('%s at a question makes nothing and ends with 130 (skipped without script)', async (_, key) => {
  const root = place();
  const { code, screen } = await onTerminal(
    ['init', root],
    [
      { sees: 'Language', types: '\r' },
      { sees: 'Company', types: key },
    ],
    ENGLISH,
  );
  expect(code).toBe(130);
  expect(screen).toContain('Nothing was written.');
  expect(existsSync(root)).toBe(false);
});

/** A module that Node loads before the program: folders below \`folder\` are on FUSE, as statfs(2) would say. */
const onFuse = (folder: string) =>
  `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const own = fs.statfsSync;
fs.statfsSync = (path, ...rest) => path.startsWith(${JSON.stringify(folder)}) ? { type: 0x65735546 } : own(path, ...rest);
syncBuiltinESMExports();`)}`;

test.runIf(process.platform === 'linux').each([
  ['init', (root: string) => ['init', root, '--sandbox', '--mappings']],
  ['init of a folder in a folder that is not there yet', (root: string) => ['init', join(root, 'a/b'), '--sandbox']],
  ['demo', (root: string) => ['demo', '--keep', root]],
])('%s: a network file system is refused before anything is written', async (_, words) => {
  const root = place();
  const above = join(root, '..');
  const { code, err } = await start(words(root), { flags: ['--import', onFuse(above)], env: ENGLISH }).ended;
  expect([code, err]).toEqual([2, expect.stringContaining('ledger/network-folder')]);
  expect(readdirSync(above)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'init --ledger on a network file system leaves the folder as it is',
  async () => {
    const root = place();
    mkdirSync(root);
    writeFileSync(
      join(root, 'nightpost.yaml'),
      settingsTemplate({ environment: 'test', countries: ['fr'], services: {}, language: 'en', expect: [] }),
    );
    const before = readdirSync(root);
    const { code, err } = await start(['-C', root, 'init', '--ledger'], {
      flags: ['--import', onFuse(root)],
      env: ENGLISH,
    }).ended;
    expect([code, err]).toEqual([2, expect.stringContaining('ledger/network-folder')]);
    expect(readdirSync(root)).toEqual(before);
  },
);
