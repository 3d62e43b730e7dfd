/**
 * The bytes of an archived file around a fault: at the offset that the fault names, else from the begin of its line, else
 * from the begin of the file. Undefined if the copy is gone. Reads only, and at most the first 64 MiB.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Fault, MESSAGE } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';

/** `offset`: of the first of `bytes` in the file; `marked`: the byte at fault, if the fault names one. */
export type FaultBytes = { readonly offset: number; readonly bytes: Buffer; readonly marked?: number };

const SHOWN = 96;
/** Bytes in front of the one at fault. */
const BEFORE = 40;
const MOST_BYTES = 64 * 1024 ** 2;
const LINE_END = 10;

export async function bytesAround(file: Pick<SourceFile, 'path'>, fault: Fault): Promise<FaultBytes | undefined> {
  try {
    const marked = offsetOf(fault);
    const { line = fault.origin?.row ?? 0 } = fault.origin ?? {};
    const offset = marked === undefined ? await beginOfLine(file.path, line) : Math.max(0, marked - BEFORE);
    await using handle = await open(file.path, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SHOWN), 0, SHOWN, offset);
    return { offset, bytes: buffer.subarray(0, bytesRead), ...(marked === undefined ? {} : { marked }) };
  } catch {
    return undefined;
  }
}

function offsetOf(fault: Fault): number | undefined {
  const { offset } = fault[MESSAGE]?.message.values ?? {};
  const at = Number(offset);
  return offset === undefined || !Number.isSafeInteger(at) || at < 0 ? undefined : at;
}

/** 0 for a line that is not there, as in a workbook. */
async function beginOfLine(path: string, line: number): Promise<number> {
  let left = line - 1;
  let at = 0;
  if (left <= 0) return 0;
  for await (const chunk of createReadStream(path, { end: MOST_BYTES }) as AsyncIterable<Buffer>) {
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, end + 1)) {
      if (--left === 0) return at + end + 1;
    }
    at += chunk.length;
  }
  return 0;
}
