/**
 * `test --update`: mappings and their samples in, updated test expectations out. Each updated test runs again on the
 * new text before anything is written; one that cannot be updated in place is refused with the reason.
 */
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { format, type Language } from '../i18n/message.ts';
import { MAPPING_TESTS, TEST_UPDATES } from '../i18n/messages/mapping-messages.ts';
import { type Instance, mappingWorld } from '../instance/instance.ts';
import type { MappingTest } from '../mapping/file/mapping-shape.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import { type MappingTestResult, runMappingTests } from '../mapping/mapping-tests.ts';
import { appendAll } from '../text/long-lists.ts';
import { convertSample, mappingsNamed } from '../views/preview/run-mapping-tests.ts';
import { errorEdits, expectationEdits, NotInPlace } from './expectation-edits.ts';
import { applyEdits, type ChangedLine, changedLines, type Edit, readSourceText, replaceText } from './text-edits.ts';

/** One mapping file: `updated` and `refused` name its tests, `before` and `after` are its whole text. */
export type TestUpdate = {
  readonly mapping: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly updated: readonly string[];
  readonly changes: readonly ChangedLine[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
};

/** `errors` is off by default: a wrong list of errors often means a wrong mapping. */
export type UpdateOptions = {
  /** Lists of expected errors are rewritten as well. */
  readonly errors: boolean;
};

/** Writes nothing: `writeUpdates` does that. Mappings whose tests all pass are not in the result. */
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

/** Throws `tools/changed-meanwhile` where a file changed after it was read. */
export function writeUpdates({ folder }: Instance, updates: readonly TestUpdate[]): void {
  for (const { file, before, after } of updates) {
    if (after !== before) replaceText(resolve(folder, file), before, after);
  }
}

/** Runs each test of the mapping; edits are offsets of the text as it was read, so that they all apply at once. */
async function updateMapping(instance: Instance, mapping: Mapping, options: UpdateOptions): Promise<TestUpdate> {
  const before = readSourceText(resolve(instance.folder, mapping.file));
  const edits: Edit[] = [];
  const updated: string[] = [];
  const refused: { name: string; why: string }[] = [];
  for (const [n, test] of mapping.tests.entries()) {
    const found = await convertSample(instance, mapping, test.given);
    if ((await differences(instance, test, found)).length === 0) continue;
    try {
      if (before === undefined) throw new NotInPlace(TEST_UPDATES.notUtf8());
      if (!found) throw new NotInPlace(MAPPING_TESTS.sampleMissing({ file: test.given }));
      const own = await editsOf({ instance, before, n, test, found, options });
      await prove({ instance, mapping, n, found }, applyEdits(before, own));
      appendAll(edits, own);
      updated.push(test.name);
    } catch (error) {
      if (!(error instanceof NotInPlace)) throw error;
      refused.push({ name: test.name, why: format(error.reason, languageOf(instance)) });
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

/** What the test reports for this result, in the language of the settings; empty where it passes. */
async function differences(
  instance: Instance,
  test: MappingTest,
  found: MappingTestResult | undefined,
): Promise<readonly string[]> {
  const options = { convert: async () => found, language: languageOf(instance) };
  const outcomes = await runMappingTests({ id: '', tests: [test] }, options);
  return outcomes.flatMap((outcome) => outcome.differences);
}

function languageOf({ config }: Instance): Language {
  return config.settings.rules.language;
}

/** The n-th test of a mapping file that fails now. */
type Case = {
  readonly instance: Instance;
  readonly before: string;
  readonly n: number;
  readonly test: MappingTest;
  readonly found: MappingTestResult;
  readonly options: UpdateOptions;
};

async function editsOf({ instance, before, n, test, found, options }: Case): Promise<readonly Edit[]> {
  const { name, given, 'expect-errors': expected = [] } = test;
  const document = parseDocument(before, { version: '1.2', schema: 'core' });
  // The errors alone: a wrong error that becomes the expected one would hide a defect of the mapping.
  const wrong = await differences(instance, { name, given, 'expect-errors': expected }, found);
  const [difference] = wrong;
  if (difference !== undefined && !options.errors) throw new NotInPlace(TEST_UPDATES.updateErrors({ difference }));
  const edits = expectationEdits({ document, text: before, n, test }, found);
  return difference === undefined ? edits : [...edits, ...errorEdits(document, before, n, found.faults)];
}

/** Throws NotInPlace unless the test passes in the new text and the other tests of the file are unchanged. */
async function prove(
  { instance, mapping: { file, tests }, n, found }: Pick<Case, 'instance' | 'n' | 'found'> & { mapping: Mapping },
  text: string,
): Promise<void> {
  const { mapping } = loadMapping(text, file, mappingWorld(instance));
  const others = (all: readonly MappingTest[]) => JSON.stringify(all.toSpliced(n, 1));
  const test = mapping?.tests[n];
  if (!test || others(mapping.tests) !== others(tests) || (await differences(instance, test, found)).length > 0) {
    throw new NotInPlace(TEST_UPDATES.byHand());
  }
}
