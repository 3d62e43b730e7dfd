/**
 * Finds an option that the command or the act would take and not read: a `--dry-run` that an act ignores changes what a
 * person only wanted to look at. What was typed and the table of commands come in, a text of `usage` comes out.
 */
import type { Command } from 'commander';
import { commandNamed } from './command-table.ts';
import { type ActEntry, type CommandEntry, isOption, nameOfItem } from './session/command-entry.ts';

/** A key in `usage` of cli-commands.yaml, and its values. */
type UnreadOption = {
  readonly text: 'notTaken' | 'apart' | 'needs';
  readonly values: { readonly [name: string]: string };
};

/** `typed`: the command, or the act of one, that would run now. */
export function unreadOption(typed: Command): UnreadOption | undefined {
  const [name, actName] = typed.parent?.parent ? [typed.parent.name(), typed.name()] : [typed.name()];
  const entry = commandNamed(name ?? '');
  const act = entry?.acts?.find((one) => one.name === actName);
  return entry && (foreignOption(typed, entry, act) ?? combinedOptions(typed, entry));
}

function foreignOption(typed: Command, entry: CommandEntry, act: ActEntry | undefined): UnreadOption | undefined {
  const isForeign = (item: string) => isOption(item) && !act?.takes.includes(item) && isGiven(typed, entry, item);
  const foreign = act && entry.takes.find(isForeign);
  if (!act || foreign === undefined) return undefined;
  const called = (one: ActEntry) => `${entry.name} ${one.name}`;
  const others = (entry.acts ?? []).filter(({ takes }) => takes.includes(foreign)).map(called);
  return { text: 'notTaken', values: { command: called(act), option: shown(foreign), others: others.join(', ') } };
}

function combinedOptions(typed: Command, entry: CommandEntry): UnreadOption | undefined {
  const isTyped = (item: string) => isGiven(typed, entry, item);
  for (const group of entry.apart ?? []) {
    const [one, other] = group.filter(isTyped);
    if (one !== undefined && other !== undefined)
      return { text: 'apart', values: { one: shown(one), other: shown(other) } };
  }
  for (const [option, needed] of Object.entries(entry.needs ?? {})) {
    if (isTyped(option) && !isTyped(needed)) return { text: 'needs', values: { option, needed } };
  }
  return undefined;
}

/** `--max-age` of `--max-age <duration>`, `--format diff` of `--format=diff`, `cron` of `<system>=cron`. */
function shown(item: string): string {
  if (!isOption(item)) return item.replace(/^<\w+>=/, '');
  const [, value] = item.split('=');
  return [`--${nameOfItem(item)}`, value].filter(Boolean).join(' ');
}

/** Whether a person typed the item, with its value if it names one. Defaults are not typed. */
function isGiven(typed: Command, { takes }: CommandEntry, item: string): boolean {
  const [of = item, value] = item.split('=');
  const given = isOption(of) ? optionOf(typed, of) : argumentOf(typed, takes, of);
  return value === undefined ? given !== undefined : given === value;
}

function optionOf(typed: Command, item: string): unknown {
  const key = nameOfItem(item).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return typed.getOptionValueSourceWithGlobals(key) === 'cli' ? typed.optsWithGlobals()[key] : undefined;
}

function argumentOf(typed: Command, takes: readonly string[], item: string): unknown {
  const given: unknown = typed.processedArgs[takes.filter((one) => !isOption(one)).indexOf(item)];
  return Array.isArray(given) && given.length === 0 ? undefined : given;
}
