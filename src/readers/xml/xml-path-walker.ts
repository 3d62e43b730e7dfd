/**
 * The way down the compiled paths: which nodes of them an open element is, and which a child of it will be. The
 * documents of an export have their elements in one order, so each step remembers the names that came in it and looks
 * first for the one that came after the last one: nearly every element is found by one comparison. Nothing throws.
 */

import type { Tag, TagName } from './xml-events.ts';
import type { XmlName } from './xml-path-syntax.ts';
import type { PathNode } from './xml-paths.ts';

/** An open element. `nodes` is empty if no path reads it. */
export type WalkStep = {
  readonly nodes: readonly PathNode[];
  /** A path reads the text of the element. */
  readonly isRead: boolean;
  readonly known: { readonly name: TagName; readonly to: WalkStep }[];
  /** Index in `known` of the child that is expected next. */
  next: number;
};

const MAX_KNOWN = 64;

/** A step that has seen no child yet. */
export function createStep(nodes: readonly PathNode[]): WalkStep {
  return { nodes, isRead: nodes.some(isRead), known: [], next: 0 };
}

function isRead({ texts, tests }: PathNode): boolean {
  return texts.length + tests.length > 0;
}

/** The step of the child `tag`. Only interned names are remembered: others differ as objects each time. */
export function walkTo(step: WalkStep, tag: Tag): WalkStep {
  const { known, next } = step;
  const expected = known[next];
  if (expected !== undefined && expected.name === tag.name) {
    step.next = next + 1 === known.length ? 0 : next + 1;
    return expected.to;
  }
  return tag.isInterned ? findStep(step, tag) : createStep(matchNodes(step.nodes, tag).nodes);
}

function findStep(step: WalkStep, tag: Tag): WalkStep {
  const { known } = step;
  for (let at = 0; at < known.length; at++) {
    const one = known[at];
    if (one?.name !== tag.name) continue;
    step.next = at + 1 === known.length ? 0 : at + 1;
    return one.to;
  }
  const { nodes, isFixed } = matchNodes(step.nodes, tag);
  const to = createStep(nodes);
  if (isFixed && known.length < MAX_KNOWN) known.push({ name: tag.name, to });
  return to;
}

/** `isFixed`: the result is the same for each element of this name, whatever its attributes. */
function matchNodes(
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
      if (!byAttribute || attributeValue(tag, only.name) === only.value) all.push(to);
    }
  }
  return { nodes: all, isFixed };
}

/** The value of the attribute, or undefined. Without namespace, an attribute matches only if it has no prefix. */
export function attributeValue(tag: Tag, { uri, local }: XmlName): string | undefined {
  for (const attribute of tag.attributes) {
    if (uri === '' ? attribute.name === local : attribute.local === local && attribute.uri === uri) {
      return attribute.value;
    }
  }
  return undefined;
}
