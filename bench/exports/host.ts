/** Fixed width of samples/host-fixed-width: columns by position, no decimal marks, code page 850, control totals at the end. */
import { rounded } from './amounts.ts';
import { FACTORS, type Format, NUMBER, sampleText, type Template } from './format.ts';

const WIDTH = 100;
const NUMBER_END = 11;
/** Positions from 0 of quantity (three decimals) and price (four) of a line. */
const QUANTITY = [43, 52] as const;
const PRICE = [55, 65] as const;

const [head = '', ...records] = sampleText('host-fixed-width/input/HOST_INV_0921.dat', 'cp850').trimEnd().split('\r\n');

export const HOST: Format = {
  mapping: 'host-invoices',
  service: 'fr',
  today: '2026-12-02',
  nameOf: (id) => `HOST_INV_${id}.dat`,
  encoding: 'cp850',
  head: `${head}\r\n`,
  tail: ({ documents, rows, net }) =>
    `${`9${digits(documents, 6)}${digits(rows, 6)}${digits(net, 13)}`.padEnd(WIDTH)}\r\n`,
  templatesOf: () => ({
    good: FACTORS.flatMap((factor) => invoicesOf(records).map((invoice) => timesOf(invoice, factor))),
  }),
};

/** Records of each invoice, header first; the record of totals is of none. */
function invoicesOf(all: readonly string[]): readonly (readonly string[])[] {
  const invoices: string[][] = [];
  for (const record of all) {
    if (record.startsWith('2')) invoices.push([record]);
    if (record.startsWith('3')) invoices.at(-1)!.push(record);
  }
  return invoices;
}

function timesOf([header = '', ...lines]: readonly string[], factor: number): Template {
  let net = 0;
  const texts = lines.map((line) => {
    const given = line.slice(...QUANTITY);
    const quantity = Number.parseInt(given, 10) * factor;
    net += rounded((given.endsWith('-') ? -1 : 1) * quantity * Number(line.slice(...PRICE)), 100_000);
    const text = given.endsWith('-') ? `${digits(quantity, 8)}-` : digits(quantity, 9);
    return `${line.slice(0, QUANTITY[0])}${text}${line.slice(QUANTITY[1])}`;
  });
  const numbered = `${header.slice(0, 3)}${NUMBER}${header.slice(NUMBER_END)}`;
  return { text: [numbered, ...texts].map((line) => `${line}\r\n`).join(''), rows: lines.length, net };
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
