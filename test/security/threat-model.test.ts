/**
 * docs/explanation/security.md names the test of each threat: the files are tests, and one in them, not skipped, has that title.
 * SECURITY.md and the page about two people claim nothing that no test holds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/explanation/security.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'Threat' && !/^-+$/.test(first!));

const TEXT = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|\x60((?:[^\x60\\]|\\.)*)\x60)`;
/** A call whose first argument is a text and whose second is a function: how each test and group begins. */
const TITLED = new RegExp(String.raw`(\S*)\(\s*${TEXT},\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>`, 'g');
/** The first value of a row of `each`, which stands in the title where the group has a %s. */
const ROW = new RegExp(String.raw`\[\s*${TEXT},`, 'g');

/** Titles of the tests in a file, as they are written, and of the rows they are given for; none of what is skipped. */
function titlesIn(text: string): readonly string[] {
  const titled = [...text.matchAll(TITLED)].filter(([, callee = '']) => !/\.(?:skip|todo)$/.test(callee));
  const given = titled.some((found) => wordsOf(found.slice(2)).includes('%s')) ? [...text.matchAll(ROW)] : [];
  return [...titled.map((found) => wordsOf(found.slice(2))), ...given.map((found) => wordsOf(found.slice(1)))];
}

function wordsOf(found: readonly (string | undefined)[]): string {
  return (found.find((text) => text !== undefined) ?? '').replace(/\\(.)/g, '$1');
}

/** Titles as the manual may shorten them: it may stop at any word. */
function isTestedBy(title: string, file: string): boolean {
  const path = join(root, file);
  if (!file.endsWith('.test.ts') || !existsSync(path)) return false;
  return titlesIn(readFileSync(path, 'utf8')).some((one) => one.includes(title));
}

