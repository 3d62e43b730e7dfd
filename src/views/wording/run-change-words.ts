/** What changed since the run before, a sentence for each change: program, settings, mappings. */
import type { Message } from '../../i18n/message.ts';
import { RUN_CHANGES } from '../../i18n/messages/cli-views-messages.ts';
import type { RunChanges, SettingChange } from '../queries/run-changes.ts';

/** Empty where nothing is known to have changed. */
export function runChangeWords({ program, settings, mappings }: RunChanges): readonly Message[] {
  return [
    ...(program === undefined ? [] : [RUN_CHANGES.program({ was: program })]),
    ...settings.map(settingWords),
    ...mappings.map(({ id, was, is }) =>
      was === is ? RUN_CHANGES.mapping({ id, version: is }) : RUN_CHANGES.mappingVersion({ id, was, is }),
    ),
  ];
}

/** Longer values are lists and blocks: JSON that no reader of a report compares. */
const LONGEST_VALUE = 60;

function settingWords({ path, was, is }: SettingChange): Message {
  if ([was, is].some((value) => value !== undefined && value.length > LONGEST_VALUE)) {
    if (was === undefined) return RUN_CHANGES.settingNewBlock({ path });
    return is === undefined ? RUN_CHANGES.settingGoneBlock({ path }) : RUN_CHANGES.settingBlock({ path });
  }
  if (was === undefined) return RUN_CHANGES.settingAdded({ path, is: is ?? '' });
  return is === undefined ? RUN_CHANGES.settingRemoved({ path, was }) : RUN_CHANGES.setting({ path, was, is });
}
