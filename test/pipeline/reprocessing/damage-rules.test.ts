/**
 * Whatever a spreadsheet does to the cells that a person did not touch, none of its texts is taken for a correction: the
 * archived text stays, or the document is refused. What the person typed as text is taken exactly.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { Row, Table } from '../../../src/model/row.ts';
import { comparisonOf } from '../../../src/pipeline/reprocessing/diff-correction.ts';

/** A text of an export, and everything that Excel and Calc make of it in English, French and Spanish. */
type Cell = { readonly stored: string; readonly damaged: readonly string[] };

const digits = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).chain((length) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`)));
const two = (value: number) => String(value).padStart(2, '0');

const code = fc.tuple(fc.integer({ min: 1, max: 4 }), digits(1, 8)).map(([zeros, rest]): Cell => {
  const scientific = Number(rest)
    .toExponential(2)
    .replace('.', ',')
    .replace(/e\+?(\d)$/, 'E+0$1');
  return { stored: '0'.repeat(zeros) + rest, damaged: rest.length > 4 ? [rest, scientific] : [rest] };
});
const long = digits(16, 20).map((stored): Cell => {
  const kept = stored.slice(0, 15) + '0'.repeat(stored.length - 15);
  return {
    stored,
    damaged: [`${stored[0]},${stored.slice(1, 3)}E+${stored.length - 1}`, ...(kept === stored ? [] : [kept])],
  };
});
const amount = fc.tuple(digits(1, 6), fc.stringMatching(/^\d{2,3}$/)).map(([whole, decimals]): Cell => {
  const stored = `${whole},${decimals}`;
  const short = `${whole}${`,${decimals}`.replace(/,?0+$/, '')}`;
  const made = [`${whole}${decimals}`, `${whole}.${decimals}`, short, short.replace(',', '.'), `${stored} €`];
  return { stored, damaged: made.filter((text) => text !== stored) };
});
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date): Cell => {
    const [d, m, y] = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()];
    const serial = Math.floor(date.getTime() / 86_400_000) + 25_569;
    const short = String(y).slice(2);
    const stored = `${two(d)}/${two(m)}/${y}`;
    const made = [
      `${two(d)}/${two(m)}/${short}`,
      `${d}/${m}/${y}`,
      `${two(m)}/${two(d)}/${short}`,
      `${y}-${two(m)}-${two(d)}`,
    ];
    return { stored, damaged: [...made, `${serial}`, `${stored} 00:00`].filter((text) => text !== stored) };
  });
const part = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })).map(
  ([a, b]): Cell => ({
    stored: `${a}-${b}`,
    damaged: [`${two(a)}-avr`.replace('avr', MONTHS[b - 1]!), `${a}/${b}/2026`],
  }),
);
const MONTHS = ['janv', 'févr', 'mars', 'avr', 'mai', 'juin', 'juil', 'août', 'sept', 'oct', 'nov', 'déc'];
const word = fc.constantFrom('Société Élan', 'Café à la crème', 'Ünal').map(
  (stored): Cell => ({
    stored,
    damaged: [stored.replace(/[^\0-\u007f]/g, '?'), Buffer.from(stored).toString('latin1')],
  }),
);
const formula = fc.constantFrom('=1+1', '-ART', '@home').map((stored): Cell => ({ stored, damaged: ['#NAME?', '2'] }));

const kinds = [code, long, amount, day, part, word, formula] as const;
const cell = fc.oneof(...kinds).chain(({ stored, damaged }) =>
  fc.record({
    stored: fc.constant(stored),
    given: damaged.length > 0 ? fc.constantFrom(stored, ...damaged) : fc.constant(stored),
  }),
);

const table: Table = { file: 'export.csv', columns: ['at fault', 'other'] };

/** One document of one row; its first cell is at fault, if it is said so. */
function compare(
  given: readonly { readonly stored: string; readonly given: string }[],
  options: { atFault: boolean; isText: boolean },
) {
  const rows: Row[] = given.map(({ stored }, at) => ({ row: at + 2, cells: ['x', stored] }));
  const entries = rows.map(({ row }): LedgerEntry => {
    const fault = {
      code: 'map/not-a-number',
      level: 'error',
      message: '',
      origin: { file: 'export.csv', row, column: 'other' },
    };
    const faults = options.atFault ? [fault] : [];
    return { id: `entry ${row}`, file: { name: 'export.csv' }, rows: [row], faults } as unknown as LedgerEntry;
  });
  const comparison = comparisonOf({
    name: 'saved.csv',
    file: { name: 'export.csv' } as never,
    rows: new Map(
      rows.map(({ row }, at) => {
        const cellOf = (column: string) => (column === 'other' ? given[at]!.given : 'x');
        return [
          row,
          {
            entry: entries[at]!,
            given: {
              line: row,
              row,
              cell: cellOf,
              kindAt: () => (options.isText ? ('text' as const) : ('value' as const)),
            },
          },
        ];
      }),
    ),
    kindOf: () => 'text',
    fillDown: [],
    overlay: new Map(),
    asInSource: false,
    restores: true,
    astray: [],
  });
  for (const row of rows) comparison.see(table, row);
  const { documents } = comparison.result();
  return given.map(({ stored, given: text }, at) => ({ stored, text, ...documents.get(`entry ${at + 2}`)! }));
}

test('a cell that was not at fault is never changed by what a spreadsheet makes of it', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
      for (const { stored, text, changes } of compare(cells, { atFault: false, isText: false })) {
        expect(changes, `${stored} -> ${text}`).toEqual([]);
      }
    }),
  );
});

test('a cell that was at fault and changed only in a spreadsheet keeps its meaning, or its document is refused', () => {
  fc.assert(
    fc.property(cell, (one) => {
      const [found] = compare([one], { atFault: true, isText: false });
      const { changes, damaged } = found!;
      if (one.given === one.stored) expect([changes, damaged]).toEqual([[], []]);
      else if (changes.length > 0) expect(meaningOf(one.given)).toContain(meaningOf(one.stored)[0]);
      else expect(damaged).toMatchObject([{ refused: 'at-fault' }]);
    }),
  );
});

/** Without what a spelling may change: zeros at the end of decimals, the decimal sign, the form of a date. */
function meaningOf(text: string): readonly string[] {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso) return [[iso[1], iso[2], iso[3]].map(Number).join(' ')];
  const date = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?: 00:00)?$/.exec(text);
  if (date) {
    const [a, b, year] = date.slice(1).map(Number) as [number, number, number];
    return [`${(year % 100) + 2000} ${b} ${a}`, `${(year % 100) + 2000} ${a} ${b}`];
  }
  const number = /^(\d+)(?:[.,](\d+))?( €)?$/.exec(text);
  return [number ? `${number[1]}.${(number[2] ?? '').replace(/0+$/, '')}` : text];
}

test('a text that a person typed into a cell at fault is taken exactly', () => {
  fc.assert(
    fc.property(cell, (one) => {
      const [found] = compare([one], { atFault: true, isText: true });
      const expected = one.given === one.stored ? [] : [{ row: 2, column: 'other', from: one.stored, to: one.given }];
      expect(found!.changes).toEqual(expected);
    }),
  );
});
