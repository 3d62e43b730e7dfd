import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLanguage, sentence } from '../../src/i18n/message.ts';
import { type Fault, SAID, says, spoken } from '../../src/model/fault.ts';
import { allSentences, namesIn } from '../sentences.ts';

const src = join(import.meta.dirname, '../../src');

const ON_ROW = sentence({
  en: '"{text}" on row {row}',
  fr: '« {text} » à la ligne {row}',
  es: '«{text}» en la fila {row}',
});
const DIFFER = sentence({ en: '{all} differ', fr: '{all} diffèrent', es: '{all} difieren' });
const CORRECT = sentence({ en: 'correct it', fr: 'corrigez', es: 'corrija' });

test('values stand in their places, sentences among them too', () => {
  const phrase = DIFFER({ all: [ON_ROW({ text: 'a', row: 2 }), ON_ROW({ text: '{row}', row: 3 })] });
  expect(inLanguage(phrase, 'en')).toBe('"a" on row 2, "{row}" on row 3 differ');
  expect(inLanguage(phrase, 'fr')).toBe('« a » à la ligne 2, « {row} » à la ligne 3 diffèrent');
  expect(inLanguage(phrase, 'es')).toBe('«a» en la fila 2, «{row}» en la fila 3 difieren');
});

test('a translation with other names does not compile', () => {
  // @ts-expect-error the French sentence lacks the row
  sentence({ en: 'row {row}', fr: 'ligne', es: 'fila {row}' });
  // @ts-expect-error the Spanish sentence has a name of its own
  sentence({ en: 'row', fr: 'ligne', es: 'fila {row}' });
  // @ts-expect-error a value is missing
  expect(inLanguage(ON_ROW({ text: 'a' }), 'en')).toBe('"a" on row {row}');
});

test('a fault is English until it is spoken; nothing of the other languages is written down', () => {
  const fault: Fault = { code: 'map/x', level: 'error', ...says(ON_ROW({ text: 'a', row: 2 }), CORRECT()), given: 'a' };
  expect(fault).toMatchObject({ message: '"a" on row 2', hint: 'correct it' });
  expect(Object.keys(JSON.parse(JSON.stringify(fault)))).toEqual(['code', 'level', 'message', 'hint', 'given']);
  const [french] = spoken([fault], 'fr');
  expect(french).toEqual({
    ...{ code: 'map/x', level: 'error', given: 'a' },
    ...{ message: '« a » à la ligne 2', hint: 'corrigez' },
  });
  expect(french![SAID]).toBeUndefined();
});

test('what was recorded keeps its words, and what is long is cut', () => {
  const old: Fault = { code: 'map/x', level: 'error', message: 'as it was written' };
  expect(spoken([old], 'es')).toEqual([old]);
  const long: Fault = { code: 'map/x', level: 'error', ...says(ON_ROW({ text: 'x'.repeat(5000), row: 2 })) };
  expect(spoken([long], 'es')[0]!.message).toHaveLength(505);
});

test('every sentence is translated, with the same names and the signs of its language', async () => {
  const sentences = await allSentences();
  expect(sentences.length).toBeGreaterThan(100);
  for (const { name, words } of sentences) {
    for (const language of ['fr', 'es'] as const) {
      const text: string = words[language];
      expect(namesIn(text), `${name} ${language}`).toEqual(namesIn(words.en));
      expect(text.trim(), `${name} ${language}`).toBe(text);
      expect(text, `${name} ${language}`).not.toBe('');
      const isProse = /[a-z]{3,} [a-z]{2,} /.test(words.en.replace(/\{[^{}]+\}/g, ''));
      if (isProse) expect(text, `${name} ${language}`).not.toBe(words.en);
      expect(text.match(/[!"#$%&']\{/), `${name} ${language}: a value stands in « » or «»`).toBeNull();
    }
    expect(words.fr.replace(/&\w+;/g, ''), `${name}: a space before ; ? !`).not.toMatch(/\S[;?!](?:\s|$)/);
    expect(words.fr, `${name}: ’ where letters stand around it`).not.toMatch(/\p{L}'\p{L}/u);
    expect(words.fr, name).not.toMatch(/«(?! )|(?<! )»/);
    expect(words.es, name).not.toMatch(/« | »/);
    expect(words.es, name).not.toMatch(/ [;:?!]/);
    expect((words.es.match(/¿/g) ?? []).length, name).toBe((words.es.match(/\?/g) ?? []).length);
  }
});

test('what stages find wrong with data is said by sentences alone', () => {
  const raw = ['reading', 'inbox', 'documents', 'line', 'ledger'].flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => {
        const found = /\bcode: [^\n]*,\s+level: '(?:error|warning)',\s+message\b/.exec(
          readFileSync(join(src, folder, path), 'utf8'),
        );
        return found ? [`${folder}/${path}: ${found[0]}`] : [];
      }),
  );
  expect(raw).toEqual([]);
});

test('every name in braces is filled by the values that the type asks for, digits or not', async () => {
  for (const { name, words, sentence: say } of await allSentences()) {
    const values = Object.fromEntries(namesIn(words.en).map((one) => [one, `<${one}>`]));
    for (const language of ['en', 'fr', 'es'] as const) {
      const text = inLanguage(say(values), language);
      expect(text, `${name} ${language}`).not.toMatch(/[{}]/);
      for (const value of Object.values(values)) expect(text, `${name} ${language}`).toContain(value);
    }
  }
  const hashed = sentence({ en: 'hash {sha256}', fr: 'empreinte {sha256}', es: 'huella {sha256}' });
  expect(inLanguage(hashed({ sha256: 'ab12' }), 'en')).toBe('hash ab12');
});
