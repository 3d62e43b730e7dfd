/** Why an XML file that is well-formed is refused as a whole, in plain words. */
import type { Table } from '../model/row.ts';
import { Unreadable } from './reader.ts';
import type { Paths } from './xml-paths.ts';

export function tooLate(table: Table, column: number, line: number): Unreadable {
  return new Unreadable([
    {
      code: 'xml/value-too-late',
      level: 'error',
      message: `The value of column "${table.columns[column]}" on line ${line} stands after rows that need it`,
      origin: { file: table.file, row: line, line, column: table.places![column]! },
      hint: 'Set `document` to the element that holds both, so that its rows wait for the value',
    },
  ]);
}

export function tooLarge(file: string, line: number): Unreadable {
  return new Unreadable([
    {
      code: 'xml/document-too-large',
      level: 'error',
      message: `The document around line ${line} is larger than one document can be`,
      origin: { file, row: line, line },
      hint: 'Set `document` to the element that holds one document: the whole file is taken as one now',
    },
  ]);
}

export function wrongRoot(
  file: string,
  line: number,
  tag: { name: string; local: string; uri: string },
  paths: Paths,
): Unreadable {
  const [expected] = [...paths.root.edges.values()].flat();
  const within = (uri: string) => (uri === '' ? 'in no namespace' : `in namespace "${uri}"`);
  const prefix = /^\/([^:/[]+):/.exec(paths.rowPath)?.[1] ?? 'default';
  const without =
    prefix === 'default' ? 'Take `default` out of `namespaces`' : `Write the paths without \`${prefix}:\``;
  const declare = tag.uri === '' ? without : `Declare \`namespaces: { ${prefix}: "${tag.uri}" }\``;
  return new Unreadable([
    {
      code: 'xml/wrong-root',
      level: 'error',
      message: `The root element is <${tag.name}> ${within(tag.uri)}; the mapping expects ${expected?.local} ${within(expected?.uri ?? '')}`,
      origin: { file, row: line, line },
      given: tag.name,
      hint:
        expected?.local === tag.local
          ? `${declare} in the mapping`
          : 'The file belongs to another mapping, or the paths must be corrected',
    },
  ]);
}

export function withoutAnyRow(file: string, paths: Paths, unread: { name: string; line: number }): Unreadable {
  const { name, line } = unread;
  return new Unreadable([
    {
      code: 'xml/no-rows',
      level: 'error',
      message: `No row ${paths.rowPath} is in the file, but <${name}> on line ${line}, which the mapping does not read`,
      origin: { file, row: line, line },
      given: name,
      hint: 'Correct `row` and `namespaces` in the mapping; if exports without rows are right, set `rows-optional: true`',
    },
  ]);
}
