/**
 * The settings that refer to secrets, and the file of one. A file is written whole or not at all, for its owner alone;
 * a folder that others may enter throws OperatorError `secret/folder-open`. No message contains a value.
 */
import { chown, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isAlias, isScalar, parseDocument, visit } from 'yaml';
import { syncFolder } from '../files/fsync-directory.ts';
import { writeDurable } from '../files/write-durable.ts';
import { verbatimText } from '../i18n/message.ts';
import { SECRET_FAULT } from '../i18n/messages/settings-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { type SecretReference, secretReference } from '../model/secret-reference.ts';

/** A dotted path such as services.fr.client-secret, and where its secret is. */
export type SecretSetting = { readonly setting: string; readonly reference: SecretReference };

/** Every reference below `value`, in the order of the settings. */
export function listSecretSettings(value: unknown, path = 'services'): readonly SecretSetting[] {
  if (typeof value !== 'object' || value === null) return [];
  const read = secretReference.safeParse(value);
  if (read.success) return [{ setting: path, reference: read.data }];
  return Object.entries(value).flatMap(([key, inner]) => listSecretSettings(inner, `${path}.${key}`));
}

const FILE_KEY = /^(?:key-)?file$/;
let latest: { readonly text: string; readonly names: readonly string[] } | undefined;

/** The files of secrets that a text of settings names, also where it is invalid: in values of any writing, in comments too. */
export function namedAsSecrets(text: string): readonly string[] {
  if (latest?.text === text) return latest.names;
  const names = [...text.matchAll(/\b(?:key-)?file["']?\s*:\s*["']?([^\s"',}]+)/g)].map(([, name = '']) => name);
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  visit(document, {
    Pair: (_, { key, value }) => {
      const of = isAlias(value) ? value.resolve(document) : value;
      if (isScalar(key) && FILE_KEY.test(String(key.value)) && isScalar(of)) names.push(String(of.value));
    },
  });
  latest = { text, names };
  return names;
}

/** The file reference that a person means by `name`: as the settings have it, or its last part where that is unique. */
export function findSecretFile(name: string, known: readonly SecretSetting[]): string | undefined {
  const files = new Set(known.flatMap(({ reference }) => ('file' in reference ? [reference.file] : [])));
  if (files.has(name)) return name;
  const [first, ...others] = [...files].filter((file) => basename(file) === name);
  return others.length === 0 ? first : undefined;
}

/**
 * Line ends at the end are removed; `trimmed` says so. Throws `secret/empty`, or `secret/unusable` for a line break or
 * another control character inside: no service takes one, so it was not meant.
 */
export function readTypedSecret(typed: string, name: string): { readonly value: string; readonly trimmed: boolean } {
  const value = typed.replace(/[\r\n]+$/, '');
  if (value.trim() === '') throw new OperatorError('secret/empty', SECRET_FAULT.empty({ name }));
  if (/\p{Cc}/u.test(value)) {
    throw new OperatorError('secret/unusable', SECRET_FAULT.controls({ name }), { hint: SECRET_FAULT.controlsHint() });
  }
  return { value, trimmed: value !== typed };
}

/** `folder`: the instance, for a relative `file`. A link is followed. Resolves to the absolute path once it is durable. */
export async function writeSecretFile(folder: string, file: string, value: string): Promise<string> {
  const path = resolve(folder, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const place = dirname(target);
  const { mode, uid, gid } = await stat(place);
  if (process.platform !== 'win32' && (mode & 0o006) !== 0) {
    throw new OperatorError('secret/folder-open', SECRET_FAULT.folderOpen({ folder: place }), {
      hint: verbatimText(`chmod 700 ${place}`),
    });
  }
  await writeDurable(target, value);
  // An administrator who is root must not take the file away from the account that reads it.
  if (process.geteuid?.() === 0 && uid !== 0) await chown(target, uid, gid);
  await syncFolder(place);
  return target;
}
