/**
 * Opens the console of an instance: people, looks at the ledger, pages, servers. Nothing here writes to the ledger.
 * Throws OperatorError `serve/*`, `secret/*`, or those of the ledger.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeDurable } from '../files/write-durable.ts';
import { SERVE_REFUSED } from '../i18n/messages/console/console-server-messages.ts';
import { consoleAddress, consoleBase, signInAddress } from '../instance/console-address.ts';
import type { Instance } from '../instance/instance.ts';
import { accountName } from '../model/account-name.ts';
import { OperatorError } from '../model/fault.ts';
import { removeLeftUploads } from '../pipeline/intake/receive-upload.ts';
import type { WorkOptions } from '../runs/open-run.ts';
import { type Readiness, readReadiness } from '../views/metrics/readiness.ts';
import { openPeople, type People } from './people/people.ts';
import { createSignInThrottle } from './people/sign-in-throttle.ts';
import { CONSOLE_ROUTES } from './route-table.ts';
import { problemScreen } from './screens/problem-screen.ts';
import { signInScreen } from './screens/sign-in-screen.ts';
import { createActDesk } from './server/act-desk.ts';
import { createConsoleApp } from './server/console-app.ts';
import { createInstanceViews, type InstanceViews } from './server/instance-views.ts';
import { type Listening, type ListenOptions, listenForConsole } from './server/listen.ts';
import { createOidcSignIn } from './server/oidc-sign-in.ts';
import { listenForProbes } from './server/probe-listener.ts';
import { createProxyPerson } from './server/proxy-person.ts';
import { hostsOf } from './server/request-guard.ts';
import { createSignIn, isEqual, type LocalLink, type SignInParts } from './server/sign-in.ts';
import { readStaticFiles } from './server/static-files.ts';

export type ConsoleOptions = {
  readonly instance: Instance;
  /** Reads the instance again when its settings or mappings have changed. */
  readonly read: () => Instance;
  readonly report: (error: unknown, number: string) => void;
  /** Gets the events of acts that the console carries out itself, for the log; they are dropped by default. */
  readonly onEvent?: WorkOptions['onEvent'];
};

/** `link` signs in the account that runs the program, once; undefined where a proxy or TLS is in front. */
export type OpenConsole = AsyncDisposable & {
  readonly address: string;
  /** Where it listens, also next to a proxy. */
  readonly port: number;
  /** Of the metrics, where the settings offer them. */
  readonly metricsPort?: number;
  /** Why they are not offered: the console opens without them. */
  readonly metricsRefused?: OperatorError;
  readonly link?: { readonly address: string; readonly file: string };
};

const PAGES = { problem: problemScreen, signIn: signInScreen };