function missing([threat = '', , shownBy = '']: readonly string[]): readonly string[] {
  const named = [...shownBy.matchAll(/"(.+?)" in `([^`]+)`/g)];
  if (named.length === 0) return [`${threat}: no test`];
  return named.filter(([, title, file]) => !isTestedBy(title!, file!)).map(([link]) => `${threat}: ${link}`);
}

test('each threat has its answer and names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  expect(rows.flatMap(missing)).toEqual([]);
});

test('a row without a test, or with one that is not there, is seen', () => {
  expect(missing(['a threat', 'an answer', 'somewhere'])).toEqual(['a threat: no test']);
  expect(missing(['a threat', 'an answer', '"no such title" in `test/secrets.test.ts`'])).toHaveLength(1);
  expect(missing(['a threat', 'an answer', '"a title" in `test/none.test.ts`'])).toHaveLength(1);
  expect(missing(['a threat', 'an answer', '"an oversized answer" in `test/delivery/fates.ts`'])).toHaveLength(1);
});

test('a title is one of a test that runs: no comment, no other text, nothing that is skipped', () => {
  const text = `// the comment of it
    const other = 'another text';
    test('a test', () => {});
    test.skip('a skipped one', async () => {});
    it.todo('one to do');
    test.skipIf(process.platform === 'win32')(
      'one of this system',
      async () => {},
    );
    test.each([['a row', 1]])('%s: %i', (a, b) => {});`;
  expect(titlesIn(text)).toEqual(['a test', 'one of this system', '%s: %i', 'a row']);
});

type Claims = { readonly [claim: string]: readonly (readonly [title: string, file: string])[] };

/** Each claim of the page by the words that it begins with in bold, or by the first cell of its row. */
const OF_SECURITY: Claims = {
  'Documents are not sent twice': [
    ['SIGKILL at random instants, then on: every document once', 'test/kill.test.ts'],
    ['%s after a kill at every write: nothing lost, nothing twice', 'test/recovery.test.ts'],
  ],
  Secrets: [
    ['a literal secret in the file is refused', 'test/config.test.ts'],
    ['a short secret is scrubbed from the log', 'test/security/secrets.test.ts'],
    ['in a private file, that of the service manager before ours', 'test/secrets.test.ts'],
  ],
  Tokens: [
    [
      'the secret goes to the identity provider alone, the token to the service alone',
      'test/security/outbound.test.ts',
    ],
    ['%s is no address', 'test/security/hostile-input.test.ts'],
    ['HTTP %i of a service and of its token call leads nowhere', 'test/security/outbound.test.ts'],
    ['may not switch the certificate checks off', 'test/delivery/deliver.test.ts'],
  ],
  'Hostile exports': [
    ['every document with a DOCTYPE is refused', 'test/corpora/xml.test.ts'],
    ['an entry that is not a plain file is refused once', 'test/inbox/scan.test.ts'],
    [
      'receipts of hostile numbers stay in their folder, each has its own, and no file is outside',
      'test/security/hostile-input.test.ts',
    ],
    ['a link in the place of the mark of an answers folder is not followed', 'test/security/hostile-member.test.ts'],
  ],
  'Hostile mappings and settings': [
    ['the pattern %s takes linear time', 'test/security/hostile-input.test.ts'],
    ['tables and samples are read from inside the instance alone', 'test/security/hostile-input.test.ts'],
    ['what holds secrets and documents is no table and no sample', 'test/security/hostile-input.test.ts'],
    ['aliases that grow', 'test/model/yaml-reading.test.ts'],
  ],
  'Answers of services': [
    ['keeps a bounded part of a long answer', 'test/delivery/policy.test.ts'],
    ['code %i counts with our echo or none, never with another one', 'test/delivery/policy.test.ts'],
  ],
  'The console': [
    ['a change of %s ends the sessions of the person', 'test/console/serve.test.ts'],
    ['a post with %s', 'test/console/serve.test.ts'],
    ['every answer has the headers that keep scripts, frames and caches out', 'test/console/serve.test.ts'],
  ],
  Modes: [['umask 000: every folder 0700, every file 0600 or stricter', 'test/security/private-files.test.ts']],
  'Secret files': [['in a private file, that of the service manager before ours', 'test/secrets.test.ts']],
  'Other accounts': [
    ['an instance as init and a run make it is open to no other account', 'test/security/foreign-writers.test.ts'],
  ],
};

const TWO = 'test/decisions/two-people.test.ts';
const CONSOLE = 'test/console/approvals.test.ts';
const OF_TWO_PEOPLE: Claims = {
  '`in-doubt`': [['every act in every state, with each amount and setting', TWO]],
  '`above`': [['every act in every state, with each amount and setting', TWO]],
  '`expires`': [['that no one approves in time expires, and cannot be approved any more', TWO]],
  'On the command line': [
    ['waits, is not done by a run, is approved by another person alone', TWO],
    ['that is %s by %s is not done, and the document says so', TWO],
    ['that another document of changed meanwhile leaves that one out', TWO],
  ],
  'In the console': [['on the pages another person sees before and after, approves or refuses', CONSOLE]],
  'Another person': [
    ['on the command line the account counts, whatever name is given', TWO],
    ['other ids and other names are other people', TWO],
  ],
  'The record': [
    ['is approved by another person alone, and both names are kept', TWO],
    ['that no one approves in time expires', TWO],
  ],
  'Every way is checked': [
    ['that was queued before the rule waits all the same, whichever program carries it out', TWO],
    ['a receipt in a decision folder decides nothing, and goes back with a note', TWO],
  ],
  'Made accounts': [['who made the account, a link or a token of a person is not another person', CONSOLE]],
  'The mapping': [['of a correction is about the mapping that it was asked with', TWO]],
};

/** It says what the rule does not prevent. */
const NO_CLAIMS = ['Known limits'];

function claimsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const leads = [...text.matchAll(/^(?:- )?\*\*([^*]+?)[.:]?\*\*/gm)].map(([, lead]) => lead!);
  const cells = [...text.matchAll(/^\| (`[^`]+`) \|/gm)].map(([, cell]) => cell!);
  return [...cells, ...leads].filter((claim) => !NO_CLAIMS.includes(claim));
}

test.each([
  ['SECURITY.md', OF_SECURITY],
  ['docs/how-to/admin/two-people.md', OF_TWO_PEOPLE],
])('each claim of %s is held by tests that exist', (file, held) => {
  expect(claimsOf(file).toSorted()).toEqual(Object.keys(held).toSorted());
  const links = Object.values(held).flat();
  expect(links.filter(([title, where]) => !isTestedBy(title, where))).toEqual([]);
});

test.each([
  ['SECURITY.md', ['Reporting', 'Protection', 'Permissions', 'Supported versions'], 5],
  ['docs/how-to/admin/two-people.md', [], 5],
])('%s claims nothing outside of these places', (file, sections, most) => {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
  if (sections.length > 0) expect([...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name)).toEqual(sections);
  const plain = text.split(/\n{2,}/).filter((part) => !/^(?:#|\||- |\*\*|\s*$)/.test(part));
  // Introductions, and what a person has to do.
  expect(plain.length).toBeLessThanOrEqual(most);
});
