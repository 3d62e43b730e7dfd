/** A figure counts only if the documents became what the export says: all accepted, each with its warning, or a tenth refused. */
import type { Quality } from './exports/format.ts';
import type { Account } from './program.ts';

/** Throws where documents, warnings or refusals are others than the export has. */
export function expectAccepted(found: Account, size: number, quality: Quality = 'spotless'): void {
  const refused = quality === 'refused' ? Math.floor(size / 10) : 0;
  const expected: Account = { documents: size - refused, warnings: quality === 'warned' ? size : 0, refused };
  for (const [what, count] of Object.entries(expected)) {
    const actual = found[what as keyof Account];
    if (actual !== count) throw new Error(`of ${size} documents (${quality}) ${actual} ${what}, expected ${count}`);
  }
}
