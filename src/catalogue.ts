/** The one list of what the program can do: readers, kinds of documents, services. Adding a part is a line here. */
import { fr } from './delivery/fr.ts';
import { sv } from './delivery/sv.ts';
import { frInvoice } from './documents/fr-invoice.ts';
import { frReport } from './documents/fr-report.ts';
import { svRemissionNote } from './documents/sv-remission-note.ts';
import { csvReader } from './reading/csv.ts';
import { fixedReader } from './reading/fixed.ts';
import { wholeFileReader } from './reading/whole.ts';
import { xmlReader } from './reading/xml.ts';

export const READERS = [csvReader, xmlReader, fixedReader, wholeFileReader] as const;

export const KINDS = [frInvoice, frReport, svRemissionNote] as const;

export const SERVICES = [fr, sv] as const;

/** The zone whose calendar a service keeps: dates of admission, years of numbering. */
export const ZONES: { readonly [service: string]: string } = { fr: 'Europe/Paris', sv: 'America/El_Salvador' };
