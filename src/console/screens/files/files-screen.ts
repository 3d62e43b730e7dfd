/** The exports: which came, where each of their rows is, which were refused, which are expected, and a way to send one. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import { FILE_ACT, FILE_PLACE, FILES_PAGE } from '../../../i18n/messages/console/console-files-messages.ts';
import { HOME_COMPLETE } from '../../../i18n/messages/console/console-home-messages.ts';
import type { SourceFile } from '../../../model/ledger-entry.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { Expected } from '../../../pipeline/intake/expected-exports.ts';
import { takerOf, uploadLimit } from '../../../pipeline/intake/receive-upload.ts';
import { localTime } from '../../../text/local-time.ts';
import { accountFiles, type FileAccount } from '../../../views/queries/file-accounts.ts';
import { type FileSummary, summarizeFiles } from '../../../views/queries/file-summary.ts';
import { refusedFiles } from '../../../views/queries/refused-files.ts';
import { spokenIn } from '../../../views/wording/spoken-faults.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { actForm, filterForm, terminalLine } from '../../shell/forms.ts';
import { card, type NoticeOptions, pageHeading } from '../../shell/parts.ts';
import { pill, toneIcon } from '../../shell/tones.ts';
import { EXPORT_TONE, hourOfExport } from '../complete-card.ts';
import { composePage, readVerdict } from '../compose-page.ts';
import { digits, doneNotice, filePill, newFormId, readAmounts, rowPlaces } from './file-parts.ts';
import { readersOf } from './file-readers.ts';

const PAGE = 25;
/** Rows that the page counts again where summaries are not up to date, which takes time; the page of a file counts its own. */
const MOST_COUNTED = 3000;
/** Files that need a person, above the list. */
const REFUSED_SHOWN = 5;
const MOST_NAMED = 50;

export const filesScreen: Screen = async (context) => await filesPage(context, await uploadedNotice(context));

/** `happened`: what the status region says; without it what the address says. */
export async function filesPage(context: ScreenContext, happened?: NoticeOptions): Promise<Markup> {
  const { say, ledger } = context;
  const { status } = await readVerdict(context);
  const open = await refusedFiles(ledger.queries);
  const list = await listFiles(context, open);
  const done = happened ?? doneNotice(context);
  const content = markup`${pageHeading({ title: say(FILES_PAGE.title()), about: say(FILES_PAGE.about()) })}
<div class="columns"><div class="stack">${open.length > 0 ? refusedCard(context, open) : undefined}${await expectedCard(context, status.expected)}</div>
<div class="stack">${context.may('act') ? uploadCard(context, status.inbox) : undefined}</div></div>
${listCard(context, list, await readersOf(context))}`;
  return await composePage(context, { place: 'files', title: say(FILES_PAGE.title()), content, ...(done && { done }) });
}

type ListedFile = { readonly summary: FileSummary; readonly account: FileAccount | undefined };
type FileList = { readonly files: readonly ListedFile[]; readonly next: string | undefined };

/** `night`: of which the page of a run shows the first exports. */
const FILTERS = ['state', 'file', 'run', 'night'] as const;

function filterOf({ url }: Pick<ScreenContext, 'url'>) {
  const of = (name: string) => (url.searchParams.get(name) ?? '').slice(0, 200);
  return { state: of('state'), file: of('file'), run: of('run'), night: of('night'), after: of('after') };
}

async function listFiles(context: ScreenContext, open: readonly SourceFile[]): Promise<FileList> {
  const { ledger, language, instance } = context;
  const found = await selectFiles(context, open);
  const page = found.slice(0, PAGE).map((file) => spokenIn(file, language));
  const summaries = await summarizeFiles(ledger.queries, page);
  const accounts = await accountFiles({ instance, ledger }, page, MOST_COUNTED);
  const files = summaries.map((summary, n) => ({ summary, account: accounts[n] }));
  return { files, next: found.length > PAGE ? page.at(-1)?.id : undefined };
}

/** One more than a page, if there are others. */
async function selectFiles(context: ScreenContext, open: readonly SourceFile[]): Promise<readonly SourceFile[]> {
  const { ledger } = context;
  const { state, file, run, night, after } = filterOf(context);
  const fits = (one: SourceFile) =>
    (after === '' || one.id < after) && (run === '' || one.run === run) && fitsState(one, state, open);
  if (night !== '') {
    const name = file.toLowerCase();
    const files = (await ledger.queries.filesOfNight(night)).filter(({ rereads }) => rereads === undefined);
    return files.filter((one) => fits(one) && one.name.toLowerCase().includes(name));
  }
  if (file !== '') {
    const ids = await (await context.index()).files(file, MOST_NAMED);
    return (await ledger.queries.filesById(ids)).filter(fits);
  }
  if (state === 'action') return open.filter(fits);
  if (state === 'refused') return (await ledger.queries.filesWithFaults()).filter(fits);
  const paged = { ...(run !== '' && { run }), ...(after !== '' && { after }), whole: true as const };
  return await ledger.queries.files({ ...paged, limit: PAGE + 1 });
}

