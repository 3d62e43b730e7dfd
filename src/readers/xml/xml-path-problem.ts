/** What is wrong with a path of a mapping, and where in its options it is written. */

/** Place in the options. */
export type Key = readonly (string | number)[];

/** A path that cannot be used; the message says why. */
export class PathProblem extends Error {
  readonly path: Key;

  constructor(path: Key, message: string) {
    super(message);
    this.name = 'PathProblem';
    this.path = path;
  }
}
