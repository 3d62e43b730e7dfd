/**
 * Which element of an XML sample is the line. Repetition decides: an element that comes several times inside another
 * one, with the same values in it, amounts among them, is a record whatever it is called. Names decide which of
 * several records is the line (lines, breakdown of the VAT, lots of a line), and find it where nothing repeats.
 */

import { matchColumnName } from '../vocabulary/column-dictionary.ts';
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import { type ElementGroup, groupElements, type XmlElement } from './xml-tree.ts';

export type DisplayName = (name: { readonly uri: string; readonly local: string }) => string;

export const LINE_NAMES =
  /ligne|line|item|detail|detalle|linea|position|article|produit|e1edp01|paiement|payment|encaissement/i;

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
/** By two of them a line is known that holds records itself, or does not repeat in the sample. */
const TELLING_PARTS = ['quantity', 'price', 'description', 'article'];

/** Elements whose values are compared to know a record. */
const ENOUGH = 300;

/** Kinds of the elements that repeat inside another one with values of their own, amounts among them. */
export function findRecordKinds(all: readonly XmlElement[]): ReadonlySet<string> {
  const records = new Set<string>();
  for (const { key, first, same } of groupElements(all, ({ kind }) => kind)) {
    if (hasSiblings(same) && isRecord(first, same.slice(0, ENOUGH))) records.add(key);
  }
  return records;
}

/** The elements of the kind that is most likely the row, by known names in it and repetition; empty where there is none. */
export function findRowElements(
  all: readonly XmlElement[],
  records: ReadonlySet<string>,
  target: DraftTarget,
): readonly XmlElement[] {
  const parts = target.rows === 'payments' ? PAYMENT_PARTS : LINE_PARTS;
  const around = findContainerKinds(all, records);
  const scored = groupElements(all, ({ kind }) => kind)
    .filter(({ first }) => first.parent && (first.children.length > 0 || first.attributes.length > 1))
    .map(({ key: kind, first, same: some }) => {
      const found = partsIn(some, records, parts);
      const isNamed = LINE_NAMES.test(first.local);
      const isTellingKind = isTelling(first, records, target);
      // A document and a list of lines hold records; a line may hold some too, such as its lots.
      const canBeLine = around.has(kind)
        ? isTellingKind
        : records.has(kind) || (found.size > 0 && (records.size === 0 || isNamed || isTellingKind));
      return { some, score: canBeLine ? found.size + repetition(some, kind, records) + (isNamed ? 2 : 0) : 0 };
    })
    .sort((a, b) => b.score - a.score || b.some.length - a.some.length);
  const best = scored[0];
  return best && best.score > 0 ? best.some : [];
}

/** Kinds of the elements that hold records. */
function findContainerKinds(all: readonly XmlElement[], records: ReadonlySet<string>): ReadonlySet<string> {
  const around = new Set<string>();
  for (const { key, first } of groupElements(all, ({ kind }) => kind)) {
    if (!records.has(key)) continue;
    for (let outer = first.parent; outer; outer = outer.parent) around.add(outer.kind);
  }
  return around;
}

/** True where the names in the element alone show that it is a line: an amount of a payment, or two parts of goods. */
function isTelling(element: XmlElement, records: ReadonlySet<string>, target: DraftTarget): boolean {
  const names = [...namesInside(element, records)].map((name) => matchColumnName([name]).concepts);
  if (target.rows === 'payments') return names.some((concepts) => concepts.includes('paymentAmount'));
  // Only what a name means first: "Nom" may be a number of pieces, and is a customer.
  return new Set(names.flatMap(([first]) => TELLING_PARTS.filter((part) => part === first))).size > 1;
}

/** Points for siblings of the same kind, and for a record half a point per value that varies, up to nine values. */
function repetition(some: readonly XmlElement[], kind: string, records: ReadonlySet<string>): number {
  const several = some.length > 1 ? 1 : 0;
  const siblings = hasSiblings(some) ? 2 : several;
  // Of records without known names the one with more values is the line.
  return records.has(kind) ? siblings + Math.min(varyingValues(some.slice(0, ENOUGH)).length, 9) / 2 : siblings;
}

/** What a line has, in the element itself: what is in repeated elements inside it belongs to their lines. */
function partsIn(
  some: readonly XmlElement[],
  records: ReadonlySet<string>,
  parts: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const element of some.slice(0, 5)) {
    for (const name of namesInside(element, records)) {
      for (const concept of matchColumnName([name]).concepts) if (parts.includes(concept)) found.add(concept);
    }
  }
  return found;
}

