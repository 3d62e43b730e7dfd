/** Notices of whole nights, with real receivers: what arrives, how often, and that a night never depends on it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../../src/instance/settings.ts';
import type { OperatorError } from '../../src/model/fault.ts';
import { composeReports } from '../../src/notices/compose-notices.ts';
import { deliverDue } from '../../src/notices/deliver-notices.ts';
import { startHeartbeats } from '../../src/notices/heartbeats.ts';
import { subjectOf } from '../../src/notices/notice-mail.ts';
import { followNotices } from '../../src/notices/run-notices.ts';
import { webhookBody } from '../../src/notices/webhook-body.ts';
import { selfSigned } from '../delivery/loopback.ts';
import { inUseFor, openScene, type Scene, sales, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';
import { mailServer, webReceiver } from './receivers.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const FORMER = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

function secretFile(scene: Scene, name: string, text: string): void {
  writeFileSync(join(scene.root, name), text, { mode: 0o600 });
}

const mailTo = (port: number, own: object = {}) => ({
  mail: {
    to: ['compta@example.org', 'chef@example.org'],
    from: 'nightpost@example.org',
    smtp: { host: '127.0.0.1', port, tls: 'none' },
  },
  ...own,
});

async function sceneWith(notify: readonly object[], settings: object = {}): Promise<Scene> {
  return await openScene({ settings: { notify, company: 'Société Éxemple & Cie', ...settings } });
}

const noticesOf = async (scene: Scene) =>
  JSON.parse((await commandIn(scene, 'notices', '--json')).out) as {
    id: string;
    state: string;
    tries: number;
    channel: string;
    problem: string | null;
  }[];

/** Everything that waits becomes due: as if its time had come, this many days later. */
async function later(scene: Scene, days = 1): Promise<void> {
  const instance = scene.instance();
  const now = () => new Date(Date.now() + days * 86_400_000);
  await scene.look((ledger) => deliverDue({ instance, ledger, now }));
}

