/**
 * A document that is staged has an identity that another file takes at this moment. Nothing of the call was stored; the same
 * call decides again once that file is closed, or what was staged of it is dropped.
 */
export class BusyIdentityError extends Error {
  /** Id of the other file. */
  readonly file: string;

  constructor(file: string, name: string) {
    super(`${name} is being read too and has the same document: read one file after the other`);
    this.name = 'BusyIdentityError';
    this.file = file;
  }
}
