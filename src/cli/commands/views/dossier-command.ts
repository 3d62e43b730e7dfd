/**
 * `dossier NUMBER`: one page about a document and an archive (.zip) with everything that proves it, for an auditor. Output:
 * the paths; exit code 3 if the verification finds a break, 2 for an unknown number. Existing files are not replaced.
 */

import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { inOnePiece } from '../../../files/in-one-piece.ts';
import { writeDurable } from '../../../files/write-durable.ts';
import { zipOf } from '../../../files/write-zip.ts';
import { SELECTION } from '../../../i18n/messages/cli-decisions-messages.ts';
import { DOSSIER } from '../../../i18n/messages/receipts-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import { dossierPage } from '../../../pages/dossier-page.ts';
import { dossierParts, type EvidenceFile } from '../../../pages/dossier-parts.ts';
import { lookIntoLedgerOf, systemClock } from '../../../runs/open-run.ts';
import { safeName } from '../../../text/safe-file-name.ts';
import { type Dossier, dossierOf } from '../../../views/queries/dossier.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSessionToLook, type Session } from '../../session/command-session.ts';
import { yellow } from '../../session/terminal.ts';

export const dossierCommand: CommandModule = { run: writeDossier };

type Options = { readonly out?: string; readonly evidence?: readonly string[] };

async function writeDossier(name: string, { out, evidence = [] }: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { instance, language, locale } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const entry = await oneDocument(ledger.queries.find({ ids: [name] }), name);
  const files = evidence.map(readEvidence);
  const places = placesOf(out, `dossier-${safeName(entry.name, 120)}`);
  for (const { path } of places) {
    if (!existsSync(path)) continue;
    throw new OperatorError('dossier/exists', DOSSIER.exists({ path }), { hint: DOSSIER.otherPlace() });
  }
  const dossier = await dossierOf({ instance, ledger, clock: systemClock }, entry);
  const madeAt = systemClock.now().toISOString();
  const page = dossierPage(dossier, { locale, madeAt });
  for (const { kind, path } of places) {
    await mkdir(dirname(path), { recursive: true });
    const parts = () => dossierParts(dossier, { madeAt, language, page, evidence: files });
    await writeDurable(path, kind === 'page' ? page : inOnePiece(await zipOf(parts())));
  }
  report(session, dossier, places);
  if (dossier.proof.breaks > 0) process.exitCode = 3;
}

function report(
  { options, terminal, say }: Session,
  { entry, proof, missing }: Dossier,
  places: readonly Place[],
): void {
  const { breaks } = proof;
  if (options.json) {
    const written = Object.fromEntries(places.map(({ kind, path }) => [kind, path]));
    const { id, facts } = entry;
    const shown = { id, identifier: facts.identifier, page: null, archive: null, ...written, breaks, missing };
    terminal.out(JSON.stringify(shown, null, 2));
    return;
  }
  for (const { path } of places) terminal.out(`  ${say(DOSSIER.written({ path }))}`);
  if (missing.length > 0) terminal.out(yellow(`  ${say(DOSSIER.incomplete({ count: missing.length }))}`));
  if (breaks > 0) terminal.out(yellow(`  ${say(DOSSIER.notVerified({ count: breaks }))}`));
}

async function oneDocument(found: AsyncIterable<LedgerEntry>, name: string): Promise<LedgerEntry> {
  const entries: LedgerEntry[] = [];
  for await (const entry of found) entries.push(entry);
  const [entry] = entries;
  if (!entry) throw new OperatorError('dossier/no-such-document', DOSSIER.noSuch({ name }), { hint: SELECTION.list() });
  if (entries.length === 1) return entry;
  const ids = entries.map(({ id, state }) => `${id} (${state})`);
  throw new OperatorError('dossier/several', DOSSIER.several({ name, ids }), { hint: DOSSIER.oneId() });
}

function readEvidence(path: string): EvidenceFile {
  try {
    return { name: basename(path), content: readFileSync(path) };
  } catch {
    throw new OperatorError('dossier/no-evidence', DOSSIER.noEvidence({ path }));
  }
}

type Place = { readonly kind: 'page' | 'archive'; readonly path: string };

/** A name that ends in .html or .zip is that file alone; any other is a folder; the present one by default. */
function placesOf(out: string | undefined, stem: string): readonly Place[] {
  const ending = out?.toLowerCase();
  if (out !== undefined && ending?.endsWith('.html')) return [{ kind: 'page', path: resolve(out) }];
  if (out !== undefined && ending?.endsWith('.zip')) return [{ kind: 'archive', path: resolve(out) }];
  const folder = resolve(out ?? '.');
  return [
    { kind: 'page', path: join(folder, `${stem}.html`) },
    { kind: 'archive', path: join(folder, `${stem}.zip`) },
  ];
}
