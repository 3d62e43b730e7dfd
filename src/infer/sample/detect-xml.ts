/**
 * An XML sample to how it is read: which element is a line, which one a document, and where the values are.
 *
 * The line is found in xml-line-element.ts; the document is the nearest element around it that is itself repeated, or the
 * root.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { INFER_PROBLEM, SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, MESSAGE } from '../../model/fault.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { compileXmlSource, xmlOptions } from '../../readers/xml/xml-options.ts';
import type { XmlPaths } from '../../readers/xml/xml-paths.ts';
import { createXmlSlicer, type XmlSlice } from '../../readers/xml/xml-slicer.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { findParty, matchColumnName } from '../vocabulary/column-dictionary.ts';
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import { optionsOf, readRows, type SampleBytes } from './read-detected.ts';
import type { Detected, XmlSource } from './sample-source.ts';
import type { ColumnHead } from './sample-table.ts';
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

type Sample = SampleBytes & { readonly text: string; readonly encoding: string };

export type XmlSample = Detected<XmlSource> & { readonly root: XmlElement };

/** `problem` where no element repeats like a row. Throws the UnreadableFileError of the reader. */
export async function detectXml(
  sample: Sample,
  target: DraftTarget,
  notes: DraftNotes,
): Promise<XmlSample | { readonly problem: Message }> {
  const root = readXmlTree(sample.text, sample.file);
  const all = [root, ...descendants(root)];
  const records = findRecordKinds(all);
  const rows = findRowElements(all, records, target);
  const [row] = rows;
  if (!row) return { problem: INFER_PROBLEM.noRowElement() };
  const withOthers = target.rows === 'payments' ? undefined : findOtherRecords(row, records, target, notes);
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
  const declared: XmlSource = definedOnly({
    format: 'xml',
    encoding: sample.encoding,
    namespaces: Object.fromEntries(prefixes),
    document: flat ? undefined : absolutePath(document, shown),
    row: flat ? absolutePath(row, shown) : relativePath(row, document, shown),
    columns: Object.fromEntries(values.map(({ path }, at) => [names[at] ?? '', path])),
  });
  const source = await withoutUnreadable(declared, sample, notes);
  const columns = values.flatMap(({ path, words }, at): readonly ColumnHead[] => {
    const name = names[at] ?? '';
    if (source.columns[name] === undefined) return [];
    return [definedOnly({ name, path: words, known: true, block: findBlock(path), holder: findHolder(path) })];
  });
  const { cut, documentOf } = unitsOf(sample, source);
  return definedOnly({ source, columns, root, cut, documentOf: flat ? undefined : documentOf });
}

/** The source without the columns that have no value the reader takes: its words about each become a question. */
async function withoutUnreadable(source: XmlSource, sample: Sample, notes: DraftNotes): Promise<XmlSource> {
  const faults = await columnFaults(source, sample);
  const { columns, places } = compileXmlSource(xmlOptions.parse(optionsOf(source))) as XmlPaths;
  const gone = new Set(columns.filter((_, at) => faults.has(places[at] ?? '')));
  if (gone.size === 0) return source;
  for (const { [MESSAGE]: words } of faults.values()) {
    if (words) notes.addQuestion(35, 'source.columns', words.message);
  }
  const kept = Object.entries(source.columns).filter(([name]) => !gone.has(name));
  return await withoutUnreadable({ ...source, columns: Object.fromEntries(kept) }, sample, notes);
}

/** By place the values for which the reader refuses the file, or most rows: of others the sample is to blame. */
async function columnFaults(source: XmlSource, sample: Sample): Promise<ReadonlyMap<string, Fault>> {
  let faults: readonly Fault[] = [];
  let most = 0;
  try {
    const { rows } = await readRows(source, sample);
    faults = rows.flatMap(({ broken }) => broken ?? []);
    most = rows.length / 2;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    ({ faults } = error);
  }
  const byPlace = [...Map.groupBy(faults, ({ origin }) => origin?.column)];
  return new Map(
    byPlace.flatMap(([place, [first, ...others]]) =>
      place !== undefined && first && others.length + 1 > most ? [[place, first]] : [],
    ),
  );
}

/** Which document each row is in, and the sample with some of them. Only for a sample that the reader takes. */
function unitsOf({ text, file }: Sample, source: XmlSource): Required<Pick<XmlSample, 'documentOf' | 'cut'>> {
  let slices: readonly XmlSlice[] | undefined;
  let units: ReadonlyMap<number, XmlSlice> | undefined;
  const all = () => {
    if (slices) return slices;
    const slicer = createXmlSlicer(file, optionsOf(source));
    slices = [...slicer.take(text), ...slicer.end()];
    return slices;
  };
  const unitOf = (row: number) => {
    units ??= new Map(
      all().flatMap((slice) =>
        slice.what === 'unit' ? Array.from({ length: slice.rows }, (_, n) => [slice.first + n, slice] as const) : [],
      ),
    );
    return units.get(row);
  };
  const cut = (rows: readonly number[]) => {
    const kept = new Set(rows.map(unitOf));
    return all()
      .map((slice) => {
        if (slice.what === 'around') return slice.text;
        return kept.has(slice) ? slice.before + slice.text : slice.before.trimEnd();
      })
      .join('');
  };
  return { cut, documentOf: (row) => unitOf(row) };
}

/** Whether the number of a document is in the root itself, outside everything that repeats. */
function holdsNumber(root: XmlElement, records: ReadonlySet<string>, target: DraftTarget): boolean {
  const single = groupElements(root.children, ({ kind }) => kind).filter(({ same }) => same.length === 1);
  const names = [
    ...root.attributes.map(({ local }) => local),
    ...single.flatMap(({ first }) => [...namesInside(first, records)]),
  ];
  return names.some((name) => matchColumnName([name]).concepts.includes(target.numberOfElement));
}

/** The kind of the record around a row where records of another name, with numbers of their own, are next to it. */
function findOtherRecords(
  row: XmlElement,
  records: ReadonlySet<string>,
  target: DraftTarget,
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

type Value = { readonly path: string; readonly words: readonly string[]; isFilled: boolean };

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
  for (const row of rows) {
    let up = '';
    let from: XmlElement | undefined;
    for (let element: XmlElement | undefined = row; element; element = element.parent) {
      const words = pathWords(element);
      const put = (path: string, more: readonly string[], text: string) => {
        const whole = up + path;
        const value = values.get(whole) ?? { path: whole, words: [...words, ...more], isFilled: false };
        value.isFilled ||= text.trim() !== '';
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
  return [...values.values()].filter(({ isFilled }) => isFilled);
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
