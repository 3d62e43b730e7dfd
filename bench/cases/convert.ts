/** Exports to documents on disk with the program's own pure half, under the rules that every instance has. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expectAccepted } from '../accepted.ts';
import { exportChunks, exportFolder, FORMATS } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { openConverter } from '../program.ts';
import { type Case, timed } from '../result.ts';
import { writeTo } from '../writer.ts';

export const convertExports: Case = async ({ size, format, quality, exports, out }) => {
  const { convertAll } = await openConverter(newFolder('convert'), FORMATS[format]);
  return await timed(async () => {
    const writer = writeTo(out);
    const account = await convertAll(exports, writer.bytes);
    writer.end();
    expectAccepted(account, size, quality);
    return size;
  });
};

/** The longest time that nothing else could run, in milliseconds; the resolution of 1 ms is part of it. */
export const eventLoop: Case = async ({ size, format, exports, out }) => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const { convertAll } = await openConverter(newFolder('loop'), FORMATS[format]);
  // Mappings are loaded when the program starts, before anything waits.
  await convertAll(await exportFolder({ format, documents: 90 }), () => {});
  const writer = writeTo(out);
  delay.enable();
  return await timed(
    async () => {
      expectAccepted(await convertAll(exports, writer.bytes), size);
      writer.end();
      return size;
    },
    () => ({ p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }),
  );
};

/** Bytes made while they are read, documents counted and forgotten: what memory the conversion itself takes. */
export const memory: Case = async ({ size, format }) => {
  const { convertAll } = await openConverter(newFolder('memory'), FORMATS[format]);
  const name = await exportFolder({ format, documents: 1 });
  return await timed(async () => {
    expectAccepted(await convertAll(name, () => {}, toAsync(exportChunks(format, size))), size);
    return size;
  });
};

async function* toAsync(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}
