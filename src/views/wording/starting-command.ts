/** The command that begins with the documents of one cause. A group comes in, a line to copy comes out. Pure. */
import { format, type Language } from '../../i18n/message.ts';
import { NEXT_STEP } from '../../i18n/messages/cli-views-messages.ts';
import { readCellCause } from '../../model/cause.ts';
import { isClosed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { WorkGroup } from '../queries/causes.ts';

type Group = Pick<WorkGroup, 'key' | 'by' | 'count' | 'column' | 'value' | 'suggestion'>;

/**
 * The correction of all its cells, the reading with an extended table, or the list of what to do. Nothing in it changes a
 * document before a person has typed a value or a reason.
 */
export function startingCommand(group: Group & { readonly first: LedgerEntry }, language: Language): string {
  const { key, first } = group;
  const isTable = !isClosed(first) && first.state === 'invalid' && readCellCause(key)?.code === 'map/not-in-table';
  if (isTable) return `nightpost reprocess --cause ${shellWord(key)} --reason "..."`;
  const fix = first.state === 'invalid' ? fixOfAll(group, language) : undefined;
  const selected = key === first.state ? `--state ${key}` : `--cause ${shellWord(key)}`;
  return fix ?? `nightpost errors --group cause ${selected}`;
}

/** The command that corrects all documents of a group; undefined for one document and for cells with several values. */
export function fixOfAll({ key, by, count, column, value, suggestion }: Group, language: Language): string | undefined {
  if (count === 1 || by !== 'cause' || column === undefined || value === undefined) return undefined;
  if (readCellCause(key)?.value === undefined) return undefined;
  const cell = shellWord(`${column}=${format(NEXT_STEP.value(), language)}`);
  return `nightpost fix --cause ${shellWord(key)} ${suggestion === undefined ? cell : '--suggested'} --reason "..."`;
}