function fitsState({ id, state }: SourceFile, wanted: string, open: readonly SourceFile[]): boolean {
  if (wanted === 'action') return open.some((one) => one.id === id);
  return wanted === '' || wanted === state;
}

function listCard(context: ScreenContext, { files, next }: FileList, readers: ReadonlyMap<string, string>): Markup {
  const { say, base, locale } = context;
  const filter = filterOf(context);
  const address = (changed: { readonly [name: string]: string }) => {
    const all = { ...filter, after: '', ...changed };
    const search = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
    return `${base}/files${search.size > 0 ? `?${search}` : ''}`;
  };
  const states = (['action', 'refused'] as const).map((value) => ({ value, text: say(FILES_PAGE[value]()) }));
  const form = filterForm(
    {
      action: `${base}/files`,
      fields: FILTERS.map((name) => ({
        name,
        label: say(FILES_PAGE[`${name}Filter`]()),
        value: filter[name],
        ...(name === 'state' && { choices: states }),
      })),
      without: (name) => (name === undefined ? `${base}/files` : address({ [name]: '' })),
    },
    say,
  );
  const shownPlaces = ['outbox', 'pending', 'error', 'corrected', 'leftOut', 'unaccounted'] as const;
  const table = dataTable<ListedFile>(
    {
      caption: say(FILES_PAGE.caption()),
      rows: files,
      empty: say(FILES_PAGE.none()),
      hrefOf: ({ summary }) => `${base}/files/${encodeURIComponent(summary.id)}`,
      columns: [
        { title: say(FILES_PAGE.name()), cell: ({ summary }) => summary.name, isName: true },
        {
          title: say(FILES_PAGE.taken()),
          cell: ({ summary }) => markup`<span class="whole">${localTime(summary.claimedAt, locale)}</span>`,
        },
        { title: say(FILES_PAGE.state()), cell: ({ summary }) => stateCell(context, summary, readers.get(summary.id)) },
        { title: say(FILES_PAGE.mapping()), cell: ({ summary }) => summary.mapping ?? '' },
        { title: say(FILES_PAGE.rows()), cell: ({ summary }) => digits(summary.rows, context), isNumber: true },
        ...shownPlaces.map((place) => ({
          title: say(SHORT_PLACE[place]()),
          cell: ({ account }: ListedFile) => placeCell(context, account, place),
          isNumber: true as const,
        })),
        {
          title: say(FILES_PAGE.amount()),
          cell: ({ account }) => (account ? readAmounts(account, context) : ''),
          isNumber: true,
        },
      ],
      pager: {
        ...(filter.after !== '' && { first: address({}) }),
        ...(next !== undefined && { next: address({ after: next }) }),
      },
    },
    say,
  );
  const terminal = filter.file === '' ? 'nightpost list' : `nightpost find ${filter.file}`;
  return card({
    id: 'files',
    title: say(FILES_PAGE.all()),
    body: markup`<div class="card-body">${form}</div>${table}<div class="card-body">${terminalLine(terminal, say)}</div>`,
  });
}

/** Of a file that is being read, with the program that reads it. */
function stateCell(context: ScreenContext, file: FileSummary, reader: string | undefined): Markup {
  return markup`${filePill(file, context)}${reader === undefined ? undefined : markup`<p class="dim">${reader}</p>`}`;
}

/** Titles of columns, which have little room. */
const SHORT_PLACE = { ...FILE_PLACE, corrected: FILES_PAGE.correctedRows, leftOut: FILES_PAGE.leftOutRows };

/** An empty place is left blank; a count that must be 0 is shown, and stands out if it is not. */
function placeCell(
  context: ScreenContext,
  account: FileAccount | undefined,
  place: 'outbox' | 'pending' | 'error' | 'corrected' | 'leftOut' | 'unaccounted',
): Markup | string {
  if (!account) return '…';
  const count = rowPlaces(account).find((one) => one.place === place)?.count ?? 0;
  const shown = digits(count, context);
  if (place !== 'unaccounted') return count === 0 ? '' : shown;
  return count > 0 ? pill({ tone: 'support', text: shown }) : shown;
}

function refusedCard(context: ScreenContext, open: readonly SourceFile[]): Markup {
  const { say, base, language } = context;
  const lines = open.slice(0, REFUSED_SHOWN).map((file) => {
    const [fault] = spokenIn(file, language).faults;
    return markup`<li>${toneIcon('support')}<div><a class="cause" href="${base}/files/${encodeURIComponent(file.id)}">${file.name}</a>
<p>${fault?.message}</p>${fault?.hint === undefined ? undefined : markup`<p class="dim">${fault.hint}</p>`}</div>${pill({ tone: 'support', text: say(FILE_PLACE.refused()) })}</li>`;
  });
  const all =
    open.length > REFUSED_SHOWN
      ? markup`<a href="${base}/files?state=action">${say(FILES_PAGE.allOpen({ count: open.length }))}</a>`
      : undefined;
  return card({
    id: 'refused',
    title: say(FILES_PAGE.needYou({ count: open.length })),
    ...(all && { note: all }),
    body: markup`<ul class="complete">${lines}</ul>`,
  });
}

