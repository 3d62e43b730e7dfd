/** Files of one night, some of them poison: what those cost the others. Everything up to `ready`, ledger durable. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PipelineEvent } from '../src/pipeline/context/run-context.ts';
import { candidatesFor, claimFiles } from '../src/pipeline/intake/claim-inbox-files.ts';
import { ingestClaimed } from '../src/pipeline/intake/ingest-file.ts';
import { openLedgerOf, openWork } from '../src/pipeline/open-run.ts';
import type { Description } from '../src/sandbox/describe.ts';
import { answering, newInstance } from './deliver.ts';
import { exportChunks } from './exports.ts';
import { newFolder } from './folders.ts';
import { type Measurement, timed } from './result.ts';

/** Invoices of a good file. */
const EACH = 50;
const GOOD_FOR_ONE_BAD = 100;

/** What a good file is spoilt by, in turn; none of them becomes a document. */
const SPOILS: readonly ((good: Buffer) => Buffer)[] = [
  (good) => Buffer.concat([good, Buffer.from('"never closed;')]),
  (good) => Buffer.concat([good.subarray(0, good.length / 2), Buffer.alloc(1 << 20)]),
  () => Buffer.from(`NumFac;${'"'.repeat(1 << 20)}`),
];

/** Takes in `size` invoices in files of 50; `withPoison` puts a broken file between each hundred of them. */
export const takeInNight =
  (withPoison: boolean): Measurement =>
  async ({ size, out }) => {
    const folder = newFolder(out);
    mkdirSync(join(folder, 'mappings'), { recursive: true, mode: 0o700 });
    const service = fork(join(import.meta.dirname, 'sandbox-process.ts'), ['0']);
    try {
      const [described] = (await once(service, 'message')) as [Description];
      const instance = await newInstance(folder, described, answering(0).settings);
      let ready = 0;
      const onEvent = (happening: PipelineEvent) => {
        if (happening.what === 'file-admitted') ready += happening.documents;
      };
      const files = nightly(instance.paths.inbox, size, withPoison);
      await using ledger = await openLedgerOf(instance);
      await using work = await openWork(instance, ledger, { onEvent, stop: new AbortController().signal });
      const result = await timed(async () => {
        for await (const claimed of claimFiles(work, await candidatesFor(work, files)))
          await ingestClaimed(work, claimed);
        return ready;
      });
      if (ready !== size) throw new Error(`${ready} of ${size} documents are ready`);
      return result;
    } finally {
      service.disconnect();
    }
  };

function nightly(inbox: string, size: number, withPoison: boolean): readonly string[] {
  const [header = '', ...rows] = Buffer.concat([...exportChunks('csv', size)])
    .toString('latin1')
    .split(/(?<=\r\n)/)
    .filter((row) => row !== '');
  const invoices = [...Map.groupBy(rows, (row) => row.slice(0, row.indexOf(';'))).values()];
  const paths: string[] = [];
  const put = (name: string, bytes: Buffer) => {
    paths.push(join(inbox, name));
    writeFileSync(paths.at(-1)!, bytes);
  };
  for (let from = 0, n = 1; from < invoices.length; from += EACH, n++) {
    const good = Buffer.from([header, ...invoices.slice(from, from + EACH).flat()].join(''), 'latin1');
    put(`sales-${n}.csv`, good);
    if (withPoison && n % GOOD_FOR_ONE_BAD === 0) {
      put(`sales-${n}-bad.csv`, SPOILS[(n / GOOD_FOR_ONE_BAD) % SPOILS.length]!(good));
    }
  }
  return paths;
}
