/**
 * `test --update`: brings the tests of mapping files up to what their samples give now. Each updated test is run again
 * on the new text before anything is written; one that cannot be written in place is refused with the reason.
 */
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { type Instance, mappingWorld } from '../instance/instance.ts';
import type { MappingTest } from '../mapping/file/mapping-shape.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import { type MappingTestResult, runMappingTests } from '../mapping/mapping-tests.ts';
import { convertSample, mappingsNamed } from '../pipeline/preview/run-mapping-tests.ts';
import { errorEdits, expectationEdits, NotInPlace } from './expectation-edits.ts';
import { applyEdits, type ChangedLine, changedLines, type Edit, readSourceText, replaceText } from './text-edits.ts';

export type TestUpdate = {
  readonly mapping: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly updated: readonly string[];
  readonly changes: readonly ChangedLine[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
};

export type UpdateOptions = {
  /** Lists of expected errors are written anew as well. */
  readonly errors: boolean;
};

/** Nothing is written: `writeUpdates` does that. Mappings whose tests all pass are not in the result. */
export async function updateTests(
  instance: Instance,
  ids: readonly string[],
  options: UpdateOptions,
): Promise<readonly TestUpdate[]> {
  const updates: TestUpdate[] = [];
  for (const mapping of mappingsNamed(instance, ids)) {
    const update = await updateMapping(instance, mapping, options);
    if (update.updated.length > 0 || update.refused.length > 0) updates.push(update);
  }
  return updates;
}

export function writeUpdates({ folder }: Instance, updates: readonly TestUpdate[]): void {
  for (const { file, before, after } of updates) {
    if (after !== before) replaceText(resolve(folder, file), before, after);
  }
}

async function updateMapping(instance: Instance, mapping: Mapping, options: UpdateOptions): Promise<TestUpdate> {
  const before = readSourceText(resolve(instance.folder, mapping.file));
  const edits: Edit[] = [];
  const updated: string[] = [];
  const refused: { name: string; why: string }[] = [];
  for (const [n, test] of mapping.tests.entries()) {
    const found = await convertSample(instance, mapping, test.given);
    if ((await differences(mapping.id, test, found)).length === 0) continue;
    try {
      if (before === undefined) throw new NotInPlace('the mapping file is not UTF-8');
      if (!found) throw new NotInPlace(`the sample file ${test.given} is not there`);
      const own = await editsOf({ mapping, before, n, test, found, options });
      await prove(instance, mapping, applyEdits(before, own), n, found);
      edits.push(...own);
      updated.push(test.name);
    } catch (error) {
      if (!(error instanceof NotInPlace)) throw error;
      refused.push({ name: test.name, why: error.message });
    }
  }
  const text = before ?? '';
  const after = applyEdits(text, edits);
  return {
    mapping: mapping.id,
    file: mapping.file,
    before: text,
    after,
    updated,
    refused,
    changes: changedLines(text, edits),
  };
}

async function differences(
  id: string,
  test: MappingTest,
  found: MappingTestResult | undefined,
): Promise<readonly string[]> {
  const [result] = await runMappingTests({ id, tests: [test] }, async () => found);
  return result!.differences;
}

type Case = {
  readonly mapping: Mapping;
  readonly before: string;
  readonly n: number;
  readonly test: MappingTest;
  readonly found: MappingTestResult;
  readonly options: UpdateOptions;
};

async function editsOf({ mapping, before, n, test, found, options }: Case): Promise<readonly Edit[]> {
  const { name, given, 'expect-errors': expected = [] } = test;
  const document = parseDocument(before, { version: '1.2', schema: 'core' });
  // The errors alone: a wrong error that becomes the expected one would hide what is wrong with the mapping.
  const wrong = await differences(mapping.id, { name, given, 'expect-errors': expected }, found);
  if (wrong.length > 0 && !options.errors) throw new NotInPlace(`${wrong[0]}; --update-errors writes these as well`);
  return [
    ...expectationEdits(document, before, n, test, found),
    ...(wrong.length > 0 ? errorEdits(document, before, n, found.faults) : []),
  ];
}

/** The test as it would be written passes, and the rest of the file says what it said. */
async function prove(
  instance: Instance,
  { id, file, tests }: Mapping,
  text: string,
  n: number,
  found: MappingTestResult,
): Promise<void> {
  const { mapping } = loadMapping(text, file, mappingWorld(instance.folder));
  const others = (all: readonly MappingTest[]) => JSON.stringify(all.toSpliced(n, 1));
  const test = mapping?.tests[n];
  if (!test || others(mapping.tests) !== others(tests) || (await differences(id, test, found)).length > 0) {
    throw new NotInPlace('it is written in a way that cannot be changed in place: change it by hand');
  }
}
