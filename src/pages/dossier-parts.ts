/**
 * A dossier as files: the page, its parts as they are recorded, and manifest.json with the SHA-256 of each. The same
 * dossier gives the same bytes, but for the time of making in the page and the manifest.
 */

import type { ZipPart } from '../files/write-zip.ts';
import { format, type Language } from '../i18n/message.ts';
import { linkHash, linkLine } from '../model/chain-link.ts';
import { PROGRAM_VERSION } from '../model/program.ts';
import { appendAll } from '../text/long-lists.ts';
import { safeName } from '../text/safe-file-name.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { Dossier } from '../views/queries/dossier.ts';

/** A file that a person adds, by its name without folder. */
export type EvidenceFile = { readonly name: string; readonly content: Uint8Array };

export type DossierMaking = {
  /** ISO 8601 in UTC. */
  readonly madeAt: string;
  readonly language: Language;
  readonly page: string;
  readonly evidence: readonly EvidenceFile[];
};

export function dossierParts(
  dossier: Dossier,
  { madeAt, language, page, evidence }: DossierMaking,
): readonly ZipPart[] {
  const { entry, source } = dossier;
  const parts: ZipPart[] = [{ path: 'dossier.html', content: page }, ...rowParts(dossier)];
  const add = (path: string, content: string | undefined) => content !== undefined && parts.push({ path, content });
  for (const { path, text } of dossier.mapping) add(`mapping/${path}`, text);
  appendAll(parts, revisionParts(dossier));
  add('receipt/receipt.json', dossier.receiptFile?.text);
  add('receipt/as-the-ledger-has-it.json', json(dossier.receipt));
  for (const { exchange, ...attempt } of dossier.attempts) {
    add(`responses/${attempt.act}-${attempt.n}.json`, json({ ...attempt, exchange: exchange ?? null }));
  }
  add('decisions.json', json({ evidence: entry.evidence ?? null, hold: entry.hold ?? null }));
  add('corrections.json', json(dossier.corrections));
  add('events.json', json(dossier.history));
  add('links.json', json(dossier.links.map((link) => ({ ...link, line: linkLine(link), hash: linkHash(link) }))));
  add('verification.json', json(verification(dossier, language)));
  for (const [at, { name, content }] of evidence.entries()) {
    parts.push({ path: `evidence/${at + 1}-${safeName(name, 120)}`, content });
  }
  const manifest = {
    dossier: 1,
    madeAt,
    program: PROGRAM_VERSION,
    document: { id: entry.id, identifier: entry.facts.identifier, revision: entry.revision, state: entry.state },
    source: { file: source.name, sha256: source.sha256, rows: entry.rows },
    head: dossier.proof.head ?? null,
    breaks: dossier.proof.breaks,
    missing: dossier.missing,
    parts: parts.map(({ path, content }) => ({ path, bytes: Buffer.byteLength(content), sha256: sha256Hex(content) })),
  };
  return [...parts, { path: 'manifest.json', content: json(manifest) }];
}

/** Each content that was made, the present one as payload.json, and a list of all revisions. */
function revisionParts({ revisions, attempts }: Dossier): readonly ZipPart[] {
  const parts: ZipPart[] = [];
  const list = revisions.map(({ content, ...one }) => {
    const path = payloadPath(revisions, one);
    if (content !== undefined) parts.push({ path, content });
    const tried = attempts.filter(({ revision }) => revision === one.revision).map(({ act, n }) => `${act}-${n}`);
    return { ...one, payload: content === undefined ? null : path, attempts: tried };
  });
  return [...parts, { path: 'revisions.json', content: json(list) }];
}

/** Where the archive has the content of a revision. */
export function payloadPath(revisions: Dossier['revisions'], { revision }: { readonly revision: number }): string {
  return revision === revisions.at(-1)?.revision ? 'payload.json' : `revisions/${revision}/payload.json`;
}

function rowParts({ rows, sourceParts, source }: Dossier): readonly ZipPart[] {
  const parts: ZipPart[] = [];
  const [first] = rows;
  if (first) {
    const lines = [['row', ...first.columns], ...rows.map(({ row, cells }) => [String(row), ...cells])];
    parts.push({ path: 'source/rows.csv', content: lines.map(csvLine).join('') });
  }
  for (const { name, content } of sourceParts) {
    const ending = name === 'bytes-of' ? '' : '.xml';
    parts.push({ path: `source/${name}-${safeName(source.name, 120)}${ending}`, content });
  }
  return parts;
}

/** RFC 4180; the cells are as the export has them. */
function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}

function verification({ proof }: Dossier, language: Language): object {
  const { found, ...counts } = proof;
  const words = found.map((one) => ({
    ...one,
    message: format(one.message, language),
    means: format(one.means, language),
  }));
  return { ...counts, head: proof.head ?? null, found: words };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