test('a mail arrives as it is meant, once, and the same night reported again sends none', async () => {
  await using server = await mailServer();
  await using scene = await sceneWith([mailTo(server.port, { language: 'fr' })]);
  scene.drop('ventes é.csv', sales(['F1', 'F2'], 'x'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  expect(server.mails).toHaveLength(1);
  const mail = await PostalMime.parse(server.mails[0]!);
  const [notice] = await noticesOf(scene);
  expect(notice).toMatchObject({ state: 'sent', tries: 1, channel: 'mail' });
  expect(mail.messageId).toMatch(new RegExp(`^<${notice!.id.replaceAll('.', '\\.')}@[0-9a-f-]+>$`));
  expect(mail.to?.map(({ address }) => address)).toEqual(['compta@example.org', 'chef@example.org']);
  const [page] = scene.files('reports').filter((path) => path.endsWith('.report.json'));
  const { verdict } = JSON.parse(scene.read(page!));
  expect(mail.subject).toBe(subjectOf('Société Éxemple & Cie', verdict.sentence.fr, 'fr'));
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
  expect(header('auto-submitted')).toBe('auto-generated');
  expect(header('list-id')).toMatch(/^<notices\./);
  expect(mail.html).toContain('F1, F2');
  expect(mail.text).toContain('F1, F2');
  // The sentence of the cause, without the text that is in the cell.
  expect(mail.text).toMatch(/2 documents \(.+\).*«\u00a0…\u00a0» n’est pas un nombre, colonne Qte$/m);
  // Numbers of documents, but no customer and no amount.
  expect(server.mails[0]!.toString('utf8') + mail.html + mail.text).not.toContain('Client F1');
  expect(mail.html).not.toMatch(/<(img|script|link|iframe)|src=|url\(/i);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(server.mails).toHaveLength(1);
});

test.each([
  ['Société\r\nBcc: thief@example.org', 'x', 78],
  ['', `${'é'.repeat(10_000)}\u2028\u202e`, 78],
  ['A'.repeat(300), '😀'.repeat(80), 78],
])('a subject is one line of at most 78 characters (%#)', (company, headline, most) => {
  const subject = subjectOf(company, headline, 'fr');
  expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/u);
  expect(subject.length).toBeLessThanOrEqual(most);
});

test('a mail server that fails changes no exit code and gets the same mail again, six times', async () => {
  const answers = ['close', 451, 550, 550, 451, 'close'] as const;
  let asked = 0;
  await using server = await mailServer({ answer: () => answers[asked++] });
  await using scene = await sceneWith([mailTo(server.port)]);
  scene.drop('ventes.csv', sales(['F1'], 'x'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const problems = [(await noticesOf(scene))[0]!.problem];
  for (const days of [1, 2]) {
    await later(scene, days);
    problems.push((await noticesOf(scene))[0]!.problem);
  }
  expect(problems).toEqual([
    expect.stringMatching(/ECONN|CLOSED|ESOCKET/),
    expect.stringContaining('451'),
    expect.stringContaining('550'),
  ]);
  expect(JSON.parse((await commandIn(scene, 'status', '--json')).out).notices).toMatchObject({ waiting: 1, failed: 0 });
  for (const days of [3, 4, 5, 6]) await later(scene, days);
  const ids = await Promise.all(server.mails.map(async (one) => (await PostalMime.parse(one)).messageId));
  expect([ids.length, new Set(ids).size]).toEqual([6, 1]);
  expect(await noticesOf(scene)).toMatchObject([{ state: 'failed', tries: 6 }]);
  const next = await commandIn(scene, 'run');
  expect([next.code, next.out]).toEqual([0, expect.stringContaining('1 notice failed: nightpost notices --failed')]);
  expect(JSON.parse((await commandIn(scene, 'report', '--json')).out)).toMatchObject({
    notices: { failed: 1, off: [] },
  });
  expect((await commandIn(scene, 'report', '--html')).out).toContain('1 failed');
});

test('TLS is required: without it, or with a certificate that is not trusted, not even the sign-in is sent', async () => {
  const { key, cert } = selfSigned();
  const signedIn: string[] = [];
  const onAuth: NonNullable<Parameters<typeof mailServer>[0]>['onAuth'] = (auth, _session, done) => {
    signedIn.push(`${auth.username}:${auth.password}`);
    done(null, { user: auth.username });
  };
  await using plain = await mailServer({ onAuth, allowInsecureAuth: true });
  await using secure = await mailServer({ onAuth, key, cert });
  const smtp = { host: '127.0.0.1', user: 'u', password: { file: 'smtp-password' } };
  const mail = { to: ['a@example.org'], from: 'b@example.org' };
  await using scene = await sceneWith([
    { mail: { ...mail, smtp: { ...smtp, port: plain.port } }, name: 'plain' },
    { mail: { ...mail, smtp: { ...smtp, port: secure.port } }, name: 'strange' },
    { mail: { ...mail, smtp: { ...smtp, port: secure.port, ca: 'ca.pem' } }, name: 'secure' },
  ]);
  secretFile(scene, 'smtp-password', 'pässwörd-of-the-server\n');
  writeFileSync(join(scene.root, 'ca.pem'), cert);
  const ended = await commandIn(scene, 'notify', '--test', '--json');
  expect(JSON.parse(ended.out)).toMatchObject([
    { channel: 'plain', sent: false },
    { channel: 'strange', sent: false, problem: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) },
    { channel: 'secure', sent: true },
  ]);
  expect(ended.code).toBe(2);
  expect(signedIn).toEqual(['u:pässwörd-of-the-server']);
  expect([plain.mails.length, secure.mails.length]).toEqual([0, 1]);
  expect((await commandIn(scene, 'notify')).err).toContain('notify/nothing-to-do');
  expect((await commandIn(scene, 'notify', 'nowhere', '--test')).err).toContain('notify/unknown-channel');
});

test('a webhook is signed as Standard Webhooks has it, by two secrets during a change, and never logs its address', async () => {
  await using hook = await webReceiver();
  const settings = { url: { file: 'hook-url' }, secret: { file: 'hook-secret' }, 'former-secret': { file: 'former' } };
  const types = ['night.finished', 'document.changed'];
  await using scene = await sceneWith([{ webhook: { ...settings, types }, name: 'desk' }]);
  secretFile(scene, 'hook-url', hook.url);
  secretFile(scene, 'hook-secret', SECRET);
  secretFile(scene, 'former', FORMER);
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['F2'], 'x'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const bodies = hook.received.map(({ headers, body }) => {
    for (const secret of [SECRET, FORMER]) new Webhook(secret).verify(body, headers as Record<string, string>);
    const other = () => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>);
    expect(other).toThrow();
    return webhookBody.parse(JSON.parse(body));
  });
  expect(bodies.map(({ type }) => type).sort()).toEqual(['document.changed', 'night.finished']);
  const changed = bodies.find(({ type }) => type === 'document.changed')!.data as { documents: object[] };
  expect(changed.documents).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ identifier: 'F1', state: 'authorized' }),
      expect.objectContaining({ identifier: 'F2', state: 'invalid' }),
    ]),
  );
  expect(JSON.stringify(changed)).not.toContain('Client');
  const night = bodies.find(({ type }) => type === 'night.finished')!.data;
  expect(night).toMatchObject({ exit: 3, lines: [{ kind: 'attention', why: 'new', documents: 1 }], over: [] });
  const logs = scene.files('logs').map(scene.read).join('\n');
  expect(logs).toContain('"what":"notice"');
  expect(logs).not.toContain('s3cr3t');
  // The next night reports both that it ended and what changed: nothing did.
  await commandIn(scene, 'run');
  expect(hook.received.map(({ body }) => JSON.parse(body).type).sort()).toEqual([
    ...['document.changed', 'night.finished', 'night.finished'],
  ]);
});

