/**
 * Public words that work as before, and that another one replaces: the rule is docs/reference/public-words.md. A word that is
 * deprecated gets its entry here, and goes with it after two more minor versions. No key of a mapping and no setting is one today.
 */

type DeprecatedWord = {
  readonly kind: 'command' | 'act';
  readonly word: string;
  /** What to write. */
  readonly by: string;
  /** The version that deprecated it, and the first one that refuses it. */
  readonly since: string;
  readonly until: string;
};

export const DEPRECATED_WORDS: readonly DeprecatedWord[] = [
  { kind: 'command', word: 'reject', by: 'set-aside', since: '0.2.0', until: '0.4.0' },
  { kind: 'act', word: 'replace-cells', by: 'fix', since: '0.2.0', until: '0.4.0' },
];

/** Undefined for a word that is not deprecated. */
export function deprecatedWord(kind: DeprecatedWord['kind'], word: string): DeprecatedWord | undefined {
  return DEPRECATED_WORDS.find((one) => one.kind === kind && one.word === word);
}
