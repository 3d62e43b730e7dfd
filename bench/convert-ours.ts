/** CSV or XML to documents on disk with the program's own pure half; with the delay of the event loop, or without disk. */
import { createReadStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { benchMapping, convertAll } from './converting.ts';
import { exportChunks, exportFile, type Format } from './exports.ts';
import { type Measurement, timed } from './result.ts';
import { writeTo } from './writer.ts';

const CHUNK = 64 * 1024;

export const convertOurs =
  (format: Format): Measurement =>
  ({ size, out }) => {
    const path = exportFile(format, size);
    return timed(async () => {
      const writer = writeTo(out);
      const count = await convertAll(format, createReadStream(path, { highWaterMark: CHUNK }), writer.bytes);
      writer.end();
      return count;
    });
  };

/** The longest time that nothing else could run, in milliseconds; the resolution of 1 ms is part of it. */
export const eventLoop =
  (format: Format): Measurement =>
  async ({ size, out }) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const path = exportFile(format, size);
    const writer = writeTo(out);
    const mapping = benchMapping(format);
    const few = createReadStream(exportFile(format, 1000), { highWaterMark: CHUNK });
    await convertAll(format, few, () => {}, undefined, mapping);
    // Mappings are loaded when the program starts, before anything waits.
    delay.enable();
    return timed(
      async () => {
        const bytes = createReadStream(path, { highWaterMark: CHUNK });
        const count = await convertAll(format, bytes, writer.bytes, undefined, mapping);
        writer.end();
        return count;
      },
      () => ({ p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }),
    );
  };

/** Bytes made while they are read, documents counted and forgotten: what memory the conversion itself takes. */
export const memory =
  (format: Format): Measurement =>
  ({ size }) =>
    timed(() => convertAll(format, toAsync(exportChunks(format, size)), () => {}));

async function* toAsync(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}
