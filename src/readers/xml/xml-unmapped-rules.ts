/** Which elements of a document count as not mapped, compiled from the options of a mapping. */
export type Unmapped = {
  readonly level: 'warn' | 'refuse' | 'ignore';
  readonly ignored: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
};
