/** Values in, one line of an answer file out: separated, fixed-width or XML. Nothing throws. */

import { guardFormula } from '../../model/correction.ts';
import { escapeXml, withoutNotXml } from '../../text/escape-xml.ts';
import { harmlessXml } from '../../text/printable.ts';
import type { AnswersEntry } from '../file/answers-shape.ts';
import type { AnswerField } from './compiled-answers.ts';

type Csv = NonNullable<AnswersEntry['format']['csv']>;
type Xml = NonNullable<AnswersEntry['format']['xml']>;

/** A number with a sign, which comes before the zeros that fill a field. */
const SIGNED = /^[+-]\d[\d.,]*$/;

/** RFC 4180 with the delimiter of the mapping; without a line end. */
export function csvLine(values: readonly string[], { delimiter, quote, for: reader }: Csv): string {
  const sign = delimiter === 'tab' ? '\t' : delimiter;
  const [only] = values;
  const cells = values.map((given) => {
    const value = reader === 'spreadsheet' ? guardFormula(given) : given;
    const isPlain = !value.includes(sign) && !/["\r\n]/.test(value);
    // A reader that trims would lose blanks at the ends, and an empty line of one empty cell.
    const isSafe = isPlain && value === value.trim() && !(values.length === 1 && only === '');
    if (quote === 'never') return isPlain ? value : value.replaceAll(sign, ' ').replace(/["\r\n]+/g, ' ');
    return quote === 'needed' && isSafe ? value : `"${value.replaceAll('"', '""')}"`;
  });
  return cells.join(sign);
}

/** Fields one after the other, filled to their widths, and the line to its own. */
export function fixedLine(fields: readonly AnswerField[], values: readonly string[], width = 0): string {
  const cells = fields.map(({ width: own = 0, align, fill }, n) => {
    const value = values[n] ?? '';
    const filler = fill.repeat(Math.max(0, own - [...value].length));
    if (align === 'left') return value + filler;
    return fill === '0' && SIGNED.test(value) ? value.slice(0, 1) + filler + value.slice(1) : filler + value;
  });
  return cells.join('').padEnd(width);
}

export function xmlStart({ encoding, root, namespace }: Xml, lineEnd: string): string {
  const scope = namespace === undefined ? '' : ` xmlns="${escaped(namespace)}"`;
  return `<?xml version="1.0" encoding="${encoding.toUpperCase()}"?>${lineEnd}<${root}${scope}>${lineEnd}`;
}

export function xmlEnd({ root }: Xml, lineEnd: string): string {
  return `</${root}>${lineEnd}`;
}

/** `@A` is an attribute, `A/B` an element in an element; fields that begin alike share their element. */
export function xmlElement(
  element: string,
  fields: readonly AnswerField[],
  values: readonly string[],
  lineEnd: string,
): string {
  const named = fields.map(({ name }, n) => ({ name, value: values[n] ?? '' }));
  const attributes = named.filter(({ name }) => name.startsWith('@'));
  const lines = [
    `  <${element}${attributes.map(({ name, value }) => ` ${name.slice(1)}="${escaped(value)}"`).join('')}>`,
  ];
  let open: readonly string[] = [];
  const close = (to: number) => {
    for (let at = open.length; at > to; at--) lines.push(`${'  '.repeat(at + 1)}</${open[at - 1] ?? ''}>`);
    open = open.slice(0, to);
  };
  for (const { name, value } of named.filter((one) => !one.name.startsWith('@'))) {
    const way = name.split('/');
    const leaf = way.pop() ?? '';
    let shared = 0;
    while (shared < open.length && shared < way.length && open[shared] === way[shared]) shared++;
    close(shared);
    for (const step of way.slice(shared)) {
      open = [...open, step];
      lines.push(`${'  '.repeat(open.length + 1)}<${step}>`);
    }
    lines.push(`${'  '.repeat(open.length + 2)}<${leaf}>${escaped(value)}</${leaf}>`);
  }
  close(0);
  lines.push(`  </${element}>`);
  return lines.join(lineEnd) + lineEnd;
}

function escaped(text: string): string {
  const valid = escapeXml(withoutNotXml(text));
  return harmlessXml(valid.replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`));
}