test('a receiver with an error, a redirect, an answer without end or 410', async () => {
  const how = { status: 500 };
  await using trap = await webReceiver();
  await using hook = await webReceiver((response) => {
    if (how.status === 200) {
      response.writeHead(200);
      const write = () => void (response.writable && response.write('x'.repeat(16_384), () => setImmediate(write)));
      return write();
    }
    response.writeHead(how.status, { location: trap.url }).end();
  });
  await using scene = await sceneWith([{ webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } } }]);
  secretFile(scene, 'hook-url', hook.url);
  secretFile(scene, 'hook-secret', SECRET);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  how.status = 302;
  await later(scene);
  expect(await noticesOf(scene)).toMatchObject([
    { state: 'waiting', tries: 2, problem: expect.stringContaining('302') },
  ]);
  how.status = 200;
  await later(scene, 2);
  expect(await noticesOf(scene)).toMatchObject([{ state: 'sent', tries: 3 }]);
  const ids = new Set(hook.received.map(({ headers }) => headers['webhook-id']));
  expect([hook.received.length, ids.size, trap.received.length]).toEqual([3, 1, 0]);
  how.status = 410;
  await commandIn(scene, 'run');
  await commandIn(scene, 'run');
  expect(hook.received).toHaveLength(4);
  expect(JSON.parse((await commandIn(scene, 'status', '--json')).out).notices.off).toMatchObject([
    { channel: 'webhook' },
  ]);
  // A sample switches nothing off: its line is about this try.
  const gone = await commandIn(scene, 'notify', 'webhook', '--test');
  expect([gone.code, gone.out]).toEqual([2, '  webhook: not sent; the receiver is gone (HTTP 410)\n']);
  how.status = 204;
  expect((await commandIn(scene, 'notify', 'webhook', '--test')).code).toBe(0);
  await commandIn(scene, 'run');
  expect(hook.received).toHaveLength(7);
});

