/** Draws formulas of a kind that the manual allows at a place. */
import type { Random } from '../../rigs/random.ts';
import type { Expression, Sign } from './expression.ts';
import type { Column, Kind } from './model.ts';

/** Where a formula is: which columns have one value there, and which it may add up over rows. */
export type Place = {
  /** With one value here: of the document, of the group, or of the row. */
  readonly here: readonly Column[];
  /** Over rows; empty where a formula may not go over rows. */
  readonly rows: readonly Column[];
  readonly isRow: boolean;
  /** Functions over rows around it: the language allows two. */
  readonly sums: number;
  /** Values of the output that are known here, `many` behind a list. */
  readonly paths: readonly { readonly path: string; readonly kind: Kind; readonly many: boolean }[];
};

const LITERALS = ['0', '1', '2', '3', '7', '12', '100', '0.5', '0.01', '1.2', '19.6', '250', '1000000'];
const MOST_SUMS = 2;
const DIVISORS = ['3', '7', '1.2', '0.06', '100', '11'];
const TEXTS = ['', 'A', 'FA', 'x y', '-', 'éàü', 'T20', '0', '007', 'FR', '; ', '😀'];

const number = (text: string): Expression => ({ is: 'number', text });
const text = (value: string): Expression => ({ is: 'text', text: value });
const call = (name: string, ...of: readonly Expression[]): Expression => ({ is: 'call', name, of });
const binary = (sign: Sign, left: Expression, right: Expression): Expression => ({ is: 'binary', sign, left, right });

type Drawing = { readonly random: Random; readonly place: Place; readonly depth: number };

export function draw(kind: Kind, random: Random, place: Place, depth = 3): Expression {
  return DRAW[kind]({ random, place, depth });
}

const deeper = (drawing: Drawing): Drawing => ({ ...drawing, depth: drawing.depth - 1 });
const inner = (kind: Kind, drawing: Drawing) => DRAW[kind](deeper(drawing));

/** Over the rows of the scope: the argument of a sum. */
function overRows(kind: Kind, { random, place, depth }: Drawing): Expression {
  const columns = place.rows.filter((one) => one.kind === kind);
  const rows = place.rows.length > 0 ? place.rows : place.here;
  const sums = place.sums + 1;
  const within: Place = { here: rows, rows: random.isOneIn(4) ? rows : [], isRow: true, sums, paths: [] };
  // Of a column at least: what is the same on every row is counted once.
  if (columns.length > 0 && random.isOneIn(2)) return { is: 'column', name: random.one(columns).name };
  const [one] = columns;
  const drawn = draw(kind, random, within, Math.min(depth - 1, 2));
  if (!one || hasColumn(drawn)) return drawn;
  return call('IFEMPTY', { is: 'column', name: one.name }, drawn);
}

/** In a sum, beneath no other one. */
function hasColumn(part: Expression): boolean {
  if (part.is === 'column') return true;
  if (part.is === 'call') return part.of.some(hasColumn);
  if ('sign' in part) return hasColumn(part.left) || hasColumn(part.right);
  return part.is === 'minus' || part.is === 'percent' ? hasColumn(part.of) : false;
}

/** A column or an output value of the kind, else undefined. */
function named(kind: Kind, { random, place }: Drawing): Expression | undefined {
  const columns = place.here.filter((one) => one.kind === kind);
  const paths = place.paths.filter((one) => one.kind === kind && !one.many);
  if (paths.length > 0 && random.isOneIn(4)) return { is: 'path', path: random.one(paths).path };
  return columns.length > 0 ? { is: 'column', name: random.one(columns).name } : undefined;
}

/** Over rows, or over the items of a list of the output. */
function aggregate(name: string, kind: Kind, drawing: Drawing): Expression | undefined {
  const { random, place } = drawing;
  if (place.sums >= MOST_SUMS) return undefined;
  const many = place.paths.filter((one) => one.kind === kind && one.many);
  if (many.length > 0 && random.isOneIn(2)) return call(name, { is: 'path', path: random.one(many).path });
  return place.rows.length === 0 ? undefined : call(name, overRows(kind, drawing));
}

/** Never empty: what is multiplied must have a value, most of the time. */
function filled(drawing: Drawing): Expression {
  const value = inner('number', drawing);
  return drawing.random.isOneIn(25) || value.is === 'number' ? value : call('IFEMPTY', value, number('0'));
}

/** Of several values; the language counts it as a function over rows. */
function extreme(kind: Kind, drawing: Drawing): Expression | undefined {
  const { random, place } = drawing;
  if (place.sums >= MOST_SUMS) return undefined;
  const within = { ...drawing, place: { ...place, sums: place.sums + 1 } };
  return call(random.one(['MIN', 'MAX']), inner(kind, within), inner(kind, within));
}

const places = (random: Random) => number(random.one(['0', '1', '2', '2', '2', '4']));

