/**
 * `check`: the folder of an instance in, all its findings out, offline; and the same after safe fixes, written on
 * request only. Throws the OperatorError of the settings where they cannot be read at all.
 */

import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type Placeholder, placeholdersIn } from '../documents/content/draft-placeholders.ts';
import { CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import {
  conversionInstance,
  type FileTexts,
  loadMappings,
  mappingTexts,
  readCheckedConfig,
  SETTINGS_FILE,
} from '../instance/instance.ts';
import { profileEnds } from '../instance/profile-expiry.ts';
import { type Overrides, shownSettings } from '../instance/settings.ts';
import type { Settings } from '../instance/settings-shape.ts';
import { indistinctMappings } from '../mapping/indistinct-mappings.ts';
import { type Fault, OperatorError, withMessage } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import { maskedLines } from '../yaml/settings-mask.ts';
import { answerConflicts } from './answer-conflicts.ts';
import { type FixedFile, type Fixing, fix } from './apply-fixes.ts';
import { hiddenExports } from './hidden-exports.ts';
import { readSourceText, replaceText } from './text-edits.ts';

/** The result of `check`: findings are faults with a place (`mark`) in a file of the instance. */
export type Checked = {
  readonly findings: readonly Fault[];
  /** How many mapping files were read. */
  readonly mappings: number;
  /** Warnings that depend on the day: profiles of rules that end. */
  readonly endsOn: (now: Date) => readonly Fault[];
};

/**
 * Checks settings, mappings and tables. `texts` replace files on disk, for edits that are not written yet. Throws an
 * OperatorError without faults as it is: then there is nothing to check.
 */
export function checkInstance(folder: string, overrides: Overrides, texts?: FileTexts): Checked {
  const findings: Fault[] = [];
  let settings: Settings | undefined;
  try {
    const config = readCheckedConfig(folder, overrides, texts);
    settings = config.settings;
    appendAll(findings, config.unfilled);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.faults.length === 0) throw error;
    appendAll(findings, error.faults);
  }
  const place = settings ? conversionInstance(folder, settings) : folder;
  const { read, faults, mappings } = loadMappings(place, texts);
  const placeholders = [...mappingTexts(folder, texts)].flatMap(([file, text]) =>
    placeholdersIn(text, file).map(placeholderFault),
  );
  const answers = settings ? answerConflicts(folder, settings, mappings) : [];
  const hidden = settings ? hiddenExports(settings, mappings) : [];
  const all = [...findings, ...faults, ...placeholders, ...indistinctMappings(mappings), ...hidden, ...answers];
  const endsOn = (now: Date) => (settings ? profileEnds(settings, mappings, now) : []);
  return { findings: all, mappings: read, endsOn };
}

/** `map/not-filled-in`: a `FILL IN` of a template that was never replaced. */
function placeholderFault({ value, mark }: Placeholder): Fault {
  return {
    code: 'map/not-filled-in',
    level: 'error',
    ...withMessage(CHECK_FINDINGS.placeholder({ value }), CHECK_FINDINGS.fillPlaceholder()),
    mark,
  };
}

/**
 * Computes the safe fixes and writes nothing: `writeFixed` does that. A file outside the instance folder, also by a
 * link, is never edited.
 */
export function fixInstance(folder: string, overrides: Overrides): Fixing {
  const root = realpathSync(resolve(folder));
  const fixing = fix(
    (texts) => checkInstance(folder, overrides, texts).findings,
    (file) => {
      const place = realpathSync(resolve(root, file));
      return place.startsWith(root + sep) ? readSourceText(place) : undefined;
    },
  );
  return { ...fixing, files: fixing.files.map(withoutSecrets) };
}

/** Masks secrets in the lines that are shown; the text to write keeps them. */
function withoutSecrets(fixed: FixedFile): FixedFile {
  if (fixed.file !== SETTINGS_FILE) return fixed;
  const shown = shownSettings();
  const changes = fixed.changes.map(({ line, before, after }) => ({
    line,
    before: maskedLines(before, line, { text: fixed.before, shown }),
    after: maskedLines(after, line, { text: fixed.after, shown }),
  }));
  return { ...fixed, changes };
}

/** Throws `tools/changed-meanwhile` where a file changed after it was read; files before it are already written. */
export function writeFixed(folder: string, files: readonly FixedFile[]): void {
  for (const { file, before, after } of files) replaceText(resolve(folder, file), before, after);
}
