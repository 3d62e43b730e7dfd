/**
 * The settings file that `init` and `demo` write into a new instance folder: answers in, a text of YAML with a comment at
 * each value out. What is not answered is a placeholder, which `check` reports. Pure texts, no error.
 */
import { stringify } from 'yaml';
import type { Language } from '../i18n/message.ts';

/** Countries whose services Nightpost knows; each is a block below `services`. */
export const COUNTRIES = ['fr', 'sv'] as const;
export type Country = (typeof COUNTRIES)[number];

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
  readonly countries: readonly Country[];
  /** Settings of the services by their name below `services`, such as fr.base-url. */
  readonly services: { readonly [setting: string]: string };
  readonly expect: readonly ExpectedExport[];
  /** How long exports, receipts and contents are kept, such as 10y; for ever without it. */
  readonly keep?: string;
};

/** Settings of the services that `init` asks for, in the order of the questions. */
export const SERVICE_QUESTIONS: { readonly [country in Country]: readonly string[] } = {
  fr: ['fr.base-url', 'fr.identity-url', 'fr.realm', 'fr.client-id', 'fr.sender-id'],
  sv: ['sv.auth-url', 'sv.issue-url'],
};

/** The file that each country keeps its secret in. */
export const SECRET_FILES: { readonly [country in Country]: string } = {
  fr: 'secrets/fr-client-secret',
  sv: 'secrets/sv-credentials',
};

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
export function sandboxSettings(services: { readonly [country in Country]: object }, options: SandboxOptions): string {
  const { language, countries = COUNTRIES, expect = [], keep } = options;
  const severity = countries.includes('sv') ? { 'SV-DOC-2': ANY_DAY, 'SV-DOC-2b': ANY_DAY } : undefined;
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
${FRANCE[countries.includes('fr') ? 'used' : 'unused'](answers)}
${SALVADOR[countries.includes('sv') ? 'used' : 'unused'](answers)}
inbox:
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
${countries.map((country) => `  ${PROFILES[country]}\n`).join('')}  language: ${language}                   # of messages for operators: en, fr or es
  # severity:
  #   FR-NOT-1: { level: off, reason: our provider adds the mentions }

${expectBlock(answers.expect)}
${keepBlock(answers.keep)}
environments:                    # settings that replace those above in one environment
  ${scalar(environment)}: {}
`;
}

const PROFILES: { readonly [country in Country]: string } = {
  fr: 'fr: fr-2026',
  sv: 'sv: sv-by-day                  # the version of the note by its day; sv-nr-v4 from 1 December 2026',
};

type Block = (answers: InstanceAnswers) => string;

const FRANCE: { readonly used: Block; readonly unused: Block } = {
  used: (answers) => `  # France: e-invoices, credit notes, correctives, e-reports.
  fr:
    base-url: ${answered(answers, 'fr.base-url', 'https://fr.example.invalid')}            # from your provider
    identity-url: ${answered(answers, 'fr.identity-url', 'https://identity.example.invalid')}  # from your provider
    realm: ${answered(answers, 'fr.realm')}
    client-id: ${answered(answers, 'fr.client-id')}
    client-secret: { file: ${SECRET_FILES.fr} }   # written by: nightpost secret set fr-client-secret
    sender-id: ${answered(answers, 'fr.sender-id')}
    integration: { id: nightpost, name: Nightpost, version: '1' }
    concurrency: 4
    resend-on-429: false         # true if your provider confirms that HTTP 429 means: nothing was processed
    # report-path: /...          # e-reports: the contract does not show the path; ask your provider
    # consultation:              # asking for outcomes: not shown either
    #   method: GET
    #   path: /documents/{identifier}
    #   answer: { code: /result/status/code }
`,
  unused: () => '  # France is not used: docs/reference/settings.md has the settings of services.fr.\n',
};

const SALVADOR: { readonly used: Block; readonly unused: Block } = {
  used: (answers) => `  # El Salvador: remission notes.
  sv:
    auth-url: ${answered(answers, 'sv.auth-url', 'https://auth.example.invalid')}
    issue-url: ${answered(answers, 'sv.issue-url', 'https://issue.example.invalid')}
    credentials: { file: ${SECRET_FILES.sv} }     # one line, user:password, written by: nightpost secret set sv-credentials
    credentials-header: FILL-IN  # this and the next keys are not shown by the contract; ask your provider
    service-id-in: { query: FILL IN }
    token-answer: { token: /FILL-IN }
    answer: { code: /FILL-IN }
`,
  unused: () => '  # El Salvador is not used: docs/reference/settings.md has the settings of services.sv.\n',
};

function answered({ services }: InstanceAnswers, setting: string, placeholder = 'FILL IN'): string {
  return scalar(services[setting] ?? placeholder);
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
