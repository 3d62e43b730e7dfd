/** Versions as numbers between points: 24.15.0. */

/** True if a version is older than `oldest`; a missing or unreadable part counts as 0. */
export function isVersionBelow(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  const distances = oldest.map((least, index) => (parts[index] || 0) - least);
  return (distances.find((distance) => distance !== 0) ?? 0) < 0;
}
