/** Paths that a mapping names: from the instance folder, never out of it. */

/** Relative, without "..", drive letter or backslash; the reader of the file checks links once more. */
export function isInside(path: string): boolean {
  return !/^[/\\]|^[A-Za-z]:|\\|\0/.test(path) && !path.split('/').includes('..');
}
