/** Plain American English in what people read: the words that the style guide in CONTRIBUTING replaces, and short sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** Folders of texts, below the checkout: messages (*.yaml) and pages (*.md). */
const FOLDERS = ['locales/en'];
const MOST_WORDS = 25;
/**
 * Words inside receipts: a receipt that a person moves into pending/release or pending/reject is compared byte for byte
 * with what this version writes, so that other words would refuse the receipts of an earlier one.
 */
const KEPT = /^next-action(-of)?\./;

/** What is found -> what is written instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(tells?|told|telling|untold)\b/i, 'report, print or log'],
  [/\b(hears?|heard)\b/i, 'receive, report'],
  [/\b(mend(s|ed|ing)?|cure[sd]?)\b/i, 'fix'],
  [/\breckon(s|ed|ing)?\b/i, 'calculate'],
  [/\bbeside\b/i, 'next to'],
  [/\bbehind\b/i, 'after'],
  [/\banew\b/i, 'again, rebuilt'],
  [/\b(lies|lying)\b/i, 'is'],
  [/\b(stands?|stood)\b/i, 'is'],
  [/\bnobody\b/i, 'no one'],
  [/\bastray\b/i, 'wrong, lost'],
  [/\b(whoever|somebody)\b/i, 'a person, the operator'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|one\b)/i, 'is not a valid ...'],
  [/\b(goes|went|go) out\b/i, 'is sent'],
  [/\bgone through\b/i, 'checked'],
  [/\blearnt\b/i, 'recovered'],
  [/\bto be had\b/i, 'available'],
  [/\btrouble\b/i, 'error'],
  [/\b(try|tries) (its|his) luck\b/i, 'try'],
  [/\bhowever many\b/i, 'skip the confirmation'],
  [/\bof today\b/i, 'current'],
  [/\bthis very\b/i, 'exactly this'],
  [
    /(^|[.;:?!] )(?!what to do\b)(what|who|where|of) (?!(is|are|does|do|can|should) [^.;:]*\?)/i,
    'the subject first, or "if"',
  ],
];

type Finding = string;

function findingsIn(place: string, text: string): readonly Finding[] {
  const words = WORDS.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)?.[0].trim();
    return found === undefined ? [] : [`${place}: "${found}", write: ${better}`];
  });
  const long = sentencesOf(text).filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS);
  return [...words, ...long.map((sentence) => `${place}: more than ${MOST_WORDS} words: ${sentence}`)];
}

/** A semicolon or colon ends a sentence too: each part is read on its own. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/[.;:?!](?=\s|$)/).map((sentence) => sentence.trim());
}

type Tree = { readonly [key: string]: string | Tree };

function textsOf(tree: Tree, above = ''): readonly (readonly [id: string, text: string])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[above + key, value] as const] : textsOf(value, `${above}${key}.`),
  );
}

/** Plural forms are texts of their own, a command or a value in quotes is not English. */
function formsOf(text: string): readonly string[] {
  const plural = /^\{count, plural, one \{(.*)\} other \{(.*)\}\}$/s.exec(text);
  return plural ? [plural[1]!, plural[2]!] : [text];
}

/** The paragraphs of a page, without blocks of code. */
function paragraphsOf(page: string): readonly string[] {
  return page
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]*`/g, 'CODE')
    .split(/\n\s*\n|\n(?=[-*|#\d])/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
}

function findingsOfFile(path: string): readonly Finding[] {
  const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  const texts = path.endsWith('.yaml')
    ? textsOf(parse(text) as Tree).flatMap(([id, one]) => formsOf(one).map((form) => [id, form] as const))
    : paragraphsOf(text).map((paragraph) => ['', paragraph] as const);
  return texts.flatMap(([id, one]) => (KEPT.test(id) ? [] : findingsIn(`${path} ${id}`.trim(), one)));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(import.meta.dirname, '..', folder))
    .filter((name) => /\.(yaml|md)$/.test(name))
    .map((name) => `${folder}/${name}`);
}

test.each(FOLDERS.flatMap(filesIn))('%s has no word that the style guide replaces, and no long sentence', (path) => {
  expect(findingsOfFile(path)).toEqual([]);
});

test.each([
  ['what is wrong is told at the end', 'told'],
  ['"{text}" is no number', 'is no'],
  ['the file stands beside the export', 'beside'],
  [Array.from({ length: 26 }, () => 'word').join(' '), 'more than 25'],
])('"%s" is a finding', (text, found) => {
  expect(findingsIn('a text', text).join('\n')).toContain(found);
});

test.each(['{document} is no longer held', 'there is no header', 'no one has released it', 'the file is behindhand'])(
  '"%s" is none',
  (text) => {
    expect(findingsIn('a text', text)).toEqual([]);
  },
);
