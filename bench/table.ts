/** Figures as a Markdown table that reads in a terminal too. */
import { cpus, loadavg, totalmem } from 'node:os';
import type { Group } from './group.ts';
import type { Outcome, Row } from './run-group.ts';

export function tableOf({ title, rounds, how, isLeast }: Group, { rows, notes }: Outcome): string {
  const cells = rows.map((row) => [row.says, shown(row.value, row.unit), goalOf(row), verdict(row)]);
  const head = ['measured', isLeast ? 'least' : 'median', 'goal', ''];
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]!.length)));
  const line = (texts: readonly string[]) => `| ${texts.map((text, at) => text.padEnd(widths[at]!)).join(' | ')} |`;
  const table = [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)];
  const notesText = notes.length > 0 ? ` ${notes.map((note) => `${note}.`).join(' ')}` : '';
  return `### ${title}\n\n${how ?? roundsOf(rounds, isLeast)}.${notesText}\n\n${table.join('\n')}`;
}

function roundsOf(rounds: number, isLeast = false): string {
  if (rounds === 1) return 'One round';
  return isLeast ? `The mean of the least third of ${rounds} rounds` : `Median of ${rounds} rounds`;
}

/** How busy the machine was in the last minute. */
export function load(): string {
  return `at a load of ${loadavg()[0]!.toFixed(1)} on ${cpus().length} processors`;
}

/** Without names of the machine: what kind it is. */
export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `Machine: ${cpus().length} processors (${first?.model.trim() ?? 'unknown'}), ${memory} GB, ${process.platform}, Node ${process.version}.`;
}

function shown(value: number | undefined, unit: string): string {
  if (value === undefined) return 'not measured';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const number = value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(digits);
  return unit === 'x' ? `${number} x` : `${number} ${unit}`.replace(' /s', ' a second');
}

function goalOf({ goal, unit }: Row): string {
  if (goal?.atLeast !== undefined) return `at least ${shown(goal.atLeast, unit)}`;
  return goal?.atMost === undefined ? '' : `at most ${shown(goal.atMost, unit)}`;
}

function verdict(row: Row): string {
  if (!row.goal || row.value === undefined) return '';
  return isMissed(row) ? 'missed' : 'met';
}

/** A value that was not measured misses nothing. */
export function isMissed({ goal, value }: Row): boolean {
  return value !== undefined && (value < (goal?.atLeast ?? -Infinity) || value > (goal?.atMost ?? Infinity));
}
