/** The error for a path of a mapping that cannot be used, with the option that holds it. */

import { format, type Message } from '../../i18n/message.ts';

/** Path of keys and list indexes from the `source` block down to the option. */
export type OptionKey = readonly (string | number)[];

/** `xmlOptions` makes an issue of zod of it, at `path`. */
export class PathProblem extends Error {
  readonly path: OptionKey;
  readonly problem: Message;

  constructor(path: OptionKey, problem: Message) {
    super(format(problem, 'en'));
    this.name = 'PathProblem';
    this.path = path;
    this.problem = problem;
  }
}
