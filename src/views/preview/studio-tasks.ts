/**
 * What the studio asks for, on text that a person is writing: the document that it makes of a sample, its tests, a
 * comparison with the mapping in use, a first draft. Plain data in and out, because another thread does it
 * (studio-worker.ts). Faults are data; an OperatorError is a refusal with its words.
 */
import { basename } from 'node:path';
import { format, type Language } from '../../i18n/message.ts';
import { type ConversionInstance, conversionInstance, mappingWorld } from '../../instance/instance.ts';
import type { Settings } from '../../instance/settings-shape.ts';
import { NOTHING_AGAIN } from '../../mapping/compose/group-rows.ts';
import { loadMapping, type Mapping } from '../../mapping/mapping.ts';
import type { MappingTestOutcome } from '../../mapping/mapping-tests.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError, localize, OperatorError } from '../../model/fault.ts';
import { type FileRead, inputFor } from '../../pipeline/admission/admit-file.ts';
import { type Previewed, previewDrafts, readAhead } from '../../pipeline/conversion/convert-file.ts';
import { type Cells, cellsOfGroup } from '../../pipeline/reprocessing/reconvert-source.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { compareMappings } from './diff-mappings.ts';
import { diffWithSent, type SentContent } from './diff-sent.ts';
import { countDifferences, type DiffSummary } from './diff-summary.ts';
import { inferMapping } from './infer-mapping.ts';
import { type Field, previewOf } from './preview-files.ts';
import { convertSample, testMapping } from './run-mapping-tests.ts';

/** A mapping that is being written, where it is or will be, and who reads the answer. */
type Written = {
  readonly folder: string;
  readonly settings: Settings;
  readonly text: string;
  /** Path below the instance folder, with slashes. */
  readonly file: string;
  readonly language: Language;
};

/** A file on this machine under the name that it was dropped with; `partner` is the header file of a pair. */
export type StudioSample = FileRead & { readonly claimedAt: string; readonly partner?: FileRead };

/** A sample with the contents that documents of it were sent with. */
export type SentSample = StudioSample & { readonly sent: readonly SentContent[] };

export type StudioTask = Written &
  (
    | { readonly do: 'look'; readonly sample?: StudioSample; readonly document: number; readonly row?: number }
    | { readonly do: 'tests' }
    | { readonly do: 'golden'; readonly given: string }
    | { readonly do: 'sent'; readonly samples: readonly SentSample[] }
    | { readonly do: 'compare'; readonly current: string; readonly samples: readonly StudioSample[] }
    | { readonly do: 'infer'; readonly sample: StudioSample; readonly bytes: Uint8Array; readonly target: string }
  );

/** A fault in the language of the person. `line` is one of the mapping text. */
export type StudioProblem = Pick<Fault, 'code' | 'level' | 'message' | 'hint' | 'at'> & {
  readonly line?: number;
  readonly row?: number;
  readonly column?: string;
};

/** One document of the sample: its rows as the reader gives them, its fields, its problems. */
type StudioDocument = {
  readonly identifier: string;
  readonly class: string;
  readonly rows: readonly Cells[];
  readonly fields: readonly Field[];
  readonly problems: readonly StudioProblem[];
  readonly valid: boolean;
};

/** `number` is the place of the document in the sample, from 1; `seen` counts those that were read in the time there was. */
type StudioLook = {
  readonly findings: readonly StudioProblem[];
  readonly fileProblems: readonly StudioProblem[];
  readonly number: number;
  readonly document?: StudioDocument;
  readonly seen: { readonly documents: number; readonly refused: number; readonly isAll: boolean };
};

/** The result of one test; without differences it passes. */
export type StudioTest = MappingTestOutcome;

type StudioComparison = { readonly summary: DiffSummary; readonly files: number; readonly compared: number };

/** What the mapping makes of a sample of a test: bodies as `expect` has them, errors as `expect-errors` has them. */
export type StudioGolden = {
  readonly documents: readonly unknown[];
  readonly faults: readonly { readonly code: string; readonly row?: number; readonly column?: string }[];
};

