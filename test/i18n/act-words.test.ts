/** An act has one word on every screen, that of the glossary, in each language: "approve" is the consent of another person, never a release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Language } from '../../src/i18n/message.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The places of each act: what asks for it, what does it, and what it is called afterwards. */
const WORK = ['work-act', 'work-submit', 'act-name'];
const PLACES: { readonly [act: string]: readonly string[] } = {
  fix: WORK.map((group) => `${group}.fix`),
  reprocess: [...WORK.map((group) => `${group}.reprocess`), 'document-act.fix'],
  release: [...WORK.map((group) => `${group}.release`), 'document-act.release', 'home-act.release'],
  resolve: [...WORK.map((group) => `${group}.resolve`), 'document-act.resolve', 'home-act.resolve'],
  retry: [...WORK.map((group) => `${group}.retry`), 'document-act.retry', 'home-act.retry'],
  acknowledge: [...WORK.map((group) => `${group}.acknowledge`), 'document-act.acknowledge', 'home-act.acknowledge'],
  'set-aside': [...WORK.map((group) => `${group}.set-aside`), 'document-act.set-aside', 'home-act.release'],
};
/** The part that all forms of the word have: verb, participle and noun. */
const STEMS: { readonly [language in Language]: { readonly [act: string]: RegExp } } = {
  en: {
    ...{
      fix: /correct/i,
      reprocess: /read.* again/i,
      release: /release/i,
      resolve: /record.*outcome/i,
    },
    ...{ retry: /(?:send|sent).* again/i, acknowledge: /acknowledg/i, 'set-aside': /set.* aside/i },
  },
  fr: {
    ...{
      fix: /corrig|correct/i,
      reprocess: /relire|relecture/i,
      release: /libér/i,
      resolve: /consign.*issue/i,
    },
    ...{ retry: /renvo[iy]/i, acknowledge: /pr(?:endre|ise) d?.?acte/i, 'set-aside': /[éÉ]cart/i },
  },
  es: {
    ...{ fix: /correg|correc/i, reprocess: /rele(?:er|ctura)/i, release: /libera/i, resolve: /resultado/i },
    ...{ retry: /reenv[ií]/i, acknowledge: /dar por visto/i, 'set-aside': /descart/i },
  },
};

function textsOf(language: Language): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const file of ['console-work', 'console-document', 'console-home']) {
    const groups = parse(readFileSync(join(ROOT, `locales/${language}/${file}.yaml`), 'utf8')) as object;
    for (const [group, messages] of Object.entries(groups)) {
      for (const [key, text] of Object.entries(messages as object)) texts.set(`${group}.${key}`, String(text));
    }
  }
  return texts;
}

test.each(['en', 'fr', 'es'] as const)('each act has its one word on every screen (%s)', (language) => {
  const texts = textsOf(language);
  const others = Object.entries(PLACES).flatMap(([act, places]) =>
    places.flatMap((place) => {
      const text = texts.get(place) ?? `no text ${place}`;
      return STEMS[language][act]!.test(text) ? [] : [`${act}, ${place}: ${text}`];
    }),
  );
  expect(others).toEqual([]);
});

test('the words of acts are those of the glossary', () => {
  const rows = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  for (const act of Object.keys(PLACES)) {
    const row = rows.find(([, term]) => term === act.replace('-', ' '));
    expect(row?.[3], act).toMatch(STEMS.fr[act]!);
    expect(row?.[4], act).toMatch(STEMS.es[act]!);
  }
});
