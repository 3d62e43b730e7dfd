/** No call spreads a list of the data into its arguments: from some 120,000 items on it throws, and one long file ends a run. */
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { sourceFiles } from '../build/figures/source-files.ts';

type Node = { readonly type: string; readonly [key: string]: unknown };

/**
 * Spreads of a tuple or of the rest parameters of a few: how many each file has. Lower a number with its file; raise none
 * without a list whose length the code itself limits.
 */
const FEW: { readonly [path: string]: number } = {
  // The arguments of one screen, one line of a table, one text with values.
  'console/screens/mappings/studio-screen.ts': 1,
  'pages/markup.ts': 1,
  'pages/report-page.ts': 5,
  // Tuples.
  'documents/rules/fr/fr-reference-rules.ts': 1,
  'i18n/message.ts': 2,
  'ledger/installation/unknown-outputs.ts': 2,
  'ledger/records/answer-records.ts': 2,
  'search/search-index.ts': 1,
  'mapping/compile-mapping.ts': 1,
  'mapping/formula/compile-formula.ts': 1,
  'mapping/source/file-join.ts': 1,
  // Values of one statement, on the way to it.
  'ledger/intake/attachment-records.ts': 1,
  'ledger/records/selector.ts': 3,
  'ledger/records/source-files.ts': 2,
  'ledger/requests/queue-statements.ts': 1,
};

/** A statement has as many values as places, and each engine limits those. */
const STATEMENTS = ['run', 'all', 'ask'];

function spreadsIn(path: string, text: string): number {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  let count = 0;
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const isStatement =
        /^(?:database|ledger|search)\//.test(path) && STATEMENTS.includes(calledName(node.callee as Node));
      const spreads = (node.arguments as readonly Node[]).filter(({ type }) => type === 'SpreadElement');
      if (!isStatement) count += spreads.filter(({ argument }) => !isWritten(argument as Node)).length;
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(program as unknown as Node);
  return count;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}

function calledName({ type, name, property }: Node): string {
  return String(type === 'MemberExpression' ? (property as Node).name : name);
}

/** `[a, b]`, or a choice of such lists: its length is in the source, unless it has a spread inside. */
function isWritten({ type, elements, expression, consequent, alternate }: Node): boolean {
  if (type === 'ParenthesizedExpression') return isWritten(expression as Node);
  if (type === 'ConditionalExpression') return isWritten(consequent as Node) && isWritten(alternate as Node);
  const isWhole = (one: Node | null) => one?.type !== 'SpreadElement' || isWritten(one.argument as Node);
  return type === 'ArrayExpression' && (elements as readonly (Node | null)[]).every(isWhole);
}

test.each([
  ['list.push(...rows);', 1],
  ['Math.max(0, ...rows.map(({ row }) => row));', 1],
  ['new Set(...rows); new Date(...[2026, 1]);', 1],
  ['String.fromCharCode(...bytes);', 1],
  ['f?.(...rows); a.b?.push(...rows)', 2],
  ['f(...[a, ...rows]);', 1],
  ['f(...(isKnown ? [a] : []), ...(isKnown ? [a] : rows));', 1],
  ['sql.run(...values);', 1],
  ['const all = [...rows]; const one = { ...row };', 0],
] as const)('counts the spreads of data in %s', (text, count) => {
  expect(spreadsIn('readers/a.ts', text)).toBe(count);
});

test('the values of a statement of the ledger are as many as its places', () => {
  expect(spreadsIn('ledger/a.ts', 'sql.run(text, ...values); list.push(...values);')).toBe(1);
});

test('no file spreads data into arguments, except for the listed ones', () => {
  const found = sourceFiles(join(import.meta.dirname, '..')).map(({ path, text }) => [path, spreadsIn(path, text)]);
  expect(Object.fromEntries(found.filter(([, count]) => count !== 0))).toEqual(FEW);
});
