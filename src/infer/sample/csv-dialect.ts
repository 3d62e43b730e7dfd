/**
 * Text of a delimited file to its delimiter, quote, line ends and records. The delimiter is the character that cuts the
 * most rows into one and the same number of cells.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { count, type Notes } from '../findings/draft-findings.ts';

export type Dialect = {
  readonly delimiter: string;
  readonly quote: '"' | "'" | 'none';
  readonly finalLineEnd: boolean;
  readonly sepLine: string;
};

/** `row` as a spreadsheet counts; `from` and `to` cut the record out of the text, its line end included. */
export type SampleRecord = {
  readonly cells: readonly string[];
  readonly row: number;
  readonly from: number;
  readonly to: number;
};

const DELIMITERS = [';', '\t', '|', ',', '^', '~', '¦', '§'];
const NAMES: { readonly [mark: string]: string } = { '\t': 'tab', ';': 'semicolon', ',': 'comma', '|': 'pipe' };

export function findDialect(text: string, notes: Notes): Dialect {
  const sepLine = /^sep=.{1,3}?(?:\r\n|\n|\r)/i.exec(text)?.[0] ?? '';
  const lines = sampleLines(text.slice(sepLine.length));
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, ...evenness(lines, delimiter) })).sort(
    (a, b) => b.score - a.score,
  );
  const named = sepLine === '' ? undefined : sepLine.slice(4).replace(/[\r\n]+$/, '');
  const best = named === undefined ? scored[0]! : { ...evenness(lines, named), delimiter: named };
  const runnerUp = scored.find(({ delimiter, cells }) => delimiter !== best.delimiter && cells > 1);
  const name = NAMES[best.delimiter] ?? best.delimiter;
  notes.found(
    'source.delimiter',
    named === undefined
      ? `${name}: cuts ${best.rows} of ${count(lines.length, 'line')} into ${best.cells} cells`
      : `${name}: the first line says so (${sepLine.trim()})`,
  );
  if (best.cells < 2) {
    notes.ask(
      95,
      'source.delimiter',
      'Delimiter: no character cuts the lines into columns. Is this an export of rows?',
    );
  } else if (named === undefined && runnerUp && runnerUp.score > 0.8 * best.score) {
    notes.ask(
      60,
      'source.delimiter',
      `Delimiter: the ${name} makes ${best.cells} cells a line, the ${NAMES[runnerUp.delimiter] ?? runnerUp.delimiter} ${runnerUp.cells}. The first was taken.`,
    );
  }
  noteLineEnds(text, notes);
  const finalLineEnd = /[\r\n]\x1a*$/.test(text);
  if (!finalLineEnd) {
    notes.found('source.final-line-end', 'the sample does not end with a line end');
    notes.ask(
      30,
      'source.final-line-end',
      'The last line has no line end: either the ERP never writes one, or the sample was cut. If it does write one, ' +
        'take "final-line-end: optional" out, because it is what betrays a file that was cut.',
    );
  }
  return { delimiter: best.delimiter, quote: quoteOf(text, best.delimiter, notes), finalLineEnd, sepLine };
}

/** The records of the table, empty lines left out and counted. `rowsAbove` lines were cut off before. */
export function recordsOf(
  table: string,
  { delimiter, quote }: Pick<Dialect, 'delimiter' | 'quote'>,
  rowsAbove: number,
): readonly SampleRecord[] | undefined {
  const text = table.replace(/\x1a+$/, '');
  const bytes = Buffer.from(text);
  try {
    const records = parse(bytes, {
      delimiter,
      quote: quote === 'none' ? null : quote,
      escape: quote === 'none' ? null : quote,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    }) as unknown as readonly { record: string[]; info: { bytes: number; records: number; empty_lines: number } }[];
    let from = 0;
    let characters = 0;
    return records.map(({ record, info }) => {
      const start = characters;
      characters += bytes.toString('utf8', from, info.bytes).length;
      from = info.bytes;
      return { cells: record, row: rowsAbove + info.records + info.empty_lines, from: start, to: characters };
    });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

export function sampleLines(text: string): readonly string[] {
  const lines = text.replace(/\x1a+$/, '').split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Cells of one line, quotes honoured where a cell begins with one. */
export function splitCells(line: string, delimiter: string): readonly string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (!quoted && line.startsWith(delimiter, at)) {
      cells.push(cell);
      cell = '';
      at += delimiter.length - 1;
    } else cell += line[at];
  }
  return [...cells, cell];
}

/** The commonest number of cells, how many lines have it, and a score of both. */
function evenness(lines: readonly string[], delimiter: string): { score: number; cells: number; rows: number } {
  const widths = new Map<number, number>();
  const some = lines.slice(0, 2000).filter((line) => line.trim() !== '');
  for (const line of some) {
    const cells = splitCells(line, delimiter).length;
    widths.set(cells, (widths.get(cells) ?? 0) + 1);
  }
  const [cells, rows] = [...widths].filter(([width]) => width > 1).sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [
    1, 0,
  ];
  // Files of several record types are even in few widths rather than in one.
  const inFew = [...widths]
    .filter(([width]) => width > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3);
  const share = inFew.reduce((sum, [, n], at) => sum + n / (at + 1), 0) / Math.max(some.length, 1);
  return { score: share * Math.log2(cells), cells, rows };
}

function quoteOf(text: string, delimiter: string, notes: Notes): Dialect['quote'] {
  if (!text.includes('"')) {
    const single = sampleLines(text)
      .flatMap((line) => line.split(delimiter))
      .filter((cell) => /^'.*'$/.test(cell));
    if (single.length > sampleLines(text).length) {
      notes.found('source.quote', `${single.length} cells stand between single quotes`);
      return "'";
    }
    return '"';
  }
  // Above the table a lone quote does no harm.
  const wide = sampleLines(text).filter((line) => line.includes(delimiter));
  if (recordsOf(wide.join('\n'), { delimiter, quote: '"' }, 0) !== undefined) return '"';
  if (recordsOf(text, { delimiter, quote: '"' }, 0) !== undefined) return '"';
  const example = wide
    .flatMap((line) => line.split(delimiter))
    .find((cell) => /[^"]"/.test(cell) || /^"[^"]*$/.test(cell));
  notes.found(
    'source.quote',
    `quotes stand inside cells, as in ${example?.trim().slice(0, 30) ?? '"'}: they mean inches or speech`,
  );
  return 'none';
}

function noteLineEnds(text: string, notes: Notes): void {
  const pairs = text.split('\r\n').length - 1;
  const feeds = text.split('\n').length - 1 - pairs;
  const returns = text.split('\r').length - 1 - pairs;
  const found = [
    ...(pairs > 0 ? [`CR LF (Windows) on ${count(pairs, 'line')}`] : []),
    ...(feeds > 0 ? [`LF on ${count(feeds, 'line')}`] : []),
    ...(returns > 0 ? [`CR alone on ${count(returns, 'line')}`] : []),
  ];
  if (found.length > 0) notes.found('source.format', `line ends: ${found.join(', ')}; all kinds are read`);
}
