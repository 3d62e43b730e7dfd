/**
 * Groups of open documents for people: `errors --group`. Groups come in, lines come out. A pipe gets tables with
 * everything; a terminal what is wrong in words, with key and next step of each group where they fit, else one line a group.
 */
import { format, type Language } from '../../i18n/message.ts';
import { CAUSES, ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { escapeControls } from '../../text/printable.ts';
import { shellWord } from '../../text/shell-word.ts';
import { type CauseGroup, type Grouping, shortNamesOf } from '../../views/queries/causes.ts';
import { amountTexts } from '../../views/wording/amount-texts.ts';
import { describeCause, describeGroup } from '../../views/wording/cause-words.ts';
import { startingCommand } from '../../views/wording/starting-command.ts';
import { cutEnd, cutInside, widthOf, wrapped } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { dim } from '../session/terminal.ts';
import { causeTable, type Grouped, refusalLines, shownFurther, stepTable } from './cause-lines.ts';
import { type NextStepContext, nextStepFor } from './next-steps.ts';
import { proposalLines } from './proposal-lines.ts';

/** Lines of a terminal that does not report its own. */
const USUAL_ROWS = 24;

/** Errors of files on a screen that is too small for everything. */
const MOST_REFUSALS = 2;

/** Columns of the count of a group, right-aligned, before two blanks. */
const COUNT_WIDTH = 8;
const INDENT = ' '.repeat(COUNT_WIDTH + 2);

/** Everything for a pipe and with --full; on a terminal as much as it can show and the command for the rest. */
export async function groupedLines(
  { say, language, options, terminal: { width } }: Session,
  context: NextStepContext,
  { by, groups, documents, files, proposals }: Grouped,
): Promise<readonly string[]> {
  const refusals = refusalLines(files, language);
  const noExport = refusals.length > 0 ? [`  ${say(ERRORS.noExport())}`] : [];
  const further = shownFurther(documents, say);
  const proposed = proposalLines(proposals, say);
  const steps = new Map<CauseGroup, string>();
  if (by === 'cause') for (const group of groups) steps.set(group, escapeControls(await nextStepFor(context, group)));
  if (process.stdout.isTTY !== true) {
    const nameOf = shortNamesOf(documents);
    const tables = causeTable(by, groups, { language, nameOf });
    return [...tables, ...further, ...stepTable(steps, language), ...refusals, ...noExport, ...proposed];
  }
  const blocks = groups.flatMap((group) => blockOf(group, steps.get(group), { width, language }));
  const heading = groups.length > 0 ? [headingOf(by, { width, language })] : [];
  const whole = [...heading, ...blocks, ...further, ...refusals, ...noExport, ...proposed];
  const folded = (lines: readonly string[]) => lines.flatMap((line) => wrapped(line, width).split('\n'));
  const rows = (process.stdout.rows || USUAL_ROWS) - 1;
  if (options.full || folded(whole).length <= rows) return whole;
  const [first] = groups;
  const start =
    first && by === 'cause'
      ? startLines(startingCommand(first, context.instance.settings.rules.language), { width, say })
      : [];
  const notNamed = refusals.length - MOST_REFUSALS;
  const tail = [
    ...refusals.slice(0, MOST_REFUSALS).map((line) => cutEnd(line, width)),
    ...(notNamed > 0 ? [`  ${say(CAUSES.moreFiles({ count: notNamed }))}`] : []),
    ...folded([...noExport, ...proposed]),
    ...start,
    ...folded([`  ${say(CAUSES.all({ by }))}`]),
  ];
  const room = rows - tail.length - heading.length;
  const lines = groups.map((group) => lineOf(group, { width, language }));
  if (lines.length <= room) return [...heading, ...lines, ...tail];
  const shown = lines.slice(0, Math.max(1, room - 1));
  const more = `  ${say(CAUSES.moreGroups({ count: groups.length - shown.length }))}`;
  return [...heading, ...shown, more, ...tail];
}

/** A command that the screen would break is alone, from the first column, so that a person can copy it whole; words would cost a row. */
function startLines(command: string, { width, say }: { readonly width: number; readonly say: Session['say'] }) {
  const line = `  ${say(CAUSES.start({ command }))}`;
  return widthOf(line) <= width ? [line] : [command];
}

type Screen = { readonly width: number; readonly language: Language };

const HEADING = {
  cause: ERRORS_TABLE.problem,
  column: ERRORS_TABLE.column,
  customer: ERRORS_TABLE.counterparty,
  file: ERRORS_TABLE.file,
};

/** The titles above count, words and amount. */
function headingOf(by: Grouping, { width, language }: Screen): string {
  const title = (of: typeof ERRORS_TABLE.count) => format(of(), language).toUpperCase();
  return dim(spread(title(ERRORS_TABLE.count), title(HEADING[by]), title(ERRORS_TABLE.amount), width));
}

/** Count on the left, words, amount on the right edge. */
function spread(count: string, words: string, amount: string, width: number): string {
  const start = `${count.padStart(COUNT_WIDTH)}  ${words}`;
  if (amount === '') return start;
  const gap = width === Number.POSITIVE_INFINITY ? 2 : width - widthOf(start) - widthOf(amount);
  return `${start}${' '.repeat(Math.max(2, gap))}${amount}`;
}

/** One line: how many documents, what is wrong with them, their amount. */
function lineOf(group: CauseGroup, { width, language }: Screen): string {
  const [first, ...others] = amountTexts(group.amounts, language).map(escapeControls);
  const amount = others.length === 0 ? (first ?? '') : `${first}, …`;
  const all = [first, ...others].join(', ');
  const shown = widthOf(all) * 3 < width ? all : amount;
  const room = width - INDENT.length - (shown === '' ? 0 : widthOf(shown) + 2);
  return spread(String(group.count), beginning(wordsOf(group, language), room), shown, width);
}

/** The line, the message of a group by another thing than its cause, the selector, and what to do. */
function blockOf(group: CauseGroup, step: string | undefined, screen: Screen): readonly string[] {
  const line = lineOf(group, screen);
  if (step === undefined) {
    return [
      line,
      INDENT + cutEnd(escapeControls(describeCause(group.first, screen.language)), screen.width - INDENT.length),
    ];
  }
  const selector = group.key === group.first.state ? `--state ${group.key}` : `--cause ${shellWord(group.key)}`;
  return [line, INDENT + dim(escapeControls(selector)), INDENT + step];
}

/** What is wrong in words: the column and the message of the first document; the key of a group by something else. */
function wordsOf({ by, key, column, value, documents, first }: CauseGroup, language: Language): string {
  if (by !== 'cause') return escapeControls(key) || format(CAUSES.none(), language);
  const message = describeGroup(first, { count: documents.length }, language);
  const given = first.faults.find((one) => one.origin?.column === column)?.given;
  // A message without the value, such as the sentence of a check, is about more than one cell.
  if (column === undefined || given === undefined || !message.includes(given)) return escapeControls(message);
  const name = cutInside(column.split('/').at(-1) ?? column, LONGEST_COLUMN);
  const values = new Set(documents.map(({ faults }) => faults.find((one) => one.origin?.column === column)?.given));
  if (value === undefined && values.size > 1) {
    return escapeControls(format(CAUSES.example({ column: name, count: values.size, message }), language));
  }
  if (message.indexOf(given) <= QUOTE_WIDTH) return escapeControls(`${name} ${message}`);
  return escapeControls(format(CAUSES.inColumn({ column: name, message }), language));
}

/** Characters: a quotation mark with the blank that French puts after it. The name of the column reads on before it. */
const QUOTE_WIDTH = 2;

/** Columns of a terminal. */
const LONGEST_COLUMN = 24;

/** Where a sentence may end early, with the blank that French puts before its marks. */
const CLAUSE_END = /\s?[;:,.](?=\s)|\s\(/gu;

/** As much of a sentence as fits, if possible up to the end of a clause. */
function beginning(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  const ends = Array.from(text.matchAll(CLAUSE_END), ({ index }) => index);
  const end = ends.findLast((at) => widthOf(text.slice(0, at)) <= room && !/\([^)]*$/.test(text.slice(0, at)));
  return end !== undefined && end > (room * 3) / 4 ? text.slice(0, end) : cutEnd(text, room);
}
