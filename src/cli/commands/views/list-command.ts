/**
 * `list`: all documents under filters, the newest first, a page at a time. Reads only; exit code 0. With --json
 * `documents` and `next`, the id for --after, null on the last page.
 */
import type { Command } from 'commander';
import { SEARCH } from '../../../i18n/messages/cli-views-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { typedMoment } from '../../../text/typed-moment.ts';
import {
  CLOSED_CHOICES,
  type DocumentListFilter,
  filesNamed,
  isTypedAmount,
  listDocuments,
} from '../../../views/queries/find-documents.ts';
import { refuseUnknownValues } from '../../../views/queries/list-values.ts';
import { summaryTable } from '../../output/document-list.ts';
import { printFiles } from '../../output/file-list.ts';
import { type CommandModule, InvalidValueError, readWholeNumber } from '../../session/command-module.ts';
import { openSessionForStatus } from '../../session/command-session.ts';
import { readDay, SELECTOR_VALUES } from '../../session/document-selection.ts';
import { openIndexFor } from '../../session/open-index.ts';

const LIMIT = 50;

type Options = Omit<DocumentListFilter, 'states'> & {
  readonly state?: DocumentListFilter['states'];
  readonly limit: number;
  readonly after?: string;
};

const { cause: _, ...FILTER_VALUES } = SELECTOR_VALUES;

export const listCommand: CommandModule = {
  run: list,
  values: {
    ...FILTER_VALUES,
    until: SELECTOR_VALUES.since ?? {},
    day: { read: readDay },
    amount: { read: readAmount },
    night: SELECTOR_VALUES.run ?? {},
    closed: { choices: CLOSED_CHOICES },
    limit: { read: readWholeNumber(1), default: LIMIT },
  },
};

async function list({ state: states, limit, after, ...filters }: Options, command: Command): Promise<void> {
  const session = openSessionForStatus(command);
  const { options, terminal, say, language } = session;
  const { day, customer, file, mapping, service, amount, run, night, closed, warnings } = filters;
  const at = (text: string | undefined) => (text === undefined ? undefined : typedMoment(text, session.locale.zone));
  const [since, until] = [at(filters.since), at(filters.until)];
  const chosen = { states, day, since, until, customer, file, mapping, service, amount, run, night, closed, warnings };
  const filter = definedOnly(chosen) as DocumentListFilter;
  await using ledger = await lookIntoLedgerOf(session.instance);
  using index = await openIndexFor(session);
  await refuseUnknownValues({ ...session, index, ledger }, { ...filter, after });
  const { documents, next } = await listDocuments({ index, ledger }, filter, { limit, after });
  if (options.json) return terminal.data(JSON.stringify({ documents, next }, null, 2));
  if (documents.length === 0) {
    const isNarrowed = after !== undefined || Object.keys(filter).length > 0;
    terminal.out(`  ${say(isNarrowed ? SEARCH.noneSelected() : SEARCH.noDocuments())}`);
    const files = file === undefined ? [] : await filesNamed({ index, ledger }, file);
    if (files.length > 0) printFiles(session, files);
    return;
  }
  terminal.out(summaryTable(documents, { language, width: terminal.width }));
  if (next !== null) terminal.out(`  ${say(SEARCH.nextPage({ id: next }))}`);
}

function readAmount(text: string): string {
  if (isTypedAmount(text)) return text;
  throw new InvalidValueError('amount');
}
