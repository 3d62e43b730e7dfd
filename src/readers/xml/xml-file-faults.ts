/** Why an XML file that is well-formed is refused as a whole, in plain words. */

import { FILE } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';
import { UnreadableFileError } from '../reader.ts';
import type { XmlPaths } from './xml-paths.ts';

export function tooLate(table: Table, column: number, line: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'xml/value-too-late',
      level: 'error',
      ...withMessage(FILE.tooLate({ column: table.columns[column] ?? '', line }), FILE.setDocument()),
      origin: { file: table.file, row: line, line, column: table.places![column]! },
    },
  ]);
}

export function tooLarge(file: string, line: number): UnreadableFileError {
  return new UnreadableFileError([
    {
      code: 'xml/document-too-large',
      level: 'error',
      ...withMessage(FILE.tooLarge({ line }), FILE.oneDocument()),
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
  const within = (uri: string) => (uri === '' ? FILE.noNamespace() : FILE.inNamespace({ uri }));
  const prefix = /^\/([^:/[]+):/.exec(paths.rowPath)?.[1] ?? 'default';
  const without = prefix === 'default' ? FILE.takeDefaultOut() : FILE.withoutPrefix({ prefix: `\`${prefix}:\`` });
  const declaration = `\`namespaces: { ${prefix}: "${tag.uri}" }\``;
  const declare = tag.uri === '' ? without : FILE.declare({ declaration });
  return new UnreadableFileError([
    {
      code: 'xml/wrong-root',
      level: 'error',
      ...withMessage(
        FILE.wrongRoot({
          ...{ name: tag.name, within: within(tag.uri) },
          ...{ expected: expected?.local ?? '', expectedWithin: within(expected?.uri ?? '') },
        }),
        expected?.local === tag.local ? declare : FILE.otherMapping(),
      ),
      origin: { file, row: line, line },
      given: tag.name,
    },
  ]);
}

export function withoutAnyRow(
  file: string,
  paths: XmlPaths,
  unread: { name: string; line: number },
): UnreadableFileError {
  const { name, line } = unread;
  return new UnreadableFileError([
    {
      code: 'xml/no-rows',
      level: 'error',
      ...withMessage(FILE.noRow({ path: paths.rowPath, name, line }), FILE.correctRow()),
      origin: { file, row: line, line },
      given: name,
    },
  ]);
}
