/** Why an XML file that is well-formed is refused as a whole, in plain words. */

import { XML_FILE } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';
import { UnreadableFileError } from '../reader.ts';
import type { XmlPaths } from './xml-paths.ts';

export function valueTooLate(table: Table, column: number, line: number): UnreadableFileError {
  const path = table.places?.[column] ?? '';
  return new UnreadableFileError([
    {
      code: 'xml/value-too-late',
      level: 'error',
      ...withMessage(XML_FILE.tooLate({ column: table.columns[column] ?? '', line }), XML_FILE.setDocument()),
      origin: { file: table.file, row: line, line, column: path },
    },
  ]);
}

export function documentTooLarge(file: string, line: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'xml/document-too-large',
      level: 'error',
      ...withMessage(XML_FILE.tooLarge({ line }), XML_FILE.oneDocument()),
      origin: { file, row: line, line },
    },
  ]);
}

export function wrongRoot(
  file: string,
  line: number,
  tag: { name: string; local: string; uri: string },
  paths: XmlPaths,
): UnreadableFileError {
  const [expected] = [...paths.root.edges.values()].flat();
  const within = (uri: string) => (uri === '' ? XML_FILE.noNamespace() : XML_FILE.inNamespace({ uri }));
  const prefix = /^\/([^:/[]+):/.exec(paths.rowPath)?.[1] ?? 'default';
  const without =
    prefix === 'default' ? XML_FILE.takeDefaultOut() : XML_FILE.withoutPrefix({ prefix: `\`${prefix}:\`` });
  const declaration = `\`namespaces: { ${prefix}: "${tag.uri}" }\``;
  const declare = tag.uri === '' ? without : XML_FILE.declare({ declaration });
  return new UnreadableFileError([
    {
      code: 'xml/wrong-root',
      level: 'error',
      ...withMessage(
        XML_FILE.wrongRoot({
          ...{ name: tag.name, within: within(tag.uri) },
          ...{ expected: expected?.local ?? '', expectedWithin: within(expected?.uri ?? '') },
        }),
        expected?.local === tag.local ? declare : XML_FILE.otherMapping(),
      ),
      origin: { file, row: line, line },
      given: tag.name,
    },
  ]);
}

export function noRows(file: string, paths: XmlPaths, unread: { name: string; line: number }): UnreadableFileError {
  const { name, line } = unread;
  return new UnreadableFileError([
    {
      code: 'xml/no-rows',
      level: 'error',
      ...withMessage(XML_FILE.noRow({ path: paths.rowPath, name, line }), XML_FILE.correctRow()),
      origin: { file, row: line, line },
      given: name,
    },
  ]);
}
