/**
 * `/documents/ID/payload|answers|receipt` and `/documents/ID.zip`: what the ledger has of one document, as attachments of a
 * fixed type; the archive is the dossier for an auditor. Who took what is recorded with the people of the console.
 */
import { zipOf } from '../../../files/write-zip.ts';
import { DOCUMENT_PAGE } from '../../../i18n/messages/console/console-document-messages.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import { dossierPage } from '../../../pages/dossier-page.ts';
import { dossierParts } from '../../../pages/dossier-parts.ts';
import { readCorrections, receiptObject } from '../../../pipeline/publishing/publish-results.ts';
import { systemClock } from '../../../runs/open-run.ts';
import { safeName } from '../../../text/safe-file-name.ts';
import { dossierOf } from '../../../views/queries/dossier.ts';
import { type ScreenContext, ScreenError } from '../../server/screen-context.ts';
import { documentOfPath } from './find-document.ts';

const LONGEST_NAME = 120;

/** The exact bytes that are sent. */
export async function downloadPayload(context: ScreenContext): Promise<Response> {
  const entry = await documentOfPath(context);
  const content = await context.ledger.queries.contentOf(entry.id);
  if (content === undefined) throw new ScreenError({ status: 404, message: DOCUMENT_PAGE.noPayload() });
  context.record('payload-downloaded', { document: entry.id });
  return attachment(entry, 'payload.json', content);
}

/** Every attempt with its raw answer, in order. */
export async function downloadAnswers(context: ScreenContext): Promise<Response> {
  const entry = await documentOfPath(context);
  context.record('answers-downloaded', { document: entry.id });
  const attempts = await context.ledger.queries.attemptsOf(entry.id);
  return attachment(entry, 'answers.json', `${JSON.stringify(attempts, null, 2)}\n`);
}

/** As `nightpost show --json` prints it. */
export async function downloadReceipt(context: ScreenContext): Promise<Response> {
  const entry = await documentOfPath(context);
  return attachment(entry, 'receipt.json', await currentReceipt(context, entry));
}

export async function currentReceipt({ instance, ledger }: ScreenContext, entry: LedgerEntry): Promise<string> {
  const receipt = receiptObject(instance, entry, await readCorrections(ledger.queries)(entry));
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

export async function downloadDossier(context: ScreenContext): Promise<Response> {
  const { instance, ledger, locale, language } = context;
  const entry = await documentOfPath(context);
  context.record('dossier-downloaded', { document: entry.id });
  const dossier = await dossierOf({ instance, ledger, clock: systemClock }, entry);
  const madeAt = systemClock.now().toISOString();
  const page = dossierPage(dossier, { locale, madeAt });
  const archive = await zipOf(dossierParts(dossier, { madeAt, language, page, evidence: [] }));
  return attachment(entry, 'dossier.zip', new Uint8Array(archive));
}

/** The name has the signs of any language in the form of RFC 6266. */
function attachment(
  { name }: LedgerEntry,
  kind: 'payload.json' | 'answers.json' | 'receipt.json' | 'dossier.zip',
  content: string | Uint8Array<ArrayBuffer>,
): Response {
  const file = `${safeName(name, LONGEST_NAME)}.${kind}`;
  const plain = file.replaceAll(/[^\w.-]/g, '_');
  const type = kind === 'dossier.zip' ? 'application/zip' : 'application/json; charset=utf-8';
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`;
  return new Response(content, { headers: { 'content-type': type, 'content-disposition': disposition } });
}
