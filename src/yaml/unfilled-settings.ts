/**
 * Settings that still have a placeholder of the template, with which no command can work. The values in force go in, a
 * fault per placeholder with its place comes out (config/not-filled-in).
 */
import { SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import type { YamlFile } from './yaml-document.ts';

type Leaf = { readonly path: string; readonly value: unknown };

/**
 * Placeholders are texts that begin with FILL IN (FILL-IN where a blank is not allowed, /FILL-IN for a place in an answer), and addresses below .invalid, which never exist (RFC 6761, 6.4).
 * `effective`: every value in force, under its path with points.
 */
export function unfilledSettings(yaml: YamlFile, effective: readonly Leaf[]): readonly Fault[] {
  return effective
    .filter(({ value }) => typeof value === 'string' && isUnfilled(value))
    .map(({ path, value }) => ({
      code: 'config/not-filled-in',
      level: 'error',
      ...withMessage(SETTINGS_FAULT.placeholder({ path, value: String(value) }), SETTINGS_FAULT.fillIn()),
      mark: yaml.mark(path.split('.')),
    }));
}

/** Whether the text of a setting is one of the template of `init`. */
export function isUnfilled(text: string): boolean {
  return /^\/?FILL[ -]IN\b/.test(text) || URL.parse(text)?.hostname.endsWith('.invalid') === true;
}
