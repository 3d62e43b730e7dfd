/**
 * The answers that a sample would get: its documents authorized, or in the states that the author names; refused ones as
 * `invalid`. For previews and tests of mappings: nothing is recorded, and the same sample gives the same bytes.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Message } from '../../i18n/message.ts';
import { ANSWERS_BLOCK } from '../../i18n/messages/mapping-messages.ts';
import type { ConversionInstance } from '../../instance/instance.ts';
import { resolveNamedFile } from '../../instance/instance.ts';
import type { AnswerScope } from '../../mapping/answers/answer-scope.ts';
import type { CompiledAnswers } from '../../mapping/answers/compiled-answers.ts';
import { type AnswerProblem, composeAnswers } from '../../mapping/answers/compose-answers.ts';
import type { MappingTest } from '../../mapping/file/mapping-shape.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { STATE_BY_CODE } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { detailsOf, documentOf, faultsOfOutcome } from '../../model/document.ts';
import { DOCUMENT_TOO_LARGE, isError } from '../../model/fault.ts';
import { sourceNumberOf } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';
import { stateGroup } from '../../model/state.ts';
import { inputFor } from '../../pipeline/admission/admit-file.ts';
import { type Previewed, previewDrafts, readAhead } from '../../pipeline/conversion/convert-file.ts';
import { appendAll } from '../../text/long-lists.ts';

/** One block: the name of its first file, its bytes, and what does not fit. */
export type SampleAnswers = {
  readonly block: CompiledAnswers;
  readonly name: string;
  readonly bytes: Buffer;
  readonly problems: readonly AnswerProblem[];
};

const AT = '2026-01-15T12:00:00';
const CODES: ReadonlyMap<State, number> = new Map([...STATE_BY_CODE].map(([code, state]) => [state, code]));

/** `file.claimedAt` is the time that TODAY() is calculated from. */
export async function sampleAnswers(
  instance: ConversionInstance,
  mapping: Mapping,
  file: { readonly name: string; readonly path: string; readonly claimedAt: string },
  as: readonly State[] = ['authorized'],
): Promise<readonly SampleAnswers[]> {
  const about = { name: file.name, id: 'sample', sha256: '0'.repeat(64), claimedAt: AT };
  const today = file.claimedAt.slice(0, 10);
  const making = mapping.answers.map((block) => {
    // The same text in the same field of many documents is one problem.
    const problems = new Map<string, AnswerProblem>();
    return {
      block,
      problems,
      composer: composeAnswers(block, today, (one) => problems.set(JSON.stringify(one), one)),
      parts: [] as string[],
    };
  });
  const first: AnswerScope = { n: 1, run: 'sample', documents: 0, file: about };
  for (const { composer, parts } of making) parts.push(composer.begin(first));
  let documents = 0;
  const input = () => ({ ...inputFor({ instance }, file, mapping), isTrial: true });
  const reappeared = await readAhead(input());
  for await (const one of previewDrafts({ ...input(), reappeared })) {
    const state = documentOf(one.outcome) ? (as[documents % as.length] ?? 'authorized') : 'invalid';
    documents++;
    const scope = { ...first, documents, ...scopeOf(one, state, documents) };
    // A night has no more of its rows at once either.
    const isPart = faultsOfOutcome(one.outcome).some(({ code }) => code === DOCUMENT_TOO_LARGE);
    const { table, rows } = one.group;
    for (const { composer, parts } of making) parts.push(composer.document(scope, table, rows, isPart));
  }
  return making.map(({ block, problems, composer, parts }) => {
    parts.push(composer.end({ ...first, documents }));
    const name = block.name.make({ n: 1, mapping: mapping.id, run: 'sample', day: AT.slice(0, 10), file: about });
    return { block, name, problems: [...problems.values()], bytes: block.page.bytes(parts.join('')) };
  });
}

