/**
 * The answers of `init`, from its options and the system. What an option says is read by these functions, and an answer
 * on the terminal by the same ones; they throw InvalidValueError.
 */
import {
  type ExpectedExport,
  type InstanceAnswers,
  serviceQuestions,
  settingsTemplate,
} from '../../../authoring/instance-template.ts';
import { COUNTRIES } from '../../../catalogue.ts';
import type { Language } from '../../../i18n/message.ts';
import { SETTINGS_FILE } from '../../../instance/instance.ts';
import { readConfig } from '../../../instance/settings.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { SERVICE_NAMES, type ServiceName } from '../../../model/document.ts';
import { type Fault, OperatorError } from '../../../model/fault.ts';
import { InvalidValueError } from '../../session/command-module.ts';

/** The environment of the imitated services, as an answer. */
export const SANDBOX = 'sandbox';

/** The options of `init` as commander gives them: those of services are named `frBaseUrl` and the like. */
export type InitOptions = {
  readonly sandbox?: boolean;
  readonly mappings?: boolean;
  readonly ledger?: boolean;
  readonly yes?: boolean;
  readonly language?: Language;
  readonly company?: string;
  readonly country?: readonly ServiceName[];
  readonly expect?: readonly ExpectedExport[];
  readonly keep?: string;
  readonly [option: string]: unknown;
};

/** Answers that are there so far. */
export type PartialAnswers = Partial<InstanceAnswers> & Pick<InstanceAnswers, 'services'>;

/** Only what the options say. */
export function answersInOptions(given: InitOptions, environment: string | undefined): PartialAnswers {
  const { language, company, country: countries, expect, keep } = given;
  const settings = SERVICE_NAMES.flatMap(serviceQuestions);
  const services = Object.fromEntries(settings.map((setting) => [setting, given[optionOf(setting)]]));
  return definedOnly({
    ...{ language, company, countries, expect, keep, environment },
    services: definedOnly(services) as InstanceAnswers['services'],
  });
}

/** fr.base-url -> frBaseUrl, as commander names --fr-base-url. */
function optionOf(setting: string): string {
  return setting.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Fills in what neither an option nor a person has said. */
export function withDefaults(answers: PartialAnswers, language: Language): InstanceAnswers {
  return { language, environment: 'test', countries: defaultCountries(answers, language), expect: [], ...answers };
}

/** The countries whose services were named; else the one of the language, and all that the sandbox imitates. */
export function defaultCountries(
  { services, environment }: PartialAnswers,
  language: Language,
): readonly ServiceName[] {
  if (environment === SANDBOX) return SERVICE_NAMES;
  const named = SERVICE_NAMES.filter((country) =>
    Object.keys(services).some((setting) => setting.startsWith(`${country}.`)),
  );
  if (named.length > 0) return named;
  return COUNTRIES.filter(({ setup }) => setup.languages.includes(language)).map(({ name }) => name);
}

/** The faults of the settings that these answers make, placeholders apart. */
export function faultsOfAnswers(answers: InstanceAnswers): readonly Fault[] {
  try {
    readConfig(settingsTemplate(answers), SETTINGS_FILE);
    return [];
  } catch (error) {
    if (error instanceof OperatorError) return error.faults;
    throw error;
  }
}

/** "fr,sv" -> the countries, each once, in the order of the settings. */
export function readCountries(text: string): readonly ServiceName[] {
  const named = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const known = SERVICE_NAMES.filter((country) => named.includes(country));
  if (known.length === 0 || named.some((name) => !SERVICE_NAMES.some((known) => known === name))) {
    throw new InvalidValueError('countries', { choices: SERVICE_NAMES.join(', ') });
  }
  return known;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** `invoices=FAC_*.csv@02:00,weekdays`: name, pattern, latest time, and the days (daily without them). */
export function readExpectation(text: string): ExpectedExport {
  const [, name = '', files = '', by = '', days = ''] = /^([^=]+)=(.+)@(\d\d:\d\d)(?:,(.*))?$/.exec(text.trim()) ?? [];
  const on = readDays(days.trim());
  if (name.trim() === '' || !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(by) || on === undefined) {
    throw new InvalidValueError('expectation');
  }
  return { name: name.trim(), files: files.trim(), by, on };
}

function readDays(text: string): ExpectedExport['on'] | undefined {
  if (text === '') return 'daily';
  if (text === 'daily' || text === 'weekdays') return text;
  const day = Number(/^monthly:(\d{1,2})$/.exec(text)?.[1]);
  if (day >= 1 && day <= 31) return { monthly: day };
  const days = text.split(/[\s,+]+/);
  return days.every((one) => DAYS.includes(one)) ? days : undefined;
}

/** As the setting `keep` takes it: days or years. */
export function readAge(text: string): string {
  const age = text.trim();
  if (/^[1-9]\d{0,4}\s?[dy]$/.test(age)) return age;
  throw new InvalidValueError('age');
}

/** As the setting `environment` takes it. */
export function isEnvironmentName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(text);
}
