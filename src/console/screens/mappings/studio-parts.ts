/** Parts of the pages about mappings: problems with their places, results of tests, differences, lines of a text. */
import { format } from '../../../i18n/message.ts';
import { CONSOLE_LIST } from '../../../i18n/messages/console/console-shell-messages.ts';
import { STUDIO_TEXT } from '../../../i18n/messages/console/console-studio-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { type Fault, localize, type OperatorError } from '../../../model/fault.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { DifferentLine } from '../../../text/line-difference.ts';
import type { DiffSummary } from '../../../views/preview/diff-summary.ts';
import type { StudioProblem, StudioTest } from '../../../views/preview/studio-tasks.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { pill, type Say, toneIcon } from '../../shell/tones.ts';

type Speaking = Pick<ScreenContext, 'say' | 'language'>;

/** The words of a refusal. */
export function refusedNotice({ language }: Pick<Speaking, 'language'>, { texts }: OperatorError): string {
  const words = [texts.message, ...(texts.hint ? [texts.hint] : [])].map((one) => format(one, language));
  return words.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ');
}

/** Faults of mappings as they are recorded, with the line of their file. */
export function problemList(
  faults: readonly Fault[],
  { say, language }: Speaking,
  hrefOf: (file: string) => string | undefined,
): Markup {
  const spoken = localize(faults, language).map(({ mark, ...fault }) => ({
    fault,
    file: mark?.file,
    line: mark?.line,
  }));
  return markup`<ul class="problems card">${spoken.map(({ fault, file, line }) =>
    problemLine(
      { ...fault, ...(line !== undefined && { line }) },
      say,
      file === undefined ? undefined : definedOnly({ name: file, href: hrefOf(file) }),
    ),
  )}</ul>`;
}

/** Problems of the text or of a document; a line is a link to it. */
export function problems(list: readonly StudioProblem[], say: Say): Markup | undefined {
  return list.length === 0 ? undefined : markup`<ul class="problems">${list.map((one) => problemLine(one, say))}</ul>`;
}

function problemLine(
  { level, code, message, hint, line, row, column }: StudioProblem,
  say: Say,
  file?: FileOfLine,
): Markup {
  const place = [
    ...(row === undefined ? [] : [say(STUDIO_TEXT.row({ row }))]),
    ...(column === undefined || column === '' ? [] : [say(STUDIO_TEXT.column({ column }))]),
  ].join(' · ');
  const where = line === undefined ? undefined : lineLink(line, say, file);
  return markup`<li class="${level}">${toneIcon(level === 'error' ? 'support' : 'fix')}<div><strong>${message}</strong>${hint === undefined ? undefined : markup` <span class="dim">${hint}</span>`}
<p class="dim"><code>${code}</code>${place === '' ? undefined : markup` · ${place}`}${where && markup` · ${where}`}</p></div></li>`;
}

/** `href`: the page that shows the text of the file. */
type FileOfLine = { readonly name: string; readonly href?: string };

function lineLink(line: number, say: Say, file?: FileOfLine): Markup {
  const words = say(STUDIO_TEXT.line({ line }));
  if (!file) return markup`<a href="#l${line}">${words}</a>`;
  const place = `${say(CONSOLE_LIST.chip({ name: file.name }))} ${words}`;
  return file.href === undefined ? markup`${place}` : markup`<a href="${file.href}#l${line}">${place}</a>`;
}

export function testList(outcomes: readonly StudioTest[], say: Say): Markup {
  if (outcomes.length === 0) return markup`<div class="card-body">${say(STUDIO_TEXT.noTests())}</div>`;
  return markup`<ul class="problems">${outcomes.map(
    ({
      name,
      differences,
    }) => markup`<li>${toneIcon(differences.length === 0 ? 'ok' : 'fix')}<div><strong>${name}</strong>
<span class="dim">${say(differences.length === 0 ? STUDIO_TEXT.passes() : STUDIO_TEXT.fails({ count: differences.length }))}</span>
${differences.map((text) => markup`<p>${text}</p>`)}</div></li>`,
  )}</ul>`;
}

const KINDS = ['same', 'changed', 'mended', 'refused', 'added', 'removed'] as const;
const KIND_TONE = {
  same: 'ok',
  changed: 'wait',
  mended: 'ok',
  refused: 'support',
  added: 'wait',
  removed: 'support',
} as const;

/** What the written mapping makes otherwise, by document and by field. */
export function comparisonParts({ documents, fields, faults }: DiffSummary, say: Say): Markup {
  const counted = KINDS.filter((kind) => documents[kind] > 0);
  return markup`<div class="card-body"><p class="pills">${counted.map((kind) =>
    pill({ tone: KIND_TONE[kind], text: say(STUDIO_TEXT[kind]({ count: documents[kind] })) }),
  )}</p></div>${fields.length === 0 ? undefined : fieldTable(fields, say)}
${faults.length === 0 ? undefined : markup`<div class="card-body">${faults.map(({ code, appear, disappear }) => markup`<p><code>${code}</code> +${appear} −${disappear}</p>`)}</div>`}`;
}

function fieldTable(fields: DiffSummary['fields'], say: Say): Markup {
  return markup`<table class="data stacks" role="table"><caption class="unseen">${say(STUDIO_TEXT.fields())}</caption><thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">${say(STUDIO_TEXT.field())}</th><th role="columnheader" scope="col" class="number">${say(STUDIO_TEXT.documents())}</th><th role="columnheader" scope="col">${say(STUDIO_TEXT.example())}</th></tr></thead><tbody role="rowgroup">${fields
    .slice(0, 100)
    .map(
      ({ at, documents, example: { identifier, before = '–', after = '–' } }) =>
        markup`<tr role="row"><th role="rowheader" scope="row" data-title="${say(STUDIO_TEXT.field())}"><code>${fieldName(at)}</code></th><td role="cell" class="number" data-title="${say(STUDIO_TEXT.documents())}">${documents}</td><td role="cell" data-title="${say(STUDIO_TEXT.example())}">${identifier}: <code>${before}</code> → <code>${after}</code></td></tr>`,
    )}</tbody></table>`;
}

/** `/lines/0/taxes` as people read it: lines.0.taxes. */
export function fieldName(at: string): string {
  return at.slice(1).replaceAll('/', '.');
}

/** The text with numbers; problems are marked on their lines, and shown below them with `isOpen`. */
export function textLines(
  text: string,
  found: readonly StudioProblem[],
  { say, isOpen = false }: { readonly say: Say; readonly isOpen?: boolean },
): Markup {
  const byLine = Map.groupBy(found, ({ line }) => line);
  return markup`${text.split('\n').map((line, index) => {
    const own = byLine.get(index + 1) ?? [];
    const level = own.find((one) => one.level === 'error')?.level ?? own[0]?.level ?? '';
    const shown = isOpen && own.length > 0 ? markup`<div class="on-line">${problems(own, say)}</div>` : undefined;
    return markup`<div class="line ${level}" id="l${index + 1}" data-key="l${index + 1}">${line}</div>${shown}`;
  })}`;
}

export function differenceLines(lines: readonly DifferentLine[], say: Say): Markup {
  if (lines.length === 0) return markup`<div class="card-body">${say(STUDIO_TEXT.equal())}</div>`;
  const mark = { same: ' ', gone: '−', come: '+' } as const;
  return markup`<div class="code sideways" tabindex="0" role="group" aria-label="${say(STUDIO_TEXT.differences())}">${lines.map(
    ({ what, line, text }) =>
      markup`<div class="changed ${what}"><span class="dim">${line} ${mark[what]}</span> ${text}</div>`,
  )}</div>`;
}
