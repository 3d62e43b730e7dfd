/**
 * What is wrong with a file that is no YAML, in the words of somebody who has never heard of its grammar.
 *
 * One slip makes the parser stumble over many lines after it: only the first place is told, and keys that stand twice.
 */
import type { YAMLError } from 'yaml';
import type { Fault, Mark } from '../model/fault.ts';

type MarkAt = (start: number, length: number) => Mark;
type Words = Pick<Fault, 'code' | 'message' | 'hint'> & { readonly at?: number; readonly length?: number };

export function syntaxFaults(problems: readonly YAMLError[], text: string, markAt: MarkAt): readonly Fault[] {
  const inOrder = problems.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const first = inOrder.findIndex(({ code }) => !HARMLESS.has(code));
  const told = inOrder.filter(({ code }, n) => n === first || (HARMLESS.has(code) && (first < 0 || n < first)));
  return told.map((problem) => {
    const start = Math.min(problem.pos[0], text.length);
    const { at = start, length = Math.min(problem.pos[1] - start, 40), ...words } = wordsFor(problem, text, start);
    return { ...words, level: 'error', mark: markAt(at, length) };
  });
}

/** These leave the rest of the file as it is. */
const HARMLESS: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED']);

function wordsFor(problem: YAMLError, text: string, start: number): Words {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart).split('\n', 1)[0] ?? '';
  const own = ownWords(problem, text.slice(start), line);
  if (own) return own;
  const byLine = wordsForLine(line);
  if (!byLine) {
    const words = /^Flow /.test(problem.message) ? UNCLOSED : (BY_CODE[problem.code] ?? unknownTo(problem));
    const word = start === lineStart ? line.search(/\S/) : 0;
    return { code: 'yaml/syntax', ...words, at: start + Math.max(word, 0) };
  }
  const { place, ...words } = byLine;
  const at = line.indexOf(place);
  return { code: 'yaml/syntax', ...words, at: lineStart + at, length: place.length };
}

function ownWords(problem: YAMLError, rest: string, line: string): Words | undefined {
  if (problem.code === 'TAB_AS_INDENT' || /^\s*\t/.test(line)) {
    return { code: 'yaml/tab', message: 'a tab cannot indent a YAML file', hint: 'use two blanks for each level' };
  }
  if (problem.code === 'DUPLICATE_KEY') {
    const key = /^[^:\s]+/.exec(rest)?.[0] ?? '';
    const message = `the key "${key}" stands twice in this block`;
    return { code: 'yaml/key-twice', message, hint: 'keep one of the two', length: Math.max(key.length, 1) };
  }
  if (problem.code === 'TAG_RESOLVE_FAILED') {
    const tag = /^\S+/.exec(rest)?.[0] ?? '!';
    return {
      code: 'yaml/tag',
      message: `a value cannot start with ${tag}`,
      hint: 'remove it, or put the value in quotes',
    };
  }
  return undefined;
}

type LineWords = { readonly message: string; readonly hint: string; readonly place: string };

/** A slip that the line itself shows. */
function wordsForLine(line: string): LineWords | undefined {
  const sign = /(?:: |- )\s*([@`%|>&]\S*)/.exec(line)?.[1];
  if (sign && /^[@`%]/.test(sign)) return startsWith(sign);
  const dash = /^\s*(-[^\s-].*)$/.exec(line)?.[1];
  if (dash)
    return {
      place: dash,
      message: 'an entry of a list needs a blank behind its "-"',
      hint: 'write "- " in front of it',
    };
  const colon = /^\s*(?:- )?([\w-]+:[^\s:/][^:]*)$/.exec(line)?.[1];
  if (colon) {
    const hint = `write ${colon.replace(':', ': ')}`;
    return { place: colon, message: `a colon needs a blank behind it: "${colon}"`, hint };
  }
  const value = /^\s*(?:- )?[\w$[\] -]+: +([^'"{[\s].*: .*)$/.exec(line)?.[1];
  if (!value) return undefined;
  const quoted = value.includes("'") ? `"${value.replaceAll('"', '\\"')}"` : `'${value}'`;
  return { place: value, message: 'a value with ": " in it needs quotes', hint: `write ${quoted}` };
}

/** Also for a star, which the parser takes for the name of an alias. */
export function startsWith(value: string): LineWords {
  const isOutput = /^@[\w.-]+$/.test(value);
  return {
    place: value,
    message: `a value that starts with "${value[0]}" needs quotes`,
    hint: isOutput ? `write "= ${value}" for that value of the output` : `write "${value}"`,
  };
}

const INDENT = {
  message: 'this line is not indented as the lines it belongs to',
  hint: 'indent it by as many blanks as the keys beside it; a key above it may have a value already',
};

const BY_CODE: { readonly [code: string]: Pick<Words, 'message' | 'hint'> } = {
  BAD_INDENT: INDENT,
  BLOCK_AS_IMPLICIT_KEY: INDENT,
  BLOCK_IN_FLOW: INDENT,
  MULTILINE_IMPLICIT_KEY: INDENT,
  MISSING_CHAR: { message: 'a quote is not closed', hint: 'close it here or on a line before' },
};

const UNCLOSED = {
  message: 'a "{" or "[" on a line before is not closed',
  hint: 'close it there, and keep what is inside indented',
};

function unknownTo({ message }: YAMLError): Pick<Words, 'message' | 'hint'> {
  return {
    message: `this cannot be read as YAML (${message.replace(/\s+/g, ' ')})`,
    hint: 'check indentation, colons and quotes here and on the line before',
  };
}
