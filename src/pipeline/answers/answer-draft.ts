/**
 * One answer file while it is composed: its lines go into a copy of ours, page by page, and what each reports into the
 * ledger. The number is taken with the first document; `choose` makes all of it durable in one commit. Errors of the
 * disk and the ledger are thrown; a draft that is not chosen never counts.
 */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../files/fsync-directory.ts';
import type { AnsweredDocument, AnswerFieldProblem, AnswersFile } from '../../ledger/contract/answer-store.ts';
import type { AnswerScope } from '../../mapping/answers/answer-scope.ts';
import type { CompiledAnswers } from '../../mapping/answers/compiled-answers.ts';
import { type AnswerProblem, type AnswersComposer, composeAnswers } from '../../mapping/answers/compose-answers.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { Row, Table } from '../../model/row.ts';
import { beginSha256 } from '../../text/sha256.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Documents that are recorded in one commit, which waits for the disk. None counts before the file is chosen, so that a stop
 * loses nothing.
 */
const RECORDED_AT_ONCE = 20_000;

/** A document, what is known of its rows, and what is recorded as reported. */
export type AnswerLine = {
  readonly scope: Omit<AnswerScope, 'n' | 'run' | 'documents'>;
  readonly table: Table;
  readonly rows: readonly Row[];
  /** The other rows of a document with a line for each, in parts: it is written when all of them are read. */
  readonly more?: AsyncIterable<readonly Row[]>;
  /** Not all of its rows are given at once. */
  readonly isPart: boolean;
  readonly reported: AnsweredDocument;
};

export type AnswerDraft = {
  readonly add: (source: SourceFile, lines: readonly AnswerLine[]) => Promise<void>;
  /** The file with its documents, or undefined where nothing was added. */
  readonly choose: () => Promise<AnswersFile | undefined>;
  /** Closes the copy; the next round forgets the file. */
  readonly abandon: () => Promise<void>;
};

type Place = { readonly instance: Pick<RunContext['instance'], 'paths'> };

/** The folder of our copies, private. */
function copiesFolder({ instance }: Place): string {
  return join(instance.paths.state, 'answers');
}

export function copyPath(work: Place, { id }: Pick<AnswersFile, 'id'>): string {
  return join(copiesFolder(work), `${id}.answers`);
}

type Begun = { readonly file: AnswersFile; readonly handle: FileHandle; readonly composer: AnswersComposer };

export function createAnswerDraft(context: RunContext, mapping: Mapping, block: CompiledAnswers): AnswerDraft {
  const { ledger, clock, run, instance } = context;
  const hash = beginSha256();
  let begun: Begun | undefined;
  let documents = 0;
  let unrecorded: AnsweredDocument[] = [];
  const record = async ({ file }: Begun) => {
    if (unrecorded.length > 0) await ledger.answers.addAnswered(file.id, unrecorded);
    unrecorded = [];
  };
  const problems = new Map<string, AnswerFieldProblem>();
  // A formula that reports why it has no value is followed by the field that lacks it.
  const count = ({ field, why }: AnswerProblem) => {
    if (field === '') return;
    const key = `${why} ${field}`;
    problems.set(key, { field, why, count: (problems.get(key)?.count ?? 0) + 1 });
  };
  const write = async ({ handle }: Begun, text: string) => {
    if (text === '') return;
    const bytes = block.page.bytes(text);
    hash.update(bytes);
    await handle.writeFile(bytes);
  };
  const scopeOf = (file: AnswersFile): AnswerScope => ({ n: file.n, run, documents });
  const begin = async (source: SourceFile): Promise<Begun> => {
    const { name, to, marker } = block;
    const facts = { mapping: mapping.id, run, day: context.day, file: source };
    const file = await ledger.answers.beginAnswerFile({
      ...{ answers: block.id, folder: to, run, at: clock.now().toISOString() },
      ...(marker === undefined ? {} : { marker }),
      ...(name.perFile ? { file: source.id } : {}),
      nameOf: (n) => name.make({ ...facts, n }),
    });
    await mkdir(copiesFolder(context), { recursive: true, mode: 0o700 });
    const path = copyPath(context, file);
    await rm(path, { force: true });
    const { service } = must(
      instance.kinds.find((kind) => kind.name === mapping.target),
      'the kind of a mapping',
    );
    const day = instance.dayOf(service, clock.now());
    const composer = composeAnswers(block, day, count);
    const made = { file, handle: await open(path, 'wx', 0o600), composer };
    await write(made, composer.begin({ ...scopeOf(file), file: { ...source, claimedAt: source.claimedAt } }));
    return made;
  };
  return {
    add: async (source, lines) => {
      if (lines.length === 0) return;
      begun ??= await begin(source);
      const open = begun;
      let text = '';
      let count = documents;
      for (const { scope, table, rows, more, isPart } of lines) {
        count++;
        const whole = { ...scopeOf(open.file), documents: count, ...scope };
        text += open.composer.document(whole, table, rows, isPart);
        if (more) for await (const others of more) text += open.composer.document(whole, table, others, isPart);
      }
      documents = count;
      await write(open, text);
      for (const { reported } of lines) unrecorded.push(reported);
      if (unrecorded.length >= RECORDED_AT_ONCE) await record(open);
    },
    choose: async () => {
      if (!begun) return undefined;
      const { file, handle, composer } = begun;
      try {
        await record(begun);
        await write(begun, composer.end(scopeOf(file)));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(copiesFolder(context));
      const sums = beginSha256();
      for await (const line of ledger.answers.answeredLines(file.id)) sums.update(line);
      const sha256 = hash.digest('hex');
      const at = clock.now().toISOString();
      const documentsSha256 = sums.digest('hex');
      const content = { sha256, documents, documentsSha256, at, fields: [...problems.values()] };
      await ledger.answers.chooseAnswerFile(file.id, content);
      return { ...file, ...content, state: 'chosen' };
    },
    abandon: async () => await begun?.handle.close(),
  };
}
