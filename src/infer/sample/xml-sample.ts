/**
 * An XML sample to columns and rows: which element is a line, which one a document, and where the values are.
 *
 * The line is found in xml-line-element.ts; the document is the nearest element around it that is itself repeated, or the
 * root.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { must } from '../../model/must.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { findParty, matchColumnName } from '../vocabulary/column-dictionary.ts';
import type { SampleColumn, SampleTable } from './sample-table.ts';
import {
  type DisplayName,
  findMark,
  findRecordKinds,
  findRowElements,
  LINE_NAMES,
  namesInside,
  type SiblingMark,
} from './xml-line-element.ts';
import { descendants, type ElementGroup, groupElements, readXmlTree, rootOf, type XmlElement } from './xml-tree.ts';

/** What the block `source` of an XML mapping says; `paths`: name of a column -> its path from the row. */
export type XmlSource = {
  readonly format: 'xml';
  readonly namespaces: ReadonlyMap<string, string>;
  /** Undefined where the rows are side by side and only their values separate documents. */
  readonly document: string | undefined;
  readonly row: string;
  readonly paths: ReadonlyMap<string, string>;
};

export type XmlSample = { readonly source: XmlSource; readonly table: SampleTable; readonly root: XmlElement };

/** `problem` where the text is not well-formed XML, or no element repeats like a row. */
export function readXmlSample(
  text: string,
  target: string,
  notes: DraftNotes,
): XmlSample | { readonly problem: Message } {
  const read = readXmlTree(text);
  if ('problem' in read) return read;
  const { root } = read;
  const all = [root, ...descendants(root)];
  const records = findRecordKinds(all);
  const rows = findRowElements(all, records, target);
  const [row] = rows;
  if (!row) return { problem: INFER_PROBLEM.noRowElement() };
  const withOthers = target === 'fr-report' ? undefined : findOtherRecords(row, records, target, notes);
  const documentKind = withOthers ?? findDocumentKind(row, all);
  const documents = all.filter((element) => element.kind === documentKind);
  const prefixes = collectPrefixes(all);
  const shown = createDisplayName(prefixes);
  const document = documents[0] ?? root;
  const flat = document === root && !holdsNumber(root, records, target);
  notes.addEvidence(
    'source.row',
    SOURCE_EVIDENCE.rowRepeats({
      name: shown(row),
      lines: SAMPLE_COUNTS.lines({ count: rows.length }),
      documents: SAMPLE_COUNTS.documents({ count: documents.length }),
    }),
  );
  if (!flat) {
    const isRoot = document === root;
    const found = isRoot ? SOURCE_EVIDENCE.rootDocument() : SOURCE_EVIDENCE.documentRepeats({ name: shown(document) });
    notes.addEvidence('source.document', found);
  }
  const values = collectValues(rows, records, shown, notes);
  const names = nameColumns(values);
  const columns = values.map((value, at): SampleColumn => {
    const block = findBlock(value.path);
    const holder = findHolder(value.path);
    return definedOnly({ name: names[at] ?? '', path: value.words, cells: value.cells, known: true, block, holder });
  });
  const source: XmlSource = {
    format: 'xml',
    namespaces: prefixes,
    document: flat ? undefined : absolutePath(document, shown),
    row: flat ? absolutePath(row, shown) : relativePath(row, document, shown),
    paths: new Map(values.map(({ path }, at) => [names[at] ?? '', path])),
  };
  const unitOf = (element: XmlElement) => (flat ? element : must(findAround(element, documentKind), 'a document'));
  const units = flat ? rows : documents;
  const numbers = new Map(documents.map((one, at) => [one, at]));
  const documentOf = (row: XmlElement) => must(numbers.get(unitOf(row)), 'the document of a row');
  return {
    source,
    root,
    table: definedOnly({
      columns,
      rows: rows.map((_, at) => at + 1),
      documents: flat ? undefined : rows.map(documentOf),
      cut: (wanted: readonly number[]) =>
        cutDocuments(text, units, new Set(rows.filter((_, at) => wanted.includes(at + 1)).map(unitOf))),
    }),
  };
}

/** The element itself or the nearest one around it that is of this kind. */
function findAround(element: XmlElement, kind: string): XmlElement | undefined {
  for (let outer: XmlElement | undefined = element; outer; outer = outer.parent) if (outer.kind === kind) return outer;
  return undefined;
}

/** Whether the number of a document is in the root itself, outside everything that repeats. */
function holdsNumber(root: XmlElement, records: ReadonlySet<string>, target: string): boolean {
  const number = target === 'sv-remission-note' ? 'noteNumber' : 'number';
  const single = groupElements(root.children, ({ kind }) => kind).filter(({ same }) => same.length === 1);
  const names = [
    ...root.attributes.map(({ local }) => local),
    ...single.flatMap(({ first }) => [...namesInside(first, records)]),
  ];
  return names.some((name) => matchColumnName([name]).concepts.includes(number));
}

