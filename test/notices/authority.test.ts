/** Receivers with a certificate of a company's own authority, over real TLS: none is trusted unless the channel names it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { checkChannels } from '../../src/notices/try-channels.ts';
import { makeAuthority, selfSigned } from '../certificates.ts';
import { openScene } from '../night.ts';
import { commandIn } from '../program.ts';
import { webReceiver } from './receivers.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('a webhook and a heartbeat reach a server of an own authority that their ca names, and no other', async () => {
  const authority = makeAuthority('Autorité de la société');
  await using server = await webReceiver(undefined, authority.certify('127.0.0.1'));
  await using late = await webReceiver(undefined, authority.certify('127.0.0.1', new Date(Date.UTC(2021, 0, 1))));
  const hook = (name: string, ca?: string, url = 'hook-url') => ({
    webhook: { url: { file: url }, secret: { file: 'hook-secret' }, ...(ca && { ca }) },
    name,
  });
  const beat = (name: string, ca?: string) => ({ heartbeat: { url: { file: 'hook-url' }, ...(ca && { ca }) }, name });
  const notify = [
    ...[hook('hook', 'ca.pem'), hook('hook-strange'), hook('hook-other', 'other.pem')],
    ...[hook('hook-broken', 'broken.pem'), hook('hook-late', 'ca.pem', 'late-url')],
    ...[beat('beat', 'ca.pem'), beat('beat-strange'), beat('beat-gone', 'gone.pem')],
  ];
  await using scene = await openScene({ settings: { notify } });
  const secret = (name: string, text: string) => writeFileSync(join(scene.root, name), text, { mode: 0o600 });
  secret('hook-url', server.url);
  secret('late-url', late.url);
  secret('hook-secret', SECRET);
  secret('ca.pem', authority.cert);
  secret('other.pem', selfSigned().cert);
  secret('broken.pem', authority.cert.replace(/\n[^-]{40}/, '\n'));

  const problems = {
    hook: undefined,
    'hook-strange': expect.stringMatching(/^UNABLE_TO_.*name the file .* as webhook\.ca$/),
    'hook-other': expect.stringMatching(/^UNABLE_TO_.*webhook\.ca$/),
    'hook-broken': expect.stringMatching(/broken\.pem under ca has no certificate/),
    'hook-late': expect.stringMatching(/^CERT_HAS_EXPIRED: .*not valid today$/),
    beat: undefined,
    'beat-strange': expect.stringMatching(/^UNABLE_TO_.*heartbeat\.ca$/),
    'beat-gone': expect.stringMatching(/gone\.pem under ca cannot be read \(ENOENT\)/),
  };
  const checked = await checkChannels(scene.instance());
  expect(
    Object.fromEntries(checked.map(({ channel, problem }) => [channel, problem && format(problem, 'en')])),
  ).toEqual(problems);
  expect(server.received).toEqual([]);

  const sample = JSON.parse((await commandIn(scene, 'notify', '--test', '--json')).out) as Sample[];
  expect(Object.fromEntries(sample.map(({ channel, problem }) => [channel, problem ?? undefined]))).toEqual(problems);
  const reached = () => server.received.splice(0).map(({ path, body }) => `${path.split('?')[0]} ${typeOf(body)}`);
  expect(reached().sort()).toEqual(['/hook ', '/hook sample']);

  await commandIn(scene, 'run');
  expect(reached().sort()).toEqual(['/hook ', '/hook night.finished', '/hook/start ']);
  expect(late.received).toEqual([]);
});

type Sample = { readonly channel: string; readonly problem: string | null };

const typeOf = (body: string): string => (body.startsWith('{') ? JSON.parse(body).type : '');
