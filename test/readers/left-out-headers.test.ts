/** Records below one that a rule leaves out: none of them comes out whole under a header that is not its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';
import { runs } from '../seed.ts';
import { type Outcome, readAll } from './make.ts';

/** H, S and L are the levels, V is a list. D is a header that the mapping does not know, T a text of the document around it. */
type Kind = 'H' | 'S' | 'L' | 'V' | 'D' | 'T';
type Written = { readonly kind: Kind; readonly id: string };
type Shape = { readonly three: boolean; readonly optional: boolean; readonly lists: boolean; readonly label: boolean };

const OTHER = 'Q';

function csvSource({ three, optional, lists, label }: Shape): object {
  const levels = ['H', ...(three ? ['S'] : []), 'L'].map((value) => ({ value, columns: ['', value] }));
  return {
    'final-line-end': 'optional',
    'leave-out': [
      { column: 2, 'starts-with': OTHER },
      { column: 1, equals: 'D' },
      { column: 1, equals: 'T', ...(label ? { label: true } : {}) },
    ],
    'record-types': {
      levels,
      'lines-optional': optional,
      ...(lists ? { lists: { vat: { value: 'V', columns: ['', 'id'] } } } : {}),
    },
  };
}

function fixedSource({ three, optional, lists, label }: Shape): object {
  const levels = ['H', ...(three ? ['S'] : []), 'L'].map((value) => ({ value, columns: { [value]: '2-5' } }));
  return {
    'final-line-end': 'optional',
    'trailing-blanks': 'cut',
    'leave-out': [
      { at: 2, equals: OTHER },
      { at: 1, equals: 'D' },
      { at: 1, equals: 'T', ...(label ? { label: true } : {}) },
    ],
    'record-types': {
      at: 1,
      levels,
      'lines-optional': optional,
      ...(lists ? { lists: { vat: { value: 'V', columns: { id: '2-5' } } } } : {}),
    },
  };
}

/** Whose each record is: the header above it, known to the mapping or not; '' above the first one. */
function ownersOf(records: readonly Written[]): readonly string[] {
  let owner = '';
  return records.map(({ kind, id }) => {
    if (kind === 'H' || kind === 'D') owner = id;
    return owner;
  });
}

const files: fc.Arbitrary<Drawn> = fc.record({
  three: fc.boolean(),
  optional: fc.boolean(),
  lists: fc.boolean(),
  label: fc.boolean(),
  kinds: fc.array(
    fc.tuple(fc.constantFrom<Kind[]>('H', 'S', 'L', 'L', 'V', 'D', 'T'), fc.integer({ min: 0, max: 3 })),
    {
      minLength: 3,
      maxLength: 14,
    },
  ),
});

type Drawn = Shape & { readonly kinds: readonly (readonly [Kind, number])[] };

function written({ three, lists, kinds }: Drawn): readonly Written[] {
  return kinds
    .filter(([kind]) => (kind !== 'S' || three) && (kind !== 'V' || lists))
    .map(([kind, sign], at) => ({ kind, id: `${sign === 0 && kind === 'H' ? OTHER : kind}${at}` }));
}

/** What is wrong with the rows of such a file, if anything. */
function problems(records: readonly Written[], { rows, leftOut }: Outcome, width: number): readonly string[] {
  const owners = ownersOf(records);
  const found: string[] = [];
  const byRow = new Map(rows.map((row) => [row.row, row]));
  const left = new Set(leftOut.map(({ row }) => row));
  if (byRow.size !== rows.length) found.push('a row twice');
  for (const [at, { kind, id }] of records.entries()) {
    const row = byRow.get(at + 1);
    if (left.has(at + 1) && row) found.push(`row ${at + 1} in two places`);
    if (left.has(at + 1) || kind !== 'L') continue;
    if (!row) found.push(`line ${id} lost`);
    else if (!row.broken && row.cells[0] !== owners[at])
      found.push(`line ${id} of ${owners[at]} is in ${row.cells[0]}`);
    else if (row.broken?.code.endsWith('/line-without-header') && isLoud(row, rows, owners[at] ?? '')) continue;
    else if (row.broken && row.cells[width - 1] === '') found.push(`line ${id} without cells`);
  }
  for (const { cells, row, broken } of rows) {
    const items = cells.at(-1);
    if (broken || !items?.startsWith('[')) continue;
    for (const { id } of JSON.parse(items) as { id: string }[]) {
      const at = records.findIndex((one) => one.id === id);
      if (owners[at] !== cells[0]) found.push(`item ${id} of ${owners[at]} is on row ${row}`);
    }
  }
  return found;
}

