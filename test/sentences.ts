/** Every sentence that an operator may read, found in the sources: files that are called sentences. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Language, Words } from '../src/model/words.ts';

export type Named = { readonly name: string; readonly words: Words };

const src = join(import.meta.dirname, '../src');

export async function allSentences(): Promise<readonly Named[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('sentences.ts'));
  const found: Named[] = [];
  for (const file of files) {
    for (const [table, group] of Object.entries<object>(await import(join(src, file)))) {
      for (const [name, one] of Object.entries(group))
        found.push({ name: `${file} ${table}.${name}`, words: one.words });
    }
  }
  return found;
}

export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{([a-z-]+)\}/g)].map((match) => match[1]!).sort();
}

/** The English sentence that a text in another language holds, if any. */
export function englishIn(text: string, language: Language, sentences: readonly Named[]): string | undefined {
  const english = sentences.filter(({ words }) => {
    const own = words.en.replace(/\{[a-z-]+\}/g, '').trim();
    return /[a-z] [a-z]/.test(own) && own.length >= 10 && words[language] !== words.en;
  });
  return english.find(({ words }) => new RegExp(patternOf(words.en), 's').test(text))?.name;
}

function patternOf(template: string): string {
  const pieces = template.split(/\{[a-z-]+\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return pieces.join('.+');
}
