/**
 * The invoices that every measurement is made of: the n-th is the same on every machine, and none of them is kept.
 *
 * Cells are texts as an ERP would export them; amounts are reckoned in whole thousandths, so that every way of
 * converting can reach the same documents to the cent.
 */

type SalesLine = {
  readonly number: string;
  readonly article: string;
  readonly label: string;
  /** With a decimal point; one decimal at most. */
  readonly quantity: string;
  readonly unit: string;
  /** With a decimal point; two decimals. */
  readonly price: string;
  readonly vat: string;
};

export type SalesInvoice = {
  readonly number: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly due: string;
  readonly customer: Customer;
  readonly lines: readonly SalesLine[];
  readonly net: string;
  readonly gross: string;
};

type Customer = {
  readonly name: string;
  readonly siren: string;
  readonly vat: string;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
};

/** Tenths of a percent per code of the export. */
const RATES = { T20: 200, T10: 100, T55: 55 } as const;
const CODES = ['T20', 'T20', 'T20', 'T10', 'T55'] as const;
const UNITS = ['PCE', 'M', 'KG'] as const;
const NAMES = ['Société Élan & Fils', 'Menuiserie de l’Œuvre', 'Garage du Château', 'Boulangerie Noël', 'Éts Lœwe'];
const STREETS = ['rue de l’Église', 'avenue du Général Leclerc', 'place de la Fête', 'chemin des Crêtes'];
const CITIES = ['Bourg-en-Bresse', 'Besançon', 'Saint-Étienne', 'Nîmes', 'Périgueux', 'Ajaccio'];
const LABELS = [
  'Câble acier – 6 mm',
  'Poulie; modèle léger',
  'Livret d’usage',
  'Vis inox "Torx" 4x40',
  'Pièce détachée',
];
const ARTICLES = ['C-10', 'P-77', 'L-02', 'V-440', 'D-9001'];
const CUSTOMERS: readonly Customer[] = Array.from({ length: 1000 }, (_, n) => customer(n));

/** The n-th invoice, from 0: two, three or four lines, three on average, where their number is not given. */
export function salesInvoice(n: number, count = 2 + (n % 3)): SalesInvoice {
  const seed = scramble(n);
  const month = 1 + (seed % 9);
  const day = String(1 + ((seed >>> 4) % 28)).padStart(2, '0');
  const nets = new Map<keyof typeof RATES, number>();
  const lines = Array.from({ length: count }, (_, at): SalesLine => {
    const draw = scramble(seed + at + 1);
    const tenths = 1 + (draw % 400);
    const cents = 5 + ((draw >>> 9) % 20_000);
    const vat = CODES[(draw >>> 3) % CODES.length]!;
    nets.set(vat, (nets.get(vat) ?? 0) + halfUp(tenths * cents, 10));
    const pick = (draw >>> 5) % ARTICLES.length;
    return {
      number: String(at + 1),
      article: ARTICLES[pick]!,
      label: LABELS[pick]!,
      quantity: tenths % 10 === 0 ? String(tenths / 10) : (tenths / 10).toFixed(1),
      unit: UNITS[draw % UNITS.length]!,
      price: amount(cents),
      vat,
    };
  });
  let net = 0;
  let tax = 0;
  for (const [code, cents] of nets) {
    net += cents;
    tax += halfUp(cents * RATES[code], 1000);
  }
  return {
    number: `F2026-${String(n + 1).padStart(7, '0')}`,
    date: `2026-0${month}-${day}`,
    due: month === 9 ? `2026-10-${day}` : `2026-0${month + 1}-${day}`,
    customer: CUSTOMERS[(seed >>> 2) % CUSTOMERS.length]!,
    lines,
    net: amount(net),
    gross: amount(net + tax),
  };
}

/** Invented: check digits are right, the companies do not exist. */
function customer(n: number): Customer {
  const siren = withLuhn(String(90_000_000 + n * 7));
  const key = (12 + 3 * (Number(siren) % 97)) % 97;
  return {
    name: `${NAMES[n % NAMES.length]} ${n}`,
    siren,
    vat: `FR${String(key).padStart(2, '0')}${siren}`,
    street: `${1 + (n % 180)} ${STREETS[n % STREETS.length]}`,
    zip: String(1000 + n * 9).padStart(5, '0'),
    city: CITIES[n % CITIES.length]!,
  };
}

function withLuhn(digits: string): string {
  let sum = 0;
  for (let at = digits.length - 1, even = true; at >= 0; at--, even = !even) {
    const digit = Number(digits[at]);
    sum += even ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return digits + String((10 - (sum % 10)) % 10);
}

function halfUp(value: number, by: number): number {
  return Math.floor((value + by / 2) / by);
}

function amount(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** A well-mixed 32-bit number of n. */
function scramble(n: number): number {
  let x = (n + 0x9e3779b9) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
