/**
 * The console of an instance in a process of its own, with five open pages: each listens for changes, and is loaded again
 * every five seconds. The folder comes in, and a message goes out once all pages listen.
 */
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openConsole } from '../../src/console/open-console.ts';
import { openPeople } from '../../src/console/people/people.ts';
import { readInstanceForViewing } from '../../src/instance/instance.ts';

const PAGES = 5;
const RELOAD_MS = 5000;

const [folder = ''] = process.argv.slice(2);
const read = () => readInstanceForViewing(folder, { variables: process.env, flags: { 'serve.port': 0 } });
const report = (error: unknown) => {
  throw error;
};
const console = await openConsole({ instance: read(), read, report });
using people = openPeople(folder);
const person = people.add('bench', 'viewer', { name: 'bench', address: 'local' }, 'fr');
const headers = {
  cookie: `nightpost=${people.beginSession(person, 'local', 'link')}`,
  'sec-fetch-site': 'same-origin',
};
process.once('disconnect', () => process.exit(0));

const open = (path: string) =>
  new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(
      { host: '127.0.0.1', port: console.port, path: new URL(console.address).pathname + path, headers },
      (answer) => {
        if (answer.statusCode === 200) resolve(answer);
        else reject(new Error(`${path}: ${answer.statusCode}`));
      },
    ).on('error', reject);
  });

for (let n = 0; n < PAGES; n++) (await open('api/v1/events')).resume();
process.on('message', () => {
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1e6);
});
const before = process.cpuUsage();
process.send?.('listening');
for (;;) {
  for (let n = 0; n < PAGES; n++) {
    (await open(n % 2 === 0 ? '' : 'documents')).resume();
    await pause(RELOAD_MS / PAGES);
  }
}
