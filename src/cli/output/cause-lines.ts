/**
 * Groups of open documents for programs and pipes: `errors --group`. Groups come in; tables or the object of --json come
 * out. What a terminal shows of them is in cause-screen.ts; both word a cause with `describeCause`.
 */
import { format, type Language } from '../../i18n/message.ts';
import { CAUSES, ERRORS, ERRORS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { showFaultIn } from '../../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import {
  type CauseGroup,
  furtherFaults,
  type Grouping,
  groupRefusals,
  type RefusalGroup,
  shortNamesOf,
} from '../../views/queries/causes.ts';
import type { MappingProposal } from '../../views/queries/mapping-proposals.ts';
import { amountTexts } from '../../views/wording/amount-texts.ts';
import { describeCause } from '../../views/wording/cause-words.ts';
import { table } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { withDots } from './counted-words.ts';
import { type NextStepContext, nextStepFor } from './next-steps.ts';

/** What one call of `errors --group` prints; `files` are those without documents. */
export type Grouped = {
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
  for (const { first, documents: own, files: _, actor, differs, ...group } of groups) {
    const named = own.slice(0, NAMED).map((entry) => ({ id: entry.id, number: nameOf(entry) }));
    const whatToDo =
      by === 'cause'
        ? await nextStepFor(context, { first, documents: own, files: _, actor, differs, ...group })
        : undefined;
    objects.push({ ...group, responsible: actor, message: describeCause(first, language), documents: named, whatToDo });
  }
  const refusals = groupRefusals(files).map(({ file, first, ...refusal }) => {
    const { id, name, day } = file;
    return { ...refusal, file: { id, name, day }, message: first.message, hint: first.hint };
  });
  return { by, groups: objects, files: refusals, proposals };
}

/** The groups as one text; none without documents. */
export function causeTable(
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

export function stepTable(steps: ReadonlyMap<CauseGroup, string>, language: Language): readonly string[] {
  if (steps.size === 0) return [];
  const titles = [ERRORS_TABLE.cause, ERRORS_TABLE.whatToDo].map((of) => ({ title: format(of(), language) }));
  return [
    `\n${table(
      titles,
      [...steps].map(([{ key }, step]) => [key, step]),
    )}`,
  ];
}

export function shownFurther(documents: readonly LedgerEntry[], say: Session['say']): readonly string[] {
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
