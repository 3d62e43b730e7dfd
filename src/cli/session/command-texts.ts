/**
 * Texts of --help, of usage errors and of docs/reference/commands.md, in three languages. They are not in the message
 * catalog: so a start that only prints help loads a small file and no engine of message formats. A missing file throws.
 */
import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../../files/package-folder.ts';
import type { Language } from '../../i18n/message.ts';

type Texts = { readonly [id: string]: string };
type Values = { readonly [name: string]: string };

/** Each language is read once. */
const catalogues = new Map<Language, Texts>();

function textsIn(language: Language): Texts {
  const known = catalogues.get(language);
  if (known) return known;
  const file = new URL(`locales/compiled/command-texts-${language}.json`, PACKAGE_FOLDER);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Texts;
  catalogues.set(language, texts);
  return texts;
}

/** The template of the text; undefined for an unknown id. */
export function findCommandText(language: Language, id: string): string | undefined {
  return textsIn(language)[id];
}

/** `{name}` in the text becomes the value of that name. An unknown id is an internal error. */
export function commandText(language: Language, id: string, values: Values = {}): string {
  const text = findCommandText(language, id);
  if (text === undefined) throw new Error(`locales/${language}/cli-commands.yaml has no text ${id}`);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** What an act of a command does: its own text, else that of the choice. */
export function actText(language: Language, command: string, act: string): string {
  const own = findCommandText(language, `command.${command}-${act}.does`);
  return own ?? commandText(language, `command.${command}.act=${act}`);
}

/**
 * The text of an option or argument: of its command or act (`ledger-next`), of the command of the act, else the one that
 * several commands share.
 */
export function itemText(language: Language, command: string, name: string): string {
  const [of = ''] = command.split('-');
  const ids = [`command.${command}.${name}`, `command.${of}.${name}`, `option.${name}`, `argument.${name}`];
  return ids.map((id) => findCommandText(language, id)).find((text) => text !== undefined) ?? '';
}
