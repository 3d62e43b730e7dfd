/**
 * Runs the tests a mapping file carries: a sample goes through the whole conversion, and what comes out is held
 * against `expect`, `expect-errors` and `expect-documents`. How a sample is converted comes as an argument.
 */
import type { Fault } from '../model/fault.ts';
import type { MappingTest } from './file/mapping-shape.ts';
import type { Mapping } from './mapping.ts';

/** What a sample became; bodies are plain JSON as on the wire. */
export type MappingTestResult = {
  readonly documents: readonly unknown[];
  /** Of documents that were refused, or of the file. Warnings count as well where a test names them. */
  readonly faults: readonly Fault[];
};

export type RehearsalResult = {
  readonly mapping: string;
  readonly name: string;
  /** None: the test passes. */
  readonly differences: readonly string[];
};

/** `convert` gives undefined where the sample file is not there. */
export async function runMappingTests(
  mapping: Pick<Mapping, 'id' | 'tests'>,
  convert: (given: string) => Promise<MappingTestResult | undefined>,
): Promise<readonly RehearsalResult[]> {
  const results: RehearsalResult[] = [];
  for (const test of mapping.tests) {
    const rehearsed = await convert(test.given);
    const differences = rehearsed ? differencesOf(test, rehearsed) : [`the sample file ${test.given} is not there`];
    results.push({ mapping: mapping.id, name: test.name, differences });
  }
  return results;
}

function differencesOf(test: MappingTest, { documents, faults }: MappingTestResult): readonly string[] {
  const errors = faults.filter((fault) => fault.level === 'error');
  const wantedErrors = test['expect-errors'];
  const wantedCount = test['expect-documents'];
  const parts = test.expect === undefined ? [] : Array.isArray(test.expect) ? test.expect : [test.expect];
  const count = wantedCount ?? (Array.isArray(test.expect) ? parts.length : undefined);
  const differences: string[] = [];
  if (count !== undefined && count !== documents.length) {
    differences.push(`expected ${count} ${count === 1 ? 'document' : 'documents'}, found ${documents.length}`);
  }
  for (const [n, part] of parts.entries()) {
    const found = documents[n];
    if (found !== undefined) compare(part, found, '', differences);
    else if (count === undefined || n < count) differences.push(`document ${n + 1} is missing`);
  }
  const listed = wantedErrors ?? [];
  for (const wanted of listed) {
    if (!faults.some((fault) => isExpected(fault, wanted)))
      differences.push(`expected error ${inWords(wanted)} did not occur`);
  }
  // Errors that no test speaks of are differences, so that a sample cannot fail for another reason unseen.
  for (const fault of errors.filter((one) => !listed.some((wanted) => isExpected(one, wanted)))) {
    differences.push(`unexpected error ${inWords(placeOf(fault))}: ${fault.message}`);
  }
  if (parts.length === 0 && wantedErrors === undefined && wantedCount === undefined) {
    differences.push('the test expects nothing: add expect, expect-errors or expect-documents');
  }
  return differences;
}

type Expected = NonNullable<MappingTest['expect-errors']>[number];

function isExpected(fault: Fault, { row, column, code }: Expected): boolean {
  const place = placeOf(fault);
  return (
    fault.code === code && (row === undefined || row === place.row) && (column === undefined || column === place.column)
  );
}

function placeOf({ code, origin }: Fault): Expected {
  return { code, row: origin?.row, column: origin?.column };
}

function inWords({ code, row, column }: Expected): string {
  return [code, ...(row === undefined ? [] : [`on row ${row}`]), ...(column ? [`in ${column}`] : [])].join(' ');
}

/** Blocks may have more fields than expected; lists are compared item by item and must be as long. */
function compare(expected: unknown, found: unknown, at: string, differences: string[]): void {
  const name = at === '' ? 'document' : at;
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) differences.push(`${name}: expected a list, found ${shown(found)}`);
    else if (expected.length !== found.length) {
      differences.push(`${name}: expected ${expected.length} items, found ${found.length}`);
    } else for (const [n, item] of expected.entries()) compare(item, found[n], `${at}/${n}`, differences);
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    if (expected !== found) differences.push(`${name}: expected ${shown(expected)}, found ${shown(found)}`);
    return;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    differences.push(`${name}: expected a block, found ${shown(found)}`);
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    const inner = Object.hasOwn(found, key) ? (found as { [key: string]: unknown })[key] : undefined;
    compare(value, inner, `${at}/${key}`, differences);
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, 80) : JSON.stringify(value);
}
