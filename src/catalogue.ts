/** The one list of what the program can do: readers, countries with their services and kinds of documents. Adding a part is a line here. */
import type { Country } from './countries/country.ts';
import { elSalvador } from './countries/el-salvador.ts';
import { france } from './countries/france.ts';
import { type PerService, perService } from './model/document.ts';
import { must } from './model/must.ts';
import { csvReader } from './readers/csv/csv-reader.ts';
import { fixedReader } from './readers/fixed-width/fixed-width-reader.ts';
import { wholeFileReader } from './readers/whole-file.ts';
import { xlsxReader } from './readers/xlsx/xlsx-reader.ts';
import { xmlReader } from './readers/xml/xml-reader.ts';

export const READERS = [csvReader, xlsxReader, xmlReader, fixedReader, wholeFileReader] as const;

/** The reader of a format that a mapping names: the compiler of mappings has accepted no other. */
export function readerOf(format: string): (typeof READERS)[number] {
  return must(
    READERS.find((reader) => reader.format === format),
    `the reader of ${format}`,
  );
}

/** By name: each name of a service has its country, or nothing compiles. */
const countries: PerService<Country> = { fr: france, sv: elSalvador };

export const COUNTRIES: readonly Country[] = Object.values(countries);

/** Of a document, by its service. */
export function countryOf(service: string): Country {
  return must(
    COUNTRIES.find(({ name }) => name === service),
    `the country of ${service}`,
  );
}

/** A record with one value for each country. */
export function perCountry<T>(read: (country: Country) => T): PerService<T> {
  return perService((service) => read(countries[service]));
}

export const DOCUMENT_KINDS = COUNTRIES.flatMap(({ kinds }) => kinds);

export const SERVICES = COUNTRIES.map(({ service }) => service);
