/** One export: where each row is, what became of each document, why it was refused with the bytes around the fault, and its download. */
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import { FILE_ACT, FILE_PAGE, FILE_PLACE } from '../../../i18n/messages/console/console-files-messages.ts';
import { isError } from '../../../model/fault.ts';
import type { SourceFile } from '../../../model/ledger-entry.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { openMoved } from '../../../pipeline/sources/open-file-stream.ts';
import { archivedPathOf, sourceNow } from '../../../pipeline/sources/source-now.ts';
import { localTime } from '../../../text/local-time.ts';
import { typedWord } from '../../../text/shell-word.ts';
import type { DocumentSummary } from '../../../views/queries/document-summary.ts';
import { bytesAround } from '../../../views/queries/fault-bytes.ts';
import { accountFiles, type FileAccount } from '../../../views/queries/file-accounts.ts';
import { type FileSummary, summarizeFiles } from '../../../views/queries/file-summary.ts';
import { listDocuments } from '../../../views/queries/find-documents.ts';
import { groupDigits } from '../../../views/wording/amount-texts.ts';
import { spokenIn } from '../../../views/wording/spoken-faults.ts';
import { notFound, type Screen, type ScreenContext, ScreenError } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { actForm, terminalLine } from '../../shell/forms.ts';
import { card, definitionList, notice, pageHeading } from '../../shell/parts.ts';
import { statePill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { bytesTable, digits, doneNotice, fileNeedWords, filePill, newFormId, rowPlaces } from './file-parts.ts';
import { readersOf } from './file-readers.ts';

const DOCUMENTS = 50;
const FAULTS = 20;

export const fileScreen: Screen = async (context) => {
  const { say, ledger, instance, language, base, locale, leadsTo } = context;
  const recorded = await sourceNow(instance.folder, await fileAsked(context));
  const file = spokenIn(recorded, language);
  const [summary] = await summarizeFiles(ledger.queries, [file]);
  if (!summary) throw notFound();
  const [account] = await accountFiles({ instance, ledger }, [file]);
  const run = leadsTo('/runs')
    ? markup`<a href="${base}/runs/${encodeURIComponent(file.run)}">${file.run}</a>`
    : markup`${file.run}`;
  const about = markup`${say(FILE_PAGE.taken({ time: localTime(file.claimedAt, locale) }))} · ${run}${file.mapping ? markup` · ${file.mapping.id} ${file.mapping.version}` : undefined}`;
  const download =
    context.may('act') && !file.purged
      ? markup`<a class="button" href="${base}/files/${encodeURIComponent(file.id)}/archive" download>${say(FILE_PAGE.download())}</a>`
      : undefined;
  const heading = pageHeading({
    title: file.name,
    about,
    marks: filePill(summary, context),
    ...(download && { acts: download }),
  });
  const done = doneNotice(context);
  const need = fileNeedWords(summary, context);
  const content = markup`${heading}${need === undefined ? undefined : notice({ tone: 'queue', text: need })}
<div class="columns"><div class="stack">${await faultsCard(context, recorded)}${await documentsCard(context, file)}</div>
<div class="stack">${await actsCard(context, file, summary)}${rowsCard(context, file, account)}${account && totalsCard(context, account)}${factsCard(context, file, (await readersOf(context)).get(file.id))}</div></div>`;
  return await composePage(context, { place: 'files', title: file.name, content, ...(done && { done }) });
};

/** The bytes as they were taken, as an attachment of a fixed type; who had them is in the history of people. */
export const fileArchive: Screen = async (context) => {
  const file = await fileAsked(context);
  const handle = await openMoved(file.path, () => archivedPathOf(context.instance.folder, file)).catch(() => undefined);
  const found = await handle?.stat();
  if (!handle || !found?.isFile()) {
    await handle?.close();
    throw new ScreenError({ status: 404, message: FILE_PAGE.gone() });
  }
  context.record('file-downloaded', { file: file.id, name: file.name });
  const name = encodeURIComponent(file.name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return new Response(Readable.toWeb(handle.createReadStream()) as ReadableStream, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(found.size),
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    },
  });
};

async function fileAsked({ ledger, params }: ScreenContext): Promise<SourceFile> {
  const file = await ledger.queries.sourceFile(params.id ?? '');
  if (!file) throw notFound();
  return file;
}