/** The kind of the record around a row where records of another name, with numbers of their own, are next to it. */
function findOtherRecords(
  row: XmlElement,
  records: ReadonlySet<string>,
  target: string,
  notes: DraftNotes,
): string | undefined {
  const isDocument = (element: XmlElement) =>
    holdsNumber(element, records, target) &&
    [...descendants(element)].some((one) => one.local === row.local || LINE_NAMES.test(one.local));
  for (let element: XmlElement = row; element.parent; element = element.parent) {
    if (element === row || !holdsNumber(element, records, target)) continue;
    const other = element.parent.children.find((one) => one.local !== element.local && isDocument(one));
    if (!other) continue;
    const kinds = { name: element.local, other: other.local };
    notes.addQuestion(101, 'source.records', SAMPLE_QUESTION.twoRecords(kinds));
    return element.kind;
  }
  return undefined;
}

/** The nearest kind around the row that repeats in one element, else the element with a document number, else the root. */
function findDocumentKind(row: XmlElement, all: readonly XmlElement[]): string {
  for (let element = row.parent; element?.parent; element = element.parent) {
    const { kind } = element;
    const [first, ...others] = all.filter((one) => one.kind === kind);
    if (others.some((one) => one.parent === first?.parent)) return kind;
  }
  // One document below the root, such as <Export><Facture>: the element with a document number.
  for (let element = row.parent; element?.parent; element = element.parent) {
    const own = [...element.attributes.map(({ local }) => local), ...element.children.map(({ local }) => local)];
    if (own.some((name) => matchColumnName([name]).concepts.includes('number'))) return element.kind;
  }
  return rootOf(row).kind;
}

