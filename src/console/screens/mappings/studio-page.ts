/** The page of the studio: rows of the source, the text of the mapping and the document side by side. Values in, HTML out. */
import { STUDIO_PAGE } from '../../../i18n/messages/console/console-studio-messages.ts';
import type { SourceFile } from '../../../model/ledger-entry.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { Cells } from '../../../pipeline/reprocessing/reconvert-source.ts';
import type { Field } from '../../../views/preview/preview-files.ts';
import { isInvalid, type StudioResult } from '../../../views/preview/studio-tasks.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { card, type NoticeOptions, notice, pageHeading } from '../../shell/parts.ts';
import { pill, type Say } from '../../shell/tones.ts';
import { comparisonParts, fieldName, problems, testList, textLines } from './studio-parts.ts';

/** What the form holds: text, where it belongs, which sample and which document of it. */
export type StudioForm = {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  /** `textHash` of the file that the person began with; empty for a new mapping. */
  readonly base: string;
  /** `upload:KEY`, the id of an archived file, or empty. */
  readonly sample: string;
  readonly sampleName?: string;
  readonly document: number;
  readonly row?: number;
};

export type StudioView = {
  readonly form: StudioForm;
  /** Archived files to choose from. */
  readonly files: readonly SourceFile[];
  readonly look?: StudioResult['look'];
  readonly tests?: StudioResult['tests'];
  readonly comparison?: StudioResult['comparison'];
  /** What was sent, in place of what the mapping in use makes. */
  readonly comparedWith?: 'sent';
  readonly notices: readonly NoticeOptions[];
  /** Tests failed when the person saved: the next save may go on. */
  readonly mayInsist?: boolean;
};

export function studioContent(context: ScreenContext, view: StudioView): Markup {
  const { say, base, csrf } = context;
  const { form, look } = view;
  const mayWrite = context.may('studio');
  const own = `${base}/mappings/${encodeURIComponent(form.id)}`;
  const heading = pageHeading({
    title: form.id,
    about: say(mayWrite ? STUDIO_PAGE.about() : STUDIO_PAGE.aboutViewer()),
  });
  // Who may only look asks for another sample or document by the address.
  const begin = mayWrite
    ? markup`<form class="studio stack" id="studio" method="post" enctype="multipart/form-data" action="${own}/studio" data-studio data-unanswered="${say(STUDIO_PAGE.unanswered())}">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="base" value="${form.base}">`
    : markup`<form class="studio stack" id="studio" method="get" action="${own}/studio">`;
  return markup`${begin}
${heading}
${mayWrite ? buttons(view, say) : lookButton(say)}
${part('outcome', markup`${view.notices.map(notice)}${view.mayInsist ? insist(say) : undefined}${outcome(view, say)}`)}
${part('source', sourceCard(context, view))}
<div class="side-by-side">${textCard(form, look, { say, mayWrite })}
${part('document', documentCard(view, say))}</div></form>
<script type="module" src="${context.asset('studio.js')}"></script>`;
}

/** The script puts these in the place of the former ones. */
function part(name: string, content: Markup): Markup {
  return markup`<div class="stack" data-part="${name}">${content}</div>`;
}

function lookButton(say: Say): Markup {
  return markup`<p class="page-acts"><button class="button" type="submit">${say(STUDIO_PAGE.look())}</button></p>`;
}

function buttons({ form, look }: StudioView, say: Say): Markup {
  return markup`<p class="page-acts"><button class="button" type="submit" name="do" value="look">${say(STUDIO_PAGE.look())}</button>
<button class="button" type="submit" name="do" value="tests">${say(STUDIO_PAGE.tests())}</button>
${
  form.base === ''
    ? undefined
    : markup`<button class="button" type="submit" name="do" value="compare">${say(STUDIO_PAGE.compare())}</button>
<button class="button" type="submit" name="do" value="sent">${say(STUDIO_PAGE.compareSent())}</button>`
}
${look?.document ? markup`<button class="button" type="submit" name="do" value="add-test" data-save>${say(STUDIO_PAGE.addTest())}</button>` : undefined}
<button class="button primary" type="submit" name="do" value="save" data-save>${say(form.base === '' ? STUDIO_PAGE.saveNew() : STUDIO_PAGE.save())}</button></p>`;
}

