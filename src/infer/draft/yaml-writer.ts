/**
 * Writes the draft line by line: indentation, scalars in quotes where YAML would read something else, and comments in the
 * language of the instance.
 */
import { format, type Language, type Message } from '../../i18n/message.ts';

/** A text is one of the file; several are joined by semicolons. */
type Comment = string | Message | readonly (string | Message)[] | undefined;

export type YamlWriter = {
  /** A line of YAML; a comment too long for its line is above it. */
  readonly put: (indent: number, text: string, comment?: Comment) => void;
  readonly comment: (indent: number, text: string | Message) => void;
  readonly blank: () => void;
  readonly text: () => string;
};

const WIDTH = 118;

export function createYamlWriter(language: Language): YamlWriter {
  const lines: string[] = [];
  const toText = (one: string | Message) => oneLine(typeof one === 'string' ? one : format(one, language));
  const comment = (indent: number, text: string | Message) => {
    for (const line of wrapWords(toText(text), WIDTH - indent - 2)) lines.push(`${' '.repeat(indent)}# ${line}`);
  };
  return {
    put: (indent, text, comments) => {
      const line = `${' '.repeat(indent)}${text}`;
      const says = [comments ?? []].flat().map(toText).join('; ');
      if (says === '') lines.push(line);
      else if (line.length + says.length + 4 <= WIDTH) lines.push(`${line}  # ${says}`);
      else {
        comment(indent, says);
        lines.push(line);
      }
    },
    comment,
    blank: () => lines.push(''),
    text: () => `${lines.join('\n')}\n`,
  };
}

/** A text as a YAML scalar that stays a text, in blocks and in `{ }` and `[ ]`. */
export function scalar(text: string): string {
  const plain =
    /^[\p{L}_][\p{L}\p{N}_ .()/°'’+-]*$/u.test(text) &&
    text.trim() === text &&
    !/^(?:true|false|null|yes|no|on|off|y|n|~)$/i.test(text);
  return plain ? text : quoted(text);
}

/** In quotes; single ones where the text has double ones of its own, as formulas do. */
export function quoted(text: string): string {
  return text.includes('"') && !/['\\\p{C}]/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** A column inside a formula: $Qte, $[PU HT]. */
export function columnReference(name: string): string {
  return /^[\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*$/u.test(name)
    ? `$${name}`
    : `$[${name.replaceAll(']', ']]')}]`;
}

/** A column where its bare name is: under one-per, never-twice. */
export function columnName(name: string): string {
  return /^[=$]/.test(name) ? value(columnReference(name)) : scalar(name);
}

/** A column after `rows by`, where commas part the names and $ or [ begin a reference. */
export function groupName(name: string): string {
  return /^[$[]|[,\]]/.test(name) ? `$[${name.replaceAll(']', ']]')}]` : name;
}

/** A column or formula as a YAML value. */
export function value(text: string): string {
  return /[[\]{},#:"'&*!|>%@`]/.test(text) ? quoted(text) : text;
}

/** `= formula` as a YAML value. */
export function formula(text: string): string {
  return value(`= ${text}`);
}

/** One condition, or all of them as a formula. */
export function allOf(conditions: readonly string[]): string {
  return conditions.length > 1 ? `AND(${conditions.join(', ')})` : conditions.join('');
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029\0-\u001f]+/g, ' ');
}

function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