test('with details: full a channel has names, amounts and files; a purge of the customer removes them from the outbox', async () => {
  await using server = await mailServer();
  await using hook = await webReceiver();
  const url = { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } };
  await using scene = await sceneWith([
    mailTo(server.port, { details: 'full', attach: 'to-fix' }),
    { webhook: { ...url, types: ['night.finished', 'document.changed'] }, details: 'full' },
  ]);
  secretFile(scene, 'hook-url', hook.url);
  secretFile(scene, 'hook-secret', SECRET);
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['F2'], 'x'));
  await commandIn(scene, 'run');
  const mail = await PostalMime.parse(server.mails[0]!);
  const names = mail.attachments.map(({ filename }) => filename ?? '');
  expect(names).toEqual([expect.stringMatching(/\.report\.html$/), expect.stringMatching(/to-fix\.(xlsx|csv)$/)]);
  const bodies = hook.received.map(({ body }) => webhookBody.parse(JSON.parse(body)));
  expect(mail.text).toContain('"x" is not a number, column Qte');
  const night = bodies.find(({ type }) => type === 'night.finished')!.data as { report: { run: string }; run: string };
  expect(night.report.run).toBe(night.run);
  const contents = () => scene.look(async (ledger) => JSON.stringify(await ledger.notices.list(100)));
  expect(await contents()).toContain('Client F1');
  const purged = await commandIn(scene, 'purge', '--subject', 'Client F1', '--reason', 'asked for', '--json');
  expect(JSON.parse(purged.out).notices).toBeGreaterThan(0);
  expect(await contents()).not.toContain('Client F1');
});

const TYPES = ['night.finished', 'attention.needed', 'service.paused', 'export.missing'] as const;

test.each(Array.from({ length: 15 }, (_, n) => TYPES.filter((__, bit) => (n + 1) & (1 << bit))))(
  'a webhook for %j: each topic of a run is in a body, or is not recorded as reported',
  async (...types) => {
    await using hook = await webReceiver();
    const webhook = { url: { file: 'hook-url' }, secret: { file: 'hook-secret' }, types };
    const expected = [{ name: 'Stocks', files: 'stock*.csv', by: '00:00' }];
    await using scene = await sceneWith([{ name: 'urgent', webhook }], { expect: expected });
    await inUseFor(scene, 2);
    secretFile(scene, 'hook-url', hook.url);
    secretFile(scene, 'hook-secret', SECRET);
    scene.drop('ventes.csv', sales(['F1-X6', 'F2-X4']));
    await commandIn(scene, 'run');
    const bodies = hook.received.map(({ body }) => webhookBody.parse(JSON.parse(body)));
    expect(types).toEqual(expect.arrayContaining(bodies.map(({ type }) => type)));
    const said = bodies.flatMap(({ data }) => (data as { lines: { topic: string }[] }).lines.map(({ topic }) => topic));
    const recorded = await scene.look(async (ledger) =>
      (await ledger.notices.reportedTopics('urgent')).map(({ topic }) => topic),
    );
    expect(recorded.toSorted()).toEqual(said.toSorted());
    const wanted = (type: string) => types.includes('night.finished') || types.includes(type as 'night.finished');
    expect(said.some((topic) => topic.startsWith('export:'))).toBe(wanted('export.missing'));
    expect(said.some((topic) => !/^(?:export|paused):/.test(topic))).toBe(wanted('attention.needed'));
  },
);

test('a night that is cut off at any write of the outbox sends each notice at least once, with one id', async () => {
  await using hook = await webReceiver();
  await using scene = await sceneWith([{ webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } } }]);
  secretFile(scene, 'hook-url', hook.url);
  secretFile(scene, 'hook-secret', SECRET);
  const instance = scene.instance();
  let isOver = false;
  for (let write = 1; !isOver; write++) {
    const now = () => new Date(Date.now() + write * 86_400_000);
    await scene
      .desk(async ({ ledger }) => {
        const reports = await composeReports(
          { instance, ledger },
          { scope: 'run', now: now(), ending: { exit: 0, run: `r${write}` } },
        );
        await ledger.notices.addNotices(reports);
        await deliverDue({ instance, ledger, now });
        isOver = (await ledger.notices.channelsDue(Number.MAX_SAFE_INTEGER)).length === 0;
      }, stopAtWrite(write))
      .catch(() => undefined);
  }
  const made = (await noticesOf(scene)).map(({ id, state }) => [id, state]);
  expect(made.length).toBeGreaterThan(1);
  expect(new Set(made.map(([, state]) => state))).toEqual(new Set(['sent']));
  const ids = hook.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set(made.map(([id]) => id)));
  expect(ids.length).toBeGreaterThan(made.length);
});

