/**
 * Templates of the console: values are escaped by hono, and controls and characters that turn the reading direction are
 * shown as \u{hex}. What comes out may be a value of another template, of `html` of hono too.
 */
import { html } from 'hono/html';
import { escapeControls } from '../../text/printable.ts';

/** Text that is HTML already; only templates make it. */
export type Markup = Exclude<ReturnType<typeof html>, Promise<unknown>>;
type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

export function markup(texts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  const made = html(texts, ...values.map(visible));
  if (made instanceof Promise) throw new TypeError('a template of the console has no promise in it');
  return made;
}

/** Markup is an object at run time, so a text is foreign. Line ends stay. */
function visible(value: MarkupValue): MarkupValue {
  return typeof value === 'string' ? value.split('\n').map(escapeControls).join('\n') : value;
}
