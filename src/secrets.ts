/**
 * Secrets behind their references: read anew at each use, never kept, never shown.
 *
 * A file is looked up in $CREDENTIALS_DIRECTORY (systemd) and then beside the settings; a file that others may read is
 * refused. Every value that was revealed is remembered by the scrubber, so that no log line or receipt can carry it.
 */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupError } from './model/fault.ts';
import { type Reveal, type SecretReference, secretReference } from './model/secret.ts';

const run = promisify(execFile);

export type Secrets = {
  readonly reveal: Reveal;
  /** Reads every secret that settings refer to, so that a missing one is told before anything is taken or sent. */
  readonly tryAll: (settings: unknown) => Promise<void>;
  /** The text with every revealed secret, raw or in its Base64, URL and JSON forms, replaced by "[secret]". */
  readonly scrub: (text: string) => string;
};

export function openSecrets(folder: string, variables: { readonly [name: string]: string | undefined }): Secrets {
  const forms = new Set<string>();
  const reveal: Reveal = async (reference) => {
    const value = (await read(reference, folder, variables)).replace(/\r?\n$/, '');
    if (value === '') throw new SetupError('secret/empty', `the secret ${nameOf(reference)} is empty`);
    for (const form of formsOf(value)) forms.add(form);
    return value;
  };
  const scrub = (text: string) => {
    let scrubbed = text;
    for (const form of forms) scrubbed = scrubbed.replaceAll(form, '[secret]');
    return scrubbed;
  };
  const tryAll = async (settings: unknown) => {
    for (const reference of referencesIn(settings)) await reveal(reference);
  };
  return { reveal, scrub, tryAll };
}

function* referencesIn(value: unknown): Iterable<SecretReference> {
  if (typeof value !== 'object' || value === null) return;
  const read = secretReference.safeParse(value);
  if (read.success) yield read.data;
  else for (const inner of Object.values(value)) yield* referencesIn(inner);
}

function nameOf(reference: SecretReference): string {
  if ('env' in reference) return `{ env: ${reference.env} }`;
  return 'file' in reference ? `{ file: ${reference.file} }` : `{ command: ${reference.command[0]} }`;
}

/** A form of fewer than four characters would scrub half of every line. */
function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    base64,
    base64.replace(/=+$/, ''),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ].filter((form) => form.length >= 4);
}

async function read(
  reference: SecretReference,
  folder: string,
  variables: { readonly [name: string]: string | undefined },
) {
  if ('env' in reference) {
    const value = variables[reference.env];
    if (value === undefined) {
      throw new SetupError('secret/variable-not-set', `the environment variable ${reference.env} is not set`, {
        hint: 'set it for the account that runs nightpost, or refer to a file: { file: name }',
      });
    }
    return value;
  }
  if ('command' in reference) {
    const [program, ...args] = reference.command;
    try {
      return (await run(program!, args, { timeout: 30_000, maxBuffer: 64 * 1024 })).stdout;
    } catch {
      // The message of the failure may quote the command's output, hence the secret: it goes nowhere.
      throw new SetupError('secret/command-failed', `the command ${program} gave no secret`, {
        hint: 'run it by hand',
      });
    }
  }
  return await fromFile(reference.file, folder, variables.CREDENTIALS_DIRECTORY);
}

async function fromFile(name: string, folder: string, credentials: string | undefined): Promise<string> {
  const places = isAbsolute(name) ? [name] : [...(credentials ? [join(credentials, name)] : []), join(folder, name)];
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (!found) continue;
    if (process.platform !== 'win32' && (found.mode & 0o007) !== 0) {
      throw new SetupError('secret/readable-by-others', `every user of this machine may read the secret file ${name}`, {
        hint: `chmod 600 ${name}`,
      });
    }
    return await readFile(place, 'utf8');
  }
  throw new SetupError('secret/no-such-file', `there is no secret file ${name}`, {
    hint: 'put it beside nightpost.yaml, readable by the owner only, or give it as a systemd credential',
  });
}
