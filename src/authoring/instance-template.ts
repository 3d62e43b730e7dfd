/**
 * The settings file that `init` and `demo` write into a new instance folder: a text of YAML with a comment at each
 * value to fill in. Pure texts, no error.
 */
import { stringify } from 'yaml';

const ANY_DAY = { level: 'off', reason: 'the sample exports are of one day' };

/**
 * Settings for the services of `nightpost sandbox` and the demo, as YAML text. `settle` and `giveUpAfter` are durations
 * such as 5s.
 */
export function sandboxSettings(
  services: object,
  options: { readonly settle: string; readonly giveUpAfter: string },
): string {
  return [
    '# Settings for the sandbox: both services imitated on this machine. Nothing leaves it.',
    stringify(
      {
        version: 1,
        company: 'Exemple SARL',
        environment: 'default',
        services,
        inbox: { settle: options.settle },
        // The sample exports come from several companies.
        run: { 'give-up-after': options.giveUpAfter, hold: { 'new-issuer': false } },
        // The sample exports are of one fixed day, and the rules compare it with the current day.
        rules: { severity: { 'SV-DOC-2': ANY_DAY, 'SV-DOC-2b': ANY_DAY } },
      },
      { aliasDuplicateObjects: false },
    ),
  ].join('\n');
}

/** Settings of a productive instance. `check` reports each FILL IN and each address below .invalid as not filled in. */
export const SETTINGS_TEMPLATE = `# Settings of this instance. Replace every FILL IN and every address below .invalid; then: nightpost check
# Every key is explained in docs/reference/settings.md; what the providers' contracts leave out, in docs/reference/contracts.md.
version: 1
company: FILL IN

services:
  # France: e-invoices, credit notes, correctives, e-reports. Remove the block where it is not used.
  fr:
    base-url: https://fr.example.invalid            # from your provider
    identity-url: https://identity.example.invalid  # from your provider
    realm: FILL IN
    client-id: FILL IN
    client-secret: { file: secrets/fr-client-secret }   # or { env: NAME }; never the secret itself
    sender-id: FILL IN
    integration: { id: nightpost, name: Nightpost, version: '1' }
    concurrency: 4
    # report-path: /...          # e-reports: the contract does not show the path; ask your provider
    # consultation:              # asking for outcomes: not shown either
    #   method: GET
    #   path: /documents/{identifier}
    #   answer: { code: /result/status/code }

  # El Salvador: remission notes. Remove the comment signs where it is used.
  # sv:
  #   auth-url: https://auth.example.invalid
  #   issue-url: https://issue.example.invalid
  #   credentials: { file: secrets/sv-credentials }     # one line: user:password
  #   credentials-header: ...     # this and the next keys are not shown by the contract; ask your provider
  #   service-id-in: { query: ... }
  #   token-answer: { token: /... }
  #   answer: { code: /... }

inbox:
  settle: 5s                     # a file is taken once it has not changed for so long
  # marker: .done                # take F only once F.done exists
  # polling: true                # for network shares

run:
  give-up-after: 2m              # how long an unreachable service is tried before exit 5
  max-errors: 50                 # rejections in a row that stop a service for the night
  hold:                          # a person looks before these go out: nightpost errors --state held
    new-mapping: true            # documents of a new version of a mapping, until one of them is released
    # over: { EUR: 100000 }      # larger amounts, per currency
    # unknown-receiver: true     # receivers that no document was ever authorized for

rules:                           # what documents must satisfy before they are sent: docs/reference/rules.md
  fr: fr-2026
  sv: sv-nr-v3                   # sv-nr-v4 from 1 December 2026
  language: en                   # what is wrong is said in en, fr or es
  # severity:
  #   FR-NOT-1: { level: off, reason: our provider adds the mentions }
`;
