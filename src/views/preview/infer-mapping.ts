/**
 * A draft mapping from a sample: inferred, then tried on the sample itself, whose first valid documents become its
 * first test. Writes nothing: mapping and sample come back as text and bytes. Throws OperatorError
 * (infer/not-an-export, with the faults of the reader if it refuses the sample; infer/fixed-width).
 */

import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { countryOf, DOCUMENT_KINDS, readerOf } from '../../catalogue.ts';
import { inOnePiece } from '../../files/in-one-piece.ts';
import { format, type Language } from '../../i18n/message.ts';
import { DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM } from '../../i18n/messages/infer-messages.ts';
import { type AnswerForm, type Inference, inferDraft, UNKNOWN } from '../../infer/infer-draft.ts';
import { mappingWorld } from '../../instance/instance.ts';
import { loadMapping, type Mapping } from '../../mapping/mapping.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Document, type DocumentKind, type DocumentOutcome, documentOf } from '../../model/document.ts';
import { FILL_IN } from '../../model/draft.ts';
import { type Fault, isError, OperatorError } from '../../model/fault.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../model/identifiers.ts';
import { must } from '../../model/must.ts';
import { convert, ReappearedKeysError } from '../../pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { appendAll } from '../../text/long-lists.ts';

export { ANSWER_FORMS, INFERABLE } from '../../infer/infer-draft.ts';

/** A sample and the kind of document to make of it. */
export type InferRequest = {
  readonly bytes: Uint8Array;
  /** Name of the sample, without folder. */
  readonly file: string;
  readonly target: string;
  /** The instance folder: paths in the mapping count from here. */
  readonly folder: string;
  /** The language of comments, questions and checks; English by default. */
  readonly language?: Language;
  /** The path of the future mapping; without it, the draft gets no test. */
  readonly out?: string;
  /** Proposes answers to the ERP in this form. */
  readonly answers?: AnswerForm;
};

/** The result of the draft on the whole sample. */
type Trial = {
  readonly documents: number;
  /** Complete, every placeholder taken as filled in. */
  readonly good: number;
  /** Whether the draft holds placeholders: until they are filled in, no document is sent. */
  readonly toFillIn: boolean;
  /** Values that the sample does not show, as the draft has them: without them no document is complete. */
  readonly unknown: readonly string[];
  readonly faults: readonly Fault[];
  /** What the rules of the usual profile want beyond that, one of each code. */
  readonly lacks: readonly Fault[];
};

/** The draft with everything that a person has to check about it. */
export type Inferred = Pick<Inference, 'mapping' | 'evidence' | 'questions'> & {
  readonly trial: Trial;
  /** The part of the sample that the first test uses, to be written next to the mapping. */
  readonly sample?: { readonly path: string; readonly bytes: Uint8Array };
};

const HOW_MANY = 2;
/** The value that a trial puts in the place of each placeholder, with which documents would be refused. */
const FILLED: readonly (readonly [placeholder: string, value: string])[] = [
  ['codActividad: FILL IN', 'codActividad: "10005"'],
  ['departamento: FILL IN', 'departamento: "06"'],
  ['municipio: FILL IN', 'municipio: "23"'],
  ['bienTitulo: FILL IN', 'bienTitulo: "05"'],
  ['tipoDocumento: FILL IN', 'tipoDocumento: "36"'],
  ['"000000000"', '"999200116"'],
  ['FR12000000000', 'FR48999200116'],
  ['"00000000000000"', '"06140202181021"'],
  ['"0000000"', '"1234567"'],
  ['"00000000"', '"22222222"'],
  ['"00000"', '"75001"'],
  ['fill-in@example.invalid', 'x@example.invalid'],
];

