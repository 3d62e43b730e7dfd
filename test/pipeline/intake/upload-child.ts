/**
 * Sends a file into the inbox again and again, and stops for good before the first, second, ... call that changes a folder, as a
 * kill would. Prints what has no hidden name after each stop, then what an inbox without links gets. Argument: an instance.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const TEXT = 'Num;Date;Client;Lig;Qte;PU;Taux\nF1;05/09/2026;Client;1;2;10,50;20\n';
let before: () => Promise<void> = async () => {};
for (const name of ['open', 'link', 'rename', 'rm', 'unlink'] as const) {
  const own = fs[name] as (...given: unknown[]) => Promise<unknown>;
  Object.assign(fs, {
    [name]: async (...given: unknown[]) => {
      await before();
      return await own(...given);
    },
  });
}
const { link } = fs;
syncBuiltinESMExports();
const { receiveUpload } = await import('../../../src/pipeline/intake/receive-upload.ts');
const { readInstanceForViewing } = await import('../../../src/instance/instance.ts');
const instance = readInstanceForViewing(folder, { variables: process.env });
const { inbox } = instance.paths;

const upload = () =>
  receiveUpload(
    instance,
    'ventes.csv',
    (async function* () {
      yield Buffer.from(TEXT);
    })(),
  );
const seen = () =>
  readdirSync(inbox)
    .filter((name) => !name.startsWith('.'))
    .map((name) => (readFileSync(join(inbox, name), 'utf8') === TEXT ? `${name} whole` : `${name} cut`));
const clear = () => {
  for (const name of readdirSync(inbox)) rmSync(join(inbox, name));
};

const left: (readonly string[])[] = [];
for (let at = 1; ; at++) {
  const stopped = Promise.withResolvers<'stopped'>();
  let calls = 0;
  before = async () => {
    if (++calls < at) return;
    stopped.resolve('stopped');
    await new Promise(() => {});
  };
  const ended = await Promise.race([upload(), stopped.promise]);
  left.push(seen());
  clear();
  if (ended !== 'stopped') break;
}
before = async () => {};
Object.assign(fs, { link: () => Promise.reject(Object.assign(new Error('no links here'), { code: 'ENOTSUP' })) });
syncBuiltinESMExports();
const without = ['refused' in (await upload()), 'refused' in (await upload()), seen()];
Object.assign(fs, { link });
process.stdout.write(JSON.stringify({ left, without }));
process.exit();
