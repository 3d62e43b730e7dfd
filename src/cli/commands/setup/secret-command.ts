/**
 * `secret set`: asks for a secret without showing it, or reads it from standard input, and writes the file that the
 * settings name. `secret list`: every reference and whether it can be read. No output contains a value.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SECRET_COMMAND } from '../../../i18n/messages/cli-setup-messages.ts';
import { SECRET_FAULT } from '../../../i18n/messages/settings-messages.ts';
import { readCheckedConfig } from '../../../instance/instance.ts';
import {
  findSecretFile,
  listSecretSettings,
  readTypedSecret,
  type SecretSetting,
  writeSecretFile,
} from '../../../instance/secret-settings.ts';
import { openSecrets } from '../../../instance/secrets.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import { suggest } from '../../../text/suggest.ts';
import { table } from '../../layout/layout.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { type CommandOutput, openOutput, overridesOf } from '../../session/command-session.ts';
import { askHidden, QuestionStoppedError } from '../../session/questions.ts';
import { SIGNAL_EXITS } from '../../session/stop-signals.ts';

const ACTS = ['set', 'list'] as const;
/** Bytes; a file of a secret may not be longer. */
const MOST_BYTES = 64 * 1024;

export const secretCommand: CommandModule = { run: handleSecrets, values: { act: { choices: ACTS } } };

async function handleSecrets(
  act: (typeof ACTS)[number],
  [name]: readonly string[],
  _options: object,
  command: Command,
): Promise<void> {
  const output = openOutput(command);
  const { settings } = readCheckedConfig(output.options.dir, overridesOf(output.options));
  const known = [
    ...listSecretSettings(settings.services),
    ...listSecretSettings(settings.ledger, 'ledger'),
    ...listSecretSettings(settings.serve, 'serve'),
    ...listSecretSettings(settings.notify, 'notify'),
  ];
  await (act === 'list' ? listSecrets(output, known) : setSecret(output, known, name));
}

/** Only files that a setting names: a misspelled name would leave a secret that no one reads. */
async function setSecret(output: CommandOutput, known: readonly SecretSetting[], name = ''): Promise<void> {
  const { options, terminal, say } = output;
  const file = findSecretFile(name, known);
  if (file === undefined) throw unknownSecret(name, known);
  const uses = known.filter(({ reference }) => 'file' in reference && reference.file === file);
  const settings = uses.map(({ setting }) => setting);
  let typed: string;
  try {
    const question = `${say(SECRET_COMMAND.question({ settings }))} `;
    // Also where the question itself is not seen: a terminal must never show the answer.
    typed = process.stdin.isTTY ? await askHidden(question) : await readInput(file);
  } catch (error) {
    if (!(error instanceof QuestionStoppedError)) throw error;
    terminal.talk(`  ${say(SECRET_COMMAND.stopped())}`);
    process.exitCode = SIGNAL_EXITS.SIGINT;
    return;
  }
  const { value, trimmed } = readTypedSecret(typed, file);
  if (trimmed) terminal.talk(`  ${say(SECRET_COMMAND.trimmed())}`);
  const path = await writeSecretFile(resolve(options.dir), file, value);
  if (options.json) terminal.out(JSON.stringify({ file, path, settings, trimmed }, null, 2));
  else terminal.out(`  ${say(SECRET_COMMAND.written({ path, settings }))}`);
}

/** Names the files that can be set; with one of them as a suggestion if it is near. */
function unknownSecret(name: string, known: readonly SecretSetting[]): OperatorError {
  const files = known.flatMap(({ reference }) => ('file' in reference ? [reference.file] : []));
  if (name === '' && files.length > 0) {
    const hint = SECRET_COMMAND.files({ files: [...new Set(files)] });
    return new OperatorError('secret/not-in-settings', SECRET_COMMAND.noName(), { hint });
  }
  const near = suggest(name, files);
  const hint =
    files.length === 0
      ? SECRET_COMMAND.noFiles()
      : SECRET_COMMAND.files({ files: [...new Set(near === undefined ? files : [near, ...files])] });
  return new OperatorError('secret/not-in-settings', SECRET_COMMAND.notInSettings({ name }), { hint });
}

/** Throws `secret/too-large`: what is longer is not a secret but a wrong file. */
async function readInput(name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes <= MOST_BYTES) continue;
    throw new OperatorError('secret/too-large', SECRET_FAULT.tooLarge({ name, size: MOST_BYTES / 1024 }), {
      hint: SECRET_FAULT.tooLargeHint(),
    });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads each secret to see whether it can be read, as `doctor` does, and shows where it is. */
async function listSecrets({ options, terminal, say }: CommandOutput, known: readonly SecretSetting[]): Promise<void> {
  const { inspect } = openSecrets(resolve(options.dir), process.env);
  const secrets = [];
  for (const { setting, reference } of known) {
    const [found] = await inspect(reference);
    secrets.push({ setting, reference, name: found?.name ?? '', problem: found?.problem });
  }
  if (options.json) {
    const rows = secrets.map(({ setting, reference, problem }) =>
      definedOnly({ setting, reference: withoutArguments(reference), readable: !problem, code: problem?.code }),
    );
    terminal.out(JSON.stringify({ secrets: rows }, null, 2));
  } else if (secrets.length === 0) terminal.out(`  ${say(SECRET_COMMAND.none())}`);
  else {
    const titles = [SECRET_COMMAND.setting(), SECRET_COMMAND.reference(), SECRET_COMMAND.state()];
    const state = (problem: OperatorError | undefined) =>
      problem ? `${problem.code}: ${say(problem.texts.message)}` : say(SECRET_COMMAND.readable());
    terminal.out(
      table(
        titles.map((title) => ({ title: say(title) })),
        secrets.map(({ setting, name, problem }) => [setting, name, state(problem)]),
      ),
    );
  }
  process.exitCode = secrets.some(({ problem }) => problem) ? 2 : 0;
}

/** Arguments of a command may hold the secret itself, by mistake: only its program is shown. */
function withoutArguments(reference: SecretSetting['reference']): object {
  return 'command' in reference ? { command: reference.command.slice(0, 1) } : reference;
}
