/** Ids that sort by the time they were made: UUID version 7 (RFC 9562, 5.7), rising within a process. */
import { randomFillSync } from 'node:crypto';

/** Random bytes are fetched for many ids at once: one at a time they cost as much as a row. */
const POOL_BYTES = 4096;

/** A source of ids on the given clock, above `latest`; they keep rising when the clock is set back. */
export function createIdSource(now: () => Date, latest = ''): () => string {
  const bytes = Buffer.alloc(16);
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let lastMs = (Number.parseInt(latest.replaceAll('-', '').slice(0, 12), 16) || -1) + 1;
  let counter = 0;
  return () => {
    const ms = now().getTime();
    if (ms > lastMs) {
      lastMs = ms;
      counter = 0;
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
    }
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    pool.copy(bytes, 8, used, used + 8);
    used += 8;
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}
