/** The selectors all commands share: ids, numbers or receipt names, `-` for a list on standard input, or filters. */
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Selector } from '../model/entry.ts';
import { STATE_NAMES, type State } from '../model/state.ts';
import { suggest } from '../model/suggest.ts';

export type SelectorOptions = {
  readonly state?: readonly State[];
  readonly cause?: string;
  readonly mapping?: string;
  readonly run?: string;
  readonly since?: string;
};

export function withSelectors(command: Command): Command {
  return command
    .option('--state <state...>', `only documents in these states: ${STATE_NAMES.join(', ')}`, readState)
    .option('--cause <code>', 'only documents with this fault code or service code')
    .option('--mapping <id>', 'only documents of this mapping')
    .option('--run <run>', 'only documents of this run')
    .option('--since <date>', 'only documents that changed since this day or time (ISO 8601)', readSince);
}

function readState(text: string, before: readonly State[] = []): readonly State[] {
  const states = text.split(',').map((name) => {
    if (STATE_NAMES.includes(name as State)) return name as State;
    const near = suggest(name, STATE_NAMES);
    throw new InvalidArgumentError(near ? `Did you mean ${near}?` : `Known: ${STATE_NAMES.join(', ')}.`);
  });
  return [...before, ...states];
}

function readSince(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('Write a day such as 2026-11-20.');
  return at.toISOString();
}

export function selectorOf(names: readonly string[], options: SelectorOptions): Selector {
  const ids = names.flatMap((name) => (name === '-' ? readFileSync(0, 'utf8').split(/\s+/).filter(Boolean) : [name]));
  return {
    ...(ids.length > 0 ? { ids } : {}),
    ...(options.state ? { states: options.state } : {}),
    ...(options.cause ? { cause: options.cause } : {}),
    ...(options.mapping ? { mapping: options.mapping } : {}),
    ...(options.run ? { run: options.run } : {}),
    ...(options.since ? { since: options.since } : {}),
  };
}

export function isEmpty(selector: Selector): boolean {
  return Object.keys(selector).length === 0;
}