test('an address that was written into the settings is hidden in the fault about it', () => {
  const written = 'version: 1\nnotify:\n  - webhook: { url: "https://hooks.example.org/t0ken", secret: { file: s } }\n';
  const faults = (): string => {
    try {
      return JSON.stringify(readConfig(written, 'nightpost.yaml'));
    } catch (error) {
      return JSON.stringify((error as OperatorError).faults);
    }
  };
  expect(faults()).toContain('webhook.url');
  expect(faults()).not.toContain('t0ken');
});

test('between runs a look reports that none began, once', async () => {
  await using server = await mailServer();
  await using scene = await sceneWith([mailTo(server.port)]);
  const ended = new AbortController();
  await scene.desk(async ({ ledger, instance, clock }) => {
    const sleep = async () => ended.abort();
    const emit = () => {};
    const later26h = () => new Date(Date.now() + 27 * 3_600_000);
    await ledger.runs.beginRun({
      id: 'r1',
      kind: 'run',
      startedAt: clock.now().toISOString(),
      version: '1',
      host: 'h',
      pid: 1,
    });
    await ledger.runs.endRun('r1', { outcome: 'completed', exit: 0 });
    await followNotices({ instance, ledger, now: clock.now, emit, stop: ended.signal, sleep, zone: 'Europe/Paris' });
    expect(server.mails).toHaveLength(0);
    const again = new AbortController();
    const look = { instance, ledger, now: later26h, emit, stop: again.signal, zone: 'Europe/Paris' };
    await followNotices({ ...look, sleep: async () => again.abort() });
  });
  expect(server.mails).toHaveLength(1);
  expect(await noticesOf(scene)).toMatchObject([{ kind: 'absent', state: 'sent' }]);
});

test('a heartbeat has a start and an end, and a failure before the ledger opens is reported all the same', async () => {
  await using beat = await webReceiver();
  await using server = await mailServer();
  await using scene = await sceneWith([
    mailTo(server.port),
    { heartbeat: { url: { env: 'BEAT' } } },
    { heartbeat: { url: { env: 'BEAT' } }, codes: true },
  ]);
  process.env.BEAT = beat.url.replace('/hook', '/ping');
  const paths = () => beat.received.splice(0).map(({ path }) => path.replace(/\?.*/, ''));
  scene.drop('ventes.csv', sales(['F1'], 'x'));
  await commandIn(scene, 'run');
  expect(paths()).toEqual(['/ping/start', '/ping/start', '/ping', '/ping/3'].sort(byLength));
  scene.drop('ventes-2.csv', sales(['F2']));
  const missing = await commandIn(scene, '--env', 'none', 'run');
  expect([missing.code, paths()]).toEqual([2, []]);
  delete process.env.NIGHTPOST_SANDBOX_FR_SECRET;
  writeFileSync(join(scene.root, 'state/installation.json'), '{}');
  const mailsBefore = server.mails.length;
  expect((await commandIn(scene, 'run')).code).toBe(2);
  expect(paths()).toContain('/ping/fail');
  expect(server.mails.length).toBe(mailsBefore + 1);
  delete process.env.BEAT;
});

const byLength = (a: string, b: string) => Number(b.endsWith('start')) - Number(a.endsWith('start'));

test('of several watches one gives signs of life: the one that has the work', async () => {
  await using hook = await webReceiver();
  await using scene = await sceneWith([{ heartbeat: { url: { file: 'hook-url' } }, for: ['watch'] }]);
  secretFile(scene, 'hook-url', hook.url);
  const paths = () => hook.received.map(({ path }) => path.split('?')[0]);
  const received = async (count: number) => {
    while (hook.received.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let works = false;
    const beats = startHeartbeats(
      scene.instance(),
      'watch',
      () => {},
      () => works,
    );
    await received(1);
    vi.advanceTimersByTime(10 * 60_000);
    works = true;
    vi.advanceTimersByTime(5 * 60_000);
    await received(2);
    beats.close();
    expect(paths()).toEqual(['/hook/start', '/hook']);
  } finally {
    vi.useRealTimers();
  }
});