function scopeOf({ outcome }: Previewed, as: State, n: number): Pick<AnswerScope, 'answer' | 'document' | 'receipt'> {
  // A duplicate has the answer of the document that it repeats.
  const repeats = as === 'duplicate';
  const state = repeats ? 'authorized' : as;
  const { facts, class: documentClass, kind } = detailsOf(outcome);
  const document = documentOf(outcome);
  const fault = document ? undefined : faultsOfOutcome(outcome).find(isError);
  const code = CODES.get(state);
  return {
    answer: definedOnly({
      state,
      code,
      name: fault?.code ?? (code === undefined ? undefined : state),
      message: fault?.message ?? (code === undefined ? undefined : `answer ${code}`),
      trackingId: code === undefined ? undefined : `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      at: AT,
      final: stateGroup(state) === 'done',
      repeats,
    }),
    document: definedOnly({
      identifier: facts.identifier,
      sourceNumber: sourceNumberOf(document?.keys ?? [], facts.identifier),
      class: documentClass,
      kind,
      date: facts.date,
      amount: facts.amount,
      currency: facts.currency,
      customer: facts.counterparty,
    }),
    receipt: `${facts.identifier}.receipt.json`,
  };
}

/** Path of the file with the expected answers of each block; a name that no block has is a difference. */
function goldenOf(mapping: Mapping, expected: MappingTest['expect-answers']) {
  const named = typeof expected === 'string' ? { [mapping.answers[0]?.name.text ?? '']: expected } : (expected ?? {});
  return Object.entries(named).map(([name, path]) => {
    return { name, path, block: mapping.answers.find((one) => one.name.text === name) };
  });
}

/** What `expect-answers` of a test gives now, by the path of its file. */
export async function expectedAnswers(
  instance: ConversionInstance,
  mapping: Mapping,
  test: MappingTest,
  claimedAt: string,
): Promise<readonly { readonly path: string; readonly name: string; readonly made?: SampleAnswers }[]> {
  const given = resolveNamedFile(instance.folder, test.given);
  if (test['expect-answers'] === undefined || given === undefined) return [];
  const made = await sampleAnswers(
    instance,
    mapping,
    { name: basename(test.given), path: given, claimedAt },
    test['answers-as'] as readonly State[] | undefined,
  );
  return goldenOf(mapping, test['expect-answers']).map(({ name, path, block }) =>
    definedOnly({ name, path, made: made.find((one) => one.block === block) }),
  );
}

/** The differences of the answers of one test, and the fields that a night would leave empty. */
export async function answerDifferences(
  instance: ConversionInstance,
  mapping: Mapping,
  test: MappingTest,
  claimedAt: string,
): Promise<readonly Message[]> {
  const differences: Message[] = [];
  for (const { path, name, made } of await expectedAnswers(instance, mapping, test, claimedAt)) {
    const golden = resolveNamedFile(instance.folder, path);
    if (!made) differences.push(ANSWERS_BLOCK.noBlock({ name }));
    else if (golden === undefined) differences.push(ANSWERS_BLOCK.noGolden({ file: path }));
    else appendAll(differences, lineDifferences(path, readFileSync(golden), made.bytes));
    appendAll(differences, (made?.problems ?? []).map(answerProblemText));
  }
  return differences;
}

const MOST_LINES = 10;

function lineDifferences(file: string, golden: Buffer, made: Buffer): readonly Message[] {
  if (golden.equals(made)) return [];
  const [before, now] = [golden, made].map((bytes) => bytes.toString('latin1').split('\n'));
  const count = Math.max(before?.length ?? 0, now?.length ?? 0);
  return Array.from({ length: count }, (_, n) => n)
    .filter((n) => before?.[n] !== now?.[n])
    .slice(0, MOST_LINES)
    .map((n) => {
      const [expected, found] = [before?.[n], now?.[n]].map((line) => JSON.stringify(line ?? ''));
      return ANSWERS_BLOCK.lineDiffers({ file, line: n + 1, expected: expected ?? '', found: found ?? '' });
    });
}

export function answerProblemText({ why, field, text = '', code = '-' }: AnswerProblem): Message {
  if (why === 'letter') return ANSWERS_BLOCK.fieldLetter({ field, text });
  return why === 'too-wide' ? ANSWERS_BLOCK.fieldTooWide({ field, text }) : ANSWERS_BLOCK.fieldEmpty({ field, code });
}
