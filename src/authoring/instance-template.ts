/**
 * The settings file that `init` and `demo` write into a new instance folder: answers in, a text of YAML with a comment at
 * each value out. What is not answered is a placeholder, which `check` reports. Pure texts, no error.
 */
import { stringify } from 'yaml';
import { COUNTRIES, countryOf } from '../catalogue.ts';
import type { Country } from '../countries/country.ts';
import type { Language } from '../i18n/message.ts';
import { SERVICE_NAMES, type ServiceName } from '../model/document.ts';

/** An export that should arrive, as in the setting `expect`. */
export type ExpectedExport = {
  readonly name: string;
  readonly files: string;
  /** HH:MM. */
  readonly by: string;
  readonly on: string | readonly string[] | { readonly monthly: number };
};

/** What `init` asks, or takes from its options. */
export type InstanceAnswers = {
  readonly language: Language;
  readonly company?: string;
  readonly environment: string;
  /** By name: each is a block below `services`. */
  readonly countries: readonly ServiceName[];
  /** Settings of the services by their name below `services`, such as fr.base-url. */
  readonly services: { readonly [setting: string]: string };
  readonly expect: readonly ExpectedExport[];
  /** How long exports, receipts and contents are kept, such as 10y; for ever without it. */
  readonly keep?: string;
};

/** Settings of its service that `init` asks for, such as fr.base-url, in the order of the questions. */
export function serviceQuestions(name: ServiceName): readonly string[] {
  return countryOf(name).setup.questions.map((question) => `${name}.${question}`);
}

const ANY_DAY = { level: 'off', reason: 'the sample exports are of one day' };

/** What the settings for the sandbox may have of the answers. */
type SandboxOptions = Partial<Pick<InstanceAnswers, 'language' | 'company' | 'countries' | 'expect' | 'keep'>> & {
  readonly settle: string;
  readonly giveUpAfter: string;
};

/**
 * Settings for the services of `nightpost sandbox` and the demo, as YAML text. `settle` and `giveUpAfter` are durations
 * such as 5s; without countries, those of all services.
 */
export function sandboxSettings(
  services: { readonly [service in ServiceName]: object },
  options: SandboxOptions,
): string {
  const { language, countries = SERVICE_NAMES, expect = [], keep } = options;
  const ofToday = countries.flatMap((name) => countryOf(name).setup.rulesOfToday);
  const severity = ofToday.length > 0 ? Object.fromEntries(ofToday.map((rule) => [rule, ANY_DAY])) : undefined;
  const rules = { ...(language && { language }), ...(severity && { severity }) };
  return [
    '# Settings for the sandbox: services imitated on this machine. Nothing leaves it.',
    stringify(
      {
        version: 1,
        company: options.company ?? 'Exemple SARL',
        environment: 'default',
        services: Object.fromEntries(countries.map((country) => [country, services[country]])),
        inbox: { settle: options.settle },
        // The sample exports come from several companies.
        run: { 'give-up-after': options.giveUpAfter, hold: { 'new-issuer': false } },
        // The sample exports are of one fixed day, and the rules compare it with the current day.
        rules: Object.keys(rules).length > 0 ? rules : undefined,
        expect: expect.length > 0 ? expect : undefined,
        keep: keep === undefined ? undefined : { archive: keep, receipts: keep, content: keep },
      },
      { aliasDuplicateObjects: false },
    ),
  ].join('\n');
}

/** Settings of an instance; `check` reports each FILL IN and each address below .invalid as not filled in. */
export function settingsTemplate(answers: InstanceAnswers): string {
  const { company, environment, countries, language } = answers;
  return `# Settings of this instance. "nightpost check" lists every value that is still to be filled in.
# Every key is explained in docs/reference/settings.md; what the providers' contracts leave out, in docs/reference/contracts.md.
version: 1
company: ${scalar(company ?? 'FILL IN')}
environment: ${scalar(environment)}   # a block of environments below. An instance that has sent test documents stays a test: make another one for production

services:
${COUNTRIES.map((country) => `${serviceBlock(country, answers)}\n`).join('')}inbox:
  settle: 5s                     # a file is taken once it has not changed for so long
  # marker: .done                # take F only once F.done exists
  # polling: true                # for network shares

run:
  give-up-after: 2m              # how long an unreachable service is tried before exit 5
  max-errors: 50                 # rejections in a row that stop a service for the night
  hold:                          # a person looks before these are sent: nightpost errors --state held
    new-mapping: true            # documents of a new version of a mapping, until one of them is released
    # over: { EUR: 100000 }      # larger amounts, per currency
    # unknown-receiver: true     # receivers that no document was ever authorized for

rules:                           # what documents must satisfy before they are sent: docs/reference/rules.md
${countries.map((name) => `  ${countryOf(name).setup.profile}\n`).join('')}  language: ${language}                   # of messages for operators: en, fr or es
  # severity:
  #   FR-NOT-1: { level: off, reason: our provider adds the mentions }

${expectBlock(answers.expect)}
${keepBlock(answers.keep)}
environments:                    # settings that replace those above in one environment
  ${scalar(environment)}: {}
`;
}

function serviceBlock({ name, setup }: Country, { countries, services }: InstanceAnswers): string {
  if (!countries.includes(name)) {
    return `  # ${setup.label} is not used: docs/reference/settings.md has the settings of services.${name}.\n`;
  }
  return setup.services((question, placeholder = 'FILL IN') => scalar(services[`${name}.${question}`] ?? placeholder));
}

/** A text as a value of YAML on one line, in quotes where it needs them. */
function scalar(text: string): string {
  const plain = stringify(text, { lineWidth: 0 }).replace(/\n$/, '');
  return plain.includes('\n') || plain !== plain.trim() ? JSON.stringify(text) : plain;
}

function expectBlock(expect: readonly ExpectedExport[]): string {
  const title =
    'expect:                          # exports that should arrive, and by when; run ends with 7 if one is missing';
  if (expect.length === 0)
    return `# ${title}\n#   - { name: invoices, files: "FAC_*.csv", by: "02:00", on: weekdays }\n`;
  const lines = expect.map(({ name, files, by, on }) => {
    const [quoted, pattern, time] = [name, files, by].map((text) => JSON.stringify(text));
    return `  - { name: ${quoted}, files: ${pattern}, by: ${time}, on: ${JSON.stringify(on)} }\n`;
  });
  return `${title}\n${lines.join('')}`;
}

function keepBlock(keep: string | undefined): string {
  const parts = ['archive', 'receipts', 'content'].map((part) => `  ${keep ? '' : '# '}${part}: ${keep ?? '10y'}\n`);
  return `keep:                            # how long nightpost purge keeps what; for ever where nothing is written
${parts.join('')}  logs: 90d
`;
}
