/**
 * `/find?q=`: what a person has in hand leads to the document where there is one, to the export where there is only that,
 * else to a list, the best first. Refused exports are found too.
 */
import { FILE_OUTCOME, SEARCH, SEARCH_MATCH } from '../../../i18n/messages/cli-views-messages.ts';
import { DOCUMENTS_COLUMN, FIND_PAGE } from '../../../i18n/messages/console/console-documents-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { dayText } from '../../../text/local-time.ts';
import type { FileSummary } from '../../../views/queries/file-summary.ts';
import { type FoundDocuments, findDocuments } from '../../../views/queries/find-documents.ts';
import { type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card, notice, pageHeading } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { documentColumns } from './document-lines.ts';

const LIMIT = 50;
/** A longer text is no number and no name. */
const LONGEST = 300;

export const findScreen: Screen = async (context) => {
  const { ledger, url, say } = context;
  const text = (url.searchParams.get('q') ?? '').trim().slice(0, LONGEST);
  if (text === '')
    return await page(context, say(FIND_PAGE.title()), notice({ tone: 'queue', text: say(FIND_PAGE.ask()) }));
  const found = await findDocuments({ index: await context.index(), ledger }, text, LIMIT);
  const only = onlyPlace(context, found);
  if (only !== undefined) return seeOther(context, only);
  return await page(context, say(FIND_PAGE.titleOf({ text })), results(context, found, text));
};

async function page(context: ScreenContext, title: string, content: Markup) {
  return await composePage(context, {
    title,
    content: markup`${pageHeading({ title })}
${content}`,
  });
}

/** One document, copies aside; an export that has the text in its name is another thing that may be meant. */
function onlyPlace({ leadsTo }: ScreenContext, { documents, files, more }: FoundDocuments): string | undefined {
  const [first, ...others] = documents;
  const [file, ...otherFiles] = files;
  if (!first) {
    const isOnly = file && otherFiles.length === 0 && leadsTo('/files');
    return isOnly ? `/files/${encodeURIComponent(file.id)}` : undefined;
  }
  const isOnly = first.state !== 'duplicate' && others.every(({ state }) => state === 'duplicate') && !more && !file;
  return isOnly ? `/documents/${encodeURIComponent(first.id)}` : undefined;
}

function results(context: ScreenContext, { documents, files, more }: FoundDocuments, text: string): Markup {
  const { say, base } = context;
  if (documents.length === 0 && files.length === 0) {
    return markup`${notice({ tone: 'queue', text: say(SEARCH.nothing({ text })) })}
<p class="dim">${say(FIND_PAGE.ask())}</p>`;
  }
  const table = dataTable(
    {
      caption: say(FIND_PAGE.caption()),
      columns: [
        ...documentColumns<(typeof documents)[number]>(context),
        { title: say(DOCUMENTS_COLUMN.found()), cell: ({ match }) => say(SEARCH_MATCH[match]()) },
      ],
      rows: documents,
      empty: '',
      hrefOf: ({ id }) => `${base}/documents/${encodeURIComponent(id)}`,
    },
    say,
  );
  const about = more ? FIND_PAGE.more() : FIND_PAGE.about({ count: documents.length });
  return markup`${documents.length > 0 ? markup`<p class="about">${say(about)}</p><section class="card" aria-label="${say(FIND_PAGE.caption())}">${table}</section>` : undefined}
${files.length > 0 ? filesCard(context, files) : undefined}`;
}

function filesCard(context: ScreenContext, files: readonly FileSummary[]): Markup {
  const { say, base, language, leadsTo } = context;
  const table = dataTable(
    {
      caption: say(FIND_PAGE.filesCaption()),
      columns: [
        { title: say(DOCUMENTS_COLUMN.file()), cell: ({ name }: FileSummary) => name, isName: true },
        { title: say(DOCUMENTS_COLUMN.state()), cell: ({ state }) => say(FILE_OUTCOME[state]()) },
        { title: say(DOCUMENTS_COLUMN.imported()), cell: ({ day }) => dayText(day, language) },
        { title: say(DOCUMENTS_COLUMN.rows()), cell: ({ rows }) => String(rows), isNumber: true },
      ],
      rows: files,
      empty: '',
      hrefOf: ({ id }) =>
        leadsTo('/files')
          ? `${base}/files/${encodeURIComponent(id)}`
          : `${base}/documents?file=${encodeURIComponent(id)}`,
    },
    say,
  );
  return card({ id: 'files', title: say(FIND_PAGE.files()), body: table });
}
