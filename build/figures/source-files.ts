/** The files that are counted: sources without what is generated, and message files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

export type SourceFile = {
  /** Below the counted folder, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
};

const GENERATED = 'i18n/messages/';

export function sourceFiles(root: string): readonly SourceFile[] {
  return filesIn(join(root, 'src'), '.ts').filter(({ path }) => !path.startsWith(GENERATED));
}

/** None in a checkout from before the messages were data. */
export function messageFiles(root: string): readonly SourceFile[] {
  return filesIn(join(root, 'locales'), '.yaml');
}

export function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
}

function filesIn(folder: string, extension: string): readonly SourceFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => name.replaceAll(sep, posix.sep))
    .sort()
    .map((path) => ({ path, folder: posix.dirname(path), text: readFileSync(join(folder, path), 'utf8') }));
}
