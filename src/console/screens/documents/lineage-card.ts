/**
 * Where each value of a document comes from: source cell, rule of the mapping, field, value; what is wrong comes first. A
 * lineage comes in, HTML comes out. Cells are fields of the form `fix` where the person may correct them.
 */

import { DOCUMENT_LINEAGE } from '../../../i18n/messages/console/console-document-messages.ts';
import { type Fault, localize } from '../../../model/fault.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { Field } from '../../../views/preview/preview-files.ts';
import type { DocumentLineage } from '../../../views/queries/document-lineage.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { icon } from '../../shell/icons.ts';
import { card, codeCell } from '../../shell/parts.ts';
import { plainValue } from '../mappings/studio-page.ts';
import { cellsOf, type SourceCell } from './lineage-cells.ts';

/** Fields of a page, if not all are asked for. */
const MOST_FIELDS = 200;

type LineageOptions = {
  readonly lineage: DocumentLineage;
  /** Name of the export. */
  readonly file: string;
  readonly editable: boolean;
  /** What a person has typed, by name of the field. */
  readonly typed: ReadonlyMap<string, string>;
};

type LineageContext = Pick<ScreenContext, 'say' | 'base' | 'language' | 'leadsTo' | 'url'>;

export function lineageCard(context: LineageContext, options: LineageOptions): Markup {
  const { say, url } = context;
  const { lineage, file } = options;
  const faults = localize(lineage.document.faults, context.language);
  const lines = linesOf(lineage, faults);
  const isAll = url.searchParams.get('fields') === 'all';
  const shown = isAll ? lines : lines.slice(0, MOST_FIELDS);
  const edited = new Set<string>();
  let above = '';
  const rows = shown.map((line) => {
    const cells = cellsOf(line.from, lineage.rows, file);
    const own = JSON.stringify(cells);
    const row = lineageRow(context, options, { ...line, cells, isAsAbove: own === above }, edited);
    above = own;
    return row;
  });
  const titles = [
    DOCUMENT_LINEAGE.cell(),
    DOCUMENT_LINEAGE.rule(),
    DOCUMENT_LINEAGE.field(),
    DOCUMENT_LINEAGE.value(),
  ].map((title) => markup`<th role="columnheader" scope="col">${say(title)}</th>`);
  const { id, version, isCurrent } = lineage.mapping;
  const mapping = say((isCurrent ? DOCUMENT_LINEAGE.mapping : DOCUMENT_LINEAGE.formerMapping)({ id, version }));
  const more =
    lines.length > shown.length
      ? markup`<p class="card-body"><a href="?fields=all#lineage">${say(DOCUMENT_LINEAGE.all({ count: lines.length }))}</a></p>`
      : undefined;
  return card({
    id: 'lineage',
    title: say(DOCUMENT_LINEAGE.title()),
    note: mapping,
    body: markup`<table class="data stacks lineage" role="table"><caption class="unseen">${say(DOCUMENT_LINEAGE.title())}</caption>
<thead role="rowgroup"><tr role="row">${titles}</tr></thead><tbody role="rowgroup">${rows}</tbody></table>${more}`,
  });
}

type Line = Pick<Field, 'at' | 'value' | 'from' | 'rule' | 'failed'> & { readonly faults: readonly Fault[] };

/** Fields with faults first, then faults of no field, then the others in the order of the document. */
function linesOf({ document }: DocumentLineage, faults: readonly Fault[]): readonly Line[] {
  const byPlace = Map.groupBy(faults, ({ at, message }) => at ?? message);
  const lines = document.fields.map((field): Line => ({ ...field, faults: byPlace.get(field.at) ?? [] }));
  const places = new Set(document.fields.map(({ at }) => at));
  const others = faults
    .filter(({ at }) => at === undefined || !places.has(at))
    .map(
      (fault): Line => ({
        at: fault.at ?? '',
        value: '',
        from: fault.origin
          ? [fault.origin, ...(fault.moreRows ?? []).map((row) => ({ ...fault.origin, row }) as never)]
          : [],
        failed: true,
        faults: [fault],
        ...(fault.mark && { rule: { file: fault.mark.file, line: fault.mark.line } }),
      }),
    );
  const isWrong = (line: Line) => line.failed || line.faults.length > 0;
  const withFault = lines.filter(({ faults: own }) => own.length > 0);
  const failed = lines.filter((line) => line.failed && line.faults.length === 0);
  return [...withFault, ...others, ...failed, ...lines.filter((line) => !isWrong(line))];
}

