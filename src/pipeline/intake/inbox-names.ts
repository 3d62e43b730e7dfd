/**
 * What a file of the inbox is by its name, where patterns of several mappings and settings match it. A pattern of one of them
 * never hides what another mapping takes: that is an export, or reported for a person to decide.
 */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isIgnored, LONG_MS, type SetAside } from '../../inbox/inbox-rules.ts';
import { inboxEntries, inboxFileNames } from '../../instance/inbox-files.ts';
import type { Instance } from '../../instance/instance.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { isCorrectionName } from '../../readers/correction-file/recognize-correction-file.ts';
import { matchesName } from '../../text/glob.ts';
import { patternCovers } from '../../text/glob-relations.ts';

/** The part of a mapping that decides which names are its files. */
type Names = {
  readonly accepts: { readonly files: readonly string[]; readonly companions: readonly string[] };
  readonly join?: { readonly with: string };
};
type NamingInstance = Pick<Instance, 'settings'> & { readonly mappings: readonly Names[] };

/**
 * `export`: taken, also if no mapping takes the name, and then refused; a correction file of this name too. `export-or-attachment`: an attachment where a document asks
 * for it; else it stays and is reported.
 */
export type NameKind = 'export' | 'export-or-attachment' | 'attachment' | 'control' | 'ignored';

/** The patterns of the exports of a mapping. */
export function exportPatterns({ accepts, join: pair }: Names): readonly string[] {
  return definedItems([...accepts.files, pair?.with]);
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
function coversOwn(mapping: Names, companion: string, name: string): boolean {
  return exportPatterns(mapping).some((one) => matchesName(one, name) && patternCovers(companion, one));
}

/** The author of the narrower one knew the wider one: "*_ctl.csv" next to "*.csv". */
export function isNarrower(one: string, than: string): boolean {
  return patternCovers(than, one) && !patternCovers(one, than);
}

/** For a look at the inbox: names that are no exports, with the reason that is reported. */
export function setAsideOf(instance: NamingInstance, name: string): SetAside | undefined {
  const kind = kindOfName(instance, name);
  if (kind === 'attachment') return { why: 'not-asked' };
  if (kind === 'control') return {};
  return kind === 'ignored' ? definedOnly({ why: isOfMapping(instance, name) ? kind : undefined }) : undefined;
}

function isOfMapping({ mappings }: NamingInstance, name: string): boolean {
  return mappings.flatMap(exportPatterns).some((pattern) => matchesName(pattern, name));
}

/** `two-meanings`: an export or an attachment; a run reports it. */
type LeftFile = { readonly file: string; readonly why: NonNullable<SetAside['why']> | 'two-meanings' };

/** Files that stay in the inbox because of their names, after a day, as a run lists them. */
export function leftByName(instance: NamingInstance & Pick<Instance, 'paths'>, nowMs: number): readonly LeftFile[] {
  const { mappings, settings, paths } = instance;
  if (settings.inbox.ignore.length === 0 && mappings.every(({ accepts }) => accepts.companions.length === 0)) return [];
  const left: LeftFile[] = [];
  for (const file of inboxFileNames(instance)) {
    if (isIgnored(file, [])) continue;
    const isDoubtful = kindOfName(instance, file) === 'export-or-attachment';
    const why = isDoubtful ? 'two-meanings' : setAsideOf(instance, file)?.why;
    const stats = why && lstatSync(join(paths.inbox, file), { throwIfNoEntry: false });
    if (why && stats && nowMs - stats.mtimeMs >= LONG_MS) left.push({ file, why });
  }
  return left.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** More are not looked at: a full folder is no place for files that stay. */
const LOOKED_AT = 10_000;

/**
 * Entries of the inbox that no run has taken for a day, though their names are those of exports: a link, a file that is written without
 * end, one that the system refuses. `bySystem`: those of them that cannot be looked at.
 */
export function longInInbox(
  instance: NamingInstance & Pick<Instance, 'paths'>,
  nowMs: number,
): { readonly files: number; readonly bySystem: number } {
  const found = { files: 0, bySystem: 0 };
  let looks = 0;
  for (const { name } of inboxEntries(instance)) {
    const kind = kindOfName(instance, name);
    if (isIgnored(name, []) || (kind !== 'export' && kind !== 'export-or-attachment')) continue;
    if (++looks > LOOKED_AT) break;
    const stats = look(join(instance.paths.inbox, name));
    if (stats === undefined || (stats !== 'unreadable' && (stats.isDirectory() || !isThereLong(stats, nowMs))))
      continue;
    found.files++;
    found.bySystem += Number(stats === 'unreadable');
  }
  return found;
}

function look(path: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
}

/** It came, or was last changed, a day ago; or it was made a day ago, and is still written. */
export function isThereLong(
  { ctimeMs, birthtimeMs, mtimeMs }: Pick<Stats, 'ctimeMs' | 'birthtimeMs' | 'mtimeMs'>,
  nowMs: number,
): boolean {
  const isOld = (ms: number) => nowMs - ms >= LONG_MS;
  return isOld(ctimeMs) || (birthtimeMs > 0 && isOld(birthtimeMs) && !isOld(mtimeMs));
}
