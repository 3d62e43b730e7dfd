/**
 * An XML sample as a tree of elements with their namespaces and places in the text, or the problem: what the XML reader
 * refuses makes no draft.
 */
import { createCheckedParser, malformedName, paddedNamespace } from '../../readers/xml/xml-checked-parser.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH } from '../../readers/xml/xml-events.ts';

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

export function readXmlTree(text: string): { readonly root: XmlElement } | { readonly problem: string } {
  const parser = createCheckedParser();
  let root: XmlElement | undefined;
  let open: Growing | undefined;
  let problem: string | undefined;
  let depth = 0;
  parser.on('error', (error) => {
    problem ??= error.message;
  });
  parser.on('doctype', () => {
    problem ??= 'the file has a DOCTYPE, which is refused';
  });
  parser.on('opentag', (tag) => {
    depth++;
    problem ??= refused(tag, depth);
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
  if (problem !== undefined || !root) return { problem: problem ?? 'the file has no element' };
  return { root };
}

/** What the reader refuses beyond what is not well-formed. */
function refused(tag: Parameters<typeof malformedName>[0], depth: number): string | undefined {
  const malformed = malformedName(tag);
  if (malformed !== undefined) return `"${malformed}" is not a name in XML`;
  const padded = paddedNamespace(tag);
  if (padded !== undefined) return `the namespace "${padded}" has blanks around it`;
  if (depth > MAX_DEPTH) return `its elements are nested more than ${MAX_DEPTH} deep`;
  return Object.keys(tag.attributes).length > MAX_ATTRIBUTES
    ? `<${tag.name}> has more than ${MAX_ATTRIBUTES} attributes`
    : undefined;
}

export function* descendants(element: XmlElement): Iterable<XmlElement> {
  for (const child of element.children) {
    yield child;
    yield* descendants(child);
  }
}