async function faultsCard(context: ScreenContext, file: SourceFile): Promise<Markup | undefined> {
  const { say, language } = context;
  const [first] = file.faults.filter(isError);
  if (file.faults.length === 0) return undefined;
  const lines = spokenIn(file, language)
    .faults.slice(0, FAULTS)
    .map(({ code, message, hint, origin }) => {
      const place =
        origin && origin.row > 0 ? say(FILE_PAGE.place({ row: String(origin.row), column: origin.column ?? '' })) : '';
      return markup`<li><p><strong>${message}</strong> <code>${code}</code></p>${place === '' ? undefined : markup`<p class="dim">${place}</p>`}${hint === undefined ? undefined : markup`<p>${hint}</p>`}</li>`;
    });
  const more = file.faults.length - FAULTS;
  const bytes = first && (await bytesAround(file, first));
  const around =
    bytes && bytes.bytes.length > 0
      ? markup`<h3>${say(FILE_PAGE.bytes())}</h3>${bytesTable(bytes, say(FILE_PAGE.bytes()))}`
      : undefined;
  return card({
    id: 'faults',
    title: say(FILE_PAGE.why({ count: file.faults.length })),
    body: markup`<div class="card-body stack"><ul class="faults">${lines}</ul>${more > 0 ? markup`<p class="dim">${say(FILE_PAGE.moreFaults({ count: more }))}</p>` : undefined}${around}</div>`,
  });
}

async function actsCard(context: ScreenContext, file: SourceFile, { need }: FileSummary): Promise<Markup | undefined> {
  const { say, base, csrf, may, instance, person } = context;
  if (!may('act') || (need !== 'action' && need !== 'set-aside')) return undefined;
  const reasons = await lastReasons(instance, person.name);
  const form = (id: string, does: string, submit: string, terminal: string) =>
    actForm(
      {
        id,
        action: `${base}/files/${id}`,
        csrf,
        hidden: { key: newFormId(), file: file.id },
        does,
        reasons,
        submit,
        terminal: `nightpost ${terminal} ${typedWord(file.id)} --reason "..."`,
      },
      say,
    );
  const forms =
    need === 'set-aside'
      ? [form('undo', say(FILE_ACT.undoDoes()), say(FILE_ACT.undo()), 'undo')]
      : [
          ...(file.state === 'refused'
            ? [form('again', say(FILE_ACT.againDoes()), say(FILE_ACT.again()), 'reprocess')]
            : []),
          form('set-aside', say(FILE_ACT.asideDoes()), say(FILE_ACT.aside()), 'set-aside'),
        ];
  return card({ id: 'acts', title: say(FILE_ACT.title()), body: markup`${forms}` });
}

function rowsCard(context: ScreenContext, file: SourceFile, account: FileAccount | undefined): Markup {
  const { say } = context;
  const note = say(FILE_PAGE.rowsRead({ count: file.rows }));
  if (!account)
    return card({
      id: 'rows',
      title: say(FILE_PAGE.rows()),
      note,
      body: markup`<p class="card-body dim">${say(FILE_PAGE.notYet())}</p>`,
    });
  const table = dataTable(
    {
      caption: say(FILE_PAGE.rows()),
      // What must be 0 is shown as 0.
      rows: rowPlaces(account).filter(({ place, count }) => count > 0 || place === 'unaccounted'),
      empty: '',
      columns: [
        { title: say(FILE_PAGE.where()), cell: ({ place }) => say(FILE_PLACE[place]()), isName: true },
        { title: say(FILE_PAGE.count()), cell: ({ count }) => digits(count, context), isNumber: true },
        { title: say(FILE_PAGE.rowNumbers()), cell: ({ rows }) => shortRows(rows) },
      ],
    },
    say,
  );
  return card({ id: 'rows', title: say(FILE_PAGE.rows()), note, body: table });
}

const LONGEST_ROWS = 120;

/** The summary has all of them. */
function shortRows(rows: string): string {
  return rows.length <= LONGEST_ROWS ? rows : `${rows.slice(0, rows.lastIndexOf(',', LONGEST_ROWS))}, …`;
}

