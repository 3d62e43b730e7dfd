/** What the program finds wrong with shipped settings. A program that does not know `ledger.postgres` yet reports it; that alone is left out. */
import { settingsShape } from '../../src/instance/settings-shape.ts';

export function settingFaults(settings: object): readonly object[] {
  const { issues } = settingsShape.safeParse(settings).error ?? { issues: [] };
  return issues.filter((issue) => !(issue.code === 'unrecognized_keys' && issue.keys.join() === 'postgres'));
}
