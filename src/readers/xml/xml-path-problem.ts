/** What is wrong with a path of a mapping, and where in its options it is written. */

/** Place in the options. */
export type OptionKey = readonly (string | number)[];

/** A path that cannot be used; the message says why. */
export class PathProblem extends Error {
  readonly path: OptionKey;

  constructor(path: OptionKey, message: string) {
    super(message);
    this.name = 'PathProblem';
    this.path = path;
  }
}
