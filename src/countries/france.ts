/** France: e-invoices, credit notes and correctives, and e-reports, through one platform. */
import { z } from 'zod';
import { fr } from '../delivery/fr-service.ts';
import { frInvoice } from '../documents/fr/fr-invoice.ts';
import { frReport } from '../documents/fr/fr-report.ts';
import type { Country } from './country.ts';

const SECRET = 'secrets/fr-client-secret';

export const france: Country = {
  name: 'fr',
  service: fr,
  kinds: [frInvoice, frReport],
  zone: 'Europe/Paris',
  profile: z
    .enum(['wire', 'fr-2026'])
    .default('fr-2026')
    .describe('rules for French documents; wire: only what the contracts say'),
  notFoundApart: 'an-hour',
  setup: {
    label: 'France',
    languages: ['en', 'fr'],
    questions: ['base-url', 'identity-url', 'realm', 'client-id', 'sender-id'],
    secretFile: SECRET,
    services: (answered) => `  # France: e-invoices, credit notes, correctives, e-reports.
  fr:
    base-url: ${answered('base-url', 'https://fr.example.invalid')}            # from your provider
    identity-url: ${answered('identity-url', 'https://identity.example.invalid')}  # from your provider
    realm: ${answered('realm')}
    client-id: ${answered('client-id')}
    client-secret: { file: ${SECRET} }   # written by: nightpost secret set fr-client-secret
    sender-id: ${answered('sender-id')}
    integration: { id: nightpost, name: Nightpost, version: '1' }
    concurrency: 4
    resend-on-429: false         # true if your provider confirms that HTTP 429 means: nothing was processed
    # report-path: /...          # e-reports: the contract does not show the path; ask your provider
    # consultation:              # asking for outcomes: not shown either
    #   method: GET
    #   path: /documents/{identifier}
    #   answer: { code: /result/status/code }
`,
    profile: 'fr: fr-2026',
    rulesOfToday: [],
  },
};
