/**
 * The way down the compiled paths: which nodes of them an open element is, and which a child of it will be.
 *
 * The documents of an export have their elements in one order. So each step remembers the names that came in it, and
 * looks first for the one that came behind the last one: nearly every element is found by one comparison.
 */

import type { Tag, TagName } from './xml-events.ts';
import type { PathNode, XmlName } from './xml-paths.ts';

/** `nodes`: none where no path reads the element. */
export type Step = {
  readonly nodes: readonly PathNode[];
  /** One of them takes the text of the element. */
  readonly isRead: boolean;
  readonly known: { readonly name: TagName; readonly to: Step }[];
  /** Which of `known` is expected. */
  next: number;
};

const MOST_KNOWN = 64;

export function stepAt(nodes: readonly PathNode[]): Step {
  return { nodes, isRead: nodes.some(isRead), known: [], next: 0 };
}

function isRead({ texts, tests }: PathNode): boolean {
  return texts.length + tests.length > 0;
}

export function nextStep(step: Step, tag: Tag): Step {
  const { known, next } = step;
  const expected = known[next];
  if (expected !== undefined && expected.name === tag.name) {
    step.next = next + 1 === known.length ? 0 : next + 1;
    return expected.to;
  }
  return tag.isInterned ? sought(step, tag) : stepAt(nextNodes(step.nodes, tag).nodes);
}

function sought(step: Step, tag: Tag): Step {
  const { known } = step;
  for (let at = 0; at < known.length; at++) {
    if (known[at]!.name !== tag.name) continue;
    step.next = at + 1 === known.length ? 0 : at + 1;
    return known[at]!.to;
  }
  const { nodes, isFixed } = nextNodes(step.nodes, tag);
  const to = stepAt(nodes);
  if (isFixed && known.length < MOST_KNOWN) known.push({ name: tag.name, to });
  return to;
}

/** `isFixed`: the same for each element of this name, whatever its attributes. */
function nextNodes(
  nodes: readonly PathNode[],
  tag: Tag,
): { readonly nodes: readonly PathNode[]; readonly isFixed: boolean } {
  const all: PathNode[] = [];
  let isFixed = true;
  for (const node of nodes) {
    for (const { uri, only, to } of node.edges.get(tag.name.local) ?? []) {
      if (uri !== tag.name.uri) continue;
      const byAttribute = only !== undefined && !only.child;
      if (byAttribute) isFixed = false;
      if (!byAttribute || attributeOf(tag, only.name) === only.value) all.push(to);
    }
  }
  return { nodes: all, isFixed };
}

export function attributeOf(tag: Tag, { uri, local }: XmlName): string | undefined {
  for (const attribute of tag.attributes) {
    if (uri === '' ? attribute.name === local : attribute.local === local && attribute.uri === uri) {
      return attribute.value;
    }
  }
  return undefined;
}
