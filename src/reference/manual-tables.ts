/**
 * Tables of the manual (docs/reference), which is part of the package. Names of pages come in, cells come out, without
 * links. A missing page throws.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Language } from '../i18n/message.ts';

/** The folder of the manual. */
export const DOCS = new URL('../../docs/', import.meta.url);

/** The text of pages of docs/reference, one after the other. */
export function readReference(names: readonly string[]): string {
  return names.map((name) => readFileSync(new URL(`reference/${name}`, DOCS), 'utf8')).join('\n');
}

/** The cells of the rows that begin with a name in code marks. */
function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(splitTableRow);
}

/** The cells of one row, without the marks around them. */
export function splitTableRow(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Replaces each link by the path of its page below docs/, because a terminal cannot follow a link. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, shown: string, to: string) =>
    to.startsWith('#') ? shown : posix.join('docs/reference', to),
  );
}

/**
 * Name -> description, from the page in this language (functions.fr.md). Empty in English, whose descriptions are in
 * the code. `services.*` stands for each service.
 */
export function describedNames(page: 'functions' | 'settings', language: Language): ReadonlyMap<string, string> {
  if (language === 'en') return new Map();
  const rows = tableRows(readReference([`${page}.${language}.md`]));
  return new Map(rows.map(([name = '', text = '']) => [name.replaceAll('`', ''), text]));
}