/** Prefix -> address, as the file has them; elements without prefix in a namespace get `default`. */
function collectPrefixes(all: readonly XmlElement[]): ReadonlyMap<string, string> {
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

function createDisplayName(prefixes: ReadonlyMap<string, string>): DisplayName {
  return ({ uri, local }) => {
    const prefix = uri === '' ? undefined : [...prefixes].find(([, address]) => address === uri)?.[0];
    return prefix === undefined || prefix === 'default' ? local : `${prefix}:${local}`;
  };
}

function absolutePath(element: XmlElement, shown: DisplayName): string {
  return `${element.parent ? absolutePath(element.parent, shown) : ''}/${shown(element)}`;
}

function relativePath(row: XmlElement, document: XmlElement, shown: DisplayName): string {
  const steps: string[] = [];
  for (let element = row; element !== document && element.parent; element = element.parent) {
    steps.unshift(shown(element));
    if (element.kind === document.kind) return steps.slice(1).join('/');
  }
  return steps.join('/');
}

/**
 * The element around a value, seen from the row: the outermost that is qualified or says whose it is, else the first one
 * off the way to the row. None for the values of the row and of the elements around it.
 */
function findBlock(path: string): string | undefined {
  const [up = ''] = /^(?:\.\.\/)*/.exec(path) ?? [];
  const steps = path
    .slice(up.length)
    .split(/\/(?![^[]*\])/)
    .slice(0, -1);
  if (steps.length === 0) return undefined;
  const own = steps.findIndex((step) => step.endsWith(']') || findParty(step) !== undefined);
  return up + steps.slice(0, Math.max(own, 0) + 1).join('/');
}

/** None for the values of the row and of the elements around it. */
function findHolder(path: string): string | undefined {
  const holder = path
    .split(/\/(?![^[]*\])/)
    .slice(0, -1)
    .join('/');
  return /[^./]/.test(holder) ? holder : undefined;
}

type Value = { readonly path: string; readonly words: readonly string[]; readonly cells: string[] };

/** Every value a row can reach: in it, in the elements around it, and in their other children. */
function collectValues(
  rows: readonly XmlElement[],
  records: ReadonlySet<string>,
  shown: DisplayName,
  notes: DraftNotes,
): readonly Value[] {
  const values = new Map<string, Value>();
  const repeated = new Set<string>();
  const groups = createChildGroups(rows, records, shown);
  for (const [at, row] of rows.entries()) {
    let up = '';
    let from: XmlElement | undefined;
    for (let element: XmlElement | undefined = row; element; element = element.parent) {
      const words = pathWords(element);
      const put = (path: string, more: readonly string[], text: string) => {
        const whole = up + path;
        const value = values.get(whole) ?? { path: whole, words: [...words, ...more], cells: rows.map(() => '') };
        if (value.cells[at] === '') value.cells[at] = text.trim();
        values.set(whole, value);
      };
      collect(element, '', [], { put, records, shown, groups, skip: from, repeated });
      from = element;
      up += '../';
    }
  }
  if (repeated.size > 0) {
    const names = [...repeated].slice(0, 4);
    notes.addQuestion(35, 'source.columns', SAMPLE_QUESTION.repeatedElements({ names }));
  }
  return [...values.values()].filter(({ cells }) => cells.some((cell) => cell !== ''));
}

type Collecting = {
  readonly put: (path: string, words: readonly string[], text: string) => void;
  readonly records: ReadonlySet<string>;
  readonly shown: DisplayName;
  readonly groups: (element: XmlElement) => readonly Group[];
  readonly skip: XmlElement | undefined;
  readonly repeated: Set<string>;
};

type Group = ElementGroup & {
  readonly mark: SiblingMark | undefined;
  /** It comes several times in some document, and nothing distinguishes it. */
  readonly isRepeated?: boolean;
};

/**
 * The children of an element by kind, found once: those of the root would be grouped again for each row. What repeats in one
 * document is read the same way in those where it is alone: by its mark, or, without one, not at all.
 */
function createChildGroups(
  rows: readonly XmlElement[],
  records: ReadonlySet<string>,
  shown: DisplayName,
): Collecting['groups'] {
  const known = new WeakMap<XmlElement, readonly Group[]>();
  const marks = new Map<string, Group['mark']>();
  const groupsIn = (element: XmlElement) => {
    let groups = known.get(element);
    if (!groups) {
      const byName = groupElements(element.children, (child) => `${child.uri} ${child.local}`);
      groups = byName.map((group) => ({ ...group, mark: findMark(group, records, shown) }));
      known.set(element, groups);
    }
    return groups;
  };
  const root = rows.slice(0, 1).map(rootOf);
  for (const element of root.flatMap((one) => [one, ...descendants(one)]))
    for (const { first, same, mark } of groupsIn(element)) {
      const { kind } = first;
      // Where one document distinguishes the elements and another does not, nothing does.
      if (same.length > 1) marks.set(kind, marks.has(kind) ? marks.get(kind) && mark : mark);
    }
  return (element) =>
    groupsIn(element).map((group) => {
      const { kind } = group.first;
      if (group.mark || !marks.has(kind)) return group;
      const mark = marks.get(kind);
      return { ...group, mark, isRepeated: mark?.of(group.first) === undefined };
    });
}

function collect(element: XmlElement, path: string, words: readonly string[], context: Collecting): void {
  const { put, records, shown, groups, skip, repeated } = context;
  for (const attribute of element.attributes)
    put(
      `${path}@${shown({ ...attribute, uri: attribute.prefix === '' ? '' : attribute.uri })}`,
      [...words, attribute.local],
      attribute.value,
    );
  if (path !== '' && element.text.trim() !== '') put(path.replace(/\/$/, ''), words, element.text);
  for (const { first, same, mark, isRepeated } of groups(element)) {
    if (skip && first.kind === skip.kind) continue;
    // A record that is alone in this document comes several times in another one.
    if (isRepeated || ((same.length > 1 || records.has(first.kind)) && mark === undefined)) {
      repeated.add(first.local);
      continue;
    }
    for (const child of same) {
      const value = mark?.of(child);
      const only = mark === undefined || value === undefined || /'/.test(value) ? '' : `[${mark.path}='${value}']`;
      const inner = [...words, value === undefined ? child.local : `${child.local}_${value}`];
      collect(child, `${path}${shown(child)}${only}/`, inner, { ...context, skip: undefined });
    }
  }
}

function pathWords(element: XmlElement): readonly string[] {
  return element.parent ? [...pathWords(element.parent), element.local] : [element.local];
}

/** The last word where it is alone, else with the outermost element around it that distinguishes the columns. */
function nameColumns(values: readonly Value[]): readonly string[] {
  const clean = (words: readonly string[]) => words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '')).join('_');
  const taken = new Set<string>();
  return values.map((value) => {
    const leaf = value.words.at(-1) ?? '';
    const alike = values.filter((other) => other !== value && other.words.at(-1) === leaf);
    const around = value.words.slice(0, -1).find((word) => alike.every(({ words }) => !words.includes(word)));
    const qualified = around === undefined ? value.words.slice(1) : [around, leaf];
    let name = clean(alike.length === 0 ? [leaf] : qualified);
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  });
}

/** The text without the elements that are not wanted; what is around them stays as it is. */
function cutDocuments(text: string, documents: readonly XmlElement[], wanted: ReadonlySet<XmlElement>): string {
  let cut = '';
  let at = 0;
  for (const element of documents.filter((one) => !wanted.has(one))) {
    cut += text.slice(at, element.from);
    at = element.to;
  }
  return cut + text.slice(at);
}
