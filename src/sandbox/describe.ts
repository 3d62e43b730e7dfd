/**
 * The settings that fit a running sandbox: the `services` part of nightpost.yaml, and the secrets it refers to.
 *
 * Secrets are settings by reference, so the values come apart, as environment variables for the one who starts the run.
 */
import type { Sandbox } from './server.ts';

const SANDBOX_SECRETS = { fr: 'NIGHTPOST_SANDBOX_FR_SECRET', sv: 'NIGHTPOST_SANDBOX_SV_PASSWORD' } as const;

export type Description = {
  readonly services: { readonly fr: object; readonly sv: object };
  readonly environment: { readonly [name: string]: string };
};

export function describeSandbox({ fr, sv }: Pick<Sandbox, 'fr' | 'sv'>): Description {
  return {
    services: {
      fr: {
        'base-url': fr.url,
        'identity-url': fr.identityUrl,
        realm: fr.realm,
        'client-id': fr.clientId,
        'client-secret': { env: SANDBOX_SECRETS.fr },
        'report-path': fr.reportPath,
        consultation: { method: 'GET', path: fr.consultationPath, code: '/result/status/code' },
      },
      sv: {
        'auth-url': sv.authUrl,
        'issue-url': sv.issueUrl,
        user: sv.user,
        password: { env: SANDBOX_SECRETS.sv },
        'credentials-header': sv.credentialsHeader,
        'service-id-in': { query: sv.serviceIdParameter },
        'token-answer': { token: '/token', 'expires-in': '/expiraEn' },
        answer: {
          code: '/codigo',
          name: '/estado',
          message: '/mensaje',
          identifier: '/documento/numeroSecuencial',
          'tracking-id': '/documento/codigoGeneracion',
        },
        consultation: { method: 'GET', path: sv.consultationPath, code: '/codigo' },
      },
    },
    environment: { [SANDBOX_SECRETS.fr]: fr.clientSecret, [SANDBOX_SECRETS.sv]: sv.password },
  };
}
