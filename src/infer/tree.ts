/**
 * An XML sample to columns and rows: which element is a line, which one a document, and where the values stand.
 *
 * The line is the repeated element that holds most of what a line has (quantity, price, amount); the document is the
 * nearest element around it that is itself repeated, or the root.
 */
import { conceptsOf } from './dictionary.ts';
import { count, type Notes } from './notes.ts';
import type { SampleColumn, SampleTable } from './sample-table.ts';
import { descendants, kindOf, readXmlTree, type XmlElement } from './xml-tree.ts';

export type XmlSource = {
  readonly format: 'xml';
  readonly namespaces: ReadonlyMap<string, string>;
  /** Undefined where the rows stand side by side and only their values tell documents apart. */
  readonly document: string | undefined;
  readonly row: string;
  readonly paths: ReadonlyMap<string, string>;
};

export type Tree = { readonly source: XmlSource; readonly table: SampleTable };

export function readTree(text: string, target: string, notes: Notes): Tree | { readonly problem: string } {
  const read = readXmlTree(text);
  if ('problem' in read) return read;
  const { root } = read;
  const all = [root, ...descendants(root)];
  const rows = rowElements(all, target);
  if (rows.length === 0) return { problem: 'no element repeats or holds lines, so nothing can be read as rows' };
  const beside = target === 'fr-report' ? undefined : otherRecords(rows[0]!, target, notes);
  const documentKind = beside ?? documentKindOf(rows[0]!, all);
  const documents = all.filter((element) => kindOf(element) === documentKind);
  const prefixes = prefixesOf(all);
  const shown = shownWith(prefixes);
  const row = rows[0]!;
  const document = documents[0]!;
  const flat = document === root && !holdsNumber(root, target);
  notes.found(
    'source.row',
    `${shown(row)} repeats: ${count(rows.length, 'line')} in ${count(documents.length, 'document')}`,
  );
  if (!flat) {
    const says = document === root ? 'the root element is the document' : `${shown(document)} repeats: one each`;
    notes.found('source.document', says);
  }
  const values = valuesOf(rows, shown, notes);
  const names = namesOf(values);
  const columns = values.map(
    (value, at): SampleColumn => ({ name: names[at]!, path: value.words, cells: value.cells, known: true }),
  );
  const source: XmlSource = {
    format: 'xml',
    namespaces: prefixes,
    document: flat ? undefined : absolute(document, shown),
    row: flat ? absolute(row, shown) : relativeTo(row, document, shown),
    paths: new Map(values.map(({ path }, at) => [names[at]!, path])),
  };
  const within = (element: XmlElement): XmlElement =>
    kindOf(element) === documentKind ? element : within(element.parent!);
  return {
    source,
    table: {
      columns,
      rows: rows.map((_, at) => at + 1),
      ...(flat ? {} : { documents: rows.map((one) => documents.indexOf(within(one))) }),
      cut: (wanted) =>
        flat
          ? withoutDocuments(text, rows, new Set(rows.filter((_, at) => wanted.includes(at + 1))))
          : withoutDocuments(text, documents, new Set(rows.filter((_, at) => wanted.includes(at + 1)).map(within))),
    },
  };
}

type Shown = (name: { readonly uri: string; readonly local: string }) => string;

const LINE_PARTS = [
  'quantity',
  'price',
  'description',
  'article',
  'unit',
  'lineNo',
  'vatRate',
  'vatCode',
  'discountPercent',
];
const PAYMENT_PARTS = ['paymentAmount', 'paymentDate', 'paymentCurrency', 'invoiceRef', 'vatRate'];
const LINE_NAMES =
  /ligne|line|item|detail|detalle|linea|position|article|produit|e1edp01|paiement|payment|encaissement/i;

function rowElements(all: readonly XmlElement[], target: string): readonly XmlElement[] {
  const parts = target === 'fr-report' ? PAYMENT_PARTS : LINE_PARTS;
  const scored = [...Map.groupBy(all, kindOf).values()]
    .filter((some) => some[0]!.parent !== undefined && (some[0]!.children.length > 0 || some[0]!.attributes.length > 1))
    .map((some) => ({ some, score: rowScore(some, parts) }))
    // Of an element and the one around it, the inner one holds the line.
    .sort((a, b) => b.score - a.score || b.some.length - a.some.length);
  const best = scored[0];
  return best && best.score > 0 ? best.some : [];
}

/** What a line has, in the element itself: what stands in repeated elements inside it belongs to their lines. */
function rowScore(some: readonly XmlElement[], parts: readonly string[]): number {
  const found = new Set<string>();
  for (const element of some.slice(0, 5)) {
    for (const name of namesInside(element)) {
      for (const concept of conceptsOf([name]).concepts) if (parts.includes(concept)) found.add(concept);
    }
  }
  const parents = new Set(some.map(({ parent }) => parent));
  const siblings = some.length > parents.size ? 2 : some.length > 1 ? 1 : 0;
  return found.size === 0 ? 0 : found.size + siblings + (LINE_NAMES.test(some[0]!.local) ? 2 : 0);
}