/** `isAsAbove`: its cells are those of the line before, whose texts are not repeated. */
type RowLine = Line & { readonly cells: readonly SourceCell[]; readonly isAsAbove: boolean };

function lineageRow(context: LineageContext, options: LineageOptions, line: RowLine, edited: Set<string>): Markup {
  const { say, base, leadsTo } = context;
  const { at, value, rule, failed, faults, cells } = line;
  const isWrong = failed || faults.length > 0;
  const mapping = options.lineage.mapping.id;
  const place = rule && ruleText(context, rule, mapping);
  const ruleLink =
    rule && leadsTo('/mappings')
      ? markup`<a href="${base}/mappings/${encodeURIComponent(mapping)}#line-${rule.line}">${place}</a>`
      : markup`<span>${place}</span>`;
  const messages = faults.map(
    ({ message, level, suggestion }) =>
      markup`<span class="${level === 'error' ? 'wrong' : 'dim'}">${message}</span>${
        suggestion === undefined
          ? undefined
          : markup`<span class="suggested">${say(DOCUMENT_LINEAGE.suggested())} ${codeCell(suggestion)}</span>`
      }`,
  );
  const text = failed
    ? markup`<strong>${say(DOCUMENT_LINEAGE.noValue())}</strong>`
    : markup`<span class="value">${plainValue(value)}</span>`;
  return markup`<tr role="row"${isWrong ? markup` class="is-wrong"` : undefined}>
${cell(say(DOCUMENT_LINEAGE.cell()), cells.length > 0 ? markup`${cells.map((one) => (line.isAsAbove ? cellName(context, one) : sourceCell(context, options, one, edited)))}` : markup`<span class="dim">${say(DOCUMENT_LINEAGE.constant())}</span>`)}
${cell(say(DOCUMENT_LINEAGE.rule()), rule ? markup`${icon('arrow')}${ruleLink}` : markup``)}
${cell(say(DOCUMENT_LINEAGE.field()), at === '' ? markup`` : markup`${icon('arrow')}${fieldPath(at)}`)}
${cell(say(DOCUMENT_LINEAGE.value()), markup`${text}${messages}`)}</tr>`;
}

/** The line; of another file than the mapping, such as a block of its own, with its name. */
function ruleText({ say }: LineageContext, { file, line }: NonNullable<Line['rule']>, mapping: string): string {
  const name = file.split('/').at(-1) ?? file;
  return name === `${mapping}.yaml` ? say(DOCUMENT_LINEAGE.line({ line: String(line) })) : `${name}:${line}`;
}

/** A pointer that breaks between its steps. */
function fieldPath(at: string): Markup {
  return markup`<code>${at.split('/').map((step, n) => (n === 0 ? markup`${step}` : markup`/<wbr>${step}`))}</code>`;
}

function cell(title: string, content: Markup): Markup {
  return markup`<td role="cell" data-title="${title}"><div>${content}</div></td>`;
}

/** An input for each cell once: where it comes again, its text is shown. */
function sourceCell(
  { say }: LineageContext,
  { editable, typed }: LineageOptions,
  one: SourceCell,
  edited: Set<string>,
): Markup {
  const { column, rows, text, name } = one;
  const label = cellName({ say }, one);
  if (text === undefined) return label;
  const keys = rows.map((row) => `${row} ${column}`);
  const isFirst = keys.every((key) => !edited.has(key));
  if (!editable || name === undefined || !isFirst) return markup`${label}${codeCell(text)}`;
  for (const key of keys) edited.add(key);
  const value = typed.get(name) ?? text;
  const size = Math.min(28, Math.max(6, value.length + 1));
  return markup`${label}<input class="cell" type="text" form="fix" name="${name}" value="${value}" size="${size}" autocomplete="off" spellcheck="false" aria-label="${column}, ${rowsIn({ say }, one)}"${edited.size === keys.length ? markup` data-edit` : undefined}>`;
}

function cellName(context: Pick<LineageContext, 'say'>, one: SourceCell): Markup {
  return markup`<span class="cell-name">${one.column} <span class="dim">${rowsIn(context, one)}</span></span>`;
}

function rowsIn({ say }: Pick<LineageContext, 'say'>, { rows }: SourceCell): string {
  return say(DOCUMENT_LINEAGE.rows({ count: rows.length, rows: shortRows(rows) }));
}

/** 9, 10, 11 as 9-11. */
function shortRows(rows: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else runs.push([row, row]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}
