/**
 * `state/installation.json`: outside of the ledger, whose it is and how many commits it has seen. A ledger that knows
 * fewer is a restored backup. outside.ts keeps the same farther away.
 *
 * Written in place after each commit, always at the same length, without waiting for the disk: after a power cut it
 * may be behind the ledger, which is harmless, but never ahead of it.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

export type Witness = {
  readonly saw: (generation: number) => void;
  readonly close: () => void;
};

export type Seen = { readonly installation: string; readonly generation: number };

/** A witness that writes on from here; `create` makes the file, in place of any other; `flush` waits for the disk once. */
export function openWitness(
  path: string,
  installation: string,
  generation: number,
  { create = false, flush = false }: { readonly create?: boolean; readonly flush?: boolean } = {},
): Witness {
  if (create) rmSync(path, { force: true });
  const file = openSync(path, create ? 'wx' : 'r+', 0o600);
  const saw = (seen: number) => writeSync(file, witnessText({ installation, generation: seen }), 0);
  // Whatever else somebody's editor may have left behind the text would make it unreadable.
  ftruncateSync(file, saw(generation));
  if (flush) fsyncSync(file);
  return {
    saw,
    close: () => {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

export function witnessText({ installation, generation }: Seen): string {
  return `{"installation":"${installation}","generation":"${String(generation).padStart(16, '0')}"}\n`;
}

/** Undefined where there is none, or none that can be read. */
export function readWitness(path: string): Seen | undefined {
  try {
    const { installation, generation } = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof installation !== 'string' || !/^\d{16}$/.test(generation)) return undefined;
    return { installation, generation: Number(generation) };
  } catch {
    return undefined;
  }
}
