/**
 * Reasons to refuse a well-formed XML file as a whole: the place goes in, an UnreadableFileError comes out, which the
 * caller throws. Lines count from 1, as in the file.
 */

import { XML_FILE } from '../../i18n/messages/readers-messages.ts';
import { withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';
import { UnreadableFileError } from '../reader.ts';
import type { XmlPaths } from './xml-paths.ts';

/**
 * xml/value-too-late: a value of an element around the documents comes after a document that needs it and is already
 * given. Rows stream, so it cannot be added.
 */
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

/** xml/document-too-large: one document element is past the bounds, and its rows cannot be assigned to one document. */
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

/**
 * xml/wrong-root: the mapping is for another root element. If only the namespace differs, the hint is the declaration
 * to write.
 */
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

/** xml/no-rows: elements next to the documents were found, but no row. `unread`: the first of them. */
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
