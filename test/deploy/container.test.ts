/** The container image: its Dockerfile is sound, and, with TORTURE=1 as .ci/run has it, its steps are executed and the result runs. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { baseImage, canExecute, execIn, executeDockerfile, type Image, startContainer } from './container-steps.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(REPOSITORY, name), 'utf8');
const DOCKERFILE = read('deploy/container/Dockerfile');
const VERSION = (JSON.parse(read('package.json')) as { version: string }).version;

test('the Dockerfile has no finding of its linter, and names the Node of the project', () => {
  expect(validate(DOCKERFILE).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  expect(validate('FROM node\nRUNN x\n').length).toBeGreaterThan(0);
  const { version } = JSON.parse(read('runtime/package.json')) as { version: string };
  expect(DOCKERFILE).toContain(`\nARG NODE=${version}-trixie-slim\n`);
});

test('the image runs as an account without a name in the command, and nothing comes from the network or the sources', () => {
  const steps = DockerfileParser.parse(DOCKERFILE).getInstructions();
  const of = (keyword: string) =>
    steps
      .filter((step) => step.getKeyword() === keyword)
      .map((step) => (step.getArgumentsContent() ?? '').replaceAll(/[${}]/g, ''));
  expect(of('FROM')).toEqual(['node:NODE AS package', 'node:NODE']);
  expect(of('USER')).toEqual(['10001:10001']);
  // No ADD, which fetches addresses, and nothing but the package is copied.
  expect(of('ADD')).toEqual([]);
  expect(of('COPY')).toEqual(['nightpost-VERSION.tgz /package/nightpost.tgz', '/opt/nightpost /opt/nightpost']);
  expect(of('RUN').filter((line) => /\b(?:apt-get|apt|curl|wget)\b|https?:/.test(line))).toEqual([]);
  expect(of('ENTRYPOINT')).toEqual(['["nightpost", "-C", "/srv/nightpost"]']);
  const ignored = read('deploy/container/Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(ignored).toEqual(['*', '!nightpost-*.tgz']);
});

test('a digest pins the base of both stages, and the label of the image names it, as the manual says', () => {
  const digest = `sha256:${'0a'.repeat(32)}`;
  const tag = /^ARG NODE=(.*)$/m.exec(DOCKERFILE)![1]!;
  const pinned = DOCKERFILE.replaceAll('${' + 'NODE}', `${tag}@${digest}`);
  expect(validate(pinned)).toEqual([]);
  const froms = DockerfileParser.parse(pinned).getFROMs();
  expect(froms.map((from) => from.getImageDigest())).toEqual([digest, digest]);
  expect(pinned).toContain(`org.opencontainers.image.base.name="docker.io/library/node:${tag}@${digest}"`);
  const page = read('docs/how-to/admin/containers.md');
  expect(page).toContain(`--build-arg NODE=${tag}@sha256:... `);
  expect(page).toContain(`imagetools inspect --format '{{.Manifest.Digest}}' node:${tag}\n`);
});

/** Exit code and output of a command in a container of its own. */
async function inContainer(
  image: Image,
  words: readonly string[],
  volumes: { readonly [place: string]: string },
  env = {},
) {
  const { child } = startContainer(image, words, { volumes, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

type Compose = {
  readonly services: {
    readonly console: {
      readonly command: readonly string[];
      readonly healthcheck: { readonly test: readonly string[] };
    };
  };
};

/** Starts a command that stays, waits until it prints `says`, asks its health check, and ends it as an engine does. */
async function watchHealth(
  image: Image,
  command: readonly string[],
  volumes: { readonly [place: string]: string },
  { says, health }: { readonly says: string; readonly health: readonly string[] },
): Promise<void> {
  const { child, first } = startContainer(image, [...image.entry, ...command], { volumes });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const ended = once(child, 'close') as Promise<[number | null]>;
  while (child.exitCode === null && !text.includes(says)) await wait(50);
  expect(text).toContain(says);
  expect(execIn(image, first(), health)).toBe(0);
  // Another port: nothing answers, and the check notices it.
  const elsewhere = health.map((word) => word.replace('7434', '7435').replace('9464', '9465'));
  expect(execIn(image, first(), elsewhere)).toBe(1);
  process.kill(first(), image.stopSignal);
  expect((await ended)[0]).toBe(143);
}

const isExecuted = process.env.TORTURE === '1' && canExecute();

describe.skipIf(!isExecuted)('executed (skipped without TORTURE=1 and namespaces)', () => {
  let place: string;
  let context: string;

  beforeAll(() => {
    // Not in memory: the account of a container passes through every folder above.
    place = mkdtempSync('/tmp/nightpost-image-');
    chmodSync(place, 0o755);
    context = join(place, 'context');
    mkdirSync(context);
    const options = ['--pack-destination', context];
    execFileSync('npm', ['pack', ...options], { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'inherit'] });
  }, 120_000);

  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test('the steps make an image that makes an instance, watches, serves, is healthy and ends when it is asked', async () => {
    const image = executeDockerfile(DOCKERFILE, { context, place, given: new Map([['VERSION', VERSION]]) });
    expect(image).toMatchObject({
      user: '10001:10001',
      folder: '/srv/nightpost',
      volumes: ['/srv/nightpost'],
      stopSignal: 'SIGTERM',
    });
    expect(image.labels).toMatchObject({
      'org.opencontainers.image.version': VERSION,
      'org.opencontainers.image.base.name': `docker.io/library/node:${process.versions.node}-trixie-slim`,
    });
    expect(readdirSync(join(image.root, 'usr/local/bin'))).toEqual(['node']);
    expect(readdirSync(join(image.root, 'opt/nightpost/lib/node_modules'))).toEqual(['nightpost']);

    const instance = join(place, 'instance');
    mkdirSync(instance, { mode: 0o700 });
    chownSync(instance, 10_001, 10_001);
    const volumes = { '/srv/nightpost': instance };
    // Without a volume there is no place to write: the file system of the image stays as it is.
    const refused = await inContainer(image, [...image.entry, 'init', '--sandbox'], {});
    expect(refused.code).not.toBe(0);
    const made = await inContainer(image, [...image.entry, 'init', '--sandbox', '--mappings'], volumes);
    expect(made).toMatchObject({ code: 0 });
    const { uid, mode } = statSync(join(instance, 'state/ledger.sqlite'));
    expect([uid, mode & 0o077]).toEqual([10_001, 0]);
    // The hour of the company, in a system without files of time zones.
    const clock = ['node', '-p', "new Date('2026-07-01T00:00:00Z').getHours()"];
    expect(await inContainer(image, clock, volumes, { TZ: 'Europe/Paris' })).toEqual({ code: 0, text: '2\n' });

    // Settings arrive as the init container of Kubernetes brings them.
    const settings = join(place, 'settings');
    mkdirSync(settings);
    const [workers] = parseAllDocuments(read('deploy/kubernetes/workers.yaml')).map((one) => one.toJS() as Deployment);
    const init = workers!.spec!.template.spec!.initContainers![0]!;
    const lines = ['watch: { health: { port: 7434 } }', 'serve: { metrics: { port: 9464 } }'];
    const text = `${readFileSync(join(instance, 'nightpost.yaml'), 'utf8')}\n${lines.join('\n')}\n`;
    writeFileSync(join(settings, 'nightpost.yaml'), text);
    const copy = [...init.command!, ...init.args!];
    const mounts = { ...volumes, '/run/settings': settings };
    expect(await inContainer(image, copy, mounts, { HOSTNAME: 'worker-1' })).toEqual({ code: 0, text: '' });
    expect(readFileSync(join(instance, 'nightpost.yaml'), 'utf8')).toBe(text);
    expect(statSync(join(instance, 'nightpost.yaml'))).toMatchObject({ uid: 10_001, mode: 0o100_600 });

    await watchHealth(image, image.command, volumes, { says: 'http://127.0.0.1:7434/readyz', health: image.health });
    const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as Compose;
    const { command, healthcheck } = services.console;
    await watchHealth(image, command, volumes, { says: '9464', health: healthcheck.test.slice(1) });
  }, 240_000);

  test('on a machine with Node alone the package is installed into an empty folder, plays its demo, and runs a first night', async () => {
    const machine = {
      ...baseImage(`node:${process.versions.node}-trixie-slim`, join(place, 'machine')),
      user: '10001:10001',
      folder: '/srv',
    };
    const folder = join(place, 'empty');
    mkdirSync(folder, { mode: 0o700 });
    copyFileSync(join(context, `nightpost-${VERSION}.tgz`), join(folder, 'nightpost.tgz'));
    chownSync(folder, 10_001, 10_001);
    const script = [
      'npm install --no-audit --no-fund ./nightpost.tgz >/tmp/install',
      'test "$(ls node_modules)" = nightpost',
      'npx nightpost --version',
      'npx nightpost demo --keep demo',
      'npx nightpost init night --sandbox --mappings >/tmp/init',
      '(cd night && exec npx nightpost sandbox >/tmp/sandbox 2>&1) &',
      'until node -e "fetch(\'http://127.0.0.1:7502/\').catch(() => process.exit(1))" 2>/tmp/wait; do :; done',
      'cp node_modules/nightpost/inbox.example/* night/inbox/',
      'cd night && npx --prefix .. nightpost run || test $? -eq 3',
      'npx --prefix .. nightpost --json status',
    ];
    const env = { HOME: '/tmp', npm_config_offline: 'true', npm_config_update_notifier: 'false' };
    const { code, text } = await inContainer(machine, ['sh', '-ec', script.join('\n')], { '/srv': folder }, env);
    expect(code, text).toBe(0);
    expect(text).toContain(`${VERSION}\n`);
    expect(text).toMatch(/[1-9]\d* +Authorized/);
    const status = JSON.parse(text.slice(text.lastIndexOf('\n{\n'))) as { documents: { authorized: number } };
    expect(status).toMatchObject({ guard: { send: true }, inbox: 0, lastRun: { outcome: 'completed', exit: 3 } });
    expect(status.documents.authorized).toBeGreaterThan(30);
  }, 240_000);
});
