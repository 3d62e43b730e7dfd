/**
 * Reads a number in Spanish words back, by a grammar of its own and not by turning the writer around: a list of patterns for
 * what stands before a noun. Undefined for anything that no one would write on a cheque.
 */
const ONES = ['UN', 'DOS', 'TRES', 'CUATRO', 'CINCO', 'SEIS', 'SIETE', 'OCHO', 'NUEVE'];
const TEENS = [
  'DIEZ',
  'ONCE',
  'DOCE',
  'TRECE',
  'CATORCE',
  'QUINCE',
  'DIECISÉIS',
  'DIECISIETE',
  'DIECIOCHO',
  'DIECINUEVE',
];
const TWENTIES = ['ÚN', 'DÓS', 'TRÉS', 'CUATRO', 'CINCO', 'SÉIS', 'SIETE', 'OCHO', 'NUEVE'].map(
  (end) => `VEINTI${end}`,
);
const TENS = ['TREINTA', 'CUARENTA', 'CINCUENTA', 'SESENTA', 'SETENTA', 'OCHENTA', 'NOVENTA'];
const HUNDREDS = [
  'CIENTO',
  'DOSCIENTOS',
  'TRESCIENTOS',
  'CUATROCIENTOS',
  'QUINIENTOS',
  'SEISCIENTOS',
  'SETECIENTOS',
  'OCHOCIENTOS',
  'NOVECIENTOS',
];

const WHOLE = /^(?:(?:(UN) MILLÓN|(.+) MILLONES)(?: |$))?(?:(?:(.+) )?(MIL)(?: |$))?(.*)$/;

export function spanishNumber(words: string): number | undefined {
  if (words === 'CERO') return 0;
  const [, one, millions, thousands, mil, rest = ''] = WHOLE.exec(words) ?? [];
  // "UN MIL" and "UN MILLONES" are never said.
  if (words === '' || thousands === 'UN' || millions === 'UN') return undefined;
  const parts = [
    one ? 1 : below1000(millions ?? ''),
    mil && !thousands ? 1 : below1000(thousands ?? ''),
    below1000(rest),
  ];
  return parts.includes(undefined) ? undefined : parts.reduce<number>((sum, part) => sum * 1000 + part!, 0);
}

/** 0 for nothing. */
function below1000(words: string): number | undefined {
  if (words === '') return 0;
  if (words === 'CIEN') return 100;
  const [head = '', ...tail] = words.split(' ');
  const hundreds = HUNDREDS.indexOf(head) + 1;
  const rest = below100(hundreds > 0 ? tail : [head, ...tail]);
  // "CIENTO" alone is "CIEN".
  if (rest === undefined || (hundreds === 1 && rest === 0)) return undefined;
  return hundreds * 100 + rest;
}

function below100(words: readonly string[]): number | undefined {
  const [first = '', and, last = '', ...more] = words;
  if (words.length === 0) return 0;
  const ten = TENS.indexOf(first);
  if (words.length === 3 && more.length === 0 && and === 'Y' && ten >= 0 && ONES.includes(last)) {
    return 30 + ten * 10 + ONES.indexOf(last) + 1;
  }
  if (words.length > 1) return undefined;
  const lists: readonly (readonly [readonly string[], number, number])[] = [
    [ONES, 1, 1],
    [TEENS, 10, 1],
    [['VEINTE'], 20, 1],
    [TWENTIES, 21, 1],
    [TENS, 30, 10],
  ];
  for (const [list, from, step] of lists) if (list.includes(first)) return from + list.indexOf(first) * step;
  return undefined;
}
