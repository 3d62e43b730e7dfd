/** Files that people write (settings, mappings, blocks, tables) in another encoding than UTF-8. A text comes in, a fault out. */
import { YAML_LIMIT } from '../i18n/messages/yaml-files-messages.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { COMMENTS_AND_QUOTED, type YamlFile } from './yaml-document.ts';

export const GARBLED = '\ufffd';

/**
 * `yaml/not-utf-8` at the first character that was no UTF-8, of a file that people write: it would be sent as a sign for a damaged one.
 * Undefined where comments alone have such characters; `yaml`: what was read of the text, absent for a CSV file.
 */
export function garbledFault(text: string, file: string, yaml?: Pick<YamlFile, 'value'>): Fault | undefined {
  if (!text.includes(GARBLED) || (yaml && !JSON.stringify(yaml.value).includes(GARBLED))) return undefined;
  const lines = text.split('\n');
  const isOfContent = (line: string) => (yaml ? line.replace(COMMENTS_AND_QUOTED, keepQuoted) : line).includes(GARBLED);
  const index = Math.max(lines.findIndex(isOfContent), 0);
  const line = (lines[index] ?? '').replace(/\r$/, '');
  const mark = { file, line: index + 1, column: line.indexOf(GARBLED) + 1, length: 1, text: line };
  return {
    code: 'yaml/not-utf-8',
    level: 'error',
    ...withMessage(YAML_LIMIT.notUtf8(), YAML_LIMIT.notUtf8Hint()),
    mark,
  };
}

function keepQuoted(found: string): string {
  return found.startsWith('#') ? '' : found;
}
