/** Every fault code of docs/reference/faults-*.md is produced by a test, or there is a reason why none can. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DOCUMENT_KINDS } from '../src/catalogue.ts';

const root = join(import.meta.dirname, '..');

/** Codes that no test gives, and why. */
const WITHOUT_TEST: { readonly [code: string]: string } = {
  'infer/too-large': 'takes a sample of many megabytes',
  'correction/too-large': 'takes a correction file of many megabytes',
  'inbox/too-many-open-files': 'takes a limit of the whole system',
  'inbox/cannot-copy': 'takes a disk that fails between looking and copying',
  'ledger/unreadable': 'takes a disk that fails',
  'backup/damaged': 'takes a disk that fails between the quick check and the thorough one',
  'sandbox/cannot-listen': 'takes a port that the system forbids',
  'map/too-deep': 'the limit of YAML comes first where blocks are written out',
  'fr-invoice/not-text-or-object': 'a nested subtotal of the wrong kind is told by the branch that is nearest',
};

test('each documented code is given by a test, or has a reason', () => {
  const documented = textOf('docs/reference', (path) => path.startsWith('faults-'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
  const tested = textOf('test', (path) => /\.(?:ts|yaml)$/.test(path) && !path.endsWith('fault-codes.test.ts'));
  const given = tested + textOf('samples', (path) => /expect.*\.txt$/.test(path));
  // The examples of rules run as tests, each held against its own code.
  const ofRules = new Set(DOCUMENT_KINDS.flatMap(({ rules }) => rules.rules.map(({ code }) => code)));
  const isGiven = (code: string) => ofRules.has(code) || new RegExp(`${code}(?![a-z-])`).test(given);
  expect(documented.filter((code) => !isGiven(code) && WITHOUT_TEST[code] === undefined)).toEqual([]);
  expect(Object.keys(WITHOUT_TEST).filter((code) => isGiven(code) || !documented.includes(code))).toEqual([]);
});

function textOf(folder: string, wanted: (path: string) => boolean): string {
  const paths = readdirSync(join(root, folder), { recursive: true }).map(String).filter(wanted);
  return paths.map((path) => readFileSync(join(root, folder, path), 'utf8')).join('\n');
}
