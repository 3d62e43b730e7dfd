/**
 * The report of a bug: an error comes in, its message and the places of its stack come out. Properties of the error are
 * left out, because they may hold secrets.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { escapeControls } from '../../text/printable.ts';

/** One line with the message, controls escaped, then one line per place. A value that is no Error gives its text. */
export function bugText(error: unknown): string {
  if (!(error instanceof Error)) return escapeControls(String(error));
  const places = (error.stack ?? '').split('\n').filter((line) => /^ {4}at [^\s]/.test(line));
  return [`${error.name}: ${escapeControls(error.message)}`, ...places.map(inSource)].join('\n');
}

/** A place in a file of the built program as the place in its source: the map is next to the file. */
function inSource(place: string): string {
  return place.replace(/(file:\/\/[^\s()]+):(\d+):(\d+)/, (built, file: string, line: string, column: string) => {
    try {
      const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
      const found = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in found)) return built;
      return `${found.originalSource.replace(/^(\.\.\/)+/, '')}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    } catch {
      return built;
    }
  });
}