/** The draft is returned even if the trial finds faults: they are in `trial`. */
export async function inferMapping(request: InferRequest): Promise<Inferred> {
  const { bytes, file, target, language, out, answers } = request;
  const id = idFrom(out ?? file);
  const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
  const inference = await inferDraft(definedOnly({ bytes, file, id, target, tests, language, answers }));
  if ('problem' in inference) {
    const { problem, fixedWidth, faults } = inference;
    if (!fixedWidth) {
      const options = faults ? { faults } : { hint: INFER_PROBLEM.giveExport() };
      throw new OperatorError('infer/not-an-export', INFER_PROBLEM.notAnExport({ file, problem }), options);
    }
    const hint = INFER_PROBLEM.writeFixed();
    throw new OperatorError('infer/fixed-width', INFER_PROBLEM.noDraft({ file, problem }), { hint });
  }
  const { mapping: draft, evidence, questions } = inference;
  const tried = await tryOn(draft, bytes, request);
  const test = out === undefined ? undefined : await firstTest(inference, tried.outcomes, { ...request, out, id });
  const mapping = test ? `${draft}\n${test.text}` : draft;
  return definedOnly({ mapping, evidence, questions, trial: tried.trial, sample: test?.sample });
}

/** mappings/sage-invoices.yaml -> sage-invoices; FAC_0905.csv -> fac. */
function idFrom(path: string): string {
  const stem = basename(path, extname(path));
  const plain = /\.ya?ml$/i.test(path) ? stem : stem.replace(/[\s._-]*\d.*$/, '').toLowerCase();
  const id = plain
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return id || 'draft';
}

const UNKNOWN_TEXTS = Object.values(UNKNOWN).map((text) => text.slice(FILL_IN.length));
const TO_FILL_IN = new RegExp(`${FILL_IN}(?!${UNKNOWN_TEXTS.join('|')})`, 'g');
const MARKS: readonly string[] = [FILL_IN, ...FILLED.map(([mark]) => mark)];

/** The draft with a value in the place of each placeholder, as a person would fill it in; what is unknown stays so. */
export function filledIn(draft: string): string {
  const filled = FILLED.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), draft);
  return filled.replaceAll(TO_FILL_IN, 'XXXXX');
}

/** Whether the fault follows from a value that nothing in the sample shows: the list of these says it once. */
function isOfUnknown({ code, given = '' }: Fault, draft: string): boolean {
  if (given.startsWith(FILL_IN)) return true;
  // No draft but one with an unknown value has a text in the place of a number.
  if (code === 'map/wrong-kind' || code === 'map/text-in-number-field') return true;
  return code === 'map/no-key' && draft.includes(UNKNOWN.date) && draft.includes('one-per: [month]');
}

type Tried = { readonly trial: Trial; readonly outcomes: readonly DocumentOutcome[] };

