/**
 * XML as a tree that can be changed and written again: unit cases of rules are fragments, which a whole invoice has to
 * complete. Names keep their prefixes; the suites use the same ones as our samples.
 */
import { SaxesParser } from 'saxes';

export type Tree = {
  readonly name: string;
  readonly attributes: { [name: string]: string };
  readonly children: Tree[];
  text: string;
};

export function parseXml(text: string): Tree {
  const top: Tree = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const tree: Tree = { name, attributes: { ...attributes }, children: [], text: '' };
    open.at(-1)!.children.push(tree);
    open.push(tree);
  });
  parser.on('closetag', () => void open.pop());
  const add = (more: string) => {
    open.at(-1)!.text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text).close();
  return top.children[0]!;
}

export function writeXml({ name, attributes, children, text }: Tree): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`,
  );
  const inner = children.length > 0 ? children.map(writeXml).join('') : escaped(text);
  return `<${name}${written.join('')}>${inner}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function childrenOf(tree: Tree | undefined, name: string): readonly Tree[] {
  return tree?.children.filter((child) => child.name === name) ?? [];
}

/** The first element at the end of the path. */
export function at(tree: Tree | undefined, ...path: readonly string[]): Tree | undefined {
  return path.reduce<Tree | undefined>((here, name) => childrenOf(here, name)[0], tree);
}

export function leaf(name: string, text: string, attributes: Tree['attributes'] = {}): Tree {
  return { name, attributes, children: [], text };
}
