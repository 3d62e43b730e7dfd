/**
 * What the pages about mappings ask of the worker, for one mapping of the instance or a new one. Results of tests are
 * remembered by the hash of the mapping until the program ends.
 */

import { findSample } from '../../../authoring/studio-samples.ts';
import type { Message } from '../../../i18n/message.ts';
import { STUDIO_ENDED } from '../../../i18n/messages/console/console-studio-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import type { SourceFile } from '../../../model/ledger-entry.ts';
import type { State } from '../../../model/state.ts';
import { sideOf } from '../../../pipeline/reprocessing/reconvert-source.ts';
import { pairRoleOf } from '../../../pipeline/sources/file-pairs.ts';
import { partnerOf } from '../../../pipeline/sources/pair-partners.ts';
import { sourceNow } from '../../../pipeline/sources/source-now.ts';
import type { SentContent } from '../../../views/preview/diff-sent.ts';
import type { SentSample, StudioSample, StudioTask, StudioTest } from '../../../views/preview/studio-tasks.ts';
import { createStudioWorker, type StudioAnswer } from '../../../views/preview/studio-worker.ts';
import type { ScreenContext } from '../../server/screen-context.ts';

/** A live preview does not wait for a comparison. */
const looks = createStudioWorker();
const tasks = createStudioWorker();

type Ask<T extends StudioTask> = T extends StudioTask ? Omit<T, 'folder' | 'settings' | 'language'> : never;

export async function askStudio(context: ScreenContext, asked: Ask<StudioTask>): Promise<StudioAnswer> {
  const { instance, language, signal } = context;
  const task = { ...asked, folder: instance.folder, settings: instance.settings, language } as StudioTask;
  return await (task.do === 'look' ? looks : tasks).ask(task, signal);
}

export function endedWords(ended: Extract<StudioAnswer, { ended: string }>['ended']): Message {
  return STUDIO_ENDED[ended]();
}

const results = new Map<string, readonly StudioTest[]>();
const MOST_RESULTS = 500;

export function testResultOf(sha256: string): readonly StudioTest[] | undefined {
  return results.get(sha256);
}

export function rememberTests(sha256: string, outcomes: readonly StudioTest[]): void {
  if (results.size >= MOST_RESULTS) results.clear();
  results.set(sha256, outcomes);
}

type SampleContext = Pick<ScreenContext, 'instance' | 'ledger'>;

/** The sample that a form or an address names: `upload:KEY`, or the id of an archived file. */
export async function sampleNamed(context: ScreenContext, name: string): Promise<StudioSample | undefined> {
  const { instance, ledger } = context;
  if (name.startsWith('upload:')) {
    const found = findSample(instance.folder, name.slice('upload:'.length));
    return found && { name: found.name, path: found.path, claimedAt: new Date().toISOString() };
  }
  const file = name === '' ? undefined : await ledger.queries.sourceFile(name);
  return file && !file.purged ? await archivedSample(context, file) : undefined;
}

/** Documents whose sent content is read for a comparison, and characters of it: attachments may make each of them large. */
const MOST_SENT = { documents: 2_000, characters: 32 * 1024 * 1024 };

/** The files with what was sent of them, the latest first, up to the most; of the last file perhaps a part. */
export async function sentSamples(
  context: SampleContext,
  files: readonly SourceFile[],
  most: typeof MOST_SENT = MOST_SENT,
): Promise<readonly SentSample[]> {
  const { ledger } = context;
  const samples: SentSample[] = [];
  let [documents, characters] = [0, 0];
  const isFull = () => documents >= most.documents || characters >= most.characters;
  for (const file of files) {
    const sent: SentContent[] = [];
    for await (const { id, class: documentClass, facts, rows } of ledger.queries.find({
      file: file.id,
      states: SENT,
    })) {
      if (isFull()) break;
      const content = await ledger.queries.contentOf(id);
      if (content === undefined) continue;
      sent.push({ identifier: facts.identifier, class: documentClass, rows, content });
      documents++;
      characters += content.length;
    }
    if (sent.length > 0) samples.push({ ...(await archivedSample(context, file)), sent });
    if (isFull()) break;
  }
  return samples;
}

/** The service has them. */
const SENT: readonly State[] = ['authorized', 'contingency'];

/** An archived file with the other half of its pair; the lines come first. */
export async function archivedSample({ instance, ledger }: SampleContext, file: SourceFile): Promise<StudioSample> {
  const mapping = instance.mappings.find(({ id }) => id === file.mapping?.id);
  const partner = mapping && (await partnerOf(ledger.queries, mapping, file));
  const isHeaders = mapping !== undefined && sideOf(pairRoleOf([mapping], file.name)) === 'headers';
  const now = async (one: SourceFile) => await sourceNow(instance.folder, one);
  const [own, other] = [await now(file), partner && (await now(partner))];
  const [lines, headers] = isHeaders && other ? [other, own] : [own, other];
  return definedOnly({
    name: lines.name,
    path: lines.path,
    claimedAt: file.claimedAt,
    partner: headers && { name: headers.name, path: headers.path },
  });
}
