/**
 * Control files of the ERP, which state what it exported: read from the inbox, recorded in the ledger, then moved into the
 * archive. One that cannot be read is recorded with its problem. Nothing that is sent depends on them: a refusal of the disk
 * leaves the file in the inbox for the next run.
 */
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../files/fsync-directory.ts';
import { OPEN_SAFELY, readPlain } from '../../files/read-bounded.ts';
import { sha256OfOurs } from '../../files/sha256-of-file.ts';
import { format, type Message } from '../../i18n/message.ts';
import { CONTROL_PROBLEM } from '../../i18n/messages/report/report-settings-messages.ts';
import { emptyMemory, type InboxMemory } from '../../inbox/at-rest.ts';
import { INBOX_RULES } from '../../inbox/inbox-rules.ts';
import { isSameFile } from '../../inbox/plain-file.ts';
import { type InboxCandidate, postpone } from '../../inbox/scan-inbox.ts';
import { systemErrorFault } from '../../inbox/system-errors.ts';
import type { ControlFile } from '../../ledger/contract/report-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isMistake } from '../../model/ledger-unavailable.ts';
import { matchesName } from '../../text/glob.ts';
import { nameText } from '../../text/safe-file-name.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { RunContext } from '../context/run-context.ts';
import { readControlValue } from './control-values.ts';
import { controlPatterns, kindOfName } from './inbox-names.ts';
import { type LookMode, lookAtInbox, reportWaiting } from './look-at-inbox.ts';

type Expectation = RunContext['instance']['settings']['expect'][number];
type Controls = NonNullable<Expectation['controls']>;

/** A control file has a few lines. */
const MOST_KIB = 64;

/** What earlier looks saw of them, by the memory of the run. */
const memories = new WeakMap<InboxMemory, InboxMemory>();

/**
 * Those that are at rest, by the rule for exports. Each other one is reported: what a run leaves waiting, what is no plain file,
 * what the system does not let read.
 */
export async function takeControlFiles(context: RunContext, mode: LookMode): Promise<void> {
  const { instance, clock, inboxMemory } = context;
  const wanted = instance.settings.expect.filter(({ controls }) => controls !== undefined);
  if (wanted.length === 0) return;
  const memory = memories.get(inboxMemory) ?? emptyMemory();
  memories.set(inboxMemory, memory);
  const only = controlPatterns(instance);
  const { maxBytes } = instance.limits;
  const rules = { ...INBOX_RULES, settleMs: instance.settings.inbox.settle, maxBytes, only };
  const { ready, waiting } = await lookAtInbox(context, { mode, rules, memory });
  const isControl = (name: string) => kindOfName(instance, name) === 'control';
  for (const candidate of ready) {
    const name = nameText(candidate.name);
    if (!isControl(name)) continue;
    const of = wanted.filter(({ controls }) => controls && matchesName(controls.file, name));
    const found = {
      path: join(instance.paths.inbox, name),
      name,
      seen: candidate,
      of,
    };
    await takeOne(context, found).catch((error: NodeJS.ErrnoException) => {
      // The ledger ends the run by itself; a file that stays is read again.
      if (error.syscall === undefined) throw error;
      const fault = systemErrorFault(error, name);
      const nowMs = clock.now().getTime();
      const isNew = postpone(memory, candidate, { code: fault.code, nowMs, untilMs: nowMs });
      if (isNew) context.emit({ what: 'inbox-refused', file: name, fault });
    });
  }
  if (mode !== 'run') return;
  reportWaiting(
    context,
    waiting.filter(({ name }) => isControl(name)),
  );
}

type Found = {
  readonly path: string;
  readonly name: string;
  readonly seen: Pick<InboxCandidate, 'size' | 'mtimeMs'>;
  readonly of: readonly Expectation[];
};

async function takeOne(context: RunContext, { path, name, seen, of }: Found): Promise<void> {
  const { ledger, instance, clock, run, day } = context;
  const isLarge = seen.size > MOST_KIB * 1024;
  const read = await readAsSeen(path, seen, isLarge);
  if (!read) return;
  const { before, bytes } = read;
  const modifiedAt = new Date(seen.mtimeMs).toISOString();
  const sha256 = isLarge ? await sha256OfOurs(path) : sha256Hex(bytes);
  const { language } = instance.settings.rules;
  for (const { name: expect, controls } of of) {
    if (!controls) continue;
    const stated = isLarge
      ? { problem: CONTROL_PROBLEM.tooLarge({ most: MOST_KIB }) }
      : await statedBy(textOf(bytes), controls).catch(notRead);
    const { problem, ...values } = stated;
    const about = { expect, name, sha256, modifiedAt, at: clock.now().toISOString(), run };
    await ledger.reports.recordControlFile(
      definedOnly({ ...about, ...values, problem: problem && format(problem, language) }),
    );
  }
  const folder = join(instance.paths.archive, 'controls', day);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The hash keeps files of one name apart.
  const target = join(folder, `${sha256.slice(0, 16)}-${name}`);
  // What was read is archived; a file that has come into its place since is read by the next look.
  if (isLarge) await copyPlain(path, target);
  else await writeFile(target, bytes, { mode: 0o600, flush: true });
  const now = await lstat(path).catch(() => undefined);
  if (now && isSameFile(before, now)) {
    await rm(path);
    // Taken without it, whatever the settings ask of exports; left, it would wait for the next file of the name.
    const { marker } = instance.settings.inbox;
    if (marker !== undefined) await rm(path + marker, { force: true });
  }
  await syncFolder(folder);
  await syncFolder(instance.paths.inbox);
}

/** Neither waits for a pipe nor follows a link that has come into its place since the look. */
async function copyPlain(path: string, target: string): Promise<void> {
  await using source = await open(path, OPEN_SAFELY);
  const bytes = source.createReadStream({ autoClose: false, start: 0 });
  await pipeline(bytes, createWriteStream(target, { mode: 0o600, flush: true }));
}

/** Without bytes if it is large; undefined if another file has come since the look: the next one judges whether it is at rest. */
async function readAsSeen(path: string, { size, mtimeMs }: Found['seen'], isLarge: boolean) {
  const before = await lstat(path);
  const bytes = isLarge ? Buffer.alloc(0) : readPlain(path, size);
  const isOther = before.size !== size || before.mtimeMs !== mtimeMs || (!isLarge && bytes.length !== size);
  return isOther ? undefined : { before, bytes };
}

type Stated = Pick<ControlFile, 'documents' | 'amount'> & { readonly problem?: Message };

/** A defect of the program at one file is its problem: it must not end each run. */
function notRead(error: unknown): Stated {
  if (!isMistake(error)) throw error;
  return { problem: CONTROL_PROBLEM.notRead({ reason: `${error.name}: ${error.message}` }) };
}

async function statedBy(content: string, { documents, amount, decimal }: Controls): Promise<Stated> {
  const stated: { documents?: number; amount?: string } = {};
  if (documents !== undefined) {
    const found = readControlValue(content, documents);
    if ('problem' in found) return found;
    const count = Number(found.value);
    if (!Number.isSafeInteger(count) || count < 0)
      return { problem: CONTROL_PROBLEM.notANumber({ name: documents, given: found.value }) };
    stated.documents = count;
  }
  if (amount !== undefined) {
    const found = readControlValue(content, amount, decimal);
    if ('problem' in found) return found;
    stated.amount = found.value;
  }
  return stated;
}

/** UTF-8, or Latin letters of an old ERP: names and digits are the same in both. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return (text.includes('\ufffd') ? bytes.toString('latin1') : text).replace(/^\ufeff/, '');
}