function drawNumber(drawing: Drawing): Expression {
  const { random, place, depth } = drawing;
  const simple = () => (random.isOneIn(4) ? undefined : named('number', drawing)) ?? number(random.one(LITERALS));
  if (depth <= 0) return simple();
  const sub = (kind: Kind) => inner(kind, drawing);
  const overAll = place.rows.length > 0 && place.sums < MOST_SUMS;
  const ways: readonly (() => Expression | undefined)[] = [
    simple,
    simple,
    () => binary(random.one(['+', '-'] as const), sub('number'), sub('number')),
    () => binary('*', filled(drawing), filled(drawing)),
    () => {
      const by = random.isOneIn(12) ? filled(drawing) : number(random.one(DIVISORS));
      return call('ROUND', binary('/', filled(drawing), by), places(random));
    },
    () => call(random.one(['ROUND', 'ROUNDUP', 'ROUNDDOWN']), sub('number'), places(random)),
    () => call('ROUND', sub('number'), number('2')),
    () => call('ABS', sub('number')),
    () => call('NET-OF', sub('number'), number(random.one(['20', '5.5', '0', '10']))),
    () => call('IF', sub('boolean'), sub('number'), ...(random.isOneIn(4) ? [] : [sub('number')])),
    () => call(random.one(['COALESCE', 'IFEMPTY']), sub('number'), sub('number')),
    () => extreme('number', drawing),
    () => ({ is: 'minus', of: sub('number') }),
    () => ({ is: 'percent', of: simple() }),
    () => call('LEN', sub('text')),
    () => call(random.one(['YEAR', 'MONTH', 'DAY']), sub('date')),
    () => ({ is: 'days', sign: '-', left: sub('date'), right: sub('date') }),
    () => call('DAYS', sub('date'), sub('date')),
    () => aggregate('SUM', 'number', drawing),
    () => aggregate('SUM', 'number', drawing),
    () => aggregate(random.one(['MIN', 'MAX']), 'number', drawing),
    () => aggregate('COUNT', random.one(['number', 'text'] as const), drawing),
    () => (overAll ? call('COUNT') : undefined),
    () => (place.isRow && overAll ? call('ROW-NUMBER') : undefined),
    () => {
      if (!place.isRow || !overAll || depth < 2) return undefined;
      const outside = place.here.filter((one) => one.of === 'document');
      const sums = place.sums + 1;
      const total = draw('number', random, { here: outside, rows: [], isRow: false, sums, paths: [] }, 1);
      const within: Place = { here: place.rows, rows: [], isRow: true, sums, paths: [] };
      const weight = call('ABS', draw('number', random, within, 1));
      return call('ALLOCATE', call('ROUND', total, number('2')), weight);
    },
  ];
  return random.one(ways)() ?? simple();
}

function drawText(drawing: Drawing): Expression {
  const { random, depth } = drawing;
  const simple = () => (random.isOneIn(4) ? undefined : named('text', drawing)) ?? text(random.one(TEXTS));
  if (depth <= 0) return simple();
  const sub = (kind: Kind) => inner(kind, drawing);
  const few = () => number(random.one(['0', '1', '2', '3', '8']));
  const ways: readonly (() => Expression)[] = [
    simple,
    simple,
    () => binary('&', sub(random.one(['text', 'number', 'date'] as const)), sub('text')),
    () => call(random.one(['LEFT', 'RIGHT']), sub('text'), few()),
    () => call('MID', sub('text'), number(random.one(['1', '2', '3'])), few()),
    () => call(random.one(['UPPER', 'LOWER', 'TRIM', 'DIGITS']), sub('text')),
    () => call('REPLACE', sub('text'), text(random.one(['A', '-', 'x', '0'])), text(random.one(['', 'B', '--']))),
    () => call('CONCAT', sub('text'), sub(random.one(['number', 'text', 'date'] as const)), sub('text')),
    () => call('PAD-LEFT', sub('text'), number(random.one(['2', '6'])), ...(random.isOneIn(2) ? [text('*')] : [])),
    () => call('TEXT', sub('number'), text(random.one(['0.00', '0', '#,##0.00', '000.0']))),
    () => call('TEXT', sub('date'), text(random.one(['dd/MM/yyyy', 'yyyyMMdd', 'MM-yyyy']))),
    () => call('IF', sub('boolean'), sub('text'), ...(random.isOneIn(4) ? [] : [sub('text')])),
    () => call(random.one(['COALESCE', 'IFEMPTY']), sub('text'), sub('text')),
  ];
  return random.one(ways)();
}

function drawDate(drawing: Drawing): Expression {
  const { random, depth } = drawing;
  // There is no literal of a day; MONTH-END of a column of days is one in any case.
  const simple = (): Expression => named('date', drawing) ?? call('DATE', number('2026'), number('9'), number('5'));
  if (depth <= 0) return simple();
  const sub = (kind: Kind) => inner(kind, drawing);
  const ways: readonly (() => Expression | undefined)[] = [
    simple,
    () => call('EDATE', sub('date'), number(random.one(['1', '12', '0', '3']))),
    () => call('MONTH-END', sub('date'), ...(random.isOneIn(2) ? [] : [number('2')])),
    () => ({
      is: 'later',
      sign: random.one(['+', '-'] as const),
      left: sub('date'),
      right: number(random.one(['0', '1', '30', '45'])),
    }),
    () => call('IF', sub('boolean'), sub('date'), sub('date')),
    () => call('IFEMPTY', sub('date'), sub('date')),
    () => extreme('date', drawing),
    () => aggregate(random.one(['MIN', 'MAX']), 'date', drawing),
  ];
  return random.one(ways)() ?? simple();
}

const COMPARE: readonly Sign[] = ['=', '<>', '<', '<=', '>', '>='];

function drawBoolean(drawing: Drawing): Expression {
  const { random, depth } = drawing;
  const sub = (kind: Kind) => inner(kind, drawing);
  const compares = () => {
    const kind = random.one(['number', 'number', 'text', 'date'] as const);
    return binary(random.one(COMPARE), sub(kind), sub(kind));
  };
  if (depth <= 1) return compares();
  const ways: readonly (() => Expression)[] = [
    compares,
    compares,
    compares,
    () => call(random.one(['AND', 'OR']), sub('boolean'), sub('boolean')),
    () => call('NOT', sub('boolean')),
  ];
  return random.one(ways)();
}

const DRAW: { readonly [kind in Kind]: (drawing: Drawing) => Expression } = {
  number: drawNumber,
  text: drawText,
  date: drawDate,
  boolean: drawBoolean,
};
