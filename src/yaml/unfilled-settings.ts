/** Values of settings that still are placeholders of the template: no command works with them. */
import { SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import type { YamlFile } from './yaml-document.ts';

type Leaf = { readonly path: string; readonly value: unknown };

/** FILL IN, and hosts below .invalid, which exist nowhere (RFC 6761, 6.4). `effective` is every value in force. */
export function unfilledSettings(yaml: YamlFile, effective: readonly Leaf[]): readonly Fault[] {
  return effective
    .filter(({ value }) => typeof value === 'string' && (value.startsWith('FILL IN') || isNowhere(value)))
    .map(({ path, value }) => ({
      code: 'config/not-filled-in',
      level: 'error',
      ...withMessage(SETTINGS_FAULT.placeholder({ path, value: String(value) }), SETTINGS_FAULT.fillIn()),
      mark: yaml.mark(path.split('.')),
    }));
}

function isNowhere(text: string): boolean {
  return URL.parse(text)?.hostname.endsWith('.invalid') === true;
}
