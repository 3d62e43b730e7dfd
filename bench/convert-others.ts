/**
 * The same documents by other means: ready-made ones written out, csvtojson with JSONata, fast-xml-parser.
 *
 * Each does what its manual shows; JSONata reckons in whole thousandths, because its numbers are floats.
 */
import { createReadStream, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import csvtojson from 'csvtojson';
import { XMLParser } from 'fast-xml-parser';
import iconv from 'iconv-lite';
import jsonata from 'jsonata';
import type { Batch, Row } from '../src/model/row.ts';
import type { Reader } from '../src/readers/reader.ts';
import { xmlOptions } from '../src/readers/xml/xml-options.ts';
import { xmlReader } from '../src/readers/xml/xml-reader.ts';
import { convertAll } from './converting.ts';
import { exportFile } from './exports.ts';
import { type Measurement, timed } from './result.ts';
import { writeTo } from './writer.ts';

const CHUNK = 64 * 1024;

/** The floor of any JavaScript version: the documents are there already, as objects. `extra` names a file of them. */
export const stringifyReady: Measurement = ({ out, extra }) => {
  const ready = readFileSync(extra!, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  return timed(() => {
    const writer = writeTo(out);
    for (const document of ready) writer.line(JSON.stringify(document));
    writer.end();
    return ready.length;
  });
};

type CsvRow = { readonly [column: string]: string };

export const csvtojsonJsonata: Measurement = ({ size, out }) => {
  const path = exportFile('csv', size);
  const expression = jsonata(readFileSync(new URL('./convert.jsonata', import.meta.url), 'utf8'));
  return timed(async () => {
    const writer = writeTo(out);
    let rows: CsvRow[] = [];
    let count = 0;
    const close = async () => {
      writer.line(JSON.stringify(await expression.evaluate(rows)));
      count++;
    };
    const text = createReadStream(path, { highWaterMark: CHUNK }).pipe(iconv.decodeStream('win1252'));
    await csvtojson({ delimiter: ';' })
      .fromStream(text as unknown as Readable)
      .subscribe(async (row: CsvRow) => {
        if (rows.length > 0 && rows[0]!.NumFac !== row.NumFac) {
          await close();
          rows = [];
        }
        rows.push(row);
      });
    if (rows.length > 0) await close();
    writer.end();
    return count;
  });
};

/** Reads the whole file with fast-xml-parser; from the rows on it is the program's own conversion. */
export const fastXmlParser: Measurement = ({ size, out }) => {
  const path = exportFile('xml', size);
  return timed(async () => {
    const writer = writeTo(out);
    const count = await convertAll('xml', createReadStream(path), writer.bytes, wholeReader);
    writer.end();
    return count;
  });
};

type Text = string | { readonly '#text': string; readonly '@_unit': string };
type Node = { readonly [name: string]: Text };
type Invoice = Node & {
  readonly Customer: Node & { readonly Address: Node };
  readonly Lines: { readonly Line: readonly Node[] };
};

export const wholeReader: Reader = { format: xmlReader.format, options: xmlReader.options, read: readWhole };

async function* readWhole(
  bytes: AsyncIterable<Uint8Array>,
  { file, source }: { file: string; source: unknown },
): AsyncIterable<Batch> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    isArray: (name) => name === 'Invoice' || name === 'Line',
  });
  const { Invoices } = parser.parse(Buffer.concat(chunks)) as { Invoices: { Invoice: readonly Invoice[] } };
  const table = { file, columns: Object.keys(xmlOptions.parse(source).columns ?? {}) };
  let row = 0;
  for (const invoice of Invoices.Invoice) {
    const rows = invoice.Lines.Line.map((line): Row => ({ cells: cellsOf(invoice, line), row: ++row }));
    yield { table, rows, leftOut: [] };
  }
}

function cellsOf({ Customer, ...invoice }: Invoice, line: Node): readonly string[] {
  const quantity = line.Quantity as { '#text': string; '@_unit': string };
  const { Address } = Customer;
  const cells = [
    ...[
      invoice['@_number'],
      invoice['@_date'],
      invoice['@_due'],
      Customer.Name,
      Customer['@_siren'],
      Customer['@_vat'],
    ],
    ...[Address.Street, Address.Zip, Address.City, line['@_no'], line['@_article'], line.Label],
    ...[quantity['#text'], quantity['@_unit'], line.UnitPrice, line.Vat, invoice.Net, invoice.Gross],
  ];
  return cells as readonly string[];
}
