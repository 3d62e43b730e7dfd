/**
 * The settings of an instance from nightpost.yaml, the chosen environment, NIGHTPOST_ variables and flags, checked as
 * one. Precedence: flag > variable > environment > file > default. An unknown key is a fault with a suggestion, a
 * secret is a reference, and every value knows its source. Faults come together in one OperatorError `config/invalid`.
 */

import { parseDocument } from 'yaml';
import { z } from 'zod';
import { SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import { type Fault, OperatorError, withMessage } from '../model/fault.ts';
import { garbledFault } from '../yaml/garbled-text.ts';
import { maskSecrets, type SettingsText } from '../yaml/settings-mask.ts';
import { unfilledSettings } from '../yaml/unfilled-settings.ts';
import { checkShape, readYaml, type YamlFile, type YamlPath } from '../yaml/yaml-document.ts';
import { type Settings, settingsShape } from './settings-shape.ts';

const PREFIX = 'NIGHTPOST_';

/** Where an effective value comes from. */
type Source = 'flag' | 'variable' | 'environment' | 'file' | 'default';

export type Config = {
  readonly settings: Settings;
  /** Each leaf of the settings as written, its dotted path, and where it came from; secrets are references anyway. */
  readonly effective: readonly { readonly path: string; readonly value: unknown; readonly source: Source }[];
  /** Values in force that are placeholders of the template of `init`: no command works with them. */
  readonly unfilled: readonly Fault[];
};

export type Overrides = {
  readonly environment?: string;
  /** Process variables; only those that start with NIGHTPOST_ and name a setting count. */
  readonly variables?: { readonly [name: string]: string | undefined };
  /** Dotted path -> value, from the command line; `services.*` is every service in use. */
  readonly flags?: { readonly [path: string]: unknown };
  /** For `doctor`, which reports what others may change; it resolves no secret then. */
  readonly looks?: boolean;
};

/**
 * `text` is the content of nightpost.yaml, `file` its name in messages. Throws OperatorError `config/invalid` with all
 * faults, marked at their places and with secrets masked, or `config/unknown-environment`.
 */
export function readConfig(text: string, file: string, overrides: Overrides = {}): Config {
  const read = readYaml(text, file);
  if ('faults' in read) throw invalidSettings(file, read.faults, { text });
  const garbled = garbledFault(text, file, read.yaml);
  if (garbled) throw invalidSettings(file, [garbled], { text });
  const inherited = findPrototypeKeys(read.yaml, read.yaml.value);
  if (inherited.length > 0) throw invalidSettings(file, inherited, { text });
  const origins = new Map<string, Source>();
  const merged = merge(read.yaml, overrides, origins);
  const misspelled = misspelledVariables(overrides.variables ?? {}, merged);
  if (misspelled.length > 0) throw invalidSettings(file, misspelled, { text, merged });
  const checked = checkShape({ ...read.yaml, value: merged }, settingsShape, 'config');
  if ('faults' in checked) throw invalidSettings(file, checked.faults, { text, merged });
  const value = checked.value as Settings;
  const effective = listLeaves(value, origins);
  return { settings: value, effective, unfilled: unfilledSettings(read.yaml, effective) };
}

/** Refuses `__proto__`: merged over other settings, it would change every object of the program. */
function findPrototypeKeys(yaml: YamlFile, value: unknown, path: YamlPath = []): Fault[] {
  if (!isBlock(value)) return [];
  return Object.entries(value).flatMap(([key, inner]): Fault[] => {
    const below = [...path, key];
    if (key !== '__proto__') return findPrototypeKeys(yaml, inner, below);
    const words = withMessage(SETTINGS_FAULT.unknownKey({ key }), SETTINGS_FAULT.remove());
    return [{ code: 'config/unknown-key', level: 'error', ...words, mark: yaml.mark(below, 'key') }];
  });
}

/** Kubernetes describes a service "nightpost-serve" to each container: NIGHTPOST_SERVE_PORT=tcp://10.0.0.1:80. */
const OF_SERVICE = /^(?:tcp|udp|sctp):\/\//;

/**
 * Variables that would be a setting with two underscores between its levels. A secret of the settings may have any name; every other
 * name is not ours.
 */
function misspelledVariables(variables: NonNullable<Overrides['variables']>, merged: unknown): Fault[] {
  const names = Object.entries(variables).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && !name.includes('__') && !OF_SERVICE.test(value ?? '') ? [name] : [],
  );
  if (names.length === 0) return [];
  const known = new Map(settingPaths().map((path) => [PREFIX + path.join('_'), PREFIX + path.join('__')]));
  const text = JSON.stringify(merged);
  return names.flatMap((name): Fault[] => {
    const right = known.get(name);
    if (right === undefined || right === name || text.includes(JSON.stringify(name))) return [];
    const words = withMessage(SETTINGS_FAULT.levels({ name }), SETTINGS_FAULT.levelsHint({ right }));
    return [{ code: 'config/unknown-key', level: 'error', ...words }];
  });
}

/** Each part as it is in the name of a variable. */
function settingPaths(): readonly (readonly string[])[] {
  const walk = (schema: Schema, path: readonly string[]): readonly (readonly string[])[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
      const below = [...path, name.toUpperCase().replaceAll('-', '_')];
      return [below, ...walk(inner, below)];
    }),
    ...(schema.anyOf ?? []).flatMap((inner) => walk(inner, path)),
  ];
  return walk(settingsSchema(), []);
}

function settingsSchema(): Schema {
  return z.toJSONSchema(settingsShape, { io: 'input', unrepresentable: 'any' }) as Schema;
}