/** Names of the values of an element, without those of the records in it. */
export function* namesInside(element: XmlElement, records: ReadonlySet<string>): Iterable<string> {
  for (const { local } of element.attributes) yield local;
  if (element.children.length === 0) yield element.local;
  for (const { first, same } of groupElements(element.children, ({ local }) => local)) {
    if (records.has(first.kind)) continue;
    if (same.length === 1 || findMark({ first, same }, records, ({ local }) => local) !== undefined)
      for (const child of same) yield* namesInside(child, records);
  }
}

function hasSiblings(some: readonly XmlElement[]): boolean {
  return some.length > new Set(some.map(({ parent }) => parent)).size;
}

/** At least three values that vary, an amount among them, and no qualifier. */
function isRecord(first: XmlElement, some: readonly XmlElement[]): boolean {
  const varying = varyingValues(some);
  const isQualified = [...first.attributes, ...first.children].some(({ local }) => QUALIFIERS.test(local));
  // A mark with its amount, such as <Total code="HT">12.00</Total>, is no record.
  return !isQualified && varying.length > 2 && varying.some(isAmount);
}

type Values = { readonly name: string; readonly cells: readonly string[] };

/** Values that most of the elements have, and not all the same. */
function varyingValues(some: readonly XmlElement[]): readonly Values[] {
  const values = new Map<string, { name: string; cells: string[] }>();
  for (const element of some) {
    for (const [path, name, cell] of walkLeaves(element, '')) {
      const value = values.get(path) ?? { name, cells: [] };
      value.cells.push(cell);
      values.set(path, value);
    }
  }
  return [...values.values()].filter(({ cells }) => cells.length * 2 >= some.length && new Set(cells).size > 1);
}

function* walkLeaves(element: XmlElement, path: string): Iterable<readonly [path: string, name: string, cell: string]> {
  for (const { local, value } of element.attributes) yield [`${path}/@${local}`, local, value.trim()];
  if (element.children.length === 0 && element.text.trim() !== '') yield [path, element.local, element.text.trim()];
  for (const { first, same } of groupElements(element.children, ({ local }) => local))
    if (same.length === 1) yield* walkLeaves(first, `${path}/${first.local}`);
}

/** Identifiers and postal codes have no decimals and all their digits; quantities and amounts have not. */
function isAmount({ name, cells }: Values): boolean {
  if (!cells.every((cell) => /^[+-]?(?:0|[1-9][\d\s\u00a0.,]*)(?:[.,]\d+)?-?$/.test(cell))) return false;
  if (cells.every((cell, at) => Number(cell) === at + 1)) return false;
  const named = matchColumnName([name]).concepts.some((concept) =>
    /^(?:quantity|price|line|payment)(?!No)/.test(concept),
  );
  return named || cells.some((cell) => /[.,]/.test(cell));
}

/** Distinguishes siblings of one name: an attribute or a small element in them. */
export type SiblingMark = { readonly path: string; readonly of: (element: XmlElement) => string | undefined };

/** Names of marks in IDocs and schemes: such an element has one even where the sample holds a single one of the kind. */
const MARKS = /^(?:QUALF|PARVW|IDDAT|SUMID|schemeID|qualifier|qualifiant|role|type|kind)$/i;
/** Those of them that no line has. */
const QUALIFIERS = /^(?:QUALF|PARVW|IDDAT|SUMID|schemeID|qualifier|qualifiant)$/i;

/** Undefined for records: an attribute that happens to differ between the lines of a document is no name for them. */
export function findMark(
  { first, same }: Pick<ElementGroup, 'first' | 'same'>,
  records: ReadonlySet<string>,
  shown: DisplayName,
): SiblingMark | undefined {
  if (records.has(first.kind)) return undefined;
  const attributes = first.attributes
    .filter(({ prefix }) => prefix === '')
    .map(({ local }): SiblingMark & { name: string } => ({
      name: local,
      path: `@${local}`,
      of: (element) => element.attributes.find((one) => one.local === local)?.value,
    }));
  const children = first.children
    .filter(({ local, children: inner }) => inner.length === 0 && MARKS.test(local))
    .map((child): SiblingMark & { name: string } => ({
      name: child.local,
      path: shown(child),
      of: (element) => element.children.find((one) => one.kind === child.kind)?.text.trim(),
    }));
  const marks = [...children, ...attributes];
  if (same.length === 1)
    return marks.find(({ name, of }) => MARKS.test(name) && name.toLowerCase() !== 'type' && of(first));
  return marks.find(({ name, of }) => {
    const values = same.map((one) => of(one) ?? '');
    // Counters distinguish lines, not kinds of values.
    return (
      new Set(values).size === same.length &&
      (MARKS.test(name) || !values.every((value, at) => Number(value) === at + 1))
    );
  });
}
