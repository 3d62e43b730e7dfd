/**
 * Pairs of mappings that nothing tells apart: the same pattern of file names, and no column or root element that only one
 * of them asks for. A night refuses each such file (`intake/several-mappings`), so `check` says it before.
 */
import type { Fault } from '../model/fault.ts';
import type { Mapping } from './mapping.ts';

export function sameFiles(mappings: readonly Mapping[]): readonly Fault[] {
  return mappings.flatMap((second, n) =>
    mappings.slice(0, n).flatMap((first) => {
      const pattern = second.accepts.files.find((one) => first.accepts.files.some((other) => isSame(one, other)));
      return pattern === undefined || areToldApart(first, second) ? [] : [faultOf(first, second, pattern)];
    }),
  );
}

function isSame(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

function areToldApart(first: Mapping, second: Mapping): boolean {
  if (first.accepts.shares && second.accepts.shares) return true;
  if (first.join || second.join || first.source.format !== second.source.format) return true;
  if (first.source.format === 'xml') return rootOf(first) !== rootOf(second);
  const [one, other] = [first.accepts.columns, second.accepts.columns];
  const isAskedByBoth = one.length > 0 && other.length > 0;
  if (isAskedByBoth && delimiterOf(first) !== delimiterOf(second)) return true;
  return one.some((column) => !other.includes(column)) && other.some((column) => !one.includes(column));
}

type Options = {
  readonly document?: string;
  readonly row?: string;
  readonly records?: readonly { readonly document: string }[];
  readonly namespaces?: { readonly [prefix: string]: string };
  readonly delimiter?: string;
};

/** Name and namespace of the root element that the paths begin at. */
function rootOf({ source }: Mapping): string {
  const { document, row, records, namespaces = {} } = source.options as Options;
  const [, root = ''] = (document ?? row ?? records?.[0]?.document ?? '').split('/');
  const [prefix, local] = root.includes(':') ? root.split(':') : ['default', root];
  return `${namespaces[prefix!] ?? ''} ${local}`;
}

function delimiterOf({ source }: Mapping): string | undefined {
  return (source.options as Options).delimiter;
}

function faultOf(first: Mapping, second: Mapping, pattern: string): Fault {
  return {
    code: 'mapping/same-files',
    level: 'warning',
    message: `${first.file} and ${second.file} take the same files (${pattern}), and no column tells them apart: a night refuses each file that fits both (intake/several-mappings)`,
    hint: 'give them other names in accepts: files, or name under accepts: columns a column that only the files of one have',
  };
}