function invalidSettings(
  file: string,
  faults: readonly Fault[],
  about: Pick<SettingsText, 'text' | 'merged'>,
): OperatorError {
  const all: SettingsText = { ...about, shown: shownSettings() };
  return new OperatorError('config/invalid', SETTINGS_FAULT.invalid({ file, count: faults.length }), {
    faults: faults.map((fault) => maskSecrets(fault, all)),
    hint: SETTINGS_FAULT.correct(),
  });
}

type Schema = {
  readonly properties?: { readonly [name: string]: Schema };
  readonly anyOf?: readonly Schema[];
  /** Of each entry of a list, and of each value of a block with free names. */
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
};

/** Names of all settings that hold no secret: their values may be in messages. A secret is a union with a reference. */
export function shownSettings(): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (schema: Schema) => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (!inner.anyOf?.some(({ properties }) => properties && 'env' in properties)) names.add(name);
      walk(inner);
    }
    for (const inner of schema.anyOf ?? []) walk(inner);
    if (schema.items) walk(schema.items);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties);
  };
  walk(settingsSchema());
  return names;
}

/** Applies the layers from the lowest precedence to the highest; records the source of each path in `origins`. */
function merge(yaml: YamlFile, overrides: Overrides, origins: Map<string, Source>): unknown {
  if (!isBlock(yaml.value)) return yaml.value;
  const merged = structuredClone(yaml.value) as Block;
  recordOrigins(merged, { source: 'file', origins });
  const name = overrides.environment ?? overrides.variables?.NIGHTPOST_ENVIRONMENT ?? merged.environment;
  if (name !== undefined && name !== 'default') {
    const block = isBlock(merged.environments) ? merged.environments[String(name)] : undefined;
    if (!isBlock(block)) {
      throw new OperatorError(
        'config/unknown-environment',
        SETTINGS_FAULT.unknownEnvironment({ name: String(name), file: yaml.file }),
        {
          hint: SETTINGS_FAULT.knownEnvironments({
            names: isBlock(merged.environments) ? Object.keys(merged.environments) : SETTINGS_FAULT.none(),
          }),
        },
      );
    }
    overlay(merged, block, { source: 'environment', origins });
    merged.environment = String(name);
  }
  const variable: Layer = { source: 'variable', origins };
  for (const [path, value] of readVariables(overrides.variables ?? {})) setValue(merged, path, value, variable);
  const flag: Layer = { source: 'flag', origins };
  for (const [path, value] of readFlags(overrides.flags ?? {}, merged)) setValue(merged, path, value, flag);
  return merged;
}

/** `services.*.concurrency` applies to every service of the settings. */
function* readFlags(flags: NonNullable<Overrides['flags']>, merged: Block): Iterable<[string[], unknown]> {
  const services = isBlock(merged.services) ? Object.keys(merged.services) : [];
  for (const [path, value] of Object.entries(flags)) {
    const parts = path.split('.');
    if (parts[1] !== '*') yield [parts, value];
    else for (const service of services) yield [parts.with(1, service), value];
  }
}

type Block = { [key: string]: unknown };

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** NIGHTPOST_SERVICES__FR__BASE_URL -> services.fr.base-url; values are read as YAML scalars. */
function* readVariables(variables: NonNullable<Overrides['variables']>): Iterable<[string[], unknown]> {
  for (const [name, text] of Object.entries(variables)) {
    if (!name.startsWith(PREFIX) || !name.includes('__') || text === undefined) continue;
    const path = name
      .slice(PREFIX.length)
      .split('__')
      .map((part) => part.toLowerCase().replaceAll('_', '-'));
    yield [path, readVariable(text)];
  }
}

/** A text that is not valid YAML, such as one that begins with `*`, is a text. */
function readVariable(text: string): unknown {
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
    return document.errors.length > 0 ? text : (document.toJS({ maxAliasCount: 0 }) as unknown);
  } catch {
    return text;
  }
}

/** Values of one source, and the map where the source of each path is recorded. */
type Layer = { readonly source: Source; readonly origins: Map<string, Source> };

function setValue(target: Block, path: readonly string[], value: unknown, { source, origins }: Layer): void {
  let at = target;
  for (const part of path.slice(0, -1)) {
    if (!isBlock(at[part])) at[part] = {};
    at = at[part] as Block;
  }
  at[path.at(-1) ?? ''] = value;
  origins.set(path.join('.'), source);
}

function overlay(target: Block, block: Block, layer: Layer, path: YamlPath = []): void {
  for (const [key, value] of Object.entries(block)) {
    const below = [...path, key];
    // References and lists are replaced whole; blocks of settings are merged key by key.
    if (isBlock(value) && isBlock(target[key]) && !('env' in value || 'file' in value || 'command' in value)) {
      overlay(target[key], value, layer, below);
    } else {
      target[key] = structuredClone(value);
      recordOrigins(value, layer, below);
    }
  }
}

function recordOrigins(value: unknown, layer: Layer, path: YamlPath = []): void {
  if (!isBlock(value)) layer.origins.set(path.join('.'), layer.source);
  else for (const [key, inner] of Object.entries(value)) recordOrigins(inner, layer, [...path, key]);
}

/** Every leaf with its dotted path; the blocks under `environments` are left out, because the chosen one is merged. */
function listLeaves(value: unknown, origins: ReadonlyMap<string, Source>, path: YamlPath = []): Config['effective'] {
  if (!isBlock(value)) {
    const name = path.join('.');
    return value === undefined ? [] : [{ path: name, value, source: origins.get(name) ?? 'default' }];
  }
  return Object.entries(value)
    .filter(([key]) => path.length > 0 || key !== 'environments')
    .flatMap(([key, inner]) => listLeaves(inner, origins, [...path, key]));
}