function insist(say: Say): Markup {
  return markup`<p><label><input type="checkbox" name="although" value="yes"> ${say(STUDIO_PAGE.although())}</label></p>`;
}

function outcome({ tests, comparison, comparedWith }: StudioView, say: Say): Markup | undefined {
  if (tests) return card({ id: 'tests', title: say(STUDIO_PAGE.testResults()), body: testList(tests, say) });
  if (!comparison) return undefined;
  const { summary, files, compared } = comparison;
  return card({
    id: 'comparison',
    title: say(comparedWith === 'sent' ? STUDIO_PAGE.comparisonSent() : STUDIO_PAGE.comparison()),
    note: say(STUDIO_PAGE.compared({ files, compared })),
    body:
      files === 0
        ? markup`<div class="card-body">${say(comparedWith === 'sent' ? STUDIO_PAGE.noneSent() : STUDIO_PAGE.noFiles())}</div>`
        : comparisonParts(summary, say),
  });
}

function sourceCard({ say, may }: ScreenContext, view: StudioView): Markup {
  const { form, look, files } = view;
  const known = files.some(({ id }) => id === form.sample);
  const own = form.sample !== '' && !known ? [{ id: form.sample, name: form.sampleName ?? form.sample }] : [];
  const options = [...own, ...files].map(
    ({ id, name }) =>
      markup`<option value="${id}"${id === form.sample ? markup` selected` : undefined}>${name}</option>`,
  );
  const upload = may('studio')
    ? markup`<p class="field"><label for="upload">${say(STUDIO_PAGE.upload())}</label><input id="upload" type="file" name="upload"></p>`
    : undefined;
  const { documents = 0, refused = 0, isAll = true } = look?.seen ?? {};
  const count = isAll ? STUDIO_PAGE.counted({ documents, refused }) : STUDIO_PAGE.countedSoFar({ documents, refused });
  return card({
    id: 'source',
    title: say(STUDIO_PAGE.source()),
    note: look && form.sample !== '' ? say(count) : say(STUDIO_PAGE.noSample()),
    body: markup`<div class="act-fields card-body"><p class="field"><label for="sample">${say(STUDIO_PAGE.sample())}</label><select id="sample" name="${may('studio') ? 'sample' : 'file'}"><option value="">–</option>${options}</select></p>${upload}
${look?.document ? pager(look.number, isAll ? documents : Number.POSITIVE_INFINITY, say) : undefined}</div>${problems(look?.fileProblems ?? [], say)}
${look?.document ? rowTable(look.document.rows, say) : undefined}`,
  });
}

/** `documents`: of the sample, as far as they are counted. Hidden `at`: a button with the name `document` goes elsewhere. */
function pager(number: number, documents: number, say: Say): Markup {
  const button = (to: number, text: string) =>
    markup`<button class="quiet" type="submit" name="document" value="${to}"${to < 1 || to > documents ? markup` disabled` : undefined}>${text}</button>`;
  return markup`<p class="document-pager"><input type="hidden" name="at" value="${number}">${button(number - 1, say(STUDIO_PAGE.previous()))}<span>${say(STUDIO_PAGE.number({ number }))}</span>${button(number + 1, say(STUDIO_PAGE.next()))}</p>`;
}

const MOST_ROWS = 50;

function rowTable(rows: readonly Cells[], say: Say): Markup {
  const columns = rows[0]?.columns ?? [];
  return markup`<div class="sideways" role="group" tabindex="0" aria-label="${say(STUDIO_PAGE.source())}"><table class="data wide marked"><caption class="unseen">${say(STUDIO_PAGE.source())}</caption><thead><tr><th scope="col">#</th>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead><tbody>${rows
    .slice(0, MOST_ROWS)
    .map(
      ({ row, cells }) =>
        markup`<tr><th scope="row" class="dim">${row}</th>${columns.map((_, n) => markup`<td id="r${row}c${n}" data-key="r${row}c${n}">${cells[n] ?? ''}</td>`)}</tr>`,
    )}</tbody></table></div>${rows.length > MOST_ROWS ? markup`<p class="card-body dim">${say(STUDIO_PAGE.moreRows({ count: rows.length - MOST_ROWS }))}</p>` : undefined}`;
}

