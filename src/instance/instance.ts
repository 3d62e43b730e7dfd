/**
 * Reads an instance folder: its layout, its settings, its mappings. All faults come at once: OperatorError `config/*`
 * for settings, `mapping/invalid` for mappings. Reading creates nothing.
 */

import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { countryOf, DOCUMENT_KINDS, READERS, SERVICES } from '../catalogue.ts';
import type { Destination } from '../delivery/service.ts';
import { errnoName, isOfDevice } from '../files/errno-name.ts';
import { makeDurableFolder } from '../files/fsync-directory.ts';
import { namedFile } from '../files/named-file.ts';
import { plainText, readPlain } from '../files/read-bounded.ts';
import { isNotPlain } from '../files/read-plain.ts';
import { INSTANCE_FAULT, SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import type { DocumentLimits } from '../mapping/compose/group-rows.ts';
import { loadMapping, type Mapping } from '../mapping/mapping.ts';
import type { MappingWorld } from '../mapping/mapping-world.ts';
import type { DocumentKind } from '../model/document.ts';
import { type Fault, isError, OperatorError, withMessage } from '../model/fault.ts';
import type { MappingStamp } from '../model/ledger-entry.ts';
import { PROGRAM_BUILD } from '../model/program.ts';
import { textPage } from '../readers/encoding/encoder.ts';
import { documentKindsUnder } from './document-kinds.ts';
import { refuseLoopbackInProduction } from './environment-guard.ts';
import { realPathOf, refuseForeignWriters } from './foreign-writers.ts';
import { namedAsSecrets } from './secret-settings.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { type Config, type Overrides, readConfig } from './settings.ts';
import type { Settings } from './settings-shape.ts';

/** Name of the settings file in the instance folder: its presence makes a folder an instance. */
export const SETTINGS_FILE = 'nightpost.yaml';
const FOLDERS = ['inbox', 'processing', 'outbox', 'pending', 'error', 'archive', 'state', 'reports', 'logs'] as const;

/** The absolute path of each folder. */
export type InstancePaths = { readonly [name in (typeof FOLDERS)[number]]: string };

/** Everything that commands know of an instance before they open its ledger. */
export type Instance = {
  /** Absolute. */
  readonly folder: string;
  readonly paths: InstancePaths;
  readonly config: Config;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly mappings: readonly Mapping[];
  /** Warnings of mappings. */
  readonly warnings: readonly Fault[];
  /** The errors of mappings, for which no command may convert or send. Set only by `readInstanceForViewing`. */
  readonly unusable?: OperatorError;
  /** Settings that are placeholders of the template: errors. */
  readonly unfilled: readonly Fault[];
  readonly destinations: readonly Destination[];
  /** Kinds of documents under the rules of the settings. */
  readonly kinds: readonly DocumentKind[];
  readonly limits: { readonly maxBytes: number; readonly document: DocumentLimits };
  readonly stampOf: (mapping: Mapping) => MappingStamp;
  /** The calendar day of a service, YYYY-MM-DD. */
  readonly dayOf: (service: string, at: Date) => string;
  readonly classesOf: (service: string) => readonly string[];
};

/** The part of an instance that a conversion asks for; made of plain settings, also in another thread. */
export type ConversionInstance = Pick<Instance, 'folder' | 'settings' | 'kinds' | 'limits' | 'dayOf'>;

/** `settings` have been checked. */
export function conversionInstance(folder: string, settings: Settings): ConversionInstance {
  return {
    folder,
    settings,
    kinds: checkedKinds(settings),
    limits: {
      maxBytes: settings.inbox['max-file'],
      document: { rows: settings.documents['max-rows'], characters: settings.documents['max-size'] },
    },
    dayOf: (service, at) => calendarIn(countryOf(service).zone).format(at),
  };
}

/** Reads settings and mappings; throws one OperatorError with all faults of the settings or of the mappings. */
export function readInstance(folder: string, overrides: Overrides): Instance {
  const instance = readInstanceForViewing(folder, overrides);
  if (instance.unusable) throw instance.unusable;
  return instance;
}

/** For commands that only read: sent and waiting documents stay visible while a mapping has errors (`unusable`). */
export function readInstanceForViewing(folder: string, overrides: Overrides): Instance {
  return readInstanceWith(folder, overrides, loadMappings);
}

/** An instance whose mappings are read in part, as `M`. */
export type InstanceWith<M> = Omit<Instance, 'mappings'> & { readonly mappings: readonly M[] };

/** For callers that need less of the mappings: `load` gets the instance without them, its folder as an absolute path. */
export function readInstanceWith<M>(
  folder: string,
  overrides: Overrides,
  load: (place: ConversionInstance) => { readonly mappings: readonly M[]; readonly faults: readonly Fault[] },
): InstanceWith<M> {
  const root = resolve(folder);
  const config = readCheckedConfig(root, overrides);
  if (!overrides.looks) refuseForeignWriters(root, config);
  const { environment, services } = config.settings;
  refuseLoopbackInProduction(environment, services, config.settings['allow-loopback']);
  const conversion = conversionInstance(root, config.settings);
  const { mappings, faults } = load(conversion);
  const unusable = mappingError(faults);
  const destinations = openDestinations(config.settings);
  return {
    ...conversion,
    paths: Object.fromEntries(FOLDERS.map((name) => [name, join(root, name)])) as InstancePaths,
    config,
    secrets: openSecrets(root, overrides.variables ?? {}),
    mappings,
    warnings: faults.filter((fault) => !isError(fault)),
    ...(unusable && { unusable }),
    unfilled: config.unfilled,
    destinations,
    stampOf: ({ id, version, file, sha256 }) => ({ id, version, file, sha256, program: PROGRAM_BUILD }),
    classesOf: (service) => DOCUMENT_KINDS.filter((kind) => kind.service === service).flatMap((kind) => kind.classes),
  };
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Formats a day as YYYY-MM-DD. Created once for each zone: that costs more than reading a small file. */
function calendarIn(timeZone: string): Intl.DateTimeFormat {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  calendars.set(timeZone, calendar);
  return calendar;
}

/** One mapping with errors stops all: names and columns of all mappings together decide which one takes an export. */
function mappingError(faults: readonly Fault[]): OperatorError | undefined {
  const errors = faults.filter(isError);
  if (errors.length === 0) return undefined;
  return new OperatorError('mapping/invalid', INSTANCE_FAULT.mappings({ count: errors.length }), {
    faults,
    hint: INSTANCE_FAULT.correctMapping(),
  });
}

/** Texts to read in place of files, by their path below the instance folder. */
export type FileTexts = ReadonlyMap<string, string>;

const AS_THEY_ARE: FileTexts = new Map();

/** The settings without mappings; throws OperatorError `config/no-instance` or `config/invalid` with all faults. */
export function readCheckedConfig(folder: string, overrides: Overrides, texts = AS_THEY_ARE): Config {
  const config = readConfig(texts.get(SETTINGS_FILE) ?? readSettingsFile(resolve(folder)), SETTINGS_FILE, overrides);
  checkedKinds(config.settings);
  return config;
}

/** The kinds of documents under these settings; throws OperatorError `config/invalid` with all faults about them. */
function checkedKinds({ rules }: Settings): readonly DocumentKind[] {
  const { kinds, faults } = documentKindsUnder(rules);
  if (faults.length === 0) return kinds;
  throw new OperatorError('config/invalid', SETTINGS_FAULT.invalid({ file: SETTINGS_FILE, count: faults.length }), {
    faults,
    hint: SETTINGS_FAULT.correct(),
  });
}

/** The kinds of documents under the settings of a folder; those of the contracts where none can be read there. */
export function kindsAt(folder: string, overrides: Overrides): readonly DocumentKind[] {
  try {
    return checkedKinds(readCheckedConfig(folder, overrides).settings);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return DOCUMENT_KINDS;
  }
}

/**
 * All folders but the inbox: one that is missing may be a share that is away, and an empty folder in its place would hide its
 * exports.
 */
export function makeOwnFolders({ inbox: _inbox, ...own }: InstancePaths): void {
  makeFolders(own);
}

/**
 * Makes missing folders of a new instance durably. Throws OperatorError `config/folder-unusable` for the first that cannot be
 * made, except logs/.
 */
export function makeFolders(paths: Omit<InstancePaths, 'inbox'>): void {
  for (const path of Object.values(paths)) {
    try {
      makeDurableFolder(path);
    } catch (cause) {
      // Without a log the work continues, and the writer of the log reports it.
      if (path === paths.logs) continue;
      if (isOfDevice(cause)) throw cause;
      const code = String(errnoName(cause));
      throw new OperatorError('config/folder-unusable', INSTANCE_FAULT.folder({ path, code }), {
        cause,
        hint: INSTANCE_FAULT.folderHint(),
      });
    }
  }
}

function readSettingsFile(root: string): string {
  try {
    return plainText(join(root, SETTINGS_FILE));
  } catch (cause) {
    const code = errnoName(cause);
    // The file may be there, once the disk or the share answers again.
    if (isOfDevice(cause)) throw cause;
    // On a share the root of this machine may be an account without rights.
    if (code === 'EACCES' || code === 'EPERM') {
      const message = INSTANCE_FAULT.unreadableFolder({ folder: root, code });
      throw new OperatorError('config/folder-unusable', message, { hint: INSTANCE_FAULT.unreadableHint(), cause });
    }
    if (isNotPlain(cause)) {
      const message = INSTANCE_FAULT.unreadable({ file: SETTINGS_FILE, why: INSTANCE_FAULT.noFile() });
      throw new OperatorError('config/folder-unusable', message, { hint: INSTANCE_FAULT.unreadableHint(), cause });
    }
    throw new OperatorError('config/no-instance', INSTANCE_FAULT.noInstance({ file: SETTINGS_FILE, folder: root }), {
      cause,
      hint: INSTANCE_FAULT.noInstanceHint(),
    });
  }
}

/**
 * Every *.yaml in mappings/, with all faults of all files, among them `mapping/id-twice`. `read` counts the files,
 * with faults or without. Throws OperatorError `mapping/unreadable`.
 */
export function loadMappings(
  place: MappingPlace,
  texts = AS_THEY_ARE,
): {
  readonly mappings: readonly Mapping[];
  readonly read: number;
  readonly faults: readonly Fault[];
} {
  const folder = resolve(folderOf(place));
  const world = mappingWorld(typeof place === 'string' ? folder : { ...place, folder }, texts);
  const files = mappingTexts(folder, texts);
  const loaded = [...files].map(([file, text]) => loadMapping(text, file, world));
  const mappings = loaded.flatMap(({ mapping }) => mapping ?? []);
  // A block or table has its faults once, however many mappings use it.
  const faults = [...new Map(loaded.flatMap((one) => one.faults).map((one) => [JSON.stringify(one), one])).values()];
  const firstFiles = new Map<string, string>();
  for (const { id, file } of mappings) {
    const first = firstFiles.get(id);
    if (first === undefined) {
      firstFiles.set(id, file);
      continue;
    }
    const words = withMessage(INSTANCE_FAULT.idTwice({ id, first, file }), INSTANCE_FAULT.otherId());
    faults.push({ code: 'mapping/id-twice', level: 'error', ...words });
  }
  return { mappings, read: files.size, faults };
}

/** The text of each mapping file, by its path below the instance folder with slashes; throws `mapping/unreadable`. */
export function mappingTexts(folder: string, texts = AS_THEY_ARE): ReadonlyMap<string, string> {
  const root = resolve(folder);
  return new Map(
    listYamlFiles(join(root, 'mappings')).map((path) => {
      const file = relative(root, path).replaceAll(sep, '/');
      return [file, texts.get(file) ?? readMappingFile(path, file)];
    }),
  );
}

/**
 * The mapping files, tables and blocks that are not as this instance has read them, by their path below its folder:
 * changed, added or gone; `mappings` alone where that folder cannot be read. Throws nothing of the file system.
 */
export function mappingsChangedSince({ folder, mappings }: Instance): readonly string[] {
  const { readText } = mappingWorld(folder);
  const parts = mappings.flatMap((mapping) => mapping.parts);
  const changed = parts.filter(({ path, text }) => readText(path) !== text).map(({ path }) => path);
  const known = new Set(mappings.map(({ file }) => file));
  let files: readonly string[];
  try {
    files = listYamlFiles(join(folder, 'mappings'));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return ['mappings'];
  }
  const added = files.map((path) => relative(folder, path).replaceAll(sep, '/'));
  return [...new Set([...changed, ...added.filter((file) => !known.has(file))])].sort();
}

function readMappingFile(path: string, file: string): string {
  try {
    return readPlain(resolveMappingLink(path), MOST_MAPPING_BYTES).toString('utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = isNotPlain(cause) ? INSTANCE_FAULT.noFile() : String(code);
    throw new OperatorError('mapping/unreadable', INSTANCE_FAULT.unreadable({ file, why }), {
      cause,
      hint: INSTANCE_FAULT.unreadableHint(),
    });
  }
}

/** Bytes: more than the longest valid mapping, so that a longer file is refused as too long. */
const MOST_MAPPING_BYTES = 1024 * 1024;

/** Follows a link only within mappings/: a container mounts files this way. */
function resolveMappingLink(path: string): string {
  const real = realpathSync(path);
  return `${dirname(real)}${sep}`.startsWith(`${realpathSync(dirname(path))}${sep}`) ? real : path;
}

function listYamlFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new OperatorError('mapping/unreadable', INSTANCE_FAULT.unreadableFolder({ folder, code: String(code) }), {
      cause,
      hint: INSTANCE_FAULT.unreadableHint(),
    });
  }
  return names
    .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}

/** The longest table has 10 million characters, of at most 4 bytes each. */
const MOST_BYTES = 40 * 1024 * 1024;

/** Where mappings are, and the kinds of documents under the settings there; a folder alone has those of the contracts. */
export type MappingPlace = string | Pick<Instance, 'folder' | 'kinds'>;

function folderOf(place: MappingPlace): string {
  return typeof place === 'string' ? place : place.folder;
}

/** What a mapping may refer to: kinds, formats, and files inside the instance folder that are no secrets. */
export function mappingWorld(place: MappingPlace, texts = AS_THEY_ARE): MappingWorld {
  const root = folderOf(place);
  return {
    targets: typeof place === 'string' ? DOCUMENT_KINDS : place.kinds,
    formats: new Map(READERS.map((reader) => [reader.format, reader.options])),
    page: textPage,
    readText: (path) => {
      const text = texts.get(path);
      if (text !== undefined) return text;
      const real = resolveNamedFile(root, path);
      return real === undefined ? undefined : textIfThere(real);
    },
  };
}

/** It may go since the look at its path, as where a person replaces it. */
function textIfThere(path: string): string | undefined {
  try {
    return readPlain(path, MOST_BYTES).toString('utf8');
  } catch (error) {
    if (errnoName(error) === undefined) throw error;
    return undefined;
  }
}

/** The real path of a table, block or sample that a mapping names; undefined if it is missing, outside or a secret. */
export function resolveNamedFile(root: string, path: string): string | undefined {
  return namedFile(root, path, secretFiles(root));
}

/** Files that the settings name as secrets, at any depth and in any writing. */
function secretFiles(root: string): ReadonlySet<string> {
  try {
    const names = namedAsSecrets(plainText(join(root, SETTINGS_FILE)));
    return new Set(names.flatMap((name) => realPathOf(resolve(root, name)) ?? []));
  } catch {
    // Without settings there is no secret.
    return new Set();
  }
}

function openDestinations(settings: Settings): Destination[] {
  return SERVICES.flatMap((service) => {
    const own = settings.services[service.name];
    return own === undefined ? [] : [service.open(own)];
  });
}
