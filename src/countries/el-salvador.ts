/** El Salvador: remission notes. */
import { z } from 'zod';
import { sv } from '../delivery/sv-service.ts';
import { svRemissionNote } from '../documents/sv/sv-remission-note.ts';
import type { Country } from './country.ts';

const SECRET = 'secrets/sv-credentials';

export const elSalvador: Country = {
  name: 'sv',
  service: sv,
  kinds: [svRemissionNote],
  zone: 'America/El_Salvador',
  profile: z
    .enum(['wire', 'sv-by-day', 'sv-nr-v3', 'sv-nr-v4'])
    .default('sv-by-day')
    .describe(
      'rules for Salvadoran documents, by the version of the remission note; sv-by-day: the one compulsory on the day of the note',
    ),
  notFoundApart: 'two-days',
  setup: {
    label: 'El Salvador',
    languages: ['es'],
    questions: ['auth-url', 'issue-url'],
    secretFile: SECRET,
    services: (answered) => `  # El Salvador: remission notes.
  sv:
    auth-url: ${answered('auth-url', 'https://auth.example.invalid')}
    issue-url: ${answered('issue-url', 'https://issue.example.invalid')}
    credentials: { file: ${SECRET} }     # one line, user:password, written by: nightpost secret set sv-credentials
    credentials-header: FILL-IN  # this and the next keys are not shown by the contract; ask your provider
    service-id-in: { query: FILL IN }
    token-answer: { token: /FILL-IN }
    answer: { code: /FILL-IN }
`,
    profile: 'sv: sv-by-day                  # the version of the note by its day; sv-nr-v4 from 1 December 2026',
    rulesOfToday: ['SV-DOC-2', 'SV-DOC-2b'],
  },
};
