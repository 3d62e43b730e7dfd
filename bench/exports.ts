/**
 * The exports that are converted, as chunks of bytes made while they are read, so that a file of 2 GB needs no disk;
 * the smaller ones are written once into `.bench/` and used again.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { type SalesInvoice, salesInvoice } from './sales.ts';

const CHUNK = 64 * 1024;
const HEADER =
  'NumFac;DateFac;Echeance;Client;SIREN;TVA;Adresse;CP;Ville;NumLig;Article;Designation;Qte;Unite;PUHT;CodeTVA;TotalHT;TotalTTC';

/** Everything generated lies here; git does not see it. */
export const BENCH_FOLDER = join(import.meta.dirname, '..', '.bench');

export type Format = 'csv' | 'xml';

/** CSV: 18 columns, `;`, CRLF, decimal commas, Windows-1252, three rows an invoice. XML: UTF-8, one namespace, CDATA. */
export function* exportChunks(format: Format, invoices: number): Generator<Buffer> {
  const { head, tail, textOf, encode } = format === 'csv' ? CSV : XML;
  let text = head;
  for (let n = 0; n < invoices; n++) {
    text += textOf(salesInvoice(n));
    if (text.length < CHUNK) continue;
    yield encode(text);
    text = '';
  }
  yield encode(text + tail);
}

/** A CSV export of these invoices. */
export function csvOf(invoices: readonly SalesInvoice[]): Buffer {
  return CSV.encode(CSV.head + invoices.map(CSV.textOf).join(''));
}

/** The path of the export, generated where it is not there yet. */
export function exportFile(format: Format, invoices: number): string {
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const path = join(BENCH_FOLDER, `${invoices}-invoices.${format}`);
  if (existsSync(path)) return path;
  const file = openSync(`${path}.new`, 'w');
  for (const chunk of exportChunks(format, invoices)) writeSync(file, chunk);
  closeSync(file);
  renameSync(`${path}.new`, path);
  return path;
}

const CSV = {
  head: `${HEADER}\r\n`,
  tail: '',
  encode: (text: string) => iconv.encode(text, 'win1252'),
  textOf: ({ number, date, due, customer, lines, net, gross }: SalesInvoice) => {
    const { name, siren, vat, street, zip, city } = customer;
    const head = [number, day(date), day(due), name, siren, vat, street, zip, city].join(';');
    const totals = `${comma(net)};${comma(gross)}`;
    return lines
      .map((line) => {
        const { article, quantity, unit, price } = line;
        const cells = [line.number, article, quoted(line.label), comma(quantity), unit, comma(price), line.vat];
        return `${head};${cells.join(';')};${totals}\r\n`;
      })
      .join('');
  },
};

const XML = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<Invoices xmlns="urn:example:sales">\n<!-- nightly export -->\n',
  tail: '</Invoices>\n',
  encode: (text: string) => Buffer.from(text),
  textOf: ({ number, date, due, customer, lines, net, gross }: SalesInvoice) => {
    const { name, siren, vat, street, zip, city } = customer;
    return `  <Invoice number="${number}" date="${date}" due="${due}">
    <Customer siren="${siren}" vat="${vat}">
      <Name>${escaped(name)}</Name>
      <Address><Street>${escaped(street)}</Street><Zip>${zip}</Zip><City>${city}</City></Address>
    </Customer>
    <Lines>
${lines
  .map(
    (line) => `      <Line no="${line.number}" article="${line.article}">
        <Label><![CDATA[${line.label}]]></Label>
        <Quantity unit="${line.unit}">${line.quantity}</Quantity>
        <UnitPrice>${line.price}</UnitPrice><Vat>${line.vat}</Vat>
      </Line>
`,
  )
  .join('')}    </Lines>
    <Net>${net}</Net>
    <Gross>${gross}</Gross>
    <Payment means="transfer" days="30"><Iban>FR7600000000000000000000000</Iban></Payment>
  </Invoice>
`;
  },
};

function day(iso: string): string {
  return `${iso.slice(8)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
}

function comma(decimal: string): string {
  return decimal.replace('.', ',');
}

function quoted(text: string): string {
  return /[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;');
}
