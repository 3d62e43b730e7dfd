/**
 * Words for a file that is not YAML, for people who do not know its grammar: errors of the parser in, faults out
 * (yaml/syntax, yaml/tab, yaml/key-twice, yaml/tag). One slip makes the parser fail on many lines after it, so only the
 * first place is reported, and keys that occur twice.
 */
import type { YAMLError } from 'yaml';
import { YAML_SYNTAX } from '../i18n/messages/yaml-files-messages.ts';
import { type DataFault, type Fault, type Localizable, type Mark, withMessage } from '../model/fault.ts';

type MarkAt = (start: number, length: number) => Mark;
/** Code and words of a syntax error; `at` and `length` if another place shows it better than that of the parser. */
type SyntaxError = Pick<DataFault, 'code' | keyof Localizable> & { readonly at?: number; readonly length?: number };

/**
 * `problems`: errors and warnings of the parser in any order. The faults are in the order of the file, each with its
 * mark.
 */
export function syntaxFaults(problems: readonly YAMLError[], text: string, markAt: MarkAt): readonly Fault[] {
  const inOrder = problems.toSorted((a, b) => a.pos[0] - b.pos[0]);
  const first = inOrder.findIndex(({ code }) => !HARMLESS.has(code));
  const reported = inOrder.filter(({ code }, n) => n === first || (HARMLESS.has(code) && (first < 0 || n < first)));
  return reported.map((problem) => {
    const start = Math.min(problem.pos[0], text.length);
    const { at = start, length = Math.min(problem.pos[1] - start, 40), ...fault } = describe(problem, text, start);
    return { ...fault, level: 'error', mark: markAt(at, length) };
  });
}

/** Errors after which the rest of the file is still read as meant. */
const HARMLESS: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED']);

function describe(problem: YAMLError, text: string, start: number): SyntaxError {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const [line = ''] = text.slice(lineStart).split('\n', 1);
  const own = describeByCode(problem, text.slice(start), line);
  if (own) return own;
  const byLine = describeLine(line);
  if (byLine) {
    const { place, words } = byLine;
    return { code: 'yaml/syntax', ...words, at: lineStart + line.indexOf(place), length: place.length };
  }
  const words = problem.message.startsWith('Flow ') ? unclosedBracket() : describeOther(problem);
  const indent = start === lineStart ? line.search(/\S/) : 0;
  return { code: 'yaml/syntax', ...words, at: start + Math.max(indent, 0) };
}

function describeByCode({ code }: YAMLError, rest: string, line: string): SyntaxError | undefined {
  if (code === 'TAB_AS_INDENT' || /^\s*\t/.test(line)) {
    return { code: 'yaml/tab', ...withMessage(YAML_SYNTAX.tab(), YAML_SYNTAX.tabHint()) };
  }
  if (code === 'DUPLICATE_KEY') {
    const [key] = /^[^:\s]*/.exec(rest) ?? [''];
    const words = withMessage(YAML_SYNTAX.keyTwice({ key }), YAML_SYNTAX.keyTwiceHint());
    return { code: 'yaml/key-twice', ...words, length: Math.max(key.length, 1) };
  }
  if (code !== 'TAG_RESOLVE_FAILED') return undefined;
  const [tag] = /^\S+/.exec(rest) ?? ['!'];
  return { code: 'yaml/tag', ...withMessage(YAML_SYNTAX.tag({ tag }), YAML_SYNTAX.tagHint()) };
}

/** `place` is the part of the line to underline. */
type LineError = { readonly place: string; readonly words: Localizable };

/** A slip that the line itself shows. */
function describeLine(line: string): LineError | undefined {
  const sign = /(?:: |- )\s*([@`%|>&]\S*)/.exec(line)?.[1];
  if (sign && /^[@`%]/.test(sign)) return { place: sign, words: needsQuotes(sign) };
  const dash = /^\s*(-[^\s-].*)$/.exec(line)?.[1];
  if (dash) return { place: dash, words: withMessage(YAML_SYNTAX.dash(), YAML_SYNTAX.dashHint()) };
  const colon = /^\s*(?:- )?([\w-]+:[^\s:/][^:]*)$/.exec(line)?.[1];
  if (colon) {
    const fixed = YAML_SYNTAX.write({ text: colon.replace(':', ': ') });
    return { place: colon, words: withMessage(YAML_SYNTAX.colon({ text: colon }), fixed) };
  }
  const value = /^\s*(?:- )?[\w$[\] -]+: +([^'"{[\s].*: .*)$/.exec(line)?.[1];
  if (!value) return undefined;
  const quoted = value.includes("'") ? `"${value.replaceAll('"', '\\"')}"` : `'${value}'`;
  return { place: value, words: withMessage(YAML_SYNTAX.colonInValue(), YAML_SYNTAX.write({ text: quoted })) };
}

/**
 * The words for a value whose first character YAML reserves: @, `, %, and a star, which the parser reads as an alias.
 */
export function needsQuotes(value: string): Localizable {
  const isOutput = /^@[\w.-]+$/.test(value);
  return withMessage(
    YAML_SYNTAX.sign({ sign: value.charAt(0) }),
    isOutput ? YAML_SYNTAX.writeOutput({ text: value }) : YAML_SYNTAX.writeQuoted({ text: value }),
  );
}

const INDENT_ERRORS: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'MULTILINE_IMPLICIT_KEY',
]);

function describeOther({ code, message }: YAMLError): Localizable {
  if (INDENT_ERRORS.has(code)) return withMessage(YAML_SYNTAX.indent(), YAML_SYNTAX.indentHint());
  if (code === 'MISSING_CHAR') return withMessage(YAML_SYNTAX.quote(), YAML_SYNTAX.quoteHint());
  return withMessage(YAML_SYNTAX.unknown({ message: message.replace(/\s+/g, ' ') }), YAML_SYNTAX.unknownHint());
}

function unclosedBracket(): Localizable {
  return withMessage(YAML_SYNTAX.bracket(), YAML_SYNTAX.bracketHint());
}
