/** Formulas as trees, and how the manual writes them: docs/reference/mapping-language.md, "Formulas". */
import type { Random } from '../../rigs/random.ts';

export type Expression =
  | { readonly is: 'number'; readonly text: string }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'column'; readonly name: string }
  | { readonly is: 'path'; readonly path: string }
  | { readonly is: 'call'; readonly name: string; readonly of: readonly Expression[] }
  | (Sides & { readonly is: 'binary'; readonly sign: Sign })
  /** A day and a number of days make a day, two days the days between them. */
  | (Sides & { readonly is: 'later' | 'days'; readonly sign: '+' | '-' })
  | { readonly is: 'minus' | 'percent'; readonly of: Expression };

type Sides = { readonly left: Expression; readonly right: Expression };

export type Sign = '+' | '-' | '*' | '/' | '&' | '=' | '<>' | '<' | '<=' | '>' | '>=';

/** From the loosest sign to the tightest. */
const BINDS: { readonly [sign in Sign]: number } = {
  ...{ '=': 1, '<>': 1, '<': 1, '<=': 1, '>': 1, '>=': 1 },
  ...{ '&': 2, '+': 3, '-': 3, '*': 4, '/': 4 },
};
const [MINUS, PERCENT, PRIMARY] = [5, 6, 7];

function bindsOf(part: Expression): number {
  if ('sign' in part) return BINDS[part.sign];
  if (part.is === 'minus') return MINUS;
  return part.is === 'percent' ? PERCENT : PRIMARY;
}

/** As a consultant writes it: brackets where they are needed, and now and then where they are not. */
export function written(part: Expression, random: Random): string {
  const inside = (of: Expression, least: number) => {
    const text = written(of, random);
    return bindsOf(of) < least || random.isOneIn(6) ? `(${text})` : text;
  };
  const blank = () => (random.isOneIn(5) ? '' : ' ');
  switch (part.is) {
    case 'number':
      return part.text;
    case 'text':
      return `"${part.text}"`;
    case 'column':
      return columnName(part.name);
    case 'path':
      // "@date-1" is one name, as "$Qte-1" is not.
      return `@${part.path} `;
    case 'call':
      return `${random.isOneIn(8) ? part.name.toLowerCase() : part.name}(${part.of.map((one) => written(one, random)).join(random.one([', ', '; ', ',']))})`;
    case 'minus':
      return `-${inside(part.of, PERCENT)}`;
    case 'percent':
      return `${inside(part.of, PRIMARY)}%`;
    default: {
      const binds = BINDS[part.sign];
      const isComparison = binds === 1;
      const left = inside(part.left, isComparison ? 2 : binds);
      // From left to right: the right side of the same tightness needs brackets. "$a-$b" is two columns.
      return `${left}${blank()}${part.sign}${blank()}${inside(part.right, binds + 1)}`;
    }
  }
}

export function columnName(name: string): string {
  return /^\w+$/.test(name) ? `$${name}` : `$[${name}]`;
}
