/**
 * Messages: the id of a text in locales/ and its values. The code that shows or records a message chooses the language;
 * until then it is plain data. A missing id throws an Error, which is a defect of the program.
 */
import { readFileSync } from 'node:fs';
import { type MessageFormatElement, parse } from '@formatjs/icu-messageformat-parser';
import { formatToParts } from 'intl-messageformat';

/** One text in each language of the program. */
export type Words = { readonly en: string; readonly fr: string; readonly es: string };
export type Language = keyof Words;

/** Each language once, `first` at the beginning: the order of texts that people read in all of them. */
export function languagesFrom(first: Language): readonly Language[] {
  return [first, ...(['en', 'fr', 'es'] as const).filter((one) => one !== first)];
}

/** A text of the catalogue with its values, or a text that is calculated for each language, such as a decimal. */
export type Message =
  | { readonly id: string; readonly values: MessageValues }
  | { readonly words: Words; readonly id?: undefined; readonly values?: undefined };
export type MessageValues = { readonly [name: string]: MessageValue };
/** A message inside a message is worded in the same language; a list is joined by commas. */
type MessageValue = string | number | Message | readonly (string | Message)[];

/** Makes a message; a missing or misnamed value does not compile. */
export type MessageMaker<Name extends string = never> = { readonly id: string } & ([Name] extends [never]
  ? () => Message
  : (values: { readonly [N in Name]: MessageValue }) => Message);

/** The maker of a message of the catalogue: src/i18n/messages/ is generated from locales/ and consists of them. */
export function message<Name extends string = never>(id: string): MessageMaker<Name> {
  const make = (values: MessageValues = {}): Message => ({ id, values });
  return Object.assign(make, { id }) as unknown as MessageMaker<Name>;
}

/**
 * A number inside a message: with a comma in French; El Salvador writes a point, as English does. What is quoted from a
 * file stays as the file has it.
 */
export function decimalText(text: string): Message {
  return { words: { en: text, fr: text.replace('.', ','), es: text } };
}

/** A text that is the same in all languages: a path, a version, a command, the words of another program. */
export function verbatimText(text: string): Message {
  return { words: { en: text, fr: text, es: text } };
}

type Texts = { readonly [id: string]: string };

const catalogues = new Map<Language, Texts>();
const parsed = new Map<Language, Map<string, Elements>>();

/** Read at its first use: a run needs one language, seldom two. */
function catalogueOf(language: Language): Texts {
  const known = catalogues.get(language);
  if (known) return known;
  const texts = readCatalogue(language);
  catalogues.set(language, texts);
  return texts;
}

function readCatalogue(name: string): Texts {
  const file = new URL(`../../locales/compiled/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Texts;
}

type ReceiptTexts = { readonly [language in Language]: Texts };
let receiptTexts: ReceiptTexts | undefined;

/**
 * The texts of receipts, notes and the verdict of a night, which are written in all three languages, are also in a small
 * file of their own: a run loads only the catalog of its own language.
 */
function receiptTextsIn(language: Language): Texts {
  receiptTexts ??= readCatalogue('receipt-texts') as unknown as ReceiptTexts;
  return receiptTexts[language];
}

function textOf(id: string, language: Language): string | undefined {
  return catalogues.get(language)?.[id] ?? receiptTextsIn(language)[id] ?? catalogueOf(language)[id];
}

/** The text of a message with the names of its values in braces, as manuals show it. */
export function templateOf(id: string, language: Language): string {
  const names = namesIn(elementsOf(id, language));
  return format({ id, values: named(names) }, language);
}

type Elements = MessageFormatElement[];

function namesIn(elements: Elements): readonly string[] {
  return elements.flatMap((element) => {
    const inner = 'options' in element ? Object.values(element.options).flatMap(({ value }) => namesIn(value)) : [];
    // Literal text has a value too: its type is 0 (TYPE.literal of the parser).
    return element.type === 0 || !('value' in element) ? inner : [element.value, ...inner];
  });
}

function elementsOf(id: string, language: Language): Elements {
  const ofLanguage = parsed.get(language) ?? new Map<string, Elements>();
  parsed.set(language, ofLanguage);
  const known = ofLanguage.get(id);
  if (known) return known;
  const text = textOf(id, language);
  if (text === undefined) throw new Error(`locales/${language} has no message ${id}`);
  const elements = parse(text, { ignoreTag: true });
  ofLanguage.set(id, elements);
  return elements;
}

/**
 * Created when a message counts something: the class IntlMessageFormat looks up the locale for every message, and the
 * first look-up loads data for tens of milliseconds.
 */
const intl = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
  getPluralRules: (locales?: string | string[], options?: Intl.PluralRulesOptions) => {
    const key = `${locales} ${options?.type}`;
    const known = pluralRules.get(key) ?? new Intl.PluralRules(locales, options);
    pluralRules.set(key, known);
    return known;
  },
};
const pluralRules = new Map<string, Intl.PluralRules>();

/** The message in a language. A value that is missing, which the types prevent, shows as its name in braces. */
export function format(given: Message, language: Language): string {
  if (given.id === undefined) return given.words[language];
  const values: { [name: string]: string | number } = {};
  for (const [name, value] of Object.entries(given.values)) values[name] = worded(value, language);
  const elements = elementsOf(given.id, language);
  try {
    return textFrom(elements, values, language);
  } catch (error) {
    // The types prevent it; if it happens, a night does not stop for a word.
    if ((error as { code?: unknown }).code !== 'MISSING_VALUE') throw error;
    return textFrom(elements, { ...named(namesIn(elements)), ...values }, language);
  }
}

/** No message formats numbers or dates by itself: amounts are exact texts. */
const FORMATS = { number: {}, date: {}, time: {} };

function textFrom(
  elements: Elements,
  values: { readonly [name: string]: string | number },
  language: Language,
): string {
  return formatToParts(elements, language, intl, FORMATS, values)
    .map(({ value }) => String(value))
    .join('');
}

/**
 * The text of a recorded message, perhaps of another version: undefined if the catalog no longer has it, or has it with
 * other values.
 */
export function formatRecorded(given: Message, language: Language): string | undefined {
  return isComplete(given, language) ? format(given, language) : undefined;
}

function isComplete(given: Message, language: Language): boolean {
  const { id, values } = given;
  if (id === undefined) return true;
  if (textOf(id, language) === undefined) return false;
  if (namesIn(elementsOf(id, language)).some((name) => values[name] === undefined)) return false;
  const inner = Object.values(values).flatMap<string | number | Message>((value) => (isList(value) ? value : [value]));
  return inner.every((one) => typeof one !== 'object' || isComplete(one, language));
}

/** A value that is neither a message nor a text, such as a flag of a whole object, never appears in the words. */
function worded(value: MessageValue, language: Language): string | number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object') return String(value);
  if (!isList(value)) return format(value, language);
  return value.map((one) => worded(one, language)).join(', ');
}

/** Each value is its own name in braces. */
function named(names: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(names.map((name) => [name, `{${name}}`]));
}

function isList(value: MessageValue): value is readonly (string | Message)[] {
  return Array.isArray(value);
}

/** The message in each language. */
export function wordsOf(given: Message): Words {
  return { en: format(given, 'en'), fr: format(given, 'fr'), es: format(given, 'es') };
}
