/**
 * The mappings of an instance in; an error out for each pair that takes the same files: the same pattern of file
 * names, and no column or root element that only one of them needs. A run refuses each such file
 * (`intake/several-mappings`), so `check` reports them before.
 */
import { CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import type { Mapping } from './mapping.ts';

/** One error `mapping/same-files` for each pair, however many patterns they share. */
export function indistinctMappings(mappings: readonly Mapping[]): readonly Fault[] {
  return mappings.flatMap((second, n) =>
    mappings.slice(0, n).flatMap((first) => {
      const pattern = second.accepts.files.find((one) => first.accepts.files.some((other) => isSame(one, other)));
      return pattern === undefined || areDistinct(first, second) ? [] : [faultOf(first, second, pattern)];
    }),
  );
}

/** File names differ in case or Unicode form between systems, so neither counts. */
function isSame(one: string, other: string): boolean {
  return one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** True where a file can never fit both, or where both are meant to share files. */
function areDistinct(first: Mapping, second: Mapping): boolean {
  if (first.accepts.shares && second.accepts.shares) return true;
  if (first.join || second.join || first.source.format !== second.source.format) return true;
  if (first.source.format === 'xml') return rootOf(first) !== rootOf(second);
  const [one, other] = [first.accepts.columns, second.accepts.columns];
  const haveColumns = one.length > 0 && other.length > 0;
  if (haveColumns && delimiterOf(first) !== delimiterOf(second)) return true;
  return one.some((column) => !other.includes(column)) && other.some((column) => !one.includes(column));
}

/** The options of formats that distinguish files. */
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
  const [first = '', local] = root.split(':');
  return local === undefined ? `${namespaces.default ?? ''} ${first}` : `${namespaces[first] ?? ''} ${local}`;
}

function delimiterOf({ source }: Mapping): string | undefined {
  return (source.options as Options).delimiter;
}

function faultOf(first: Mapping, second: Mapping, pattern: string): Fault {
  const message = CHECK_FINDINGS.sameFiles({ first: first.file, second: second.file, pattern });
  return { code: 'mapping/same-files', level: 'error', ...withMessage(message, CHECK_FINDINGS.separateFiles()) };
}
