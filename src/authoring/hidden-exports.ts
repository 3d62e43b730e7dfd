/**
 * Patterns that name the exports of a mapping and something else too. Mappings and settings in; errors out: no export of a pattern
 * could ever be taken, or a name may be either, so that a run has to leave the file to a person (pipeline/intake/inbox-names.ts).
 * Nothing is found where a mapping itself decides: by its own attachments, or by the narrower one of two patterns.
 */
import { CHECK_FINDINGS } from '../i18n/messages/mapping-messages.ts';
import { ALWAYS_IGNORED } from '../inbox/inbox-rules.ts';
import type { Settings } from '../instance/settings-shape.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { controlPatterns, exportPatterns, isNarrower } from '../pipeline/intake/inbox-names.ts';
import { patternCovers, patternsOverlap } from '../text/glob-relations.ts';

/** `mapping/never-taken` and `mapping/names-overlap`, one for each pair of patterns. */
export function hiddenExports(settings: Settings, mappings: readonly Mapping[]): readonly Fault[] {
  return mappings.flatMap((mapping) =>
    exportPatterns(mapping).flatMap((pattern) => [
      ...neverTaken(settings, mapping, pattern),
      ...overlapping(settings, mappings, mapping, pattern),
    ]),
  );
}

/** All its names are ignored, by a setting or always, or are markers of other files. */
function neverTaken({ inbox }: Settings, { file }: Mapping, pattern: string): readonly Fault[] {
  const { ignore, marker } = inbox;
  const hiding = [
    ...ALWAYS_IGNORED.map((setting) => ({ setting, key: 'inbox' })),
    ...ignore.map((setting) => ({ setting, key: 'inbox.ignore' })),
    ...(marker === undefined ? [] : [{ setting: `*${marker}`, key: 'inbox.marker' }]),
  ];
  return hiding
    .filter(({ setting }) => patternCovers(setting, pattern))
    .map(({ setting, key }) => {
      const message = CHECK_FINDINGS.neverTaken({ mapping: file, pattern, key, setting });
      return { code: 'mapping/never-taken', level: 'error', ...withMessage(message, CHECK_FINDINGS.otherNames()) };
    });
}

function overlapping(
  settings: Settings,
  mappings: readonly Mapping[],
  mapping: Mapping,
  pattern: string,
): readonly Fault[] {
  const others = [
    ...mappings
      .filter((one) => one !== mapping)
      .flatMap(({ accepts, file }) =>
        accepts.companions.map((name) => ({ name, of: file, key: 'accepts.companions' })),
      ),
    // The narrower one of two is meant.
    ...controlPatterns({ settings })
      .filter((name) => !isNarrower(name, pattern) && !isNarrower(pattern, name))
      .map((name) => ({ name, of: 'nightpost.yaml', key: 'controls.file' })),
  ];
  return others
    .filter(({ name }) => patternsOverlap(name, pattern))
    .map(({ name, of, key }) => {
      const message = CHECK_FINDINGS.namesOverlap({ mapping: mapping.file, pattern, name, of, key });
      return { code: 'mapping/names-overlap', level: 'error', ...withMessage(message, CHECK_FINDINGS.otherNames()) };
    });
}
