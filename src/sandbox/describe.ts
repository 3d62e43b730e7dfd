/**
 * The settings that fit a running sandbox: the `services` part of nightpost.yaml, and the secrets that it refers to.
 * Secrets are settings by reference, so their values are separate: environment variables for the caller of the run.
 */
import type { Sandbox } from './sandbox-server.ts';

const SANDBOX_SECRETS = { fr: 'NIGHTPOST_SANDBOX_FR_SECRET', sv: 'NIGHTPOST_SANDBOX_SV_CREDENTIALS' } as const;

/** JSON pointers into an answer of the remission note service: choices of the sandbox. */
const SV_ANSWER = {
  code: '/codigo',
  name: '/estado',
  message: '/mensaje',
  identifier: '/documento/numeroSecuencial',
  'tracking-id': '/documento/codigoGeneracion',
};

/** `services` for the settings file, `environment` by the name of the variable. */
export type Description = {
  readonly services: { readonly fr: object; readonly sv: object };
  readonly environment: { readonly [name: string]: string };
};

/** The settings and secrets for the addresses of this sandbox. */
export function describeSandbox({ fr, sv }: Pick<Sandbox, 'fr' | 'sv'>): Description {
  return {
    services: {
      fr: {
        'base-url': fr.url,
        'identity-url': fr.identityUrl,
        realm: fr.realm,
        'client-id': fr.clientId,
        'client-secret': { env: SANDBOX_SECRETS.fr },
        'sender-id': 'nightpost',
        integration: { id: 'nightpost', name: 'Nightpost', version: '1' },
        'report-path': fr.reportPath,
        consultation: {
          method: 'GET',
          path: fr.consultationPath,
          answer: {
            code: '/result/status/code',
            name: '/result/status/name',
            message: '/result/status/message',
            'tracking-id': '/result/content/document/tracking-id',
            identifier: '/result/content/document/identifier',
          },
        },
      },
      sv: {
        'auth-url': sv.authUrl,
        'issue-url': sv.issueUrl,
        credentials: { env: SANDBOX_SECRETS.sv },
        'credentials-header': sv.credentialsHeader,
        'service-id-in': { query: sv.serviceIdParameter },
        'token-answer': { token: '/token', seconds: '/expiraEn' },
        answer: SV_ANSWER,
        consultation: { method: 'GET', path: sv.consultationPath, answer: SV_ANSWER },
      },
    },
    environment: { [SANDBOX_SECRETS.fr]: fr.clientSecret, [SANDBOX_SECRETS.sv]: `${sv.user}:${sv.password}` },
  };
}