function totalsCard(context: ScreenContext, { totals, documents }: FileAccount): Markup | undefined {
  const { say, language } = context;
  if (totals.length === 0) return undefined;
  const table = dataTable(
    {
      caption: say(FILE_PAGE.totals()),
      rows: totals,
      empty: '',
      columns: [
        { title: say(FILE_PAGE.currency()), cell: ({ currency }) => currency, isName: true },
        ...(['read', 'outbox', 'pending', 'error'] as const).map((place) => ({
          title: say(place === 'read' ? FILE_PAGE.read() : FILE_PLACE[place]()),
          cell: (one: FileAccount['totals'][number]) => groupDigits(one[place].amount, language),
          isNumber: true as const,
        })),
      ],
    },
    say,
  );
  const without = documents.withoutAmount;
  return card({
    id: 'totals',
    title: say(FILE_PAGE.totals()),
    ...(without > 0 && { note: say(FILE_PAGE.withoutAmount({ count: without })) }),
    body: table,
  });
}

async function documentsCard(context: ScreenContext, file: SourceFile): Promise<Markup | undefined> {
  const { say, base, ledger, language, leadsTo, url } = context;
  if (file.state === 'refused' || file.state === 'duplicate') return undefined;
  const after = url.searchParams.get('after') ?? '';
  const range = { limit: DOCUMENTS, after: after === '' ? undefined : after };
  const { documents, next } = await listDocuments({ index: await context.index(), ledger }, { file: file.id }, range);
  const path = `${base}/files/${encodeURIComponent(file.id)}`;
  const table = dataTable<DocumentSummary>(
    {
      caption: say(FILE_PAGE.documents()),
      rows: documents,
      empty: say(FILE_PAGE.noDocuments()),
      ...(leadsTo('/documents') && { hrefOf: ({ id }: DocumentSummary) => `${base}/documents/${id}` }),
      columns: [
        { title: say(FILE_PAGE.rowNumbers()), cell: ({ rows }) => shortRows(rowText(rows)) },
        { title: say(FILE_PAGE.number()), cell: (one) => one.number || one.receipt, isName: true },
        { title: say(FILE_PAGE.customer()), cell: ({ counterparty = '' }) => counterparty },
        {
          title: say(FILE_PAGE.amount()),
          cell: ({ amount, currency = '' }) =>
            amount === undefined ? '' : `${groupDigits(amount, language)} ${currency}`,
          isNumber: true,
        },
        { title: say(FILE_PAGE.state()), cell: ({ state, closed }) => statePill(state, say, closed) },
      ],
      pager: {
        ...(after !== '' && { first: path }),
        ...(next !== null && { next: `${path}?after=${encodeURIComponent(next)}` }),
      },
    },
    say,
  );
  const terminal = terminalLine(`nightpost list --file ${typedWord(file.id)}`, say);
  return card({
    id: 'documents',
    title: say(FILE_PAGE.documents()),
    body: markup`${table}<div class="card-body">${terminal}</div>`,
  });
}

/** 2, 3, 4 and 7 as "2-4, 7". */
function rowText(rows: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

function factsCard(context: ScreenContext, file: SourceFile, reader: string | undefined): Markup {
  const { say, instance, base, locale } = context;
  const { id, sha256, size, encoding, path, owner, first, modifiedAt } = file;
  const earlier = first && markup`<a href="${base}/files/${encodeURIComponent(first.id)}">${first.name}</a>`;
  const facts = definitionList([
    [say(FILE_PAGE.id()), markup`<code>${id}</code>`],
    [say(FILE_PAGE.first()), earlier],
    [say(FILE_PAGE.owner()), owner],
    [say(FILE_PAGE.reader()), reader],
    [say(FILE_PAGE.modified()), localTime(modifiedAt, locale)],
    [say(FILE_PAGE.size()), `${digits(size, context)} B`],
    [say(FILE_PAGE.encoding()), encoding],
    ['SHA-256', markup`<code>${sha256}</code>`],
    [say(FILE_PAGE.kept()), markup`<code>${relative(instance.folder, path)}</code>`],
    [
      say(FILE_PAGE.mapping()),
      file.mapping && markup`${file.mapping.file} <code>${file.mapping.sha256.slice(0, 12)}</code>`,
    ],
  ]);
  return card({ id: 'facts', title: say(FILE_PAGE.facts()), body: markup`<div class="card-body">${facts}</div>` });
}
