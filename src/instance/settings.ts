/**
 * The settings of an instance from nightpost.yaml, the chosen environment, NIGHTPOST_ variables and flags, checked as
 * one. Precedence: flag > variable > environment > file > default. An unknown key is a fault with a suggestion, a
 * secret is a reference, and every value knows its source. Faults come together in one OperatorError `config/invalid`.
 */

import { parseDocument } from 'yaml';
import { z } from 'zod';
import { SERVICES } from '../catalogue.ts';
import { SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import { type Fault, OperatorError, withMessage } from '../model/fault.ts';
import { maskSecrets, type SettingsText } from '../yaml/settings-mask.ts';
import { unfilledSettings } from '../yaml/unfilled-settings.ts';
import { checkShape, readYaml, type YamlFile, type YamlPath } from '../yaml/yaml-document.ts';

const DURATION_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const SIZE_BYTES = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A schema for a count with a unit; its output is a number of the smallest unit (milliseconds, bytes). */
function measure(shape: RegExp, units: { readonly [unit: string]: number }, expected: string) {
  return z
    .string(expected)
    .regex(shape, expected)
    .transform((text) => {
      const [, count, unit = ''] = shape.exec(text) ?? [];
      return Number(count) * (units[unit] ?? Number.NaN);
    });
}

/** "5s", "2m", "1h" -> milliseconds. */
const duration = measure(/^(\d+)(ms|s|m|h|d)$/, DURATION_MS, 'expected a duration such as 5s, 2m or 1h');

/** "20MiB" -> bytes. */
const size = measure(/^(\d+)(KiB|MiB|GiB)$/, SIZE_BYTES, 'expected a size such as 20MiB or 4GiB');

const inbox = z.strictObject({
  settle: duration.prefault('5s').describe('a file is taken when its size and time have not changed for so long'),
  scan: duration.prefault('5s').describe('how often watch looks into the folder, whatever events say'),
  polling: z.boolean().default(false).describe('for network shares: no file system events, only the scan'),
  marker: z
    .string()
    .regex(/^\.[\w-]+$/, 'expected the end of a file name, such as .done')
    .optional()
    .describe('take F only once F plus this suffix exists, e.g. .done'),
  ignore: z.array(z.string()).default([]).describe('further name patterns to leave alone, e.g. "*.bak"'),
  'max-file': size.prefault('4GiB').describe('a larger file is refused before it is read'),
});

const documents = z.strictObject({
  'max-rows': z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe('a document of more rows is refused, and the other documents of its file go on'),
  'max-size': size
    .prefault('64MiB')
    .describe('the same for a document whose cells hold more text, counted in characters (MiB: 1,048,576 of them)'),
});

const receipts = z.strictObject({
  answers: z
    .enum(['none', 'xml'])
    .default('none')
    .describe('xml: also write reports/<file>.answers.xml for the ERP, one element per document'),
});

/** 10000 or "1234.50" -> the text, for exact comparison. */
const amount = z
  .union([z.string(), z.number()], 'expected an amount such as 10000 or "1234.50"')
  .transform(String)
  .refine((text) => /^\d+(\.\d+)?$/.test(text), 'expected an amount such as 10000 or "1234.50"');

/** Hold rules: a document that meets one waits for `release` or `reject`. */
const hold = z.strictObject({
  'new-mapping': z
    .boolean()
    .default(false)
    .describe('hold the files of a new mapping version until a person has released a document of it'),
  'new-issuer': z
    .boolean()
    .default(true)
    .describe('hold documents of an issuer for which nothing was ever sent, once others were sent'),
  over: z
    .record(z.string().regex(/^[A-Z]{3}$/, 'expected a currency such as EUR'), amount)
    .default({})
    .describe('hold documents with a larger amount, per currency, e.g. { EUR: 50000 }; the sign does not count'),
  'unknown-receiver': z
    .boolean()
    .default(false)
    .describe('hold documents for a receiver that no document was ever authorized for'),
});

const run = z.strictObject({
  'give-up-after': duration.prefault('2m').describe('run: how long an unreachable service is tried before exit 5'),
  'max-errors': z
    .int()
    .min(1)
    .default(50)
    .describe('rejections in a row, with no success between, that stop a service for the night'),
  canary: z
    .int()
    .min(0)
    .max(100)
    .default(1)
    .describe('documents of a night per service, and of a new mapping version, that go alone and first; 0: none'),
  'same-cause': z
    .int()
    .min(0)
    .default(10)
    .describe('rejections of one mapping in a row, for one cause, after which its queued documents are held; 0: never'),
  hold: hold.prefault({}).describe('documents that a person has to look at before they are sent'),
  'consult-per-minute': z.int().min(1).max(60).default(6).describe('consultations per minute and service'),
});

/** An export that must arrive; `by` is in the local time of this machine. */
const expectation = z.strictObject({
  name: z.string().min(1).describe('what people call it'),
  files: z.string().min(1).describe('pattern of its file name'),
  by: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as "02:00"'),
  on: z
    .union(
      [
        z.enum(['daily', 'weekdays']),
        z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).min(1),
        z.strictObject({ monthly: z.int().min(1).max(31) }),
      ],
      'expected daily, weekdays, a list such as [mon, thu], or { monthly: 5 }',
    )
    .default('daily'),
});