function* namesInside(element: XmlElement): Iterable<string> {
  for (const { local } of element.attributes) yield local;
  if (element.children.length === 0) yield element.local;
  for (const same of Map.groupBy(element.children, ({ local }) => local).values()) {
    if (same.length === 1 || markOf(same, ({ local }) => local) !== undefined)
      for (const child of same) yield* namesInside(child);
  }
}

/** Whether the number of a document stands in the root itself, outside everything that repeats. */
function holdsNumber(root: XmlElement, target: string): boolean {
  const number = target === 'sv-remission-note' ? 'noteNumber' : 'number';
  const single = [...Map.groupBy(root.children, kindOf).values()]
    .filter((same) => same.length === 1)
    .map(([one]) => one!);
  const names = [...root.attributes.map(({ local }) => local), ...single.flatMap((one) => [...namesInside(one)])];
  return names.some((name) => conceptsOf([name]).concepts.includes(number));
}

/** The kind of the record around a row where records of another name, with numbers of their own, stand beside it. */
function otherRecords(row: XmlElement, target: string, notes: Notes): string | undefined {
  for (let element: XmlElement = row; element.parent; element = element.parent) {
    if (element === row || !holdsNumber(element, target)) continue;
    const other = element.parent.children.find((one) => one.local !== element.local && isRecord(one, target));
    if (!other) continue;
    notes.ask(
      101,
      'source.records',
      `Two kinds of records: ${element.local} and ${other.local} stand beside each other. The draft reads ${element.local} only: use \`records:\` to read both.`,
    );
    return kindOf(element);
  }
  return undefined;
}

function isRecord(element: XmlElement, target: string): boolean {
  return holdsNumber(element, target) && [...descendants(element)].some(({ local }) => LINE_NAMES.test(local));
}

function documentKindOf(row: XmlElement, all: readonly XmlElement[]): string {
  for (let element = row.parent; element?.parent; element = element.parent) {
    const kind = kindOf(element);
    const same = all.filter((one) => kindOf(one) === kind);
    if (same.length > 1 && same.some((one) => one.parent === same[0]!.parent && one !== same[0])) return kind;
  }
  // One document below the root, such as <Export><Facture>: the element with a document number.
  for (let element = row.parent; element?.parent; element = element.parent) {
    const own = [...element.attributes.map(({ local }) => local), ...element.children.map(({ local }) => local)];
    if (own.some((name) => conceptsOf([name]).concepts.includes('number'))) return kindOf(element);
  }
  let root = row;
  while (root.parent) root = root.parent;
  return kindOf(root);
}

/** Prefix -> address, as the file has them; elements without prefix in a namespace get `default`. */
function prefixesOf(all: readonly XmlElement[]): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const name of all.flatMap((element) => [
    element,
    ...element.attributes.filter(({ prefix }) => prefix !== '' && prefix !== 'xml'),
  ])) {
    if (name.uri === '' || [...prefixes.values()].includes(name.uri)) continue;
    let prefix = name.prefix === '' ? 'default' : name.prefix;
    while (prefixes.has(prefix)) prefix += '2';
    prefixes.set(prefix, name.uri);
  }
  return prefixes;
}

function shownWith(prefixes: ReadonlyMap<string, string>): Shown {
  return ({ uri, local }) => {
    const prefix = uri === '' ? undefined : [...prefixes].find(([, address]) => address === uri)?.[0];
    return prefix === undefined || prefix === 'default' ? local : `${prefix}:${local}`;
  };
}

function absolute(element: XmlElement, shown: Shown): string {
  return `${element.parent ? absolute(element.parent, shown) : ''}/${shown(element)}`;
}

function relativeTo(row: XmlElement, document: XmlElement, shown: Shown): string {
  const steps: string[] = [];
  for (let element = row; element !== document && element.parent; element = element.parent) {
    steps.unshift(shown(element));
    if (kindOf(element) === kindOf(document)) return steps.slice(1).join('/');
  }
  return steps.join('/');
}

type Value = { readonly path: string; readonly words: readonly string[]; readonly cells: string[] };

