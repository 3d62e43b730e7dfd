/**
 * Groups of open documents for people and programs: `errors --group`. Groups come in; lines that fit the screen come out,
 * or the object of --json. A pipe gets everything, a terminal as much as it can show and the command for the rest.
 */
import { format, type Language } from '../../i18n/message.ts';
import { ACTOR, CAUSES, ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { type Fault, isError, showFaultIn } from '../../model/fault.ts';
import { isSetAside, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { stateInfo } from '../../model/state.ts';
import {
  type CauseGroup,
  furtherFaults,
  type Grouping,
  groupRefusals,
  type RefusalGroup,
  shortNamesOf,
} from '../../pipeline/queries/causes.ts';
import type { MappingProposal } from '../../pipeline/queries/mapping-proposals.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutEnd, table, widthOf, wrapped } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { amountTexts } from './amount-texts.ts';
import { withDots } from './counted-words.ts';
import { type NextStepContext, nextStepFor } from './next-steps.ts';
import { proposalLines } from './proposal-lines.ts';

/** What one call of `errors --group` prints; `files` are those without documents. */
type Grouped = {
  readonly by: Grouping;
  readonly groups: readonly CauseGroup[];
  readonly documents: readonly LedgerEntry[];
  readonly files: readonly SourceFile[];
  readonly proposals: readonly MappingProposal[];
};

/** Documents named for one group. */
const NAMED = 3;

/** The object of --json: `documents` are the first of each group, amounts exact sums by currency. */
export async function groupedObject(context: NextStepContext, { by, groups, documents, files, proposals }: Grouped) {
  const { language } = context.instance.settings.rules;
  const nameOf = shortNamesOf(documents);
  const objects: object[] = [];
  for (const { first, documents: own, files: _, actor, ...group } of groups) {
    const named = own.slice(0, NAMED).map((entry) => ({ id: entry.id, number: nameOf(entry) }));
    const whatToDo =
      by === 'cause' ? await nextStepFor(context, { first, documents: own, files: _, actor, ...group }) : undefined;
    objects.push({ ...group, responsible: actor, message: describeCause(first, language), documents: named, whatToDo });
  }
  const refusals = groupRefusals(files).map(({ file, first, ...refusal }) => {
    const { id, name, day } = file;
    return { ...refusal, file: { id, name, day }, message: first.message, hint: first.hint };
  });
  return { by, groups: objects, files: refusals, proposals };
}

/** Everything for a pipe; on a terminal each group with its next step, or one or two lines a group, as much as fits. */
export async function groupedLines(
  { say, language, terminal: { width } }: Session,
  context: NextStepContext,
  { by, groups, documents, files, proposals }: Grouped,
): Promise<readonly string[]> {
  const nameOf = shortNamesOf(documents);
  const refusals = refusalLines(files, language);
  const foot = refusals.length > 0 ? [...refusals, `  ${say(ERRORS.noExport())}`] : [];
  const further = shownFurther(documents, say);
  const proposed = proposalLines(proposals, say);
  const steps = new Map<CauseGroup, string>();
  if (by === 'cause') for (const group of groups) steps.set(group, escapeControls(await nextStepFor(context, group)));
  if (width === Number.POSITIVE_INFINITY) {
    return [
      ...causeTable(by, groups, { language, nameOf }),
      ...further,
      ...stepTable(steps, language),
      ...foot,
      ...proposed,
    ];
  }
  const longest = Math.max(0, ...groups.map((group) => widthOf(keyText(group, language))));
  const screen = { width, language, keyWidth: Math.min(longest, ALIGNED) };
  const folded = (lines: readonly string[]) => lines.flatMap((line) => wrapped(line, width).split('\n'));
  const two = groups.map((group) => twoLines(group, screen));
  const stepOf = (group: CauseGroup) => folded(steps.has(group) ? [`         ${steps.get(group)}`] : []);
  const whole = [
    ...groups.flatMap((group, at) => [...(two[at] ?? []), ...stepOf(group)]),
    ...folded([...further, ...foot, ...proposed]),
  ];
  const rows = (process.stdout.rows || USUAL_ROWS) - 1;
  if (whole.length <= rows) return whole;
  const tail = [
    ...folded(foot).slice(0, MOST_REFUSALS),
    ...folded([...proposed, `  ${say(CAUSES.oneCause())}`, `  ${say(CAUSES.all({ by }))}`]),
  ];
  const room = rows - tail.length;
  if (two.flat().length <= room) return [...two.flat(), ...tail];
  const one = groups.map((group) => oneLine(group, screen));
  if (one.length <= room) return [...one, ...tail];
  const shown = one.slice(0, Math.max(1, room - 1));
  return [...shown, `  ${say(CAUSES.moreGroups({ count: groups.length - shown.length }))}`, ...tail];
}

/** Lines of a terminal that does not report its own. */
const USUAL_ROWS = 24;

/** Lines about files on a screen that is too small for everything. */
const MOST_REFUSALS = 4;

/** Columns of a terminal. What follows longer keys is not aligned. */
const ALIGNED = 46;

type Screen = { readonly width: number; readonly language: Language; readonly keyWidth: number };

/** Count and key, and to the right what there is room for; a key is never cut, because people copy it. */
function oneLine(group: CauseGroup, { width, language, keyWidth }: Screen): string {
  const key = keyText(group, language);
  const start = `${String(group.count).padStart(7)}  ${key}`;
  const head = start + ' '.repeat(Math.max(0, keyWidth - widthOf(key)));
  const amounts = amountTexts(group.amounts, language).join(', ');
  const about = [amounts, group.by === 'customer' ? '' : (group.customer ?? '')].filter(Boolean).map(escapeControls);
  const room = width - widthOf(head) - 2;
  if (room < NARROWEST || about.length === 0) return start;
  return `${head}  ${cutEnd(about.join('  '), room)}`;
}

/** Characters: a shorter rest of a line is left empty. */
const NARROWEST = 10;

/** The second line has who acts, the customer and the message. */
function twoLines(group: CauseGroup, screen: Screen): readonly string[] {
  const { width, language } = screen;
  const who = group.actor === 'nobody' ? '' : format(ACTOR[group.actor](), language);
  const parts = [who, describeCause(group.first, language)].filter(Boolean).map(escapeControls);
  return [oneLine(group, screen), `         ${cutEnd(parts.join(': '), width - 9)}`];
}

function keyText({ key }: CauseGroup, language: Language): string {
  return escapeControls(key) || format(CAUSES.none(), language);
}

/** The groups as one text; none without documents. */
function causeTable(
  by: Grouping,
  groups: readonly CauseGroup[],
  { language, nameOf }: { readonly language: Language; readonly nameOf: (entry: LedgerEntry) => string },
): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups.map((group) => [
    String(group.count),
    group.key || format(CAUSES.none(), language),
    ...(by === 'customer' ? [] : [group.customer ?? '']),
    amountTexts(group.amounts, language).join(', '),
    describeCause(group.first, language),
    withDots(group.documents.slice(0, NAMED).map(nameOf), group.count),
  ]);
  const { count, counterparty, amount, example, documents } = ERRORS_TABLE;
  const title = (of: typeof count) => ({ title: format(of(), language) });
  const columns = [
    { ...title(count), align: 'right' as const },
    title(TITLE_OF[by]),
    ...(by === 'customer' ? [] : [title(counterparty)]),
    { ...title(amount), align: 'right' as const },
    title(example),
    title(documents),
  ];
  return [table(columns, rows)];
}

const TITLE_OF = {
  cause: ERRORS_TABLE.cause,
  column: ERRORS_TABLE.column,
  customer: ERRORS_TABLE.counterparty,
  file: ERRORS_TABLE.file,
};

function stepTable(steps: ReadonlyMap<CauseGroup, string>, language: Language): readonly string[] {
  if (steps.size === 0) return [];
  const titles = [ERRORS_TABLE.cause, ERRORS_TABLE.whatToDo].map((of) => ({ title: format(of(), language) }));
  return [
    `\n${table(
      titles,
      [...steps].map(([{ key }, step]) => [key, step]),
    )}`,
  ];
}

function shownFurther(documents: readonly LedgerEntry[], say: Session['say']): readonly string[] {
  const further = furtherFaults(documents);
  if (further.size === 0) return [];
  const causes = [...further].map(([code, count]) => `${code} (${count})`).join(', ');
  return [`  ${say(ERRORS.further({ causes }))}`];
}

/** The faults of files, each with its day; those of one code in one column are one line. */
export function refusalLines(files: readonly SourceFile[], language: Language): readonly string[] {
  return groupRefusals(files).map((group) => `  ${group.file.day}  ${refusalText(group, language)}`);
}

function refusalText({ first, count }: RefusalGroup, language: Language): string {
  const fault = showFaultIn(first, language);
  return count === 1 ? fault : format(ERRORS.moreLikeIt({ fault, count: count - 1 }), language);
}

/** The cause in one phrase: the first fault, the hold, the response of the service, or the last attempt. */
export function describeCause(entry: LedgerEntry, language: Language): string {
  const fault = entry.faults.find(isError);
  const { evidence, hold, answer } = entry;
  const closing = entry.closed ?? (isSetAside(entry) ? evidence : undefined);
  if (closing) return format(ERRORS.setAside(closing), language);
  if (fault && (entry.state === 'invalid' || entry.state === 'conflict')) return describeFault(fault, language);
  if (hold) return hold.says;
  if (answer) return [...new Set([answer.name, answer.message].filter(Boolean))].join(': ');
  return entry.attempts.at(-1)?.reason ?? format(stateInfo(entry.state).says, language);
}

/** The message, with the suggested value or the note that only the ERP can correct it. */
function describeFault({ message, suggestion, onlyInErp }: Fault, language: Language): string {
  if (onlyInErp) return format(ERRORS.inErp({ message }), language);
  if (suggestion === undefined) return message;
  return format(ERRORS.writeSuggestion({ message, suggestion }), language);
}
