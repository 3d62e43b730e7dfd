/** The licenses of the packages inside, with their texts. */
import type { ShippedPackage } from './shipped-packages.ts';

export function noticesOf(packages: readonly ShippedPackage[]): string {
  const notices = packages.map(
    ({ name, version, license, integrity, text }) => `${name} ${version}, ${license}\n${integrity}\n\n${text}\n`,
  );
  return `Nightpost holds code of these packages.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
