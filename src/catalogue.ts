/** The one list of what the program can do: readers, kinds of documents, services. Adding a part is a line here. */
import { fr } from './delivery/fr-service.ts';
import { sv } from './delivery/sv-service.ts';
import { frInvoice } from './documents/fr/fr-invoice.ts';
import { frReport } from './documents/fr/fr-report.ts';
import { svRemissionNote } from './documents/sv/sv-remission-note.ts';
import type { ServiceName } from './model/document.ts';
import { must } from './model/must.ts';
import { csvReader } from './readers/csv/csv-reader.ts';
import { fixedReader } from './readers/fixed-width/fixed-width-reader.ts';
import { wholeFileReader } from './readers/whole-file.ts';
import { xlsxReader } from './readers/xlsx/xlsx-reader.ts';
import { xmlReader } from './readers/xml/xml-reader.ts';
import { dictionary } from './text/dictionary.ts';

export const READERS = [csvReader, xlsxReader, xmlReader, fixedReader, wholeFileReader] as const;

/** The reader of a format that a mapping names: the compiler of mappings has accepted no other. */
export function readerOf(format: string): (typeof READERS)[number] {
  return must(
    READERS.find((reader) => reader.format === format),
    `the reader of ${format}`,
  );
}

export const DOCUMENT_KINDS = [frInvoice, frReport, svRemissionNote] as const;

export const SERVICES = [fr, sv] as const;

const zones: { readonly [service in ServiceName]: string } = { fr: 'Europe/Paris', sv: 'America/El_Salvador' };
/** The zone whose calendar a service keeps: dates of admission, years of numbering. */
export const ZONES = dictionary(zones);