export async function openConsole({
  instance,
  read,
  report,
  onEvent = () => {},
}: ConsoleOptions): Promise<OpenConsole> {
  const { serve, rules } = instance.settings;
  await removeLeftUploads(instance);
  await using opening = new AsyncDisposableStack();
  const people = opening.use(openPeople(instance.folder));
  const views = opening.use(createInstanceViews(instance, read));
  const desk = opening.use(createActDesk({ onEvent, report }));
  const tls = await readTls(instance);
  const isLocal = !serve.tls && !serve.proxy;
  const base = consoleBase(serve, people.salt);
  let port = serve.port;
  const local = isLocal
    ? await localLinks(instance.folder, people, (token) =>
        signInAddress(consoleAddress(serve, people.salt, port), token),
      )
    : undefined;
  const signInParts: SignInParts = {
    people,
    throttle: createSignInThrottle(),
    base,
    isTls: tls !== undefined,
    now: Date.now,
    ...(local && { localLink: local.take }),
    ...(serve.oidc && {
      oidc: createOidcSignIn({
        settings: serve.oidc,
        secret: await instance.secrets.reveal(serve.oidc['client-secret']),
        redirect: () => `${consoleAddress(serve, people.salt, port)}login/callback`,
        people,
        now: Date.now,
      }),
    }),
    ...(serve.proxy && {
      proxy: createProxyPerson(serve.proxy, await instance.secrets.reveal(serve.proxy.secret), people),
    }),
  };
  const ready = () => readReadiness(views.use);
  const app = createConsoleApp({
    routes: CONSOLE_ROUTES,
    pages: PAGES,
    views,
    people,
    desk,
    files: readStaticFiles(),
    signIn: createSignIn(signInParts),
    base,
    hosts: () => hostsOf(LOOPBACK_NAMES, serve.hosts, port),
    isTls: tls !== undefined,
    language: rules.language,
    ready,
    report,
  });
  const hosts: ListenOptions['hosts'] = serve.host === 'localhost' ? ['127.0.0.1', '::1'] : [serve.host];
  const listening = opening.use(
    await listenForConsole({ fetch: app.fetch, hosts, port, isShared: serve.proxy !== undefined, ...(tls && { tls }) }),
  );
  port = listening.port;
  const metrics = await openMetrics(instance, { views, ready, report });
  if (metrics && 'port' in metrics) opening.use(metrics);
  if (local) opening.defer(local.end);
  const link = local && { address: await local.next(), file: local.file };
  const open = opening.move();
  const address = consoleAddress(serve, people.salt, port);
  return {
    address,
    port,
    ...(metrics && ('port' in metrics ? { metricsPort: metrics.port } : { metricsRefused: metrics })),
    ...(link && { link }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

type Monitored = Pick<ConsoleOptions, 'report'> & {
  readonly views: InstanceViews;
  readonly ready: () => Promise<Readiness>;
};

/** Undefined where the settings do not offer metrics; the error of a port that is in use. */
async function openMetrics(
  { folder, settings, secrets }: Instance,
  { views, ready, report }: Monitored,
): Promise<Listening | OperatorError | undefined> {
  const { metrics } = settings.serve;
  if (!metrics) return undefined;
  const { createMetricsSource } = await import('./server/metrics-source.ts');
  const token = metrics.token && (await secrets.reveal(metrics.token));
  const answers = { ready, metrics: createMetricsSource(folder, views) };
  try {
    return await listenForProbes({ ...metrics, token }, answers, (error) => report(error, 'metrics'));
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

async function readTls({ folder, settings, secrets }: Instance): Promise<ListenOptions['tls']> {
  const { tls } = settings.serve;
  if (!tls) return undefined;
  const key = await secrets.reveal(tls.key);
  try {
    return { cert: readFileSync(resolve(folder, tls.cert), 'utf8'), key, file: tls.cert };
  } catch (cause) {
    const why = String((cause as NodeJS.ErrnoException).code);
    throw new OperatorError('serve/certificate', SERVE_REFUSED.certificate({ file: tls.cert, why }), {
      cause,
      hint: SERVE_REFUSED.certificateHint(),
    });
  }
}

/**
 * The sign-in of the account that runs the program, who may read every file of the instance anyway. Each link works once;
 * then the file has the next one.
 */
async function localLinks(folder: string, people: People, addressWith: (token: string) => string) {
  const name = accountName();
  const person = people.named(name) ?? (people.isRevoked(name) ? undefined : people.add(name, 'admin', LOCAL));
  const file = join(folder, 'state', 'console-link');
  let token: string | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const next = async () => {
    token = randomBytes(32).toString('base64url');
    const address = addressWith(token);
    await writeDurable(file, `${address}\n`);
    return address;
  };
  const take: LocalLink = (given) => {
    if (token === undefined || !isEqual(given, token)) return undefined;
    token = undefined;
    written = next().catch(() => undefined);
    return person && people.named(name);
  };
  /** The link of a console that has ended is of no use. */
  const end = async () => {
    await written;
    rmSync(file, { force: true });
  };
  return { file, next, take, end };
}

const LOCAL = { name: 'nightpost serve', address: 'local' };
