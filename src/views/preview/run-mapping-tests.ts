/**
 * Runs the tests in mapping files through the same conversion as a night: mappings in, results out. Throws
 * OperatorError test/no-such-mapping.
 */
import { basename } from 'node:path';
import type { Language } from '../../i18n/message.ts';
import { TEST_REFUSED } from '../../i18n/messages/pipeline-messages.ts';
import { type ConversionInstance, type Instance, resolveNamedFile } from '../../instance/instance.ts';
import type { ReappearedKeys } from '../../mapping/compose/group-rows.ts';
import type { MappingTest } from '../../mapping/file/mapping-shape.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { type MappingTestOutcome, type MappingTestResult, runMappingTests } from '../../mapping/mapping-tests.ts';
import { documentOf, faultsOfOutcome } from '../../model/document.ts';
import { type Fault, OperatorError } from '../../model/fault.ts';
import { inputFor } from '../../pipeline/admission/admit-file.ts';
import { convert, ReappearedKeysError } from '../../pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { appendAll } from '../../text/long-lists.ts';
import { answerDifferences } from './sample-answers.ts';

/** The day that TODAY() gives in tests, so that their expectations stay true. */
export const TEST_DAY = '2026-01-15T12:00:00Z';

/** The tests of all mappings, or of those with these ids. */
export async function runAllMappingTests(
  instance: Instance,
  ids: readonly string[],
): Promise<readonly MappingTestOutcome[]> {
  const results: MappingTestOutcome[] = [];
  const { language } = instance.config.settings.rules;
  for (const mapping of mappingsNamed(instance, ids)) {
    appendAll(results, await testMapping(instance, mapping, language));
  }
  return results;
}

/** One outcome per test of the mapping. */
export async function testMapping(
  instance: ConversionInstance,
  mapping: Mapping,
  language: Language,
): Promise<readonly MappingTestOutcome[]> {
  const convert = (given: string) => convertSample(instance, mapping, given);
  const answers = async (test: MappingTest) => await answerDifferences(instance, mapping, test, TEST_DAY);
  return await runMappingTests(mapping, { convert, answers, language });
}

/** All mappings if no id is given. */
export function mappingsNamed({ mappings }: Instance, ids: readonly string[]): readonly Mapping[] {
  const unknown = ids.find((id) => !mappings.some((mapping) => mapping.id === id));
  if (unknown !== undefined) {
    const known = mappings.map(({ id }) => id).join(', ');
    throw new OperatorError('test/no-such-mapping', TEST_REFUSED.noMapping({ mapping: unknown }), {
      hint: TEST_REFUSED.mappings({ mappings: known }),
    });
  }
  return mappings.filter(({ id }) => ids.length === 0 || ids.includes(id));
}

/** Documents and faults of a sample. Undefined if the sample file does not exist. */
export async function convertSample(
  instance: ConversionInstance,
  mapping: Mapping,
  given: string,
  reappeared?: ReappearedKeys,
): Promise<MappingTestResult | undefined> {
  const path = resolveNamedFile(instance.folder, given);
  if (path === undefined) return undefined;
  const documents: unknown[] = [];
  const faults: Fault[] = [];
  const file = { name: basename(given), path, claimedAt: TEST_DAY };
  const input = { ...inputFor({ instance }, file, mapping), isTrial: true };
  try {
    for await (const { outcomes, headers } of convert(reappeared ? { ...input, reappeared } : input)) {
      for (const outcome of [...outcomes, ...(headers?.outcomes ?? [])]) {
        const document = documentOf(outcome);
        if (document) documents.push(bodyOf(document.content.toString()));
        appendAll(faults, faultsOfOutcome(outcome));
      }
    }
  } catch (error) {
    if (error instanceof ReappearedKeysError) return await convertSample(instance, mapping, given, error.reappeared);
    if (!(error instanceof UnreadableFileError)) throw error;
    appendAll(faults, error.faults);
  }
  return { documents, faults };
}

/** People write the payload under `expect`; a document that is only a file is compared as `{ file: ... }`. */
function bodyOf(content: string): unknown {
  const body = JSON.parse(content) as { readonly payload?: object; readonly file?: object };
  return body.payload ?? body;
}