function textCard(
  { text, file }: StudioForm,
  look: StudioResult['look'],
  { say, mayWrite }: { readonly say: Say; readonly mayWrite: boolean },
): Markup {
  const { findings = [], fileProblems = [], document } = look ?? {};
  const onLines = [...findings, ...fileProblems, ...(document?.problems ?? [])];
  const lines = part(
    'lines',
    markup`<div class="code numbered layer" data-colored>${textLines(text, onLines, { say })}</div>`,
  );
  const field = markup`<label class="unseen" for="mapping-text">${say(STUDIO_PAGE.text())}</label><textarea id="mapping-text" name="text" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" rows="30"${mayWrite ? undefined : markup` readonly`}>
${text}</textarea>`;
  return card({
    id: 'rules',
    title: say(STUDIO_PAGE.rules()),
    note: file,
    body: markup`${part('findings', markup`${problems(findings, say)}`)}<div class="editor sideways">${lines}${field}</div>`,
  });
}

function documentCard({ look, form }: StudioView, say: Say): Markup {
  const document = look?.document;
  if (!document) {
    const made = isInvalid({ findings: look?.findings ?? [] }) ? STUDIO_PAGE.correctFirst() : STUDIO_PAGE.noDocument();
    const text = form.sample === '' ? STUDIO_PAGE.chooseSample() : made;
    return card({
      id: 'document',
      title: say(STUDIO_PAGE.document()),
      body: markup`<div class="card-body">${say(text)}</div>`,
    });
  }
  const { identifier, valid, fields, rows } = document;
  const state = valid
    ? pill({ tone: 'ok', text: say(STUDIO_PAGE.valid()) })
    : pill({ tone: 'fix', text: say(STUDIO_PAGE.refused({ count: document.problems.length })) });
  const places = placesOf(rows);
  const failedFirst = fields.toSorted((a, b) => Number(b.failed ?? false) - Number(a.failed ?? false));
  return card({
    id: 'document',
    title: say(STUDIO_PAGE.document()),
    note: markup`${identifier} ${state}`,
    body: markup`${problems(document.problems, say)}<table class="data marked fields"><caption class="unseen">${say(STUDIO_PAGE.document())}</caption><thead><tr><th scope="col">${say(STUDIO_PAGE.field())}</th><th scope="col">${say(STUDIO_PAGE.value())}</th><th scope="col">${say(STUDIO_PAGE.from())}</th></tr></thead><tbody>${failedFirst
      .slice(0, MOST_FIELDS)
      .map((field, n) =>
        fieldRow(field, n, { file: form.file, places, say }),
      )}</tbody></table>${fields.length > MOST_FIELDS ? markup`<p class="card-body dim">${say(STUDIO_PAGE.moreFields({ count: fields.length - MOST_FIELDS }))}</p>` : undefined}`,
  });
}

const MOST_FIELDS = 400;

/** `row column` -> id of the cell in the table of rows. */
function placesOf(rows: readonly Cells[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { row, columns, places: paths } of rows.slice(0, MOST_ROWS)) {
    for (const [n, column] of columns.entries()) places.set(`${row} ${paths?.[n] ?? column}`, `r${row}c${n}`);
  }
  return places;
}

type FieldPlaces = { readonly file: string; readonly places: ReadonlyMap<string, string>; readonly say: Say };

function fieldRow({ at, value, from, rule, failed }: Field, n: number, { file, places, say }: FieldPlaces): Markup {
  const cells = from.flatMap(({ row, column = '' }) => places.get(`${row} ${column}`) ?? []);
  const line = rule?.file === file ? `l${rule.line}` : undefined;
  const links = [...cells, ...(line === undefined ? [] : [line])].join(' ');
  const first = from[0]?.column ?? '';
  const words = from.length > 1 ? say(STUDIO_PAGE.cells({ count: from.length })) : first;
  const origin = cells[0] === undefined ? words : markup`<a href="#${cells[0]}">${words}</a>`;
  const mark = failed ? markup` class="failed"` : undefined;
  return markup`<tr id="f${n}" data-key="f${n}" data-links="${links}"${mark}><th scope="row"><code>${fieldName(at)}</code></th><td><code>${failed ? say(STUDIO_PAGE.noValue()) : plainValue(value)}</code></td><td>${origin}${line !== undefined && rule ? markup` <a href="#${line}">:${rule.line}</a>` : undefined}</td></tr>`;
}

/** Values are JSON texts: those of texts are shown without quotes. */
export function plainValue(value: string): string {
  return value.startsWith('"') ? String(JSON.parse(value)) : value;
}
