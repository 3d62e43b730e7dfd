/**
 * The settings that fit a running sandbox: the `services` part of nightpost.yaml, and the secrets that it refers to.
 * Secrets are settings by reference, so their values are separate: environment variables for the caller of the run.
 */
import { type PerService, perService, type ServiceName } from '../model/document.ts';
import { imitationsOf, type SandboxAddresses } from './imitations.ts';

/** `services` for the settings file, `environment` by the name of the variable. */
export type Description = {
  readonly services: PerService<object>;
  readonly environment: { readonly [name: string]: string };
};

/** The settings and secrets for the addresses of this sandbox. */
export function describeSandbox(addresses: SandboxAddresses): Description {
  const imitations = imitationsOf();
  const describe = <S extends ServiceName>(service: S) => imitations[service].settingsFor(addresses[service]);
  const described = perService(describe);
  const secrets = Object.values(described).map(({ secret }) => [secret.variable, secret.value]);
  return { services: perService((service) => described[service].settings), environment: Object.fromEntries(secrets) };
}
