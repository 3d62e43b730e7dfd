/**
 * What a file of the inbox is by its name, where patterns of several mappings and settings match it. A pattern of one of them
 * never hides what another mapping takes: that is an export, or reported for a person to decide. Pure.
 */
import type { Instance } from '../../instance/instance.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems } from '../../model/defined-only.ts';
import { isCorrectionName } from '../../readers/correction-file/recognize-correction-file.ts';
import { matchesName } from '../../text/glob.ts';
import { patternCovers } from '../../text/glob-relations.ts';

type NamingInstance = Pick<Instance, 'mappings' | 'settings'>;

/**
 * `export`: taken, also if no mapping takes the name, and then refused; a correction file of this name too. `export-or-attachment`: an attachment where a document asks
 * for it; else it stays and is reported.
 */
export type NameKind = 'export' | 'export-or-attachment' | 'attachment' | 'control' | 'ignored';

/** The patterns of the exports of a mapping. */
export function exportPatterns({ accepts, join }: Mapping): readonly string[] {
  return definedItems([...accepts.files, join?.with]);
}

/** Patterns of the control files, which are no exports. */
export function controlPatterns({ settings }: Pick<Instance, 'settings'>): readonly string[] {
  return settings.expect.flatMap(({ controls }) => controls?.file ?? []);
}

export function kindOfName(instance: NamingInstance, name: string): NameKind {
  const { mappings, settings } = instance;
  const isOne = (patterns: readonly string[]) => patterns.some((pattern) => matchesName(pattern, name));
  if (isOne(settings.inbox.ignore)) return 'ignored';
  if (isCorrectionName(name)) return 'export';
  const taking = mappings.flatMap(exportPatterns).filter((pattern) => matchesName(pattern, name));
  const controls = controlPatterns(instance).filter((pattern) => matchesName(pattern, name));
  if (controls.some((control) => taking.every((pattern) => isNarrower(control, pattern)))) return 'control';
  const carrying = mappings.filter((mapping) =>
    mapping.accepts.companions.some((one) => matchesName(one, name) && !coversOwn(mapping, one, name)),
  );
  if (carrying.length === 0) return 'export';
  const isOfAnother = mappings.some((mapping) => !carrying.includes(mapping) && isOne(exportPatterns(mapping)));
  return isOfAnother ? 'export-or-attachment' : 'attachment';
}

/** An own pattern as wide as that of the exports: the exports of the mapping are meant as exports. */
function coversOwn(mapping: Mapping, companion: string, name: string): boolean {
  return exportPatterns(mapping).some((one) => matchesName(one, name) && patternCovers(companion, one));
}

/** The author of the narrower one knew the wider one: "*_ctl.csv" next to "*.csv". */
export function isNarrower(one: string, than: string): boolean {
  return patternCovers(than, one) && !patternCovers(one, than);
}

/** True where a setting ignores the name although a mapping takes it. */
export function isIgnoredExport({ mappings }: NamingInstance, name: string): boolean {
  return mappings.flatMap(exportPatterns).some((pattern) => matchesName(pattern, name));
}