async function tryOn(draft: string, bytes: Uint8Array, { file, folder, target }: InferRequest): Promise<Tried> {
  const toFillIn = draft.split('\n').some((line) => MARKS.some((mark) => line.replace(/#.*/, '').includes(mark)));
  const unknown = Object.values(UNKNOWN).filter((text) => draft.includes(text));
  const { mapping, faults } = loadMapping(filledIn(draft), 'draft', mappingWorld(resolve(folder)));
  if (!mapping) return { trial: { documents: 0, good: 0, toFillIn, unknown, faults, lacks: [] }, outcomes: [] };
  const outcomes: DocumentOutcome[] = [];
  const problems: Fault[] = [...faults];
  const input = inputOf(mapping, bytes, file, target);
  const lacks = new Map<string, Fault>();
  try {
    for await (const step of convert(input)) appendAll(outcomes, step.outcomes);
    for await (const step of convert({ ...input, bytes: inOnePiece(bytes), kind: underRules(input.kind) })) {
      for (const outcome of step.outcomes) {
        if (!('faults' in outcome)) continue;
        for (const fault of outcome.faults) {
          if (fault.rule !== undefined && isError(fault) && !lacks.has(fault.code)) lacks.set(fault.code, fault);
        }
      }
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) appendAll(problems, error.faults);
    else if (!(error instanceof ReappearedKeysError)) throw error;
  }
  for (const outcome of outcomes) if ('faults' in outcome) appendAll(problems, outcome.faults);
  const good = documentsIn(outcomes).length;
  const isOwn = (fault: Fault) => unknown.length === 0 || !isOfUnknown(fault, draft);
  const own = { faults: problems.filter(isOwn), lacks: [...lacks.values()].filter(isOwn) };
  return {
    trial: { documents: outcomes.length, good, toFillIn, unknown, ...own },
    outcomes,
  };
}

function inputOf(mapping: Mapping, bytes: Uint8Array, file: string, target: string) {
  const kind = must(
    DOCUMENT_KINDS.find(({ name }) => name === target),
    `the kind ${target}`,
  );
  const reader = readerOf(mapping.source.format);
  const base64 = () => Buffer.from(bytes).toString('base64');
  // Only the totals of a trial are kept, and none of them depends on the day.
  return {
    bytes: inOnePiece(bytes),
    file,
    mapping,
    reader,
    kind,
    facts: { today: '2026-01-15', file: { name: file, base64 } },
    isTrial: true,
  };
}

function underRules(kind: DocumentKind): DocumentKind {
  const profile = countryOf(kind.service).profile.parse(undefined);
  return { ...kind, rules: kind.rules.under({ profile }) };
}

function documentsIn(outcomes: readonly DocumentOutcome[]): readonly Document[] {
  return outcomes.map(documentOf).filter((document) => document !== undefined);
}

type FirstTest = { readonly text: string; readonly sample: { readonly path: string; readonly bytes: Uint8Array } };

/**
 * The first valid documents, cut out of the sample and converted again; the result is the expectation. Undefined if the
 * cut does not give exactly these documents.
 */
async function firstTest(
  inference: Inference,
  outcomes: readonly DocumentOutcome[],
  request: InferRequest & { readonly out: string; readonly id: string },
): Promise<FirstTest | undefined> {
  const chosen = documentsIn(outcomes).slice(0, HOW_MANY);
  if (chosen.length === 0) return undefined;
  const bytes = await inference.cut(chosen.flatMap(({ rows }) => rows));
  const path = join(dirname(request.out), 'samples', `${request.id}${extname(request.file)}`);
  const { outcomes: outcomesOfCut, trial } = await tryOn(inference.mapping, bytes, {
    ...request,
    file: basename(path),
  });
  if (trial.good !== chosen.length || trial.documents !== chosen.length) return undefined;
  const expected = documentsIn(outcomesOfCut).map((document) => `      - ${expectation(document, inference.proven)}`);
  const given = relative(resolve(request.folder), resolve(request.folder, path)).split(sep).join('/');
  const { language = 'en' } = request;
  const text = [
    `tests:  # ${format(inference.proven ? DRAFT_COMMENT.provenTests() : DRAFT_COMMENT.unprovenTests(), language)}`,
    `  - name: ${format(DRAFT_COMMENT.testName({ count: chosen.length }), language)}`,
    `    given: ${JSON.stringify(given)}`,
    '    expect:',
    ...expected,
  ];
  return { text: `${text.join('\n')}\n`, sample: { path, bytes } };
}

type Body = {
  readonly document?: { readonly identifier?: string };
  readonly totals?: { readonly 'final-amount'?: number };
  readonly resumen?: { readonly montoTotalOperacion?: number };
};

/** Amounts only if totals of the ERP prove them: a test must not confirm a number that no one has checked. */
function expectation({ content }: Document, proven: boolean): string {
  const { payload, ...rest } = JSON.parse(content.toString()) as Body & { readonly payload?: Body };
  const body = payload ?? rest;
  const parts: Body = definedOnly({
    document: body.document?.identifier === undefined ? undefined : { identifier: body.document.identifier },
    totals: proven && body.totals ? { 'final-amount': body.totals['final-amount'] ?? 0 } : undefined,
    resumen: proven && body.resumen ? { montoTotalOperacion: body.resumen.montoTotalOperacion ?? 0 } : undefined,
  });
  return JSON.stringify(parts);
}
