/**
 * Templates of HTML, for the console and for pages that stand alone: values are escaped by hono, and controls and characters that
 * turn the reading direction are shown as \u{hex}. What comes out may be a value of another template, of `html` of hono too.
 */
import { html as template } from 'hono/html';
import { escapeControls } from '../text/printable.ts';

/** Text that is HTML already; only templates make it. */
export type Markup = Exclude<ReturnType<typeof template>, Promise<unknown>>;
type MarkupValue = string | number | Markup | readonly Markup[] | undefined;

/** Line ends of texts stay. */
export const markup = templateOf((text) => text.split('\n').map(escapeControls).join('\n'));

/** Line ends are shown too, so that no foreign text begins a line. */
export const html = templateOf(escapeControls);

/** Markup is an object at run time, so a text is foreign. */
function templateOf(visible: (text: string) => string) {
  return (texts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup => {
    const made = template(texts, ...values.map((value) => (typeof value === 'string' ? visible(value) : value)));
    if (made instanceof Promise) throw new TypeError('a template has no promise in it');
    return made;
  };
}