/** A line that is refused holds its own document back: by its cells, or because its document is unknown. */
function isLoud({ cells, readable }: Row, rows: readonly Row[], owner: string): boolean {
  return readable !== true || cells[0] === owner || !rows.some((row) => !row.broken && row.cells[0] === owner);
}

describe('a record that a rule leaves out', () => {
  it.each([
    ['csv', csvReader, csvSource, ({ kind, id }: Written) => `${kind};${id}`],
    ['fixed', fixedReader, fixedSource, ({ kind, id }: Written) => `${kind}${id}`],
  ] as const)('gives nothing below it to another header: %s', async (_, reader, sourceOf, line) => {
    await fc.assert(
      fc.asyncProperty(files, async (file) => {
        const records = written(file);
        fc.pre(records.length > 0);
        const outcome = await readAll(reader, records.map(line).join('\n'), sourceOf(file));
        expect(problems(records, outcome, file.three ? 3 : 2)).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a kind of header that no level names', () => {
  const FILE = ['E;F1;fa', 'L;1;10', 'L;2;20', 'D;D1;de', 'L;3;30', 'E;F2;fa', 'L;4;40', ''].join('\n');
  const mapping = (header: string, leaveOut: string, keep = '', onePer = '[Num]') => `mapping: sales
version: 1
target: fr-invoice
accepts: { files: "*" }
source:
  format: csv
  record-types:
    levels:
      - { value: ${header}, columns: [Kind, Num, Genre] }
      - { value: L, columns: [Type, No, Net] }
  ${leaveOut}
  columns: { Net: number }
calculated-columns: { rate: = 20 }
documents: { one-per: ${onePer}, class: invoice${keep} }
output:
  document: { identifier: $Num, date: "2026-11-20", currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }
  lines: { each: row, make: { number: $No, quantity: 1, unit-price: $Net, net-amount: $Net } }
  totals: { standard: { net: $Net, rate: $rate, currency: EUR } }
`;
  const leaveOut = 'leave-out: [{ column: 1, equals: D }]';
  const made = async (yaml: string) => {
    const { outcomes, faults, refused, leftOut } = await convertText(yaml, FILE);
    const documents = outcomes.map((one) => {
      const { facts, rows } = 'document' in one ? one.document : one;
      return [facts?.identifier, 'document' in one, rows];
    });
    return { documents, codes: [...refused, ...faults].map(({ code }) => code), leftOut: leftOut.map((one) => one[0]) };
  };

  it('holds back the document above it, and that one alone', async () => {
    const { documents, codes, leftOut } = await made(mapping('E', leaveOut));
    expect(documents).toEqual([
      ['F1', false, [2, 3, 5]],
      ['F2', true, [7]],
    ]);
    expect(codes).toEqual(['csv/line-without-header']);
    expect(leftOut).toEqual(['4']);
  });

  it('leaves the next document as it is, also below a further level', async () => {
    const levels = mapping('E', leaveOut).replace(
      /( *)- \{ value: L/,
      '$1- { value: B, columns: [Level, Note] }\n$1- { value: L',
    );
    const text = FILE.replaceAll(/(?<=^[ED];.*\n)/gm, 'B;1\n');
    const { outcomes } = await convertText(levels, text);
    expect(outcomes.map((one) => ('document' in one ? one.document.rows : 'faults'))).toEqual(['faults', [10]]);
  });

  it.each(['row', 'file'])('holds back what is made one per %s', async (onePer) => {
    const { documents } = await made(mapping('E', leaveOut, '', onePer));
    expect(documents.filter(([, isMade, rows]) => isMade && (rows as number[]).includes(5))).toEqual([]);
  });

  it('goes with its lines by keep, once it is a further value of the level', async () => {
    const { documents, leftOut } = await made(mapping('[E, D]', '', ', keep: = $Kind = "E"'));
    expect(documents).toEqual([
      ['F1', true, [2, 3]],
      ['F2', true, [7]],
    ]);
    expect(leftOut).toEqual(['5']);
  });

  it('is a part of the document above it where the rule says that it is a label', async () => {
    const { documents, codes } = await made(mapping('E', 'leave-out: [{ column: 1, equals: D, label: true }]'));
    expect(documents).toEqual([
      ['F1', true, [2, 3, 5]],
      ['F2', true, [7]],
    ]);
    expect(codes).toEqual([]);
  });
});
