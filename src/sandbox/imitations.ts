/** The services that the sandbox imitates, by name: one for each service of the program, or nothing compiles. */
import type { ServiceName } from '../model/document.ts';
import { type FrAddress, frImitation } from './fr-sandbox.ts';
import type { Imitation } from './imitation.ts';
import type { SvChoices } from './sandbox-settings.ts';
import { SV_CHOICES, type SvAddress, svImitation } from './sv-sandbox.ts';

/** Where clients find the imitated services. */
export type SandboxAddresses = { readonly fr: FrAddress; readonly sv: SvAddress };

export type Imitations = { readonly [service in ServiceName]: Imitation<SandboxAddresses[service]> };

export function imitationsOf(
  options: { readonly sv?: Partial<SvChoices>; readonly scriptedNumbers?: boolean } = {},
): Imitations {
  return {
    fr: frImitation,
    sv: svImitation({ ...SV_CHOICES, ...options.sv }, options.scriptedNumbers ?? false),
  };
}

/** Addresses of the services at these origins, also without a running server (for documentation and tests). */
export function addressesAt(originOf: (service: ServiceName) => string, { fr, sv } = imitationsOf()): SandboxAddresses {
  return { fr: fr.addressAt(originOf('fr')), sv: sv.addressAt(originOf('sv')) };
}
