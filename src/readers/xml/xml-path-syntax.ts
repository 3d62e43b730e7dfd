/**
 * The syntax of one path of an XML mapping (xml-options.ts lists its forms): text in, steps with their namespaces out.
 * Throws PathProblem with the key of the path.
 */
import { XML_PATH_PROBLEM } from '../../i18n/messages/readers-messages.ts';
import { type OptionKey, PathProblem } from './xml-path-problem.ts';

/** Prefix to namespace, as the mapping declares them; `default` is for names without prefix. */
export type Namespaces = { readonly [prefix: string]: string };

/** A name as XML compares it; `uri` is '' in no namespace. */
export type XmlName = { readonly uri: string; readonly local: string };
/**
 * `[@x='1']` looks at an attribute and is decided at the start tag; `[x='1']` looks at a child element and is decided
 * when that closes.
 */
export type PathFilter = { readonly name: XmlName; readonly value: string; readonly child: boolean };
/** One element of a path. `shown`: as the mapping writes it, with its filter. */
export type PathStep = XmlName & { readonly only?: PathFilter; readonly shown: string };
/** A path of the mapping, from the root (`absolute`) or from the row element. */
export type ParsedPath = {
  readonly absolute: boolean;
  /** Elements that it climbs above the row element. */
  readonly up: number;
  readonly steps: readonly PathStep[];
  readonly attribute?: XmlName & { readonly shown: string };
};

const NAME = String.raw`(?:[\p{L}_][\p{L}\p{M}\p{N}_.-]*:)?[\p{L}_][\p{L}\p{M}\p{N}_.-]*`;
const STEP = new RegExp(
  String.raw`(@?)(${NAME})(?:\[\s*(@?)(${NAME})\s*=\s*(?:'([^']*)'|"([^"]*)")\s*\])?(?:/|$)`,
  'uy',
);

/** A path of elements only: no attribute, filter or ascent. `key` is the option that holds it. */
export function parsePlainPath(text: string, namespaces: Namespaces, key: string): ParsedPath {
  const path = parsePath(text, namespaces, [key]);
  if (path.attribute || path.up > 0 || path.steps.length === 0 || path.steps.some((step) => step.only)) {
    throw new PathProblem([key], XML_PATH_PROBLEM.notPlain({ path: text }));
  }
  return path;
}

/** Any path of a column, list or control; `key` is its place in the options. */
export function parsePath(text: string, namespaces: Namespaces, key: OptionKey): ParsedPath {
  const absolute = text.startsWith('/');
  const { up, rest } = absolute ? { up: 0, rest: text.slice(1) } : cutAscent(text);
  if (rest === '' && !/^(?:\.|\.\.(?:\/\.\.)*)$/.test(text)) throw notAPath(text, key);
  const steps: PathStep[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < rest.length) {
    const match = STEP.exec(rest);
    const isLast = STEP.lastIndex === rest.length;
    if (!match || (match[0].endsWith('/') && isLast)) throw notAPath(text, key);
    const [, at, name = '', , filter] = match;
    if (!at) steps.push(toStep(match, namespaces, key));
    else if (filter || !isLast) throw notAPath(text, key);
    else return { absolute, up, steps, attribute: { ...resolveName(name, namespaces, key, ''), shown: `@${name}` } };
  }
  return { absolute, up, steps };
}

/** How many elements a relative path climbs, and the path from there; `.` is the row element itself. */
function cutAscent(text: string): { readonly up: number; readonly rest: string } {
  const [ascent = ''] = /^(?:\.\.(?:\/|$))+/.exec(text) ?? [];
  const rest = text.slice(ascent.length).replace(/^\.(?:\/|$)/, '');
  return { up: ascent.match(/\.\./g)?.length ?? 0, rest };
}

function toStep(match: RegExpExecArray, namespaces: Namespaces, key: OptionKey): PathStep {
  const [whole, , name = '', sign, filter, single, double] = match;
  const { default: byDefault = '' } = namespaces;
  const step = { ...resolveName(name, namespaces, key, byDefault), shown: whole.replace(/\/$/, '') };
  if (!filter) return step;
  const filterName = resolveName(filter, namespaces, key, sign ? '' : byDefault);
  return { ...step, only: { name: filterName, value: single ?? double ?? '', child: sign === '' } };
}

function notAPath(text: string, key: OptionKey): PathProblem {
  const forms = "a/b, @x, ../a, ../../@x, a[@type='1']/b, a[type='1']/b, ., /Root/a";
  return new PathProblem(key, XML_PATH_PROBLEM.notPath({ path: text, forms }));
}

/** As in XML itself, an attribute without prefix is in no namespace, whatever the default for elements. */
function resolveName(name: string, namespaces: Namespaces, key: OptionKey, otherwise: string): XmlName {
  const colon = name.indexOf(':');
  if (colon < 0) return { uri: otherwise, local: name };
  const prefix = name.slice(0, colon);
  const uri = prefix === 'xml' ? 'http://www.w3.org/XML/1998/namespace' : namespaces[prefix];
  if (uri === undefined) throw new PathProblem(key, XML_PATH_PROBLEM.prefix({ prefix }));
  return { uri, local: name.slice(colon + 1) };
}

/** True if both match exactly the same elements. */
export function isSameStep(a: PathStep, b: PathStep | undefined): boolean {
  return a.uri === b?.uri && a.local === b.local && isSameFilter(a.only, b.only);
}

/** True if both are absent, or look for the same value at the same name. */
export function isSameFilter(a: PathStep['only'], b: PathStep['only']): boolean {
  if (!a || !b) return a === b;
  return a.value === b.value && a.child === b.child && a.name.uri === b.name.uri && a.name.local === b.name.local;
}

/** The path from the root as people read it, such as /Export/Invoice/@id. */
export function showPath(steps: readonly PathStep[], attribute: string | undefined): string {
  return `/${[...steps.map((step) => step.shown), ...(attribute ? [attribute] : [])].join('/')}`;
}
