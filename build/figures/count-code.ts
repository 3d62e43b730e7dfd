/** Counts kinds of syntax in the parsed sources. A file that does not parse stops the count. */
import { type Comment, parseSync } from 'oxc-parser';
import type { SourceFile } from './source-files.ts';

export type CodeCounts = {
  readonly nonNull: number;
  readonly conditionals: number;
  readonly nestedConditionals: number;
  readonly conditionalSpreads: number;
  readonly manyParameters: number;
  readonly booleanParameters: number;
  readonly commentLines: number;
  /** Names that two or more files export, sorted. */
  readonly homonyms: readonly string[];
};

type Node = { readonly type: string; readonly [key: string]: unknown };
type Tally = { -readonly [name in Exclude<keyof CodeCounts, 'homonyms'>]: number };

const MANY_PARAMETERS = 5;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

export function countCode(files: readonly SourceFile[]): CodeCounts {
  const tally: Tally = {
    nonNull: 0,
    conditionals: 0,
    nestedConditionals: 0,
    conditionalSpreads: 0,
    manyParameters: 0,
    booleanParameters: 0,
    commentLines: 0,
  };
  const exporters = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const { program, comments, module, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    visit(program as unknown as Node, false, tally);
    tally.commentLines += commentLines(text, comments);
    const names = module.staticExports.flatMap(({ entries }) => entries.filter((entry) => !entry.moduleRequest));
    for (const { exportName } of names) {
      if (exportName.name === null) continue;
      exporters.set(exportName.name, (exporters.get(exportName.name) ?? new Set()).add(path));
    }
  }
  const homonyms = [...exporters].filter(([, paths]) => paths.size > 1).map(([name]) => name);
  return { ...tally, homonyms: homonyms.sort() };
}

function visit(node: Node, isInConditional: boolean, tally: Tally): void {
  const isConditional = node.type === 'ConditionalExpression';
  if (node.type === 'TSNonNullExpression') tally.nonNull++;
  if (isConditional) tally.conditionals++;
  if (isConditional && isInConditional) tally.nestedConditionals++;
  if (isConditionalSpread(node)) tally.conditionalSpreads++;
  if (FUNCTIONS.includes(node.type)) countParameters(node.params as readonly Node[], tally);
  // A conditional in a function or call within a branch is one of its own.
  const passesOn = isConditional || node.type === 'ParenthesizedExpression';
  for (const child of childrenOf(node)) visit(child, passesOn && (isConditional || isInConditional), tally);
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}

/** `...(condition ? { key } : {})` or `...(condition ? [item] : [])`. */
function isConditionalSpread({ type, argument }: Node): boolean {
  if (type !== 'SpreadElement') return false;
  let inner = argument as Node;
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression as Node;
  if (inner.type !== 'ConditionalExpression') return false;
  return [inner.consequent, inner.alternate].some((branch) => isEmpty(branch as Node));
}

function isEmpty({ type, properties, elements }: Node): boolean {
  if (type === 'ObjectExpression') return (properties as readonly Node[]).length === 0;
  return type === 'ArrayExpression' && (elements as readonly unknown[]).length === 0;
}

function countParameters(parameters: readonly Node[], tally: Tally): void {
  if (parameters.length >= MANY_PARAMETERS) tally.manyParameters++;
  tally.booleanParameters += parameters.filter(isBoolean).length;
}

function isBoolean(parameter: Node): boolean {
  const named = (parameter.type === 'AssignmentPattern' ? parameter.left : parameter) as Node;
  const annotation = (named.typeAnnotation as Node | null | undefined)?.typeAnnotation as Node | undefined;
  const isFlag = parameter.type === 'AssignmentPattern' && typeof (parameter.right as Node).value === 'boolean';
  return annotation?.type === 'TSBooleanKeyword' || isFlag;
}

/** Lines that a comment is on, also after code. */
function commentLines(text: string, comments: readonly Comment[]): number {
  const lines = new Set<number>();
  let line = 0;
  let at = 0;
  for (const { start, end } of comments) {
    for (; at < start; at++) if (text[at] === '\n') line++;
    for (; at < end; at++) {
      lines.add(line);
      if (text[at] === '\n') line++;
    }
  }
  return lines.size;
}
