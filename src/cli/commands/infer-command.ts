/** `infer SAMPLE`: a draft mapping from a sample export alone, on standard output or in a file with its first test. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { Language } from '../../i18n/message.ts';
import { readCheckedConfig } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, OperatorError, showFault } from '../../model/fault.ts';
import { INFERABLE, type Inferred, inferMapping } from '../../pipeline/preview/infer-mapping.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { type GlobalOptions, terminalOf } from '../session/command-session.ts';
import type { Terminal } from '../session/terminal.ts';

/** A sample is looked at as a whole; a cut of a large export tells as much. */
const MAX_BYTES = 32 * 1024 * 1024;
const SHOWN_FAULTS = 8;

type InferOptions = { readonly target?: string; readonly out?: string };

export const inferCommand: CommandModule = { run: inferDraft, values: { target: { choices: INFERABLE } } };

async function inferDraft(path: string, given: InferOptions, command: Command): Promise<void> {
  const { options, terminal } = terminalOf(command);
  const out = given.out === undefined ? undefined : resolve(options.dir, given.out);
  const target = given.target ?? refuseWithoutTarget();
  if (out !== undefined) {
    refuseOutside(out, resolve(options.dir));
    refuseExisting(out);
  }
  const request = {
    bytes: readSample(path, options.dir),
    file: basename(path),
    target,
    folder: resolve(options.dir),
    language: languageOf(options),
  };
  const inferred = await inferMapping(definedOnly({ ...request, out }));
  const written = out === undefined ? [] : write(out, inferred);
  if (options.json) terminal.out(JSON.stringify({ ...data(inferred), written }, null, 2));
  else if (out === undefined) terminal.out(inferred.mapping.trimEnd());
  tell(inferred, written, terminal);
  process.exitCode = 0;
}

/** Of the instance; English outside of one. Faulty settings are told by every other command: a draft needs none. */
function languageOf({ dir, env }: GlobalOptions): Language {
  try {
    const overrides = definedOnly({ variables: process.env, environment: env });
    return readCheckedConfig(dir, overrides).settings.rules.language;
  } catch (error) {
    if (error instanceof OperatorError) return 'en';
    throw error;
  }
}

/** From the current folder, as files of every command; else from the instance folder, as --out. */
function readSample(given: string, folder: string): Uint8Array {
  const inside = resolve(folder, given);
  const path = !existsSync(given) && existsSync(inside) ? inside : given;
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const hint = 'check the path: it counts from the current folder, else from the instance folder';
    throw new OperatorError('infer/no-such-file', `the sample ${given} cannot be read`, { cause, hint });
  }
  if (bytes.length <= MAX_BYTES) return bytes;
  throw new OperatorError('infer/too-large', `the sample has more than ${MAX_BYTES / 1024 / 1024} MiB`, {
    hint: 'cut a few hundred documents out of it, header row included',
  });
}

function refuseWithoutTarget(): never {
  throw new OperatorError('infer/no-target', 'say what the rows become: --target is missing', {
    hint: `one of --target ${INFERABLE.join(', --target ')}`,
  });
}

/** The test in the mapping names its sample from the instance folder; outside of it nothing would find either. */
function refuseOutside(out: string, folder: string): void {
  const way = relative(folder, out);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new OperatorError('infer/outside', `${out} lies outside the instance folder ${folder}; nothing was written`, {
    hint: 'paths of --out count from the folder of -C: write for instance --out mappings/new.yaml',
  });
}

function refuseExisting(out: string): void {
  if (!existsSync(out)) return;
  throw new OperatorError('infer/exists', `${out} exists already; nothing was changed`, {
    hint: 'name another file; a draft never replaces a mapping',
  });
}

function write(out: string, { mapping, sample }: Inferred): readonly string[] {
  if (sample) refuseExisting(sample.path);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, mapping, { flag: 'wx' });
  if (!sample) return [out];
  mkdirSync(dirname(sample.path), { recursive: true });
  writeFileSync(sample.path, sample.bytes, { flag: 'wx' });
  return [out, sample.path];
}

function data({ mapping, evidence, questions, trial }: Inferred): object {
  return { mapping, evidence, questions, trial };
}

function tell({ questions, trial }: Inferred, written: readonly string[], terminal: Terminal): void {
  if (questions.length > 0) terminal.talk('Could not be decided from the sample, most important first:');
  for (const [at, { says }] of questions.entries())
    terminal.talk(`${String(at + 1).padStart(4)}. ${escapeControls(says)}`);
  terminal.talk(
    `Tried on the sample: ${trial.good} of ${trial.documents} ${trial.documents === 1 ? 'document is' : 'documents are'} complete${trial.toFillIn ? ' once every FILL IN is filled in' : ''}.`,
  );
  const shown = [...new Set(trial.faults.map((fault: Fault) => escapeControls(showFault(fault))))];
  for (const line of shown.slice(0, SHOWN_FAULTS)) terminal.talk(`  ${line}`);
  if (shown.length > SHOWN_FAULTS) terminal.talk(`  and ${shown.length - SHOWN_FAULTS} more`);
  if (trial.lacks.length > 0) terminal.talk('What the rules for such documents still want (docs/reference/rules.md):');
  for (const fault of trial.lacks) terminal.talk(`  ${escapeControls(showFault(fault))}`);
  for (const path of written) terminal.talk(`Written: ${path}`);
  if (written.length > 0) terminal.talk('Next: replace every FILL IN, then nightpost check, test, preview.');
}
