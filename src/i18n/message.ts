/**
 * Sentences that can be said in each language of the operators. A stage says what is wrong by a sentence and its values;
 * the language is chosen once, where faults are recorded or shown (`spoken` in fault.ts).
 */

/** `{name}` stands for a value. */
export type Words = { readonly en: string; readonly fr: string; readonly es: string };
export type Language = keyof Words;

/** Each of them: where a text stands in all languages, that of the instance comes first. */
export function languagesFrom(first: Language): readonly Language[] {
  return [first, ...(['en', 'fr', 'es'] as const).filter((one) => one !== first)];
}

/** A sentence with its values, not yet in a language. Values may be sentences themselves; several stand with commas. */
export type Phrase = { readonly words: Words; readonly values: Filling };
type Filling = { readonly [name: string]: Filler };
type Filler = string | number | Phrase | readonly (string | Phrase)[];

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

export type Sentence<Name extends string = never> = { readonly words: Words } & ([Name] extends [never]
  ? () => Phrase
  : (values: { readonly [N in Name]: Filler }) => Phrase);

type SameNames<Text extends string, English extends string> = [NamesIn<Text>, NamesIn<English>] extends [
  NamesIn<English>,
  NamesIn<Text>,
]
  ? unknown
  : { readonly 'has other names than the English sentence': never };

/** A translation that is missing, or has other names, does not compile. Braces stand around names alone. */
export function sentence<const En extends string, const Fr extends string, const Es extends string>(words: {
  readonly en: En;
  readonly fr: Fr & SameNames<Fr, En>;
  readonly es: Es & SameNames<Es, En>;
}): Sentence<NamesIn<En>> {
  const phrase = (values: Filling = {}): Phrase => ({ words, values });
  return Object.assign(phrase, { words }) as unknown as Sentence<NamesIn<En>>;
}

/** Whatever stands between braces is a name, digits and all: a value whose name is not known stays visible. */
export function inLanguage({ words, values }: Phrase, language: Language): string {
  return words[language].replace(/\{([^{}]+)\}/g, (all, name: string) => {
    const value = values[name];
    if (value === undefined) return all;
    return Array.isArray(value)
      ? value.map((one) => filled(one, language)).join(', ')
      : filled(value as Single, language);
  });
}

/**
 * A number in a sentence: in French with a comma; El Salvador writes a point, as English does. What is quoted from a
 * file stays as the file has it.
 */
export function decimalText(text: string): Phrase {
  return { words: { en: text, fr: text.replace('.', ','), es: text }, values: {} };
}

type Single = string | number | Phrase;

function filled(value: Single, language: Language): string {
  return typeof value === 'object' ? inLanguage(value, language) : String(value);
}