/** `refused`: nothing was made, with the reason. */
export type StudioResult = {
  readonly look?: StudioLook;
  readonly tests?: readonly StudioTest[];
  readonly comparison?: StudioComparison;
  readonly golden?: StudioGolden;
  readonly draft?: string;
  readonly findings?: readonly StudioProblem[];
  readonly refused?: { readonly message: string; readonly hint?: string };
};

/** Milliseconds: reads on after the wanted document, reads a second time what was read in less, and compares. A worker that takes much longer is ended from outside. */
const READ_ON_MS = 60;
const READ_AGAIN_MS = 300;
const COMPARE_MS = 8_000;

export async function studioTask(task: StudioTask): Promise<StudioResult> {
  try {
    return await taskDone(task);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint } = error.texts;
    const words = (one: typeof message) => format(one, task.language);
    return { refused: definedOnly({ message: words(message), hint: hint && words(hint) }) };
  }
}

async function taskDone(task: StudioTask): Promise<StudioResult> {
  const instance = conversionInstance(task.folder, task.settings);
  if (task.do === 'infer') return await draftOf(task);
  const { mapping, findings } = loaded(task, task.text);
  if (task.do === 'look') return { look: await lookAt(instance, task, mapping, findings) };
  if (!mapping) return { findings };
  if (task.do === 'tests') return { findings, tests: await testsOf(instance, task, mapping) };
  if (task.do === 'golden') return definedOnly({ findings, golden: await goldenOf(instance, task.given, mapping) });
  if (task.do === 'sent') return { findings, comparison: await comparedWithSent(instance, task.samples, mapping) };
  const current = loaded(task, task.current).mapping;
  return current ? { findings, comparison: await compared(instance, task, current, mapping) } : { findings };
}

function loaded(
  task: Written,
  text: string,
): { readonly mapping?: Mapping; readonly findings: readonly StudioProblem[] } {
  const place = conversionInstance(task.folder, task.settings);
  const { mapping, faults } = loadMapping(text, task.file, mappingWorld(place));
  return definedOnly({ mapping, findings: problemsOf(faults, task) });
}

function problemsOf(faults: readonly Fault[], { language, file }: Written): readonly StudioProblem[] {
  return localize(faults, language).map(({ code, level, message, hint, at, mark, origin }) =>
    definedOnly({
      ...{ code, level, message, hint, at },
      line: mark?.file === file ? mark.line : undefined,
      row: origin?.row === 0 ? undefined : origin?.row,
      column: origin?.column,
    }),
  );
}

async function lookAt(
  instance: ConversionInstance,
  task: StudioTask & { readonly do: 'look' },
  mapping: Mapping | undefined,
  findings: readonly StudioProblem[],
): Promise<StudioLook> {
  const { sample } = task;
  const nothing = { findings, fileProblems: [], number: 0, seen: { documents: 0, refused: 0, isAll: true } };
  if (!mapping || !sample) return nothing;
  const input = () => ({
    ...inputFor({ instance }, sample, mapping, definedOnly({ partner: sample.partner })),
    language: task.language,
  });
  const start = performance.now();
  let seen = await readFor(task, { ...input(), reappeared: NOTHING_AGAIN });
  // What comes too late in the file refuses documents that were shown. A file that takes long is not read again.
  if (seen.isAll && performance.now() - start < READ_AGAIN_MS) {
    const reappeared = await readAhead(input());
    if (reappeared !== NOTHING_AGAIN) seen = await readFor(task, { ...input(), reappeared });
  }
  const { shown, number, documents, refused, isAll, faults } = seen;
  return definedOnly({
    findings,
    fileProblems: problemsOf(faults, task),
    number,
    document: shown && documentOfLook(shown, mapping, task),
    seen: { documents, refused, isAll },
  });
}

type Looked = StudioLook['seen'] & {
  readonly shown: Previewed | undefined;
  readonly number: number;
  readonly faults: readonly Fault[];
};

