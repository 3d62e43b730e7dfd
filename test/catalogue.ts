/** Every message that an operator may read, as the program has it, and the search for English in another language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import type { Language } from '../src/i18n/message.ts';

export const LANGUAGES = ['en', 'fr', 'es'] as const;

export type Named = { readonly id: string; readonly texts: { readonly [language in Language]: string } };

const ROOT = join(import.meta.dirname, '..');

export function allMessages(): readonly Named[] {
  const of = (language: Language) =>
    JSON.parse(readFileSync(join(ROOT, `locales/compiled/${language}.json`), 'utf8')) as { [id: string]: string };
  const [en, fr, es] = LANGUAGES.map(of) as [Texts, Texts, Texts];
  return Object.keys(en).map((id) => ({ id, texts: { en: en[id]!, fr: fr[id]!, es: es[id]! } }));
}

type Texts = { readonly [id: string]: string };
type Element = ReturnType<typeof parse>[number];

/** The text in each of its forms, singular and plural, its values in angle brackets: "<count> documents". */
export function formsOf(text: string): readonly string[] {
  return formsIn(parse(text, { ignoreTag: true }));
}

function formsIn(elements: readonly Element[]): readonly string[] {
  return elements.reduce<readonly string[]>(
    (before, element) => {
      const now = formsOfElement(element);
      return before.flatMap((start) => now.map((end) => start + end));
    },
    [''],
  );
}

function formsOfElement(element: Element): readonly string[] {
  if (isLiteralElement(element)) return [element.value];
  if (isPoundElement(element)) return ['<count>'];
  if (isArgumentElement(element)) return [`<${element.value}>`];
  if (isPluralElement(element) || isSelectElement(element)) {
    return Object.values(element.options).flatMap(({ value }) => formsIn(value));
  }
  throw new Error('an element that no message uses');
}

/** The English message that a text in another language holds, if any. */
export function englishIn(text: string, language: Language, messages: readonly Named[]): string | undefined {
  return messages.find((message) => englishFormsOf(message, language).some((pieces) => holdsInTurn(text, pieces)))?.id;
}

const knownForms = new Map<Language, WeakMap<Named, readonly Pieces[]>>(LANGUAGES.map((name) => [name, new WeakMap()]));

/** The text between the values of a form. */
type Pieces = readonly string[];

/** The forms that are prose, and English alone. */
function englishFormsOf(message: Named, language: Language): readonly Pieces[] {
  const known = knownForms.get(language)!;
  const before = known.get(message);
  if (before) return before;
  const other = formsOf(message.texts[language]);
  const forms = formsOf(message.texts.en).filter((form) => isProse(form) && !other.includes(form));
  const pieces = forms.map((form) => form.split(/<\w+>/));
  known.set(message, pieces);
  return pieces;
}

function isProse(form: string): boolean {
  const own = form.replace(/<\w+>/g, '').trim();
  return /[a-z] [a-z]/.test(own) && own.length >= 10;
}

/** Whether the text holds the pieces in their order, with at least one character for each value. */
function holdsInTurn(text: string, [first = '', ...more]: Pieces): boolean {
  const start = text.indexOf(first);
  if (start === -1) return false;
  let end = start + first.length;
  return more.every((piece) => {
    const next = text.indexOf(piece, end + 1);
    const isThere = next > end;
    end = next + piece.length;
    return isThere;
  });
}