/** Every value a row can reach: in it, in the elements around it, and in their other children. */
function valuesOf(rows: readonly XmlElement[], shown: Shown, notes: Notes): readonly Value[] {
  const values = new Map<string, Value>();
  const repeated = new Set<string>();
  for (const [at, row] of rows.entries()) {
    let up = '';
    let from: XmlElement | undefined;
    for (let element: XmlElement | undefined = row; element; element = element.parent) {
      const words = wordsOf(element);
      const put = (path: string, more: readonly string[], text: string) => {
        const whole = up + path;
        const value = values.get(whole) ?? { path: whole, words: [...words, ...more], cells: rows.map(() => '') };
        if (value.cells[at] === '') value.cells[at] = text.trim();
        values.set(whole, value);
      };
      collect(element, '', [], { put, shown, skip: from, repeated });
      from = element;
      up += '../';
    }
  }
  if (repeated.size > 0) {
    const names = [...repeated].slice(0, 4).join(', ');
    notes.ask(
      35,
      'source.columns',
      `Elements that repeat inside a document without telling themselves apart give no column: ${names}.`,
    );
  }
  return [...values.values()].filter(({ cells }) => cells.some((cell) => cell !== ''));
}

type Collecting = {
  readonly put: (path: string, words: readonly string[], text: string) => void;
  readonly shown: Shown;
  readonly skip: XmlElement | undefined;
  readonly repeated: Set<string>;
};

function collect(element: XmlElement, path: string, words: readonly string[], context: Collecting): void {
  const { put, shown, skip, repeated } = context;
  for (const attribute of element.attributes)
    put(
      `${path}@${shown({ ...attribute, uri: attribute.prefix === '' ? '' : attribute.uri })}`,
      [...words, attribute.local],
      attribute.value,
    );
  if (path !== '' && element.text.trim() !== '') put(path.replace(/\/$/, ''), words, element.text);
  for (const [, same] of Map.groupBy(element.children, (child) => `${child.uri} ${child.local}`)) {
    if (skip && same.some((child) => kindOf(child) === kindOf(skip))) continue;
    const mark = markOf(same, shown);
    if (same.length > 1 && mark === undefined) {
      repeated.add(same[0]!.local);
      continue;
    }
    for (const child of same) {
      const value = mark?.of(child);
      const only = value === undefined || /'/.test(value) ? '' : `[${mark!.path}='${value}']`;
      const inner = [...words, value === undefined ? child.local : `${child.local}_${value}`];
      collect(child, `${path}${shown(child)}${only}/`, inner, { ...context, skip: undefined });
    }
  }
}

/** What tells siblings of one name apart: an attribute or a small element in them. */
type Mark = { readonly path: string; readonly of: (element: XmlElement) => string | undefined };

/** Names of marks in IDocs and schemes: such an element has one even where the sample holds a single one of the kind. */
const MARKS = /^(?:QUALF|PARVW|IDDAT|SUMID|schemeID|qualifier|qualifiant|role|type|kind)$/i;

function markOf(same: readonly XmlElement[], shown: Shown): Mark | undefined {
  const attributes = same[0]!.attributes
    .filter(({ prefix }) => prefix === '')
    .map(({ local }): Mark & { name: string } => ({
      name: local,
      path: `@${local}`,
      of: (element) => element.attributes.find((one) => one.local === local)?.value,
    }));
  const children = same[0]!.children
    .filter(({ local, children: inner }) => inner.length === 0 && MARKS.test(local))
    .map((child): Mark & { name: string } => ({
      name: child.local,
      path: shown(child),
      of: (element) => element.children.find((one) => kindOf(one) === kindOf(child))?.text.trim(),
    }));
  const marks = [...children, ...attributes];
  if (same.length === 1)
    return marks.find(({ name, of }) => MARKS.test(name) && name.toLowerCase() !== 'type' && of(same[0]!));
  return marks.find(({ name, of }) => {
    const values = same.map((one) => of(one) ?? '');
    // Counters tell lines apart, not kinds of values.
    return (
      new Set(values).size === same.length &&
      (MARKS.test(name) || !values.every((value, at) => Number(value) === at + 1))
    );
  });
}

function wordsOf(element: XmlElement): readonly string[] {
  return [...(element.parent ? wordsOf(element.parent) : []), element.local];
}

/** The last word where it is alone, else with the outermost element around it that tells the columns apart. */
function namesOf(values: readonly Value[]): readonly string[] {
  const clean = (words: readonly string[]) => words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '')).join('_');
  const taken = new Set<string>();
  return values.map((value) => {
    const leaf = value.words.at(-1)!;
    const alike = values.filter((other) => other !== value && other.words.at(-1) === leaf);
    const around = value.words.slice(0, -1).find((word) => alike.every(({ words }) => !words.includes(word)));
    const whole = clean(value.words.slice(1));
    let name = alike.length === 0 ? clean([leaf]) : around === undefined ? whole : clean([around, leaf]);
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  });
}

function withoutDocuments(text: string, documents: readonly XmlElement[], wanted: ReadonlySet<XmlElement>): string {
  let cut = '';
  let at = 0;
  for (const element of documents.filter((one) => !wanted.has(one))) {
    cut += text.slice(at, element.from);
    at = element.to;
  }
  return cut + text.slice(at);
}
