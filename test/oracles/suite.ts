/** What a comparison found: cases that agree, and those that do not, each with what speaks for it. */
export type Disagreement = {
  /** Rule of the suite, or the file: what `REASONS` is asked for. */
  readonly about: string;
  readonly case: string;
  readonly found: string;
};

export type Comparison = {
  readonly suite: string;
  readonly cases: number;
  readonly agreed: number;
  readonly disagreed: readonly Disagreement[];
  /** Cases that were not compared, and why. */
  readonly left: { readonly [why: string]: number };
};

/** Counts cases one by one. */
export function tally(suite: string) {
  let agreed = 0;
  const disagreed: Disagreement[] = [];
  const left: { [why: string]: number } = {};
  return {
    agree: () => void agreed++,
    differ: (one: Disagreement) => void disagreed.push(one),
    leave: (why: string) => {
      left[why] = (left[why] ?? 0) + 1;
    },
    done: (): Comparison => ({
      suite,
      cases: agreed + new Set(disagreed.map((one) => one.case)).size,
      agreed,
      disagreed,
      left,
    }),
  };
}
