/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
export const BUSY = 5;
export const DEVICE = 10;
export const CORRUPT = 11;
export const FULL = 13;
export const CANNOT_OPEN = 14;

/** The primary code of an exception of SQLite; 0 for any other. */
export function primaryCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : 0;
}
