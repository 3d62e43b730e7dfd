/** What the table of commands says of one: its name, what it takes, and its module. */
import type { CommandModule } from './command-module.ts';

/** One act of a command, such as `ledger restore`. Its texts are those of `<command>-<act>`. */
export type ActEntry = Pick<CommandEntry, 'name' | 'takes'>;

/** One command of the table. */
export type CommandEntry = {
  readonly name: string;
  /** A former name, which works like the present one. */
  readonly alias?: string;
  /** Arguments (`<file>`, `[files...]`) and options (`-y, --yes`, `--out <folder>`), in the order of the help. */
  readonly takes: readonly string[];
  /** What its first argument may be, each with a help of its own: `ledger restore --help`. */
  readonly acts?: readonly ActEntry[];
  /**
   * Of each group at most one counts: `--html`, `[run]`, or one value, `--format=diff`, `<system>=cron`. Options of every
   * command may be in a group.
   */
  readonly apart?: readonly (readonly string[])[];
  /** `--hold` counts only with `--accept-ledger`. */
  readonly needs?: { readonly [option: string]: string };
  /** It changes nothing, so it may end as soon as the reader of its output is gone. */
  readonly onlyReads?: true;
  readonly load: () => Promise<CommandModule>;
};

/** An item of `takes` is an option if it begins with a dash, else an argument. */
export function isOption(item: string): boolean {
  return item.startsWith('-');
}

/** `take-in-only` of `--take-in-only`, `documents` of `[documents...]`: the key of its text and of its values. */
export function nameOfItem(item: string): string {
  return /--([a-z-]+)|[<[]([a-z]+)/.exec(item)?.slice(1).find(Boolean) ?? item;
}
