/**
 * Names of elements and attributes with their namespaces, looked up once for each name and scope. It knows the usual
 * ones: undefined means that it is not a name, that its prefix is not bound, or that the strict parser has to look.
 */
import type { TagName } from './xml-events.ts';

const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';
/** ASCII and Latin letters. XML allows many more, which the strict parser accepts. */
const LETTERS = 'A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff';
const NC_NAME = `[${LETTERS}][-.0-9\u00b7${LETTERS}]*`;
const NAME = new RegExp(`^(?:(${NC_NAME}):)?(${NC_NAME})$`);
/** A namespace without any character that would have to be trimmed or escaped. */
const URI = /^[!#-%(-;=?-~]+$/;
/** The most names and scopes of one file that are kept; a file with more is not an export. */
const MOST = 10_000;
const QUICK = 256;

/** One `xmlns` attribute; `prefix` is '' for the default namespace. */
export type Declaration = { readonly prefix: string; readonly uri: string };

/**
 * `bytes`: the name as in the file, UTF-8. Two prefixes for one namespace make one attribute: both share `once`, so
 * that a tag with both is recognized as a duplicate.
 */
export type KnownName = TagName & {
  readonly bytes: Uint8Array;
  readonly once: { tag: number };
  /** The start tag that came after one of this name the last time, with its scope. */
  behind: { readonly name: KnownName; readonly scope: NameScope } | undefined;
};

/** The namespaces in force at one place of the file, and the names that were looked up there. */
export type NameScope = {
  /** The name in `bytes` at this place; `hash` is any number that the same name always has. */
  readonly element: (bytes: Uint8Array, from: number, to: number, hash: number) => KnownName | undefined;
  readonly attribute: (bytes: Uint8Array, from: number, to: number, hash: number) => KnownName | undefined;
  /** The scope inside of a tag with these attributes. */
  readonly declare: (declarations: readonly Declaration[]) => NameScope | undefined;
  /** The attributes that declare what this scope adds to the one around it, written as in a tag. */
  readonly declared: string;
};

/** The scope outside of the root element: only `xml` is bound. */
export function createOutermostScope(): NameScope {
  return createScope(new Map([['xml', XML]]), '', { left: MOST });
}

/** The prefix that an attribute declares, '' for the default namespace; undefined if it is not a declaration. */
export function declaredPrefix(written: string): string | undefined {
  if (!written.startsWith('xmlns')) return undefined;
  if (written === 'xmlns') return '';
  return written[5] === ':' ? written.slice(6) : undefined;
}

function createScope(namespaces: ReadonlyMap<string, string>, declared: string, room: { left: number }): NameScope {
  const expanded = new Map<string, KnownName['once']>();
  const inner = new Map<string, NameScope>();
  const known = (isAttribute: boolean) => {
    const names = new Map<string, KnownName>();
    /** Found again without a text being made; a name may push another out. */
    const quick = new Array<KnownName | undefined>(QUICK).fill(undefined);
    return (bytes: Uint8Array, from: number, to: number, hash: number): KnownName | undefined => {
      const found = quick[hash & (QUICK - 1)];
      if (found && hasBytes(found.bytes, bytes, from, to)) return found;
      const own = Buffer.from(bytes.subarray(from, to));
      const written = own.toString();
      const name = names.get(written) ?? made(written, own, isAttribute);
      if (!name) return undefined;
      names.set(written, name);
      quick[hash & (QUICK - 1)] = name;
      return name;
    };
  };
  const made = (written: string, bytes: Uint8Array, isAttribute: boolean): KnownName | undefined => {
    const [, prefix = '', part] = NAME.exec(written) ?? [];
    const uri = isAttribute
      ? attributeUri(prefix, written)
      : (namespaces.get(prefix) ?? (prefix === '' ? '' : undefined));
    if (part === undefined || uri === undefined || room.left-- <= 0) return undefined;
    const local = prefix === '' ? written : copyText(part);
    const key = `{${prefix === '' ? '' : uri}}${local}`;
    const once = expanded.get(key) ?? { tag: 0 };
    expanded.set(key, once);
    return { name: written, local, uri, bytes, once, behind: undefined };
  };
  const attributeUri = (prefix: string, written: string) => {
    if (prefix === 'xmlns' || written === 'xmlns') return XMLNS;
    return prefix === '' ? '' : namespaces.get(prefix);
  };
  const declare = (declarations: readonly Declaration[]): NameScope | undefined => {
    const text = declarations.map(({ prefix, uri }) => ` xmlns${prefix && ':'}${prefix}="${uri}"`).join('');
    const known = inner.get(text);
    if (known) return known;
    if (!declarations.every(isUsual) || room.left-- <= 0) return undefined;
    const all = new Map([...namespaces, ...declarations.map(({ prefix, uri }) => [prefix, uri] as const)]);
    const made = createScope(all, text, room);
    inner.set(text, made);
    return made;
  };
  return { element: known(false), attribute: known(true), declare, declared };
}

function hasBytes(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let n = 0; n < name.length; n++) if (name[n] !== bytes[from + n]) return false;
  return true;
}

function isUsual({ prefix, uri }: Declaration): boolean {
  if (prefix === 'xml' || prefix === 'xmlns' || uri === XML || uri === XMLNS) return false;
  return URI.test(uri) || (uri === '' && prefix === '');
}

/** A copy: a slice would keep the whole text that it comes from in memory. */
function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
