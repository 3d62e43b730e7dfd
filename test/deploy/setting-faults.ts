/** What the program finds wrong with shipped settings. */
import { settingsShape } from '../../src/instance/settings-shape.ts';

export function settingFaults(settings: object): readonly object[] {
  return settingsShape.safeParse(settings).error?.issues ?? [];
}
