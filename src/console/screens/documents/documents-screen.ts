/** `/documents`: all documents under filters, the newest first, a page at a time by key; the address is the filter. */

import { DOCUMENTS_FILTER, DOCUMENTS_PAGE } from '../../../i18n/messages/console/console-documents-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { SERVICE_NAMES } from '../../../model/document.ts';
import { OperatorError } from '../../../model/fault.ts';
import { STATE_GROUP_NAMES, STATE_GROUPS, STATE_NAMES, stateInfo } from '../../../model/state.ts';
import { markup } from '../../../pages/markup.ts';
import { type DocumentList, listDocuments } from '../../../views/queries/find-documents.ts';
import { refuseUnknownValues } from '../../../views/queries/list-values.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { filterForm, terminalLine } from '../../shell/forms.ts';
import { notice, pageHeading } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { type AskedFilter, FILTER_NAMES, listCommandOf, readDocumentFilter, searchOf } from './document-filter.ts';
import { documentColumns, documentHref } from './document-lines.ts';

/** Documents on a page. */
const LIMIT = 100;
/** Filters that are always shown. */
const USUAL = 4;

export const documentsScreen: Screen = async (context) => {
  const { say, base, url } = context;
  const asked = readDocumentFilter(url.searchParams, context.locale.zone);
  const { typed } = asked;
  const listed = await listPage(context, asked);
  const isFiltered = FILTER_NAMES.some((name) => typed[name] !== '');
  const address = (search: URLSearchParams) => `${base}/documents${search.size > 0 ? `?${search}` : ''}`;
  const exportOf = (ending: string) => `${base}/documents.${ending}?${searchOf(typed)}`;
  const about = say(isFiltered ? DOCUMENTS_PAGE.aboutFiltered() : DOCUMENTS_PAGE.about());
  const acts =
    'refused' in listed || listed.documents.length === 0
      ? undefined
      : markup`<a class="button" href="${exportOf('csv')}">${say(DOCUMENTS_PAGE.csv())}</a>
<a class="button" href="${exportOf('json')}">${say(DOCUMENTS_PAGE.json())}</a>`;
  const fields = await filterFields(context, asked);
  const without = (name?: string) => address(name === undefined ? new URLSearchParams() : searchOf(typed, name));
  const content = markup`${pageHeading({ title: say(DOCUMENTS_PAGE.title()), about, ...(acts && { acts }) })}
<div>${filterForm({ action: `${base}/documents`, fields: fields.slice(0, USUAL), more: fields.slice(USUAL), without }, say)}</div>
${'refused' in listed ? notice({ tone: 'fix', title: listed.refused, text: say(DOCUMENTS_PAGE.nothingListed()) }) : table(context, asked, listed)}
${terminalLine(listCommandOf(typed), say)}`;
  return await composePage(context, { place: 'documents', title: say(DOCUMENTS_PAGE.title()), content });
};

/** `refused`: why nothing is listed. */
async function listPage(
  context: ScreenContext,
  asked: AskedFilter,
): Promise<DocumentList | { readonly refused: string }> {
  const { ledger, instance, url, say, language } = context;
  if ('refused' in asked) return { refused: say(asked.refused) };
  const after = url.searchParams.get('after') ?? undefined;
  const index = await context.index();
  try {
    await refuseUnknownValues({ index, ledger, instance }, definedOnly({ ...asked.filter, after }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { refused: error.localized(language).message };
  }
  return await listDocuments({ index, ledger }, asked.filter, { limit: LIMIT, after });
}

function table(context: ScreenContext, { typed }: AskedFilter, { documents, next }: DocumentList) {
  const { say, base, url } = context;
  const isFiltered = FILTER_NAMES.some((name) => typed[name] !== '');
  const page = (after?: string) => {
    const search = searchOf(typed);
    if (after !== undefined) search.set('after', after);
    return `${base}/documents${search.size > 0 ? `?${search}` : ''}`;
  };
  const rows = dataTable(
    {
      caption: say(DOCUMENTS_PAGE.caption()),
      columns: documentColumns(context),
      rows: documents,
      empty: say(isFiltered ? DOCUMENTS_PAGE.none() : DOCUMENTS_PAGE.empty()),
      hrefOf: (document) => documentHref(base, document),
      pager: definedOnly({
        first: url.searchParams.has('after') ? page() : undefined,
        next: next === null ? undefined : page(next),
      }),
    },
    say,
  );
  return markup`<section class="card" data-live aria-label="${say(DOCUMENTS_PAGE.caption())}">${rows}</section>`;
}

async function filterFields(context: ScreenContext, { typed }: AskedFilter) {
  const { say, instance } = context;
  const index = await context.index();
  const mappings = new Set([...instance.mappings.map(({ id }) => id), ...(await index.mappings())]);
  const choices = {
    state: stateChoices(context, typed.state),
    service: SERVICE_NAMES.map((name) => ({ value: name, text: name })),
    mapping: [...mappings].sort().map((value) => ({ value, text: value })),
    closed: [
      { value: 'only', text: say(DOCUMENTS_FILTER.onlyClosed()) },
      { value: 'no', text: say(DOCUMENTS_FILTER.withoutClosed()) },
    ],
    warnings: [{ value: '1', text: say(DOCUMENTS_FILTER.withWarnings()) }],
  };
  return FILTER_NAMES.map((name) => ({
    name,
    label: say(DOCUMENTS_FILTER[name]()),
    value: typed[name],
    ...(name in choices && { choices: choices[name as keyof typeof choices] }),
    ...(/^(day|since|until)$/.test(name) && { isDay: true as const }),
  }));
}

/** The groups, then each state; a list of states that is no group is a choice of its own. */
function stateChoices({ say }: ScreenContext, chosen: string) {
  const groups = STATE_GROUP_NAMES.map((name) => ({
    value: STATE_GROUPS[name].states.join(','),
    text: say(STATE_GROUPS[name].words),
  }));
  const states = STATE_NAMES.map((name) => ({ value: name, text: `${say(stateInfo(name).name)} (${name})` }));
  const known = [...groups, ...states.filter(({ value }) => !groups.some((group) => group.value === value))];
  if (chosen === '' || known.some(({ value }) => value === chosen)) return known;
  const text = chosen
    .split(',')
    .map((name) => states.find(({ value }) => value === name)?.text ?? name)
    .join(', ');
  return [...known, { value: chosen, text }];
}
