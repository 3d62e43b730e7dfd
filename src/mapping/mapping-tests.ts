/**
 * The tests of a mapping file in, their differences out: each sample is converted, and its documents and faults are
 * compared with `expect`, `expect-errors` and `expect-documents`. The conversion is an argument; its exceptions pass
 * through.
 */
import { format, type Language, type Message } from '../i18n/message.ts';
import { MAPPING_TESTS } from '../i18n/messages/mapping-messages.ts';
import { type Fault, isError, MESSAGE } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import type { MappingTest } from './file/mapping-shape.ts';
import type { Mapping } from './mapping.ts';

/** The result of a sample; bodies are plain JSON as they are sent. */
export type MappingTestResult = {
  readonly documents: readonly unknown[];
  /** Faults of refused documents or of the file. Warnings count where a test names them. */
  readonly faults: readonly Fault[];
};

/** The outcome of one test. */
export type MappingTestOutcome = {
  readonly mapping: string;
  readonly name: string;
  /** Empty where the test passes. */
  readonly differences: readonly string[];
};

type RunOptions = {
  /** Undefined where the sample file does not exist. */
  readonly convert: (given: string) => Promise<MappingTestResult | undefined>;
  /** Differences of the answers that a test expects (`expect-answers`). */
  readonly answers?: (test: MappingTest) => Promise<readonly Message[]>;
  /** Of the differences. */
  readonly language: Language;
};

/** One outcome per test, in their order; a missing sample is a difference of its test. */
export async function runMappingTests(
  { id, tests }: Pick<Mapping, 'id' | 'tests'>,
  { convert, answers = async () => [], language }: RunOptions,
): Promise<readonly MappingTestOutcome[]> {
  const outcomes: MappingTestOutcome[] = [];
  for (const test of tests) {
    const result = await convert(test.given);
    const differences = result ? [...differencesOf(test, result)] : [MAPPING_TESTS.sampleMissing({ file: test.given })];
    if (result) appendAll(differences, await answers(test));
    outcomes.push({ mapping: id, name: test.name, differences: differences.map((one) => format(one, language)) });
  }
  return outcomes;
}

/**
 * A list under `expect` states the count of documents as well, unless `expect-documents` does. A test without any
 * expectation fails.
 */
function* differencesOf(test: MappingTest, { documents, faults }: MappingTestResult): Iterable<Message> {
  const { expect = [], 'expect-errors': errors, 'expect-documents': wanted } = test;
  const parts = Array.isArray(expect) ? expect : [expect];
  const count = wanted ?? (Array.isArray(test.expect) ? parts.length : undefined);
  if (count !== undefined && count !== documents.length) {
    yield MAPPING_TESTS.documentCount({ count, found: documents.length });
  }
  for (const [n, part] of parts.entries()) {
    const found = documents[n];
    if (found !== undefined) yield* contentDifferences(part, found, '');
    else yield MAPPING_TESTS.documentMissing({ number: n + 1 });
  }
  yield* errorDifferences(errors ?? [], faults);
  const isEmpty = parts.length === 0 && errors === undefined && wanted === undefined;
  if (isEmpty && test['expect-answers'] === undefined) yield MAPPING_TESTS.expectsNothing();
}

type Expected = NonNullable<MappingTest['expect-errors']>[number];

/** Errors that the test does not list are differences, so that a sample cannot fail unseen for another reason. */
function* errorDifferences(listed: readonly Expected[], faults: readonly Fault[]): Iterable<Message> {
  for (const wanted of listed) {
    if (!faults.some((fault) => isExpected(fault, wanted))) {
      yield MAPPING_TESTS.errorMissing({ place: placeText(wanted) });
    }
  }
  for (const fault of faults.filter(isError)) {
    if (listed.some((wanted) => isExpected(fault, wanted))) continue;
    const message = fault[MESSAGE]?.message ?? fault.message;
    yield MAPPING_TESTS.unexpectedError({ place: placeText(placeOf(fault)), message });
  }
}

/** A row or column that the test leaves out matches any. */
function isExpected(fault: Fault, { row, column, code }: Expected): boolean {
  const place = placeOf(fault);
  return (
    fault.code === code && (row === undefined || row === place.row) && (column === undefined || column === place.column)
  );
}

function placeOf({ code, origin }: Fault): Expected {
  return { code, row: origin?.row, column: origin?.column };
}

function placeText({ code, row, column = '' }: Expected): Message | string {
  if (row === undefined) return column === '' ? code : MAPPING_TESTS.inColumn({ code, column });
  return column === '' ? MAPPING_TESTS.onRow({ code, row }) : MAPPING_TESTS.inCell({ code, row, column });
}

/**
 * Blocks may have more fields than expected; lists must have the same length and are compared item by item. `at` is a
 * JSON pointer.
 */
function* contentDifferences(expected: unknown, found: unknown, at: string): Iterable<Message> {
  const place = at === '' ? MAPPING_TESTS.wholeDocument() : at;
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) yield MAPPING_TESTS.list({ place, found: asText(found) });
    else if (expected.length !== found.length) {
      yield MAPPING_TESTS.itemCount({ place, count: expected.length, found: found.length });
    } else for (const [n, item] of expected.entries()) yield* contentDifferences(item, found[n], `${at}/${n}`);
    return;
  }
  if (typeof expected !== 'object' || expected === null) {
    if (expected !== found) yield MAPPING_TESTS.value({ place, expected: asText(expected), found: asText(found) });
    return;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    yield MAPPING_TESTS.block({ place, found: asText(found) });
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    const inner = Object.hasOwn(found, key) ? (found as { [key: string]: unknown })[key] : undefined;
    yield* contentDifferences(value, inner, `${at}/${key}`);
  }
}

/** A value for a message: JSON, shortened for blocks and lists. */
function asText(value: unknown): Message | string {
  if (value === undefined) return MAPPING_TESTS.nothing();
  const json = JSON.stringify(value);
  return typeof value === 'object' && value !== null ? json.slice(0, 80) : json;
}