const WAIVABLE: readonly Expected['state'][] = ['missing', 'refused', 'duplicate'];

async function expectedCard(context: ScreenContext, expected: readonly Expected[]): Promise<Markup> {
  const { say, instance, person } = context;
  const reasons = context.may('act') ? await lastReasons(instance, person.name) : [];
  const lines = expected.map((one, n) => {
    const { name, state, file, by, reason } = one;
    const tone = EXPORT_TONE[state];
    const text = state === 'arrived' && file !== undefined ? file : hourOfExport(context, one);
    const who =
      by === undefined
        ? undefined
        : markup`<p class="dim">${say(FILES_PAGE.waivedBy({ by, reason: reason ?? '' }))}</p>`;
    return markup`<li>${toneIcon(tone)}<div><strong>${name}</strong><p class="dim">${text}</p>${who}${exportForm(context, one, { n, reasons })}</div>${pill({ tone, text: say(HOME_COMPLETE[state]()) })}</li>`;
  });
  const body =
    expected.length > 0
      ? markup`<ul class="complete">${lines}</ul>`
      : markup`<p class="card-body dim">${say(HOME_COMPLETE.noneExpected())}</p>`;
  return card({ id: 'expected', title: say(FILES_PAGE.expected()), body });
}

function exportForm(
  context: ScreenContext,
  { name, due, state }: Expected,
  { n, reasons }: { readonly n: number; readonly reasons: readonly string[] },
): Markup | undefined {
  const { say, base, csrf, locale, may } = context;
  const isWaived = state === 'waived';
  if (!may('act') || !(isWaived || WAIVABLE.includes(state))) return undefined;
  const [does, submit] = isWaived
    ? [FILE_ACT.unwaiveDoes({ name }), FILE_ACT.unwaive()]
    : [FILE_ACT.waiveDoes({ name, time: localTime(due, locale) }), FILE_ACT.waive()];
  const form = actForm(
    {
      id: `export-${n}`,
      action: `${base}/files/${isWaived ? 'unwaive' : 'waive'}`,
      csrf,
      hidden: { key: newFormId(), export: name, due },
      does: say(does),
      reasons,
      submit: say(submit),
    },
    say,
  );
  return markup`<details class="act-details"><summary>${say(submit)}…</summary>${form}</details>`;
}

function uploadCard({ say, base, csrf, instance, language }: ScreenContext, inbox: number): Markup {
  const limit = digits(Math.floor(uploadLimit(instance) / 1024 ** 2), { language });
  return card({
    id: 'upload-title',
    title: say(FILES_PAGE.send()),
    note: say(FILES_PAGE.inInbox({ count: inbox })),
    body: markup`<form class="act upload" id="upload" method="post" enctype="multipart/form-data" action="${base}/files/upload">
<input type="hidden" name="csrf" value="${csrf}">
<p class="field"><label for="upload-file">${say(FILES_PAGE.choose())}</label><input id="upload-file" name="file" type="file" required aria-describedby="upload-hint"></p>
<p class="dim" id="upload-hint">${say(FILES_PAGE.sendHint({ limit }))}</p>
<p class="act-buttons"><button class="button primary" type="submit">${say(FILES_PAGE.sendNow())}</button></p></form>`,
  });
}

/** The address names a file that was sent; where it is now decides what the page says. */
async function uploadedNotice(context: ScreenContext): Promise<NoticeOptions | undefined> {
  const { url, say, instance, ledger, base } = context;
  const name = url.searchParams.get('name') ?? '';
  if (url.searchParams.get('done') !== 'uploaded' || name === '' || name.startsWith('.') || basename(name) !== name)
    return undefined;
  const path = join(instance.paths.inbox, name);
  if (existsSync(path)) {
    const taker = await takerOf(instance, name, path).catch(() => undefined);
    if (!taker || 'refused' in taker) return undefined;
    const text = taker.correction
      ? FILES_PAGE.sentCorrection({ name })
      : FILES_PAGE.sent({ name, mapping: taker.mappings.join(', ') });
    return { tone: 'ok', text: say(text) };
  }
  const [file] = await ledger.queries.filesCalled(name);
  if (!file) return undefined;
  return {
    tone: 'ok',
    text: markup`<a href="${base}/files/${encodeURIComponent(file.id)}">${say(FILES_PAGE.sentTaken({ name }))}</a>`,
  };
}
