/** Plain American English in what people read: the words that the style guide in CONTRIBUTING replaces, and short sentences. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
/** Messages (*.yaml) and pages (*.md), below the checkout. A page in French or Spanish has its language before `.md`. */
const MESSAGES = globSync('locales/en/*.yaml', { cwd: ROOT });
const PAGES = globSync(
  ['docs/**/*.md', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'samples/README.md'],
  {
    cwd: ROOT,
  },
).filter((path) => !/\.(fr|es)\.md$/.test(path));
/** The most words of a sentence. */
const IN_MESSAGE = 25;
const IN_PAGE = 30;
/** The most characters of a cell of a table, as they are read: without code and link targets. */
const IN_CELL = 300;

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

function findingsIn(place: string, text: string, mostWords = IN_MESSAGE): readonly Finding[] {
  const words = WORDS.flatMap(([pattern, better]) => {
    const found = pattern.exec(text)?.[0].trim();
    return found === undefined ? [] : [`${place}: "${found}", write: ${better}`];
  });
  const long = sentencesOf(text).filter((sentence) => sentence.split(/\s+/).length > mostWords);
  return [...words, ...long.map((sentence) => `${place}: more than ${mostWords} words: ${sentence}`)];
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

type Passage = { readonly line: number; readonly text: string };

/** Paragraphs, list entries, headings and cells of a page, without blocks of code, comments and translations. */
function passagesOf(page: string): readonly Passage[] {
  const passages: Passage[] = [];
  let open: Passage | undefined;
  for (const [index, line] of withoutCode(page).split('\n').entries()) {
    const starts = line.trim() === '' || /^\s*([-*|#]|\d+\. )/.test(line);
    if (starts && open) passages.push(open);
    open = starts || !open ? { line: index + 1, text: line } : { ...open, text: `${open.text} ${line}` };
  }
  const all = open ? [...passages, open] : passages;
  return all.flatMap(({ line, text }) => partsOf(text).map((part) => ({ line, text: part })));
}

/** Code becomes one word, a block of it empty lines: the numbers of the lines stay. The title of a test, next to its file, is a name. */
function withoutCode(page: string): string {
  return page
    .replace(/^ *```.*?^ *```$|<!--.*?-->/gms, (block) => block.replace(/[^\n]+/g, ''))
    .replace(/^(?: {4}\S.*|- (?:fr |es): .*)$/gm, '')
    .replace(/(?<!`)`[^`]+`/g, (code) => `CODE${'\n'.repeat(code.split('\n').length - 1)}`)
    .replace(/"[^|\n]+?" in CODE/g, 'CODE in CODE')
    .replace(/\]\([^)]*\)/g, ']');
}

/** The cells of a row of a table; a cell in lower case is a phrase after its row's name, and no sentence begins there. */
function partsOf(text: string): readonly string[] {
  const plain = text.replaceAll('**', '').replaceAll('<br>', '. ');
  if (!plain.trim().startsWith('|'))
    return [
      plain
        .replace(/^\s*(?:[-*#]+|\d+\.) /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ];
  const cells = plain.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replace(/^(?=[a-z])/, '(phrase) '));
}

function findingsOfPage(place: string, page: string): readonly Finding[] {
  return passagesOf(page).flatMap(({ line, text }) => [
    ...findingsIn(`${place}:${line}`, text, IN_PAGE),
    ...(text.length > IN_CELL && isCell(page, line) ? [`${place}:${line}: a cell of ${text.length} characters`] : []),
  ]);
}

function isCell(page: string, line: number): boolean {
  return page.split('\n')[line - 1]!.trim().startsWith('|');
}

function findingsOfMessages(path: string): readonly Finding[] {
  const texts = textsOf(parse(read(path)) as Tree);
  return texts.flatMap(([id, text]) => formsOf(text).flatMap((form) => findingsIn(`${path} ${id}`, form)));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

test.each(MESSAGES)('%s has no word that the style guide replaces, and no long sentence', (path) => {
  expect(findingsOfMessages(path)).toEqual([]);
});

test('the pages are those of the manual and of the checkout', () => {
  expect(PAGES.length).toBeGreaterThan(100);
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/how-to/admin/schedule.md']));
});

test.each(PAGES)('%s has no word that the style guide replaces, no long sentence, no long cell', (path) => {
  expect(findingsOfPage(path, read(path))).toEqual([]);
});

test.each([
  ['what is wrong is told at the end', 'told'],
  ['"{text}" is no number', 'is no'],
  ['the file stands beside the export', 'beside'],
  [Array.from({ length: 26 }, () => 'word').join(' '), 'more than 25'],
])('"%s" is a finding', (text, found) => {
  expect(findingsIn('a text', text).join('\n')).toContain(found);
});

test.each([
  ['The file\nlies in `inbox/`.', 'page.md:1: "lies"'],
  ['# Title\n\n- Nightpost tells the operator.', 'page.md:3: "tells"'],
  ['| Setting | stands in the file |', 'page.md:1: "stands"'],
  ['Some text. What is new comes first.', 'page.md:1: ". What"'],
  ['| Threat | "the file lies there" in the test |', 'page.md:1: "lies"'],
  [Array.from({ length: 31 }, () => 'word').join(' '), 'more than 30'],
  [`| a | ${'long words, '.repeat(30)} |`, 'a cell of'],
])('the page "%s" has a finding', (page, found) => {
  expect(findingsOfPage('page.md', page).join('\n')).toContain(found);
});

test.each([
  '```text\nthis block tells nothing\n```',
  'The key `beside` is code, and [a page](what-lies-here.md) is a link.',
  '| Setting | where the file is |',
  '- es: la regla lies',
  '| Threat | "the file lies there" in `test/a.test.ts`, "nobody hears" in `test/b.test.ts` |',
])('the page "%s" has none', (page) => {
  expect(findingsOfPage('page.md', page)).toEqual([]);
});

test.each(['{document} is no longer held', 'there is no header', 'no one has released it', 'the file is behindhand'])(
  '"%s" is none',
  (text) => {
    expect(findingsIn('a text', text)).toEqual([]);
  },
);