/** Up to the wanted document, and on as long as the time allows. */
async function readFor(
  { document, row }: StudioTask & { readonly do: 'look' },
  input: Parameters<typeof previewDrafts>[0],
): Promise<Looked> {
  const isWanted = ({ group }: Previewed, at: number) =>
    row === undefined ? at === document : group.rows.some((one) => one.row === row);
  let shown: Previewed | undefined;
  let isFound = false;
  let number = 0;
  let documents = 0;
  let refused = 0;
  let isAll = true;
  let faults: readonly Fault[] = [];
  const start = performance.now();
  try {
    for await (const one of previewDrafts(input)) {
      documents++;
      if (!('document' in one.outcome)) refused++;
      if (!isFound) {
        shown = one;
        number = documents;
        isFound = isWanted(one, documents);
      }
      if (!isFound || performance.now() - start < READ_ON_MS) continue;
      isAll = false;
      break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    faults = error.faults;
  }
  return { shown, number, documents, refused, isAll, faults };
}

function documentOfLook(one: Previewed, mapping: Mapping, task: Written): StudioDocument {
  const { identifier, class: documentClass, fields, faults, valid } = previewOf(one, mapping, task.language);
  const rows = cellsOfGroup(one.group).map(({ broken: _, ...cells }) => cells);
  return { identifier, class: documentClass, fields, rows, valid, problems: problemsOf(faults, task) };
}

async function testsOf(instance: ConversionInstance, { language }: Written, mapping: Mapping) {
  return await testMapping(instance, mapping, language);
}

/** Undefined where the sample is gone. */
async function goldenOf(instance: ConversionInstance, given: string, mapping: Mapping) {
  const made = await convertSample(instance, mapping, given);
  const faults = made?.faults.filter(isError).map(({ code, origin }) => {
    const { row = 0, column } = origin ?? {};
    return definedOnly({ row: row === 0 ? undefined : row, column, code });
  });
  return made && faults && { documents: made.documents, faults };
}

/** What was sent and what the written mapping makes of the same files, as far as the time allows. */
async function comparedWithSent(
  instance: ConversionInstance,
  samples: readonly SentSample[],
  mapping: Mapping,
): Promise<StudioComparison> {
  const counting = countDifferences();
  const until = performance.now() + COMPARE_MS;
  let done = 0;
  for (const sample of samples) {
    const about = { file: sample.name, path: sample.path };
    for await (const document of diffWithSent(instance, sample, mapping)) {
      counting.see({ ...about, document });
      if (performance.now() > until) return { summary: counting.summary(), files: samples.length, compared: done };
    }
    done++;
  }
  return { summary: counting.summary(), files: samples.length, compared: done };
}

/** The mapping in use and the written one over the samples, as far as the time allows. */
async function compared(
  instance: ConversionInstance,
  { samples }: { readonly samples: readonly StudioSample[] },
  old: Mapping,
  young: Mapping,
): Promise<StudioComparison> {
  const counting = countDifferences();
  const until = performance.now() + COMPARE_MS;
  let done = 0;
  for (const sample of samples) {
    const about = { file: sample.name, path: sample.path };
    const { documents, unreadable } = compareMappings(instance, sample, { old, new: young });
    for await (const document of documents) {
      counting.see({ ...about, document });
      if (performance.now() > until) return { summary: counting.summary(), files: samples.length, compared: done };
    }
    const faults = unreadable();
    if (faults.old.length > 0 || faults.new.length > 0) counting.see({ ...about, unreadable: faults });
    done++;
  }
  return { summary: counting.summary(), files: samples.length, compared: done };
}

/** Without a first test: no person has put its sample next to the mapping. */
async function draftOf({ folder, sample, bytes, target, language, file }: StudioTask & { readonly do: 'infer' }) {
  const { mapping } = await inferMapping({ bytes, file: sample.name, target, folder, language });
  const id = basename(file, '.yaml');
  return { draft: mapping.replace(/^mapping:.*$/m, () => `mapping: ${id}`) };
}

/** Whether a finding keeps the text from being saved. */
export function isInvalid({ findings }: { readonly findings: readonly StudioProblem[] }): boolean {
  return findings.some(isError);
}
