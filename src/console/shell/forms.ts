/**
 * Forms of the console: what a list is filtered by (GET, so that the address is the filter) and what a person does (POST,
 * then a redirect). Both work without script. Values come in, HTML comes out.
 */
import { CONSOLE_ACT, CONSOLE_LIST } from '../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { icon } from './icons.ts';
import type { Say } from './tones.ts';

/** Its name is the parameter of the address and the option of the command. */
type FilterField = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** What may be chosen, value and words; without it any text. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
  readonly isDay?: true;
};

export type FilterOptions = {
  readonly action: string;
  readonly fields: readonly FilterField[];
  /** Fields that are seldom used: shown on demand, and where one of them is set. */
  readonly more?: readonly FilterField[];
  /** The address without a filter, and without one of them. */
  readonly without: (name?: string) => string;
};

/** The fields, and below them each filter that is set, with a link that removes it. */
export function filterForm({ action, fields, more = [], without }: FilterOptions, say: Say): Markup {
  const set = [...fields, ...more].filter(({ value }) => value !== '');
  const isOpen = more.some(({ value }) => value !== '');
  const rest = markup`<details class="more"${isOpen ? markup` open` : undefined}><summary>${say(CONSOLE_LIST.more())}</summary>
<div class="filter">${more.map((field) => filterField(field, say))}</div></details>`;
  return markup`<form class="filter" method="get" action="${action}" role="search" aria-label="${say(CONSOLE_LIST.apply())}">
${fields.map((field) => filterField(field, say))}
<button class="button" type="submit">${say(CONSOLE_LIST.apply())}</button>
${more.length > 0 ? rest : undefined}</form>${
    set.length > 0
      ? markup`<ul class="chips">${set.map((field) => {
          const value = field.choices?.find((one) => one.value === field.value)?.text ?? field.value;
          const label = say(CONSOLE_LIST.without({ name: field.label, value }));
          return markup`<li><a class="chip" href="${without(field.name)}" aria-label="${label}">${say(CONSOLE_LIST.chip({ name: field.label }))} <b>${value}</b>${icon('cross')}</a></li>`;
        })}<li><a href="${without()}">${say(CONSOLE_LIST.clear())}</a></li></ul>`
      : undefined
  }`;
}

function filterField({ name, label, value, choices, isDay }: FilterField, say: Say): Markup {
  const id = `filter-${name}`;
  const control = choices
    ? markup`<select id="${id}" name="${name}"><option value="">${say(CONSOLE_LIST.all())}</option>${choices.map(
        (one) =>
          markup`<option value="${one.value}"${one.value === value ? markup` selected` : undefined}>${one.text}</option>`,
      )}</select>`
    : markup`<input id="${id}" name="${name}" value="${value}"${isDay ? markup` type="date"` : markup` type="text" autocomplete="off"`}>`;
  return markup`<p class="field"><label for="${id}">${label}</label>${control}</p>`;
}

export type ActFormOptions = {
  /** Id of the form: boxes of a table belong to it. */
  readonly id: string;
  readonly action: string;
  /** Where a script asks what the act would do, as the person types. */
  readonly check?: string;
  /** The token of the session against forged posts. */
  readonly csrf: string;
  readonly hidden?: { readonly [name: string]: string };
  /** What the act does, in one sentence. */
  readonly does: string;
  readonly fields?: Markup;
  /** The last reasons of this person; undefined: the act needs none. */
  readonly reasons?: readonly string[];
  readonly reason?: string;
  readonly submit: string;
  /** The act is on all documents, or on those with a box that is set: the field of its button. Enter sends neither. */
  readonly extent?: { readonly name: string; readonly value: string };
  /** A second way to do it, such as correct and send now. */
  readonly second?: { readonly name: string; readonly value: string; readonly text: string };
  /** What the look at the act found, such as how many would pass. */
  readonly outcome?: Markup;
  /** The command that does the same. */
  readonly terminal?: string;
  /** One of its fields is a file. */
  readonly hasFile?: boolean;
  /** The address that shows what the fields would do: console.js asks it as a person types. */
  readonly live?: string;
  /** Further buttons and links. */
  readonly also?: Markup;
};

export function actForm(options: ActFormOptions, say: Say): Markup {
  const { id, action, csrf, does, fields, reasons, submit, second, outcome, terminal, live, extent } = options;
  const hidden = Object.entries({ csrf, ...options.hidden });
  return markup`<form class="act" id="${id}" method="post" action="${action}"${options.hasFile ? markup` enctype="multipart/form-data"` : undefined}${live === undefined ? undefined : markup` data-live-look="${live}"`} data-act${options.check === undefined ? undefined : markup` data-check="${options.check}"`}>
${hidden.map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
<p class="does" id="${id}-does">${does}</p>
<div class="act-fields">${fields}${reasons && reasonField(id, reasons, options.reason ?? '', say)}</div>
<div data-outcome id="${id}-outcome">${outcome}</div>
<p class="act-buttons">${extent && keysButton}<button class="button primary${extent && ' for-all'}" type="submit"${extent && markup` name="${extent.name}" value="${extent.value}"`} aria-describedby="${id}-does"><span id="${id}-submit">${submit}</span><kbd class="on-keys">Ctrl ↵</kbd></button>
${second && markup`<button class="button" type="submit" name="${second.name}" value="${second.value}" aria-describedby="${id}-does">${second.text}</button>`}
${options.also}<span class="dim">${say(CONSOLE_ACT.recorded())}</span></p>
<div id="${id}-terminal">${terminal !== undefined ? terminalLine(terminal, say) : undefined}</div>
</form>`;
}

/** Enter in a field presses the first button of a form, seen or not. This one names no extent: the boxes decide. */
const keysButton = markup`<button class="unseen" type="submit" tabindex="-1" aria-hidden="true"></button>`;

/** The last five reasons are offered by the field itself. */
function reasonField(id: string, reasons: readonly string[], value: string, say: Say): Markup {
  const offered = [...new Set(reasons)].slice(0, 5);
  return markup`<p class="field grows"><label for="${id}-reason">${say(CONSOLE_ACT.because())}</label>
<input id="${id}-reason" name="reason" type="text" required maxlength="500" autocomplete="off" list="${id}-reasons" value="${value}" placeholder="${say(CONSOLE_ACT.whyKept())}">
<datalist id="${id}-reasons">${offered.map((reason) => markup`<option value="${reason}"></option>`)}</datalist></p>`;
}

/** The command that shows or does the same, to copy. */
export function terminalLine(command: string, say: Say): Markup {
  const [copy, copied] = [say(CONSOLE_ACT.copy()), say(CONSOLE_ACT.copied())];
  return markup`<p class="terminal"><span class="dim">${say(CONSOLE_ACT.onTerminal())}</span> <code>${command}</code>
<button class="quiet needs-script" type="button" data-copy="${command}" data-copied="${copied}">${copy}</button></p>`;
}
