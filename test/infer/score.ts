/**
 * How much of a mapping `infer` gets right: each draft is held, part by part, against a key written by hand.
 * `npm run infer:score` prints the table; score.test.ts keeps the result from falling.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { inferMapping } from '../../src/views/preview/infer-mapping.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

type Entry = {
  readonly target: string;
  readonly good: number;
  readonly parts: { readonly [part: string]: string };
  readonly misses?: readonly string[];
};

export type Score = {
  readonly sample: string;
  readonly right: number;
  readonly of: number;
  /** Parts that came out wrong, with what came. */
  readonly wrong: readonly { readonly part: string; readonly found: string }[];
  readonly good: number;
};

export const KEY = parse(readFileSync(new URL('key.yaml', import.meta.url), 'utf8')) as {
  readonly [sample: string]: Entry;
};

/** Part of a mapping -> where it stands in one. */
const PLACES: { readonly [part: string]: readonly (readonly (string | number)[])[] } = {
  encoding: [['source', 'encoding']],
  delimiter: [['source', 'delimiter']],
  quote: [['source', 'quote']],
  header: [['source', 'header-row']],
  'leave-out': [['source', 'leave-out']],
  controls: [['source', 'controls']],
  'fill-down': [['source', 'fill-down']],
  'line-end': [['source', 'final-line-end']],
  'line-length': [['source', 'line-length']],
  skip: [['source', 'skip-rows']],
  document: [['source', 'document']],
  row: [['source', 'row']],
  decimal: [['source', 'numbers', 'decimal']],
  dates: [['source', 'dates']],
  key: [['documents', 'one-per']],
  keep: [['documents', 'keep']],
  class: [['documents', 'class']],
  number: [['output', 'document', 'identifier']],
  date: [['output', 'document', 'date']],
  due: [['output', 'document', 'date-due']],
  currency: [['output', 'document', 'currency']],
  company: [['output', 'issuer']],
  issuer: [['output', 'issuer', 'name']],
  name: [['output', 'receiver', 'name']],
  siren: [['output', 'receiver', 'identifiers']],
  siret: [['output', 'receiver', 'identifiers']],
  vat: [['output', 'receiver', 'identifiers']],
  street: [
    ['output', 'receiver', 'address', 'street'],
    ['output', 'receptor', 'direccion', 'complemento'],
  ],
  zip: [['output', 'receiver', 'address', 'postal-code']],
  city: [['output', 'receiver', 'address', 'city']],
  order: [['output', 'references']],
  original: [['output', 'references']],
  'original-date': [['output', 'references']],
  reason: [['output', 'notes']],
  line: [['output', 'lines', 'make', 'number']],
  article: [['output', 'lines', 'make', 'identifier']],
  description: [['output', 'lines', 'make', 'description']],
  quantity: [['output', 'lines', 'make', 'quantity']],
  unit: [['output', 'lines', 'make', 'unit']],
  price: [['output', 'lines', 'make', 'unit-price']],
  'price-base': [['calculated-columns', 'net']],
  discount: [['calculated-columns', 'net']],
  net: [['calculated-columns', 'net']],
  rate: [
    ['calculated-columns', 'rate'],
    ['output', 'lines', 'make', 'taxes'],
    ['output', 'operations'],
  ],
  'net-check': [['checks']],
  'gross-check': [['checks']],
  'note-check': [['checks']],
  operations: [['output', 'operations']],
  'paid-on': [['calculated-columns', 'day']],
  paid: [['output', 'operations']],
  reference: [['output', 'operations']],
  place: [['output', 'emisor']],
  destination: [['output', 'receptor']],
  till: [['output', 'NumeroSecuencial']],
  generated: [['output', 'FechaGeneracion']],
  'document-type': [['output', 'receptor', 'tipoDocumento']],
  'document-number': [['output', 'receptor', 'numDocumento']],
  nrc: [['output', 'receptor', 'nrc']],
  receiver: [['output', 'receptor', 'nombre']],
  activity: [['output', 'receptor', 'codActividad']],
  department: [['output', 'receptor', 'direccion', 'departamento']],
  municipality: [['output', 'receptor', 'direccion', 'municipio']],
  title: [['output', 'receptor', 'bienTitulo']],
  item: [['output', 'cuerpoDocumento', 'make', 'numItem']],
  goods: [['output', 'cuerpoDocumento', 'make', 'descripcion']],
  amount: [['output', 'cuerpoDocumento', 'make', 'cantidad']],
  measure: [['output', 'cuerpoDocumento', 'make', 'uniMedida']],
  'unit-cost': [['output', 'cuerpoDocumento', 'make', 'precioUni']],
  rebate: [['output', 'resumen', 'standard', 'line-discount']],
  taxed: [['calculated-columns', 'taxed']],
};

export async function scoreOf(sample: string): Promise<Score> {
  const { target, parts } = KEY[sample]!;
  const inferred = await inferMapping({
    bytes: readFileSync(join(ROOT, sample)),
    file: basename(sample),
    target,
    folder: ROOT,
  });
  const draft = parse(inferred.mapping) as Draft;
  const wrong = Object.entries(parts).flatMap(([part, expected]) => {
    const found = (PLACES[part] ?? []).flatMap((path) => at(draft, path) ?? []);
    return found.some((value) => expected.split(' | ').some((one) => holds(value, one, draft)))
      ? []
      : [{ part, found: JSON.stringify(found).slice(0, 90) }];
  });
  const of = Object.keys(parts).length;
  return { sample, right: of - wrong.length, of, wrong, good: inferred.trial.good };
}

type Draft = { readonly source: { readonly format: string; readonly columns?: { readonly [name: string]: unknown } } };

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as { [key: string]: unknown } | undefined)?.[key], value);
}

/** One of the alternatives of a part is enough: the very value, or the column as a value, in a formula, in a look-up or in a list of names. */
function holds(found: unknown, expected: string, { source }: Draft): boolean {
  const text = JSON.stringify(found);
  if (expected.startsWith('='))
    return String(found) === expected.slice(1) || text.includes(JSON.stringify(expected.slice(1)));
  const column =
    source.format === 'xml'
      ? Object.entries(source.columns ?? {}).find(([, path]) => path === expected)?.[0]
      : expected;
  if (column === undefined) return false;
  const plain = column.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\$\\[?${plain}(?![\\p{L}\\p{N}_])|"${plain}"`, 'u').test(text);
}

/** Misspelt parts of the key would never be right and never be seen. */
export function unknownParts(): readonly string[] {
  return Object.values(KEY).flatMap(({ parts }) => Object.keys(parts).filter((part) => PLACES[part] === undefined));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const scores = await Promise.all(Object.keys(KEY).map(scoreOf));
  for (const { sample, right, of, wrong, good } of scores) {
    process.stdout.write(`${String(right).padStart(3)}/${String(of).padEnd(3)} ${good} good  ${sample}\n`);
    for (const { part, found } of wrong) process.stdout.write(`        ${part}: ${found}\n`);
  }
  const [right, of] = [scores.reduce((sum, one) => sum + one.right, 0), scores.reduce((sum, one) => sum + one.of, 0)];
  process.stdout.write(
    `${right} of ${of} parts right (${((100 * right) / of).toFixed(1)} %) on ${scores.length} samples\n`,
  );
}
