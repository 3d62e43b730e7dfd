/**
 * An XML sample as a tree of elements with their namespaces and places in the text, or the problem: what the XML reader
 * refuses makes no draft.
 */

import type { SaxesTagNS } from 'saxes';
import type { Message } from '../../i18n/message.ts';
import { XML_FILE, XML_SYNTAX } from '../../i18n/messages/readers-messages.ts';
import { createCheckedParser, malformedName, paddedNamespace } from '../../readers/xml/xml-checked-parser.ts';
import { describeParserError } from '../../readers/xml/xml-error-messages.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH } from '../../readers/xml/xml-events.ts';

/** `from` and `to` cut the element out of the text; `text` is its own, without that of its children. */
export type XmlElement = {
  /** Namespaces and local names from the root down: elements of one kind share it. */
  readonly kind: string;
  readonly uri: string;
  readonly prefix: string;
  readonly local: string;
  readonly attributes: readonly {
    readonly uri: string;
    readonly prefix: string;
    readonly local: string;
    readonly value: string;
  }[];
  readonly children: readonly XmlElement[];
  readonly parent: XmlElement | undefined;
  text: string;
  readonly line: number;
  from: number;
  to: number;
};

type Growing = XmlElement & { children: XmlElement[] };

/** The whole text as a tree; `problem` is the first one that the XML reader would report. */
export function readXmlTree(text: string): { readonly root: XmlElement } | { readonly problem: Message } {
  const parser = createCheckedParser();
  let root: XmlElement | undefined;
  let open: Growing | undefined;
  let problem: Message | undefined;
  let depth = 0;
  parser.on('error', (error) => {
    problem ??= describeParserError(error, parser).message;
  });
  parser.on('doctype', () => {
    problem ??= XML_FILE.doctype({ line: parser.line });
  });
  parser.on('opentag', (tag) => {
    depth++;
    problem ??= findRefusal(tag, depth, parser.line);
    const attributes = Object.values(tag.attributes)
      .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
      .map(({ uri, prefix, local, value }) => ({ uri, prefix, local, value }));
    const { uri, prefix, local } = tag;
    const from = text.lastIndexOf('<', parser.position - 1);
    const element: Growing = {
      kind: `${open?.kind ?? ''}/${uri} ${local}`,
      uri,
      prefix,
      local,
      attributes,
      children: [],
      parent: open,
      text: '',
      line: parser.line,
      from,
      to: from,
    };
    open?.children.push(element);
    root ??= element;
    open = element;
  });
  const addText = (piece: string) => {
    if (open) open.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth--;
    if (open) open.to = parser.position;
    open = open?.parent as Growing | undefined;
  });
  parser.write(text).close();
  if (problem !== undefined || !root) return { problem: problem ?? XML_SYNTAX.noElement() };
  return { root };
}

/** What the reader refuses beyond what is not well-formed. */
function findRefusal(tag: SaxesTagNS, depth: number, line: number): Message | undefined {
  const name = malformedName(tag);
  if (name !== undefined) return XML_FILE.malformedName({ name, line });
  const uri = paddedNamespace(tag);
  if (uri !== undefined) return XML_FILE.paddedNamespace({ uri, line });
  if (depth > MAX_DEPTH) return XML_FILE.tooDeep({ most: MAX_DEPTH });
  const isTooMany = Object.keys(tag.attributes).length > MAX_ATTRIBUTES;
  return isTooMany ? XML_FILE.tooManyAttributes({ most: MAX_ATTRIBUTES }) : undefined;
}

/** Elements that have something in common, in the order of the file. */
export type ElementGroup = {
  readonly key: string;
  readonly first: XmlElement;
  readonly same: readonly XmlElement[];
};

export function groupElements(
  elements: readonly XmlElement[],
  keyOf: (element: XmlElement) => string,
): readonly ElementGroup[] {
  return [...Map.groupBy(elements, keyOf)].flatMap(([key, same]) =>
    same.slice(0, 1).map((first) => ({ key, first, same })),
  );
}

export function rootOf(element: XmlElement): XmlElement {
  let root = element;
  while (root.parent) root = root.parent;
  return root;
}

export function* descendants(element: XmlElement): Iterable<XmlElement> {
  for (const child of element.children) {
    yield child;
    yield* descendants(child);
  }
}
