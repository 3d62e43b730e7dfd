/**
 * The contract between the program and the modules in src/cli/commands, and the error for a typed value that cannot be
 * read.
 */

/** The values that a person may type for one option or argument. */
export type TypedValue = {
  readonly choices?: readonly string[];
  readonly default?: string | number;
  /** The option cannot be left out. */
  readonly isRequired?: true;
  /** Text -> value; `before` is the value of an earlier one of the same option. Throws InvalidValueError. */
  readonly read?: (text: string, before: never) => unknown;
};

/** What each module exports for its command. `values` is keyed by the name of the item without dashes and brackets. */
export type CommandModule = {
  /** Takes the arguments in their order, an object with the options, and the Command; sets process.exitCode. */
  readonly run: (...typed: never[]) => void | Promise<void>;
  readonly values?: { readonly [name: string]: TypedValue };
};

/**
 * A typed value that cannot be read; exit code 2. `text` is a key in `usage` of locales/<language>/cli-commands.yaml.
 */
export class InvalidValueError extends Error {
  readonly text: string;
  readonly values: { readonly [name: string]: string };

  constructor(text: string, values: { readonly [name: string]: string } = {}) {
    super(text);
    this.text = text;
    this.values = values;
  }
}

/** A number in digits alone: a slip such as `1e3` is no number that a person meant. */
export function wholeNumberIn(text: string): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}

/** A reader of whole numbers from `least`; it throws InvalidValueError. Each minimum has a text of its own. */
export function readWholeNumber(least: 0 | 1): (text: string) => number {
  return (text) => {
    const count = wholeNumberIn(text);
    if (count !== undefined && count >= least) return count;
    throw new InvalidValueError(least === 0 ? 'wholeNumber' : 'wholeNumberFrom');
  };
}
