/**
 * The script of the sandbox: a list of rules "for such a document, give such an answer", in YAML or JSON.
 *
 * In: the text of a script file. Out: checked rules, or one OperatorError that lists everything wrong with the file.
 * The first rule that matches and is not used up decides; a document without a rule is authorized.
 */
import { RE2JS, RE2JSException } from 're2js';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { type Message, verbatimText } from '../i18n/message.ts';
import { SANDBOX_FAULT } from '../i18n/messages/sandbox-messages.ts';
import { SERVICE_NAMES } from '../model/document.ts';
import { type Fault, OperatorError, withMessage } from '../model/fault.ts';

const regex = z.string().refine(compiles, { error: 'is not a regular expression (RE2 syntax)' });
const count = z.int().nonnegative();

const matchShape = z.strictObject({
  service: z.enum(SERVICE_NAMES).optional(),
  act: z.enum(['submit', 'consult', 'token']).default('submit'),
  class: z.string().optional(),
  /** Document number with `*` and `?`; a consultation is matched by what it asks for. */
  number: z.string().optional(),
  /** The same as a regular expression; the whole number has to match. */
  regex: regex.optional(),
});

const answerShape = z.strictObject({
  /** Status code in the body; 2 unless given. */
  code: z.int().optional(),
  message: z.string().optional(),
  http: z.int().min(200).max(599).optional(),
  /** Cut the connection: before the document is taken in, after it, or in the middle of the answer. */
  drop: z.enum(['before', 'after', 'during']).optional(),
  /** Wait this long between taking the document in and answering. */
  delayMs: count.optional(),
  /** Accept the document (or do not), whatever the answer shows. */
  accept: z.boolean().optional(),
  /** Whose identifiers the answer echoes wrongly. */
  echo: z.enum(['request-id', 'identifier', 'both', 'sender-id', 'country']).optional(),
  /** The body, verbatim, instead of one made from the code. */
  body: z.string().optional(),
  contentType: z.string().optional(),
  retryAfterSeconds: count.optional(),
  /** What a document in code 8 becomes once both delays have passed. */
  becomes: z
    .strictObject({ code: z.int(), afterSeconds: count.default(0), afterConsultations: count.default(0) })
    .optional(),
});

const ruleShape = z.strictObject({
  match: matchShape.default({ act: 'submit' }),
  answer: answerShape,
  /** The rule is used up after this many answers in all. */
  times: z.int().positive().optional(),
  /** The rule is used up for a document after this many answers to it. */
  timesEach: z.int().positive().optional(),
});

/** An answer with everything that a script can change about it. */
export type ScenarioAnswer = z.output<typeof answerShape>;
/** One rule with its defaults. */
export type ScenarioRule = z.output<typeof ruleShape>;
/** A rule as people write it: keys with a default may be absent. */
export type RuleInput = z.input<typeof ruleShape>;

/**
 * Rules from YAML or JSON text. `file` is only for messages. Throws OperatorError (sandbox/script-not-yaml,
 * sandbox/script-wrong) with all faults and their places.
 */
export function readScript(text: string, file = 'script'): readonly ScenarioRule[] {
  const lines = new LineCounter();
  const { document, value } = parsedScript(text, lines) ?? {};
  if (!document) {
    const tooDeep = SANDBOX_FAULT.tooNested();
    throw refusal('sandbox/script-not-yaml', [fault('sandbox/script-not-yaml', tooDeep, 0)]);
  }
  const broken = document.errors.map((error) =>
    fault('sandbox/script-not-yaml', verbatimText(error.message), error.pos[0]),
  );
  if (broken.length > 0) throw refusal('sandbox/script-not-yaml', broken);
  const parsed = z.array(ruleShape).safeParse(value ?? []);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) =>
    fault('sandbox/script-wrong', verbatimText(describe(issue)), offsetOf(issue.path)),
  );
  throw refusal('sandbox/script-wrong', wrong);

  function fault(code: string, message: Message, offset: number): Fault {
    const { line, col } = lines.linePos(offset);
    const mark = { file, line, column: col, length: 1, text: text.split(/\r?\n/)[line - 1] ?? '' };
    return { code, level: 'error', ...withMessage(message, SANDBOX_FAULT.ruleForm()), mark };
  }
  /** Offset of the nearest node on the path that the file has. */
  function offsetOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document?.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return node.range[0];
    }
    return 0;
  }
}

/** undefined where the parser gives up: thousands of levels, an alias without an anchor, or too many aliases. */
function parsedScript(text: string, lineCounter: LineCounter) {
  try {
    const document = parseDocument(text, { lineCounter });
    return { document, value: document.errors.length > 0 ? undefined : (document.toJS() as unknown) };
  } catch {
    return undefined;
  }
}

/** Rules that a program gives, with the same checks as for a file; throws an error of zod. */
export function checkRules(rules: readonly RuleInput[]): readonly ScenarioRule[] {
  return z.array(ruleShape).parse(rules);
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.') || 'the script'}: ${issue.message}`;
}

function refusal(code: string, faults: readonly Fault[]): OperatorError {
  const listed = faults.map((fault) => `${fault.mark?.file}:${fault.mark?.line} ${fault.message}`).join('\n');
  return new OperatorError(code, SANDBOX_FAULT.script({ faults: listed }), { faults });
}

function compiles(source: string): boolean {
  try {
    RE2JS.compile(source);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}
