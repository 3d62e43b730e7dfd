/** CHANGELOG.md as text: the unreleased part, and the same text with that part under a version. */

const HEAD = '## Unreleased';

export type SplitChangelog = { readonly before: string; readonly unreleased: string; readonly after: string };

/** Undefined: there is no unreleased part. `unreleased` is its text without the head, without blank lines around it. */
export function splitUnreleased(changelog: string): SplitChangelog | undefined {
  const parts = /^([\s\S]*?^)## Unreleased$([\s\S]*?)(^## [\s\S]*)?$(?![\s\S])/m.exec(changelog);
  if (!parts) return undefined;
  const [, before = '', unreleased = '', after = ''] = parts;
  return { before, unreleased: unreleased.trim(), after };
}

/** An empty unreleased part stays above the new version. */
export function withVersion(changelog: string, version: string, day: string): string {
  const parts = splitUnreleased(changelog);
  if (!parts) throw new Error(`no "${HEAD}"`);
  return `${parts.before}${HEAD}\n\n## ${version} (${day})\n\n${parts.unreleased}\n${parts.after && `\n${parts.after}`}`;
}

/** Three whole numbers, without prerelease. */
export function isAfter(version: string, other: string): boolean {
  const [mine, theirs] = [version, other].map(numbersOf);
  if (!mine || !theirs) return false;
  const at = mine.findIndex((number, n) => number !== theirs[n]);
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | undefined {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version) ? version.split('.').map(Number) : undefined;
}