/** "90d", "10y": days or years on the calendar; absent means for ever. */
const age = z
  .string('expected an age such as 90d or 10y')
  .regex(/^[1-9]\d{0,4}[dy]$/, 'expected an age such as 90d or 10y')
  .optional();

const keep = z.strictObject({
  archive: age.describe('exports in archive/, counted from their archiving; for ever where nothing is said'),
  receipts: age.describe(
    'receipts and payloads of documents that are done, and summaries of exports all of whose documents are',
  ),
  content: age.describe('contents, names, amounts and answers in the ledger; identities and hashes stay'),
  logs: age.describe('files in logs/'),
});

/** A changed severity of a rule, always with its reason. */
const severity = z.strictObject({
  level: z.enum(['error', 'warning', 'off']).describe('what a document that breaks the rule gets'),
  reason: z.string().min(1).describe('why; receipts show it'),
});

const ledger = z.strictObject({
  'witness-folder': z
    .string()
    .min(1)
    .optional()
    .describe(
      'a folder on another machine or disk that keeps count of the commits: a whole machine that goes back to a snapshot is noticed',
    ),
});

const rules = z.strictObject({
  fr: z
    .enum(['wire', 'fr-2026'])
    .default('fr-2026')
    .describe('rules for French documents; wire: only what the contracts say'),
  sv: z
    .enum(['wire', 'sv-nr-v3', 'sv-nr-v4'])
    .default('sv-nr-v3')
    .describe('rules for Salvadoran documents, by the version of the remission note'),
  language: z.enum(['en', 'fr', 'es']).default('en').describe('language of the messages for operators'),
  severity: z
    .record(z.string(), severity)
    .default({})
    .describe(
      'another severity than its own, per rule of docs/reference/rules.md, e.g. { FR-NOT-3: { level: off, reason: ... } }',
    ),
});

/** The whole file. Strict: an unknown key is `config/unknown-key`. */
const settings = z.strictObject({
  version: z.literal(1).describe('version of this file format'),
  company: z.string().min(1).optional().describe('name shown in reports'),
  environment: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected small letters, digits and hyphens, such as production')
    .default('default')
    .describe('which block of environments applies'),
  services: z
    .strictObject(Object.fromEntries(SERVICES.map((service) => [service.name, service.settings.optional()])))
    .prefault({})
    .describe('the remote services; one that is absent is not used'),
  inbox: inbox.prefault({}),
  documents: documents.prefault({}),
  run: run.prefault({}),
  rules: rules.prefault({}).describe('what documents must satisfy before they are sent (docs/reference/rules.md)'),
  receipts: receipts.prefault({}),
  ledger: ledger.prefault({}),
  expect: z
    .array(expectation)
    .default([])
    .describe('exports that should arrive, and by when; Nightpost reports those that did not'),
  keep: keep.prefault({}).describe('how long nightpost purge keeps what; nothing is removed by itself'),
  sequences: z
    .record(z.string(), z.strictObject({ start: z.int().min(1) }))
    .default({})
    .describe('first number of a sequence used by mappings, 1 where not given'),
  'allow-loopback': z
    .boolean()
    .default(false)
    .describe('an environment called prod or production may have services on this machine: a gateway, never a sandbox'),
  environments: z
    .record(z.string(), z.looseObject({}))
    .default({})
    .describe('settings that replace those above, per environment'),
});

/** Settings with every default filled in: durations in milliseconds, sizes in bytes, amounts as exact texts. */
export type Settings = z.infer<typeof settings> & { readonly services: { readonly [name: string]: unknown } };

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
};

/**
 * `text` is the content of nightpost.yaml, `file` its name in messages. Throws OperatorError `config/invalid` with all
 * faults, marked at their places and with secrets masked, or `config/unknown-environment`.
 */
export function readConfig(text: string, file: string, overrides: Overrides = {}): Config {
  const read = readYaml(text, file);
  if ('faults' in read) throw invalidSettings(file, read.faults, { text });
  const inherited = findPrototypeKeys(read.yaml, read.yaml.value);
  if (inherited.length > 0) throw invalidSettings(file, inherited, { text });
  const origins = new Map<string, Source>();
  const merged = merge(read.yaml, overrides, origins);
  const checked = checkShape({ ...read.yaml, value: merged }, settings, 'config');
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

type Schema = { readonly properties?: { readonly [name: string]: Schema }; readonly anyOf?: readonly Schema[] };

/** Names of all settings that hold no secret: their values may be in messages. A secret is a union with a reference. */
export function shownSettings(): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (schema: Schema) => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (!inner.anyOf?.some(({ properties }) => properties && 'env' in properties)) names.add(name);
      walk(inner);
    }
    for (const inner of schema.anyOf ?? []) walk(inner);
  };
  walk(z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' }) as Schema);
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
    if (!name.startsWith('NIGHTPOST_') || !name.includes('__') || text === undefined) continue;
    const path = name
      .slice('NIGHTPOST_'.length)
      .split('__')
      .map((part) => part.toLowerCase().replaceAll('_', '-'));
    yield [path, parseDocument(text, { version: '1.2', schema: 'core' }).toJS() as unknown];
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

/** The shape from which the JSON schema for editors, `explain` and the manual are made. */
export const settingsShape = settings;
