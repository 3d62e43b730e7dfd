/**
 * `infer SAMPLE`: drafts a mapping from one sample export, on stdout or, with --out, as a file with its first test.
 * Questions for the author are printed on stderr. Faults of the arguments throw OperatorError `infer/*` before anything
 * is written.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { Language, Message } from '../../i18n/message.ts';
import { INFER_COMMAND, INFER_TRIAL } from '../../i18n/messages/cli-mappings-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { readCheckedConfig } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { escapeControls } from '../../text/printable.ts';
import {
  ANSWER_FORMS,
  INFERABLE,
  type InferRequest,
  type Inferred,
  inferMapping,
} from '../../views/preview/infer-mapping.ts';
import type { CommandModule } from '../session/command-module.ts';
import {
  type CommandOutput,
  type GlobalOptions,
  inLanguage,
  openOutput,
  overridesOf,
} from '../session/command-session.ts';
import { withLiveLine } from '../session/live-work.ts';

/** Bytes of a sample, which is read as a whole: a part of a large export is enough. */
const MAX_BYTES = 32 * 1024 * 1024;
const SHOWN_FAULTS = 8;

type InferOptions = {
  readonly target?: string;
  readonly out?: string;
  readonly answers?: NonNullable<InferRequest['answers']>;
};

export const inferCommand: CommandModule = {
  run: inferDraft,
  values: { target: { choices: INFERABLE }, answers: { choices: ANSWER_FORMS } },
};

async function inferDraft(path: string, given: InferOptions, command: Command): Promise<void> {
  const opened = openOutput(command);
  const { options, terminal } = opened;
  const output = inLanguage(opened, draftLanguage(options));
  const folder = resolve(options.dir);
  const out = given.out === undefined ? undefined : resolve(folder, given.out);
  const target = given.target ?? refuseWithoutTarget();
  if (out !== undefined) {
    refuseOutside(out, folder);
    refuseExisting(out);
  }
  const bytes = readSample(path, options.dir);
  const { language } = output;
  const asked = definedOnly({ bytes, file: basename(path), target, folder, language, out, answers: given.answers });
  const inferred = await withLiveLine(output, LIVE.inferring(), async () => await inferMapping(asked));
  const written = out === undefined ? [] : write(out, inferred);
  const { mapping, evidence, questions, trial } = inferred;
  if (options.json) terminal.out(JSON.stringify({ mapping, evidence, questions, trial, written }, null, 2));
  else if (out === undefined) terminal.out(mapping.trimEnd());
  report(output, inferred, written);
  process.exitCode = 0;
}

/** The language of the instance, else English: faults of the settings do not matter for a draft. */
function draftLanguage(options: GlobalOptions): Language {
  try {
    return readCheckedConfig(options.dir, overridesOf(options)).settings.rules.language;
  } catch (error) {
    if (error instanceof OperatorError) return 'en';
    throw error;
  }
}

/** A path from the current folder, else from the instance folder. Throws `infer/no-such-file` or `infer/too-large`. */
function readSample(given: string, folder: string): Uint8Array {
  const path = [given, resolve(folder, given)].find((one) => existsSync(one));
  const bytes = readBytes(path ?? given);
  if (bytes.length <= MAX_BYTES) return bytes;
  const size = MAX_BYTES / 1024 / 1024;
  throw new OperatorError('infer/too-large', INFER_COMMAND.tooLarge({ size }), { hint: INFER_COMMAND.cutSample() });
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    const hint = INFER_COMMAND.checkPath();
    throw new OperatorError('infer/no-such-file', INFER_COMMAND.noSample({ path }), { cause, hint });
  }
}

function refuseWithoutTarget(): never {
  const options = INFERABLE.map((name) => `--target ${name}`).join(', ');
  throw new OperatorError('infer/no-target', INFER_COMMAND.noTarget(), { hint: INFER_COMMAND.oneOf({ options }) });
}

/** Throws `infer/outside`: the test in the mapping names its sample by a path inside the instance folder. */
function refuseOutside(path: string, folder: string): void {
  const below = relative(folder, path);
  if (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)) return;
  const hint = INFER_COMMAND.writeInside();
  throw new OperatorError('infer/outside', INFER_COMMAND.outside({ path, folder }), { hint });
}

/** Throws `infer/exists`: a draft never replaces the work of an author. */
function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new OperatorError('infer/exists', INFER_COMMAND.exists({ path }), { hint: INFER_COMMAND.nameAnother() });
}

/** Writes mapping and sample without replacing a file; returns their paths. */
function write(out: string, { mapping, sample }: Inferred): readonly string[] {
  if (sample) refuseExisting(sample.path);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, mapping, { flag: 'wx' });
  if (!sample) return [out];
  mkdirSync(dirname(sample.path), { recursive: true });
  writeFileSync(sample.path, sample.bytes, { flag: 'wx' });
  return [out, sample.path];
}

function completeness({ good, documents: count, toFillIn, unknown: values }: Inferred['trial']): Message {
  if (values.length > 0) return INFER_TRIAL.unknown({ good, count, values });
  return toFillIn ? INFER_TRIAL.completeLater({ good, count }) : INFER_TRIAL.complete({ good, count });
}

/** Prints questions, the result of a trial, its faults once each, and the next step. */
function report(
  { terminal, language, say }: CommandOutput,
  { questions, trial }: Inferred,
  written: readonly string[],
): void {
  const talk = (message: Message) => terminal.talk(say(message));
  if (questions.length > 0) talk(INFER_COMMAND.questions());
  for (const [at, { says }] of questions.entries()) {
    terminal.talk(`${String(at + 1).padStart(4)}. ${escapeControls(says)}`);
  }
  talk(completeness(trial));
  const textOf = (fault: Fault) => `  ${escapeControls(showFaultIn(fault, language))}`;
  const faults = [...new Set(localize(trial.faults, language).map(textOf))];
  for (const line of faults.slice(0, SHOWN_FAULTS)) terminal.talk(line);
  if (faults.length > SHOWN_FAULTS)
    terminal.talk(`  ${say(INFER_COMMAND.andMore({ count: faults.length - SHOWN_FAULTS }))}`);
  if (trial.lacks.length > 0) talk(INFER_COMMAND.rules());
  for (const fault of localize(trial.lacks, language)) terminal.talk(textOf(fault));
  for (const path of written) talk(INFER_COMMAND.written({ path }));
  if (written.length > 0) talk(INFER_COMMAND.next());
}
