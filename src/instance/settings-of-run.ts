/**
 * The settings that a run records: those that decide what is made of an export, what is sent, and where. Checked settings
 * in, texts by dotted path out. A secret is left out, and so is the place of one.
 */
import { secretReference } from '../model/secret-reference.ts';
import { listSecretSettings } from './secret-settings.ts';
import type { Config } from './settings.ts';

const RECORDED = [
  'environment',
  'services',
  'documents',
  'run',
  'rules',
  'corrections',
  'decisions',
  'expect',
  'sequences',
];
/** Neither changes a document. */
const LEFT_OUT: ReadonlySet<string> = new Set(['rules.language', 'run.give-up-after', 'corrections.files']);

/** `services.fr.base-url` -> `https://...`; lists as JSON. */
export function settingsOfRun({ settings, effective }: Config): { readonly [path: string]: string } {
  const secrets = listSecretSettings(settings.services).map(({ setting }) => `${setting}.`);
  const kept = effective.filter(
    ({ path }) =>
      RECORDED.includes(path.split('.', 1)[0] ?? '') &&
      !LEFT_OUT.has(path) &&
      !secrets.some((secret) => path.startsWith(secret)),
  );
  return Object.fromEntries(kept.map(({ path, value }) => [path, textOf(value)]));
}

function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, inner: unknown) =>
    secretReference.safeParse(inner).success ? undefined : inner,
  );
}
