/**
 * The authority of a channel: certificates (PEM) in a file that its settings name as `ca`, in place of those that the program
 * knows. A file that cannot be used, and a certificate of a server that none of them signed, are NoticeProblems.
 */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { connectionWords } from '../delivery/connection-words.ts';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { CERTIFICATE } from '../instance/ledger-site-of.ts';
import { NoticeProblem } from './notice-problem.ts';

/** Codes of OpenSSL for a server whose authority is not known; an end or another name is no question of that. */
const UNKNOWN_AUTHORITY = /SELF_SIGNED|^UNABLE_TO_/;

/** Undefined where the settings name no file: what the program knows counts. */
export async function authorityOf(
  ca: string | undefined,
  { folder }: Pick<Instance, 'folder'>,
): Promise<string | undefined> {
  if (ca === undefined) return undefined;
  const path = resolve(folder, ca);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new NoticeProblem(NOTICE_PROBLEM.ca({ path, code: error.code ?? error.name }));
  });
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new NoticeProblem(NOTICE_PROBLEM.noCertificate({ path }));
  }
  return text;
}

/** TLS would pass over one that it cannot read, in silence. */
function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}

/** The problem of a connection that failed with this code; `setting` is the `ca` of the channel, such as `webhook.ca`. */
export function connectionProblem(code: string, setting: string): NoticeProblem {
  const problem = connectionWords({ code });
  return new NoticeProblem(
    UNKNOWN_AUTHORITY.test(code) ? NOTICE_PROBLEM.unknownAuthority({ problem, setting }) : problem,
  );
}
