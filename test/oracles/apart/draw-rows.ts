/** Draws the rows of an export for a drawn mapping. */
import { randomFrom } from '../../rigs/random.ts';
import type { Cells, Column, Drawn, Kind } from './model.ts';

const CODES = ['T20', 'T55', 'A', 'b', '7', '007', 'é'];
const NUMBERS = ['0', '1', '12,5', '1 234,56', '-3', '0,01', '100', '99,999', '2,50', ''];
const DATES = ['05/09/2026', '31/01/2026', '29/02/2028', '31/12/2026', ''];
const TEXTS = ['', 'A', 'FA', 'x y', 'éàü', '007', ' gauche', 'a-b', '😀x', '12'];
const DAMAGED: { readonly [kind in Kind]: readonly string[] } = {
  number: ['abc', '1.5', '1,2,3'],
  date: ['31/02/2026', '2026-09-05', 'x'],
  text: ['other'],
  boolean: [],
};

/** The rows of some documents, a sixth of which has damaged cells here and there. */
export function drawRows(drawn: Drawn, seed: number, count: number): readonly Cells[] {
  const random = randomFrom(seed);
  const cell = ({ name, kind }: Column, isDamaged: boolean) => {
    if (name === 'Code') return random.one(isDamaged ? ['??', ''] : CODES.slice(0, 3 + random.below(5)));
    if (isDamaged) return random.one(DAMAGED[kind]);
    return random.one(kind === 'number' ? NUMBERS : kind === 'date' ? DATES : TEXTS);
  };
  const documents = Array.from({ length: count }, (_, n) => {
    const isDamaged = random.isOneIn(6);
    const header = drawn.columns.map((column) => cell(column, false));
    return Array.from({ length: 1 + random.below(5) }, () =>
      drawn.columns.map((column, at) => {
        if (column.name === 'No') return `F${n}`;
        const damaged = isDamaged && random.isOneIn(8) && !drawn.key.includes(column.name);
        if (damaged) return cell(column, true);
        return column.of === 'document' ? header[at]! : cell(column, false);
      }),
    );
  });
  const rows = documents.flat();
  if (drawn.rows === 'adjacent') return rows;
  for (let at = rows.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [rows[at], rows[other]] = [rows[other]!, rows[at]!];
  }
  return rows;
}
