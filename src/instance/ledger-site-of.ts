/** Where the ledger of an instance is, by its settings: in its folder, or on a server. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LEDGER_SETTING } from '../i18n/messages/settings-messages.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import type { Instance } from './instance.ts';

/** The part of an instance that says where its ledger is. */
export type SiteOwner = Pick<Instance, 'folder' | 'settings' | 'secrets'>;

export function ledgerSiteOf(owner: SiteOwner): LedgerSite {
  return definedOnly({ folder: owner.folder, postgres: postgresPlaceOf(owner) });
}

/** Undefined for a ledger in `state/`. Password and certificates are read at each use: throws `secret/*`, or `ledger/postgres-tls` for certificates that cannot be read. */
function postgresPlaceOf({ folder, settings, secrets }: SiteOwner): LedgerSite['postgres'] {
  const { postgres } = settings.ledger;
  if (!postgres) return undefined;
  const { password, ca, lease, ...place } = postgres;
  return async () =>
    definedOnly({
      ...place,
      leaseMs: lease,
      password: password && (await secrets.reveal(password)),
      ca: ca === undefined ? undefined : await readCertificates(resolve(folder, ca)),
    });
}

async function readCertificates(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    for (const [one] of text.matchAll(CERTIFICATE)) new X509Certificate(one);
    if (text.search(CERTIFICATE) >= 0) return text;
  } catch (cause) {
    throw new OperatorError('ledger/postgres-tls', LEDGER_SETTING.ca({ file, problem: (cause as Error).message }), {
      hint: LEDGER_SETTING.caHint(),
      cause,
    });
  }
  throw new OperatorError('ledger/postgres-tls', LEDGER_SETTING.noCertificate({ file }), {
    hint: LEDGER_SETTING.noCertificateHint(),
  });
}

export const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
