/**
 * Decisions and questions of a person, each as its steps alone: consult, resolve, reprocess, requeue, set aside. Nothing is
 * submitted. Between two runs `betweenRuns` recovers first and publishes after; in a run they go between its commits.
 */

import { basename } from 'node:path';
import type { DueDocument } from '../ledger/contract/submission-store.ts';
import {
  type Evidence,
  FILE_SET_ASIDE,
  firstFileOf,
  type LedgerEntry,
  type SourceFile,
} from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { allows } from '../model/state.ts';
import { findEntries } from '../pipeline/context/find-entry.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { ingestAll } from '../pipeline/intake/ingest-all.ts';
import { ingestClaimed } from '../pipeline/intake/ingest-file.ts';
import { takeDecisions } from '../pipeline/reprocessing/folder-decisions.ts';
import type { ReprocessDecision } from '../pipeline/reprocessing/reprocess-documents.ts';
import { copyToInbox } from '../pipeline/reprocessing/requeue-file.ts';
import { consultDue } from '../pipeline/submission/consult-due.ts';
import { appendAll } from '../text/long-lists.ts';
import type { FileReadAgain, ServiceConsulted } from './act-result.ts';

/**
 * `steps` are the names of those that the same request has made before it was cut off; the ledger makes none of them again.
 */
export type ActContext = RunContext & { readonly steps: ReadonlySet<string> };

/** Due documents that one consultation asks about per service; the others stay due. */
export const CONSULTED_AT_MOST = 1000;

/** Second readings that were decided before a stop; one during which the program died is left to the end of a run. */
export async function completeReadings(context: RunContext): Promise<void> {
  for (const file of await context.ledger.intake.loadingFiles()) {
    if (file.rereads !== undefined && context.readingMarks.deathsOf(file.id) === 0) await ingestClaimed(context, file);
  }
}

/** Asks the services for the outcome of these documents, or of those that are due, and records the answers. */
export async function consult(
  context: RunContext,
  ids: readonly string[] | undefined,
  { at }: Pick<ReprocessDecision, 'at'>,
): Promise<readonly ServiceConsulted[]> {
  const able = [...context.services.values()].filter(({ destination }) => destination.consult !== undefined);
  return await Promise.all(
    able.map(async (runtime) => {
      const { name: service } = runtime.destination;
      const now = context.clock.now().getTime();
      const due = ids
        ? await namedDocuments(context, ids, { service, at })
        : { open: await context.ledger.submissions.consultDue(service, now, CONSULTED_AT_MOST), asked: [] };
      const { asked, stopped } = await consultDue(context, runtime, due.open.length, due.open);
      const all = [...due.asked, ...due.open.slice(0, asked).map(({ id }) => id)];
      if (!stopped) return { service, asked: all };
      return { service, asked: all, stopped: { cause: stopped.why, says: stopped.says } };
    }),
  );
}

/** The documents of a service that may be consulted. `asked`: since the request was made, before it was cut off. */
async function namedDocuments(
  { ledger }: RunContext,
  ids: readonly string[],
  { service, at }: { readonly service: string; readonly at: string },
) {
  const open: DueDocument[] = [];
  const asked: string[] = [];
  for (const entry of await findEntries(ledger.queries, ids)) {
    if (entry.service !== service) continue;
    if (entry.attempts.some((one) => one.act === 'consult' && one.at >= at)) asked.push(entry.id);
    else if (allows(entry.state, 'consult') && !entry.purged) {
      const { id, revision, kind, class: documentClass, facts, file } = entry;
      const mapping = must(file.mapping, 'the mapping of a sent document');
      open.push({ id, revision, kind, service, class: documentClass, identifier: facts.identifier, mapping, tries: 0 });
    }
  }
  return { open, asked };
}

/** Commits that wait together share a flush. */
const TOGETHER = 32;

/** Records an outcome that a person found out or decided. `refused`: ids whose state or version does not allow it. */
export async function resolveDocuments(
  context: RunContext,
  ids: readonly string[],
  evidence: Evidence,
): Promise<{ readonly refused: readonly string[] }> {
  const { ledger } = context;
  const refused: string[] = [];
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const some = ids.slice(from, from + TOGETHER);
    const asks = evidence.as === 'contingency' ? await firstQuestions(context, some, evidence) : undefined;
    const done = await Promise.all(
      some.map((id) => ledger.submissions.resolve(id, evidence, { consultAt: asks?.get(id) })),
    );
    appendAll(
      refused,
      some.filter((_, n) => !done[n]),
    );
  }
  return { refused };
}

/** When each service is asked about a contingency that a person has recorded: as if its own answer had come then. */
async function firstQuestions({ ledger, instance, random }: RunContext, ids: readonly string[], { at }: Evidence) {
  const destinations = new Map(instance.destinations.map((one) => [one.name, one]));
  const now = new Date(at);
  const entries = await findEntries(ledger.queries, ids);
  return new Map(entries.map(({ id, service }) => [id, destinations.get(service)?.contingency(now, 0, random)]));
}

/** Whether the same request has read the source of the document again before. */
export function isRead({ steps }: Pick<ActContext, 'steps'>, entry: LedgerEntry): boolean {
  return steps.has(`openReprocess ${firstFileOf(entry)}`);
}

/**
 * Ingests a refused file once more as a whole, as if it were dropped again; a pair with its other half. Resolves to what
 * became of these files.
 */
export async function requeueFile(
  context: ActContext,
  file: SourceFile,
  { by, reason, at }: ReprocessDecision,
): Promise<readonly FileReadAgain[]> {
  const { ledger } = context;
  const names = new Set([file.name]);
  // A request that was cut off after it: the file is in the inbox, or was taken from it.
  if (!context.steps.has('recordEvent file-taken-again')) {
    const paths = await copyToInbox(context, file);
    for (const path of paths) names.add(basename(path));
    await ledger.corrections.recordEvent({
      what: 'file-taken-again',
      file: file.id,
      at,
      person: by,
      detail: { reason },
    });
    await takeDecisions(context);
    await ingestAll(context, 'run', { files: paths, alone: true });
  }
  const files = await ledger.queries.files({ since: at, limit: Number.MAX_SAFE_INTEGER });
  const since = files.filter((one) => one.rereads === undefined && names.has(one.name));
  return await Promise.all(
    since.map(async (one) => {
      let documents = 0;
      for await (const _ of ledger.queries.entriesOf(one.id)) documents++;
      return { name: one.name, state: one.state, rows: one.rows, faults: one.faults, documents };
    }),
  );
}

/**
 * Records that a refused file needs no action. Its bytes stay in the archive; dropped again, it is an ordinary file.
 */
export async function setFileAside(
  { ledger }: RunContext,
  file: Pick<SourceFile, 'id'>,
  { by, reason, at }: ReprocessDecision,
): Promise<void> {
  await ledger.corrections.recordEvent({ what: FILE_SET_ASIDE, file: file.id, at, person: by, detail: { reason } });
}
