/** Who imports whom, by file and by folder, and the cycles in it. Imports of types count. */
import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'|^import '(\.[^']+)'/gm;

export function importGraphs(files: readonly SourceFile[]): {
  readonly files: ImportGraph;
  readonly folders: ImportGraph;
} {
  return { files: graphOf(files, (path) => path), folders: graphOf(files, posix.dirname) };
}

function graphOf(files: readonly SourceFile[], nodeOf: (path: string) => string): ImportGraph {
  const graph = new Map<string, Set<string>>();
  for (const { path, folder, text } of files) {
    const own = nodeOf(path);
    const targets = graph.get(own) ?? new Set();
    graph.set(own, targets);
    for (const [, imported, bare] of text.matchAll(IMPORT)) {
      const target = nodeOf(posix.join(folder, imported ?? bare ?? ''));
      if (target !== own) targets.add(target);
    }
  }
  return graph;
}

/** Every set of nodes that can reach each other (Tarjan's algorithm); none in a graph without cycles. */
export function cyclesIn(graph: ImportGraph): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    let lowest = index.size;
    index.set(node, lowest);
    low.set(node, lowest);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const reached = index.has(next) ? low.get(next) : visit(next);
      if (stack.includes(next)) lowest = Math.min(lowest, reached ?? lowest);
      low.set(node, lowest);
    }
    if (lowest !== index.get(node)) return lowest;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) found.push(cycle.sort());
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
