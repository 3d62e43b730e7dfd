/**
 * Elements of a document that no path of the mapping reads: tags and texts go in, and each element with a text or
 * attributes is reported with its path, so that nothing of an export is dropped in silence. The mapping lists the paths
 * that it ignores on purpose, and those without which no document may be made. A wrong path throws PathProblem.
 */
import type { Unread } from '../../model/row.ts';
import type { TagName } from './xml-events.ts';
import { parsePlainPath } from './xml-path-syntax.ts';
import type { PathOptions } from './xml-paths.ts';
import { parseRowPath } from './xml-paths.ts';
import type { Unmapped } from './xml-unmapped-rules.ts';

/** The options of the mapping: plain paths, absolute or below the row element. */
export type UnmappedOptions = {
  readonly unmapped?: Unmapped['level'] | undefined;
  readonly 'ignored-paths'?: readonly string[] | undefined;
  readonly 'refused-paths'?: readonly string[] | undefined;
};

/** Undefined if the mapping does not ask for them, so that the walk has no extra work. */
export function compileUnmapped(options: PathOptions & UnmappedOptions): Unmapped | undefined {
  const { unmapped: level = 'ignore', 'ignored-paths': ignored = [], 'refused-paths': refused = [] } = options;
  if (level === 'ignore' && refused.length === 0) return undefined;
  const above = parseRowPath(options);
  const keysOf = (name: 'ignored-paths' | 'refused-paths', written: readonly string[]) =>
    new Set(
      written.map((text) => {
        const { absolute, steps } = parsePlainPath(text, options.namespaces, name);
        return (absolute ? steps : [...above, ...steps]).map(pathKey).join('');
      }),
    );
  return { level, ignored: keysOf('ignored-paths', ignored), refused: keysOf('refused-paths', refused) };
}

function pathKey({ uri, local }: Pick<TagName, 'uri' | 'local'>): string {
  return `/{${uri}}${local}`;
}

/** Fed with the events of one file, from the root element on. */
export type UnmappedWatch = {
  /** `isRead`: a path reads its text. `attributes`: how many the element has, or 0 if a path leads to it. */
  readonly open: (name: TagName, line: number, isRead: boolean, attributes: number) => void;
  readonly text: (more: string) => void;
  /** True if the text of the element that was opened last has to be looked at. */
  readonly listens: () => boolean;
  readonly close: () => void;
};

type Open = { readonly name: TagName; readonly line: number; isHeard: boolean };

/** `found` gets each element once, while it is open; elements below an ignored path are not reported. */
export function watchUnmapped({ level, ignored, refused }: Unmapped, found: (one: Unread) => void): UnmappedWatch {
  const open: Open[] = [];
  const hear = (last: Open) => {
    last.isHeard = true;
    let key = '';
    let isRefused = level === 'refuse';
    for (const { name } of open) {
      key += pathKey(name);
      if (ignored.has(key)) return;
      if (refused.has(key)) isRefused = true;
    }
    if (level === 'ignore' && !isRefused) return;
    const path = open.slice(1).map(({ name }) => name.name);
    found({ path: path.join('/'), line: last.line, isRefused, times: 1 });
  };
  return {
    open: (name, line, isRead, attributes) => {
      const last = { name, line, isHeard: isRead };
      open.push(last);
      if (attributes > 0) hear(last);
    },
    text: (more) => {
      const last = open[open.length - 1];
      if (last && !last.isHeard && /\S/.test(more)) hear(last);
    },
    listens: () => open[open.length - 1]?.isHeard === false,
    close: () => void open.pop(),
  };
}
