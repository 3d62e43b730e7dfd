/** Writes the draft line by line: indentation, scalars quoted where YAML would read something else, comments behind. */

export type Page = {
  readonly put: (indent: number, text: string, comment?: string) => void;
  readonly comment: (indent: number, text: string) => void;
  readonly blank: () => void;
  readonly text: () => string;
};

/** Long comments stand above their line, in lines of this width. */
const WIDTH = 118;

export function newPage(): Page {
  const lines: string[] = [];
  const comment = (indent: number, text: string) => {
    for (const line of wrapped(oneLine(text), WIDTH - indent - 2)) lines.push(`${' '.repeat(indent)}# ${line}`);
  };
  return {
    put: (indent, text, says) => {
      const line = `${' '.repeat(indent)}${text}`;
      if (says === undefined) lines.push(line);
      else if (line.length + says.length + 4 <= WIDTH) lines.push(`${line}  # ${oneLine(says)}`);
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
export function ref(name: string): string {
  return /^[\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*$/u.test(name)
    ? `$${name}`
    : `$[${name.replaceAll(']', ']]')}]`;
}

/** A column where its bare name stands: under one-per, never-twice. */
export function columnName(name: string): string {
  return /^[=$]/.test(name) ? value(ref(name)) : scalar(name);
}

/** A column behind `rows by`, where commas part the names and $ or [ begin a reference. */
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

function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029\0-\u001f]+/g, ' ');
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
