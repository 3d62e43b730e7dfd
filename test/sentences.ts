/** Every sentence that an operator may read, found in the sources: files whose name ends in -messages. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Language, Sentence, Words } from '../src/i18n/message.ts';

export type Named = { readonly name: string; readonly words: Words; readonly sentence: Sentence<string> };

const src = join(import.meta.dirname, '../src');

export async function allSentences(): Promise<readonly Named[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-messages.ts'));
  const found: Named[] = [];
  for (const file of files) {
    const exported: Group = await import(join(src, file));
    found.push(...sentencesOf({ ...exported }, file));
  }
  return found;
}

type Group = { readonly [name: string]: Sentence | Group };

function sentencesOf(group: Group, path: string): readonly Named[] {
  return Object.entries(group).flatMap(([key, one]) => {
    const name = `${path}.${key}`;
    if (typeof one !== 'function') return sentencesOf(one, name);
    // Beside sentences such a file may have a function that chooses among them.
    return 'words' in one ? [{ name, words: one.words, sentence: one as unknown as Sentence<string> }] : [];
  });
}

export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!).sort();
}

/** The English sentence that a text in another language holds, if any. */
export function englishIn(text: string, language: Language, sentences: readonly Named[]): string | undefined {
  const english = sentences.filter(({ words }) => {
    const own = words.en.replace(/\{[^{}]+\}/g, '').trim();
    return /[a-z] [a-z]/.test(own) && own.length >= 10 && words[language] !== words.en;
  });
  return english.find(({ words }) => new RegExp(patternOf(words.en), 's').test(text))?.name;
}

function patternOf(template: string): string {
  const pieces = template.split(/\{[^{}]+\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return pieces.join('.+');
}
