/** An XML sample as a tree of elements with their namespaces, from the parser of the XML reader. */

import { UnreadableFileError } from '../../readers/reader.ts';
import { createXmlParser } from '../../readers/xml/xml-parser.ts';

type XmlName = { readonly uri: string; readonly prefix: string; readonly local: string };

/** `text` is its own, without that of its children. */
export type XmlElement = XmlName & {
  /** Namespaces and local names from the root down: elements of one kind share it. */
  readonly kind: string;
  readonly attributes: readonly (XmlName & { readonly value: string })[];
  readonly children: readonly XmlElement[];
  readonly parent: XmlElement | undefined;
  text: string;
};

type Growing = XmlElement & { readonly children: XmlElement[]; readonly parent: Growing | undefined };

/** The whole text as a tree. Throws the UnreadableFileError of the reader. */
export function readXmlTree(text: string, file: string): XmlElement {
  let root: Growing | undefined;
  let open: Growing | undefined;
  const parser = createXmlParser(file, {
    open: ({ name, attributes }) => {
      const { uri, local } = name;
      const element: Growing = {
        kind: `${open?.kind ?? ''}/${uri} ${local}`,
        uri,
        local,
        prefix: prefixOf(name),
        attributes: attributes
          .map((one) => ({ uri: one.uri, local: one.local, prefix: prefixOf(one), value: one.value }))
          .filter(({ prefix, local: own }) => prefix !== 'xmlns' && !(prefix === '' && own === 'xmlns')),
        children: [],
        parent: open,
        text: '',
      };
      open?.children.push(element);
      root ??= element;
      open = element;
    },
    text: (piece) => {
      if (open) open.text += piece;
    },
    listens: () => true,
    close: () => {
      open = open?.parent;
    },
  });
  const failure = parser.write(Buffer.from(text)) ?? parser.waiting() ?? parser.end();
  if (failure || !root) throw failure ?? new UnreadableFileError([]);
  return root;
}

function prefixOf({ name }: { readonly name: string }): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
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
