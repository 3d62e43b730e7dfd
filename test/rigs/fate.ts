/** What a service makes of a document that it takes in, by the codes of its table: the judges of walks and of lives read it alike. */
export type Fate = 2 | 4 | 6 | 8 | 11;

/** Codes by which the service says that it has the document. */
const HAS_IT: ReadonlySet<number | undefined> = new Set<Fate>([2, 8, 11]);

export function hasIt(code: number | undefined): boolean {
  return HAS_IT.has(code);
}
