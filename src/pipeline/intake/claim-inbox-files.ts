/**
 * From the inbox to claimed files: candidates that are ready, with their claims recorded in the ledger as `loading`.
 * Pages of files are claimed ahead of the work, so that folder flushes and commits are shared. A file that cannot be
 * claimed stays in the inbox and is reported; errors of the disk and the ledger pass to the caller.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { NAMED_FILE } from '../../i18n/messages/pipeline-messages.ts';
import { claimCandidates } from '../../inbox/claim-candidates.ts';
import { INBOX_RULES, type InboxRules } from '../../inbox/inbox-rules.ts';
import {
  type InboxCandidate,
  type InboxScan,
  inspectNamedFile,
  postpone,
  rememberNames,
} from '../../inbox/scan-inbox.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { refuse } from '../admission/admit-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { processingOf } from '../context/worker-folders.ts';
import { copyInto } from '../sources/copy-into-inbox.ts';
import { ownerName } from '../sources/file-owner.ts';
import { setAsideOf } from './inbox-names.ts';
import { type LookMode, lookAtInbox } from './look-at-inbox.ts';

/** How many files are claimed before the first of them is read: their folder syncs and commits are shared. */
const PAGE = 256;
/** Next to other workers a page ends with so many bytes: they cannot convert what one of them has claimed. */
const SHARED_BYTES = 1024 * 1024;
/** A file that could not be claimed (locked, no permission) is left alone for this long. */
const HELD_MS = 60_000;

/**
 * Claims candidates and records them, in pages: while one is worked on, the next one is claimed. Those that still grow, or
 * that another process holds, stay in the inbox.
 */
export async function* claimPages(
  context: RunContext,
  candidates: readonly InboxCandidate[],
): AsyncIterable<readonly SourceFile[]> {
  const hasPairs = context.instance.mappings.some((mapping) => mapping.join);
  const isShared = context.ledger.roles !== undefined && !hasPairs;
  const pages = pagesOf(candidates, isShared ? SHARED_BYTES : Number.POSITIVE_INFINITY);
  let next: Promise<readonly SourceFile[]> | undefined;
  try {
    for (let n = 0; n < pages.length && !context.stop.aborted; n++) {
      const page = await (next ?? claimPage(context, must(pages[n], 'a page')));
      const rest = pages[n + 1];
      // Not with pairs: the place of a half that is being claimed would be unknown. Nor large files that others may take.
      const isAhead = isShared ? rest?.length === PAGE : !hasPairs;
      next = rest && isAhead ? claimPage(context, rest) : undefined;
      // The error is thrown when the page is awaited; until then it must not end the program.
      next?.catch(() => undefined);
      yield page;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

/** A page has so many bytes at most, or one file. */
function pagesOf(candidates: readonly InboxCandidate[], bytes: number): readonly (readonly InboxCandidate[])[] {
  const pages: InboxCandidate[][] = [];
  let left = 0;
  for (const one of candidates) {
    const page = pages.at(-1);
    left -= one.size;
    if (page && page.length < PAGE && left >= 0) page.push(one);
    else {
      pages.push([one]);
      left = bytes - one.size;
    }
  }
  return pages;
}

async function claimPage(context: RunContext, page: readonly InboxCandidate[]): Promise<readonly SourceFile[]> {
  const { instance, run, day, clock, ledger, inboxMemory } = context;
  const claims = await claimCandidates(page, {
    processing: processingOf(context),
    run,
    uuid: randomUUID,
    maxBytes: instance.limits.maxBytes,
  });
  const opened = claims.map(async (one) => {
    if (one.what === 'held') {
      const nowMs = clock.now().getTime();
      const isNew = postpone(inboxMemory, one.candidate, { code: one.fault.code, nowMs, untilMs: nowMs + HELD_MS });
      if (isNew) context.emit({ what: 'inbox-refused', file: one.candidate.name.toString(), fault: one.fault });
    }
    if (one.what !== 'claimed') return undefined;
    const { faults, run: _, uid, nameFile, ...claimed } = one.file;
    context.emit({ what: 'file-claimed', file: claimed.name, bytes: claimed.size });
    const file = await ledger.intake.openFile({
      ...claimed,
      claimedAt: clock.now().toISOString(),
      owner: ownerName(uid),
      day,
      run,
    });
    if (nameFile !== undefined) await rm(nameFile, { force: true });
    if (faults.length === 0) return file;
    await refuse(context, file, { faults, rows: 0, leftOut: [] });
    return undefined;
  });
  return (await Promise.all(opened)).filter((file) => file !== undefined);
}

function rulesOf({ instance }: RunContext): InboxRules {
  const { inbox } = instance.settings;
  return definedOnly({
    ...INBOX_RULES,
    settleMs: inbox.settle,
    setAside: (name: string) => setAsideOf(instance, name),
    maxBytes: instance.limits.maxBytes,
    marker: inbox.marker,
  });
}

/** One look at the inbox; a one-shot run gives young files one settle time to come to rest. `most`: see the rules. */
export async function scanForRun(context: RunContext, mode: LookMode, most = INBOX_RULES.most): Promise<InboxScan> {
  const { instance, clock, inboxMemory: memory } = context;
  const rules = { ...rulesOf(context), most };
  const look = await lookAtInbox(context, { mode, rules, memory });
  // Seen with their exports, they are at rest as soon as these are.
  const companions = instance.mappings.flatMap(({ accepts }) => accepts.companions);
  if (mode === 'watch')
    rememberNames(instance.paths.inbox, companions, { rules, nowMs: clock.now().getTime(), memory });
  return look;
}

/**
 * Files that a person names are taken at once, whatever their age, and otherwise as a look finds them: with their marker, and
 * not without it. A file outside of the inbox is copied into it first. Throws OperatorError inbox/no-such-file; emits what is
 * refused.
 */
export async function candidatesFor(context: RunContext, paths: readonly string[]): Promise<readonly InboxCandidate[]> {
  const { inbox } = context.instance.paths;
  const { marker } = context.instance.settings.inbox;
  const candidates: InboxCandidate[] = [];
  for (const path of paths) {
    const name = basename(path);
    const place = join(inbox, name);
    if (resolve(path) !== resolve(place)) await copyInto(path, place, marker);
    const sight = await inspectNamedFile(inbox, Buffer.from(name), rulesOf(context), context.clock.now().getTime());
    if (!sight) {
      throw new OperatorError('inbox/no-such-file', NAMED_FILE.notThere({ path }), { hint: NAMED_FILE.nothingTaken() });
    }
    if ('ready' in sight) candidates.push(sight.ready);
    else context.emit({ what: 'inbox-refused', file: name, fault: sight.refused });
  }
  return candidates;
}
