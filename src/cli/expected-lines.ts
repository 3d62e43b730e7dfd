/** Exports that are expected and not there as they should be, on the clock of this machine. */
import { printable } from '../model/printable.ts';
import type { Expected } from '../pipeline.ts';

/** One line for each that is not there as it should be. */
export function expectedLines(expected: readonly Expected[]): readonly string[] {
  return expected.flatMap(({ name, files, due, since, state, file }) => {
    if (state === 'arrived') return [];
    const when = `since ${localTime(since)}, expected by ${localTime(due)}`;
    if (state === 'missing') return [`  MISSING  ${name}: no file ${files} ${when}`];
    const says = state === 'refused' ? 'arrived, but was refused' : 'arrived, but with the same bytes as before';
    return [`  ${name}: ${printable(file ?? files)} ${says} (${when})`];
  });
}

/** 2026-11-21 02:00, on the clock of this machine. */
function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE').slice(0, 16);
}
