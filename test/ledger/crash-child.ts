/** The process that crash.test.ts kills: node crash-child.ts <instance folder> <log of what was sent>. */
import { openSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { BINDING } from './binding.ts';
import { runNight } from './night.ts';

const [folder = '', log = '', files = '', documents = ''] = process.argv.slice(2);
const sent = openSync(log, 'a');
await using ledger = await openLedger({ folder, binding: BINDING, now: () => new Date() });
// A process that is killed never writes its cache.
flushCompileCache();
process.stdout.write('up\n');
let first = true;
await runNight(ledger, {
  files: Number(files),
  documents: Number(documents),
  sent: (identifier) => {
    writeSync(sent, `${identifier}\n`);
    if (first) process.stdout.write('sending\n');
    first = false;
  },
});
process.stdout.write('done\n');
