/**
 * The folders of one round of answers: chosen files go into them, and what kept answers from a folder is recorded with it,
 * until a round in which nothing did. A folder that cannot take files delays answers and nothing else. Errors of the ledger
 * are thrown.
 */
import { rm } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { format } from '../../i18n/message.ts';
import { ANSWERS_FAULT } from '../../i18n/messages/receipts-messages.ts';
import type { AnswerFieldProblem, AnswersFile } from '../../ledger/contract/answer-store.ts';
import { OperatorError } from '../../model/fault.ts';
import { checkAnswerFolder, keepAnswerNumbers, placeAnswerFile } from '../../receipts/place-answer-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { copyPath } from './answer-draft.ts';

/** Path of a folder of the settings; undefined where the settings have none of this name. */
export function answerFolderPath(
  { folder, settings }: Pick<RunContext['instance'], 'folder' | 'settings'>,
  name: string,
): string | undefined {
  const given = settings.answers.folders[name] ?? (name === 'answers' ? 'answers' : undefined);
  return given === undefined ? undefined : resolve(folder, given);
}

export type AnswerFolders = {
  /** Puts a chosen file into its folder. */
  readonly place: (file: AnswersFile) => Promise<void>;
  /** Runs `act` unless the folder cannot take files now; its failure delays the folder. */
  readonly within: (name: string, act: () => Promise<void>) => Promise<void>;
  /** The answers of an export for this folder could not be made. */
  readonly notMade: (name: string, file: string, problem: string) => void;
  /** Every folder was looked at: delays that are over end, and fields that are not as they should be are reported. */
  readonly end: () => Promise<void>;
};

/** A folder that failed once is left alone for the rest of the round, so that files stay in their order. */
export function createAnswerFolders(context: RunContext): AnswerFolders {
  const { ledger, clock, instance } = context;
  const { language } = instance.settings.rules;
  const ready = new Map<string, Promise<string | undefined>>();
  const unmade = new Map<string, { readonly file: string; readonly problem: string; readonly count: number }>();
  const fields = new Map<string, AnswerFieldProblem>();
  const numbers = new Map<string, Map<string, number>>();
  const delay = async (name: string, path: string, code: string, says: string) => {
    await ledger.answers.delayAnswers(name, { path, at: clock.now().toISOString(), code, says });
    context.emit({ what: 'answers-delayed', folder: name, path, code, says });
  };
  const fail = async (name: string, path: string, error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    ready.set(name, Promise.resolve(undefined));
    await delay(name, path, error.code, error.localized(language).message);
  };
  const look = async (name: string): Promise<string | undefined> => {
    const path = answerFolderPath(instance, name);
    try {
      if (path === undefined) {
        const hint = ANSWERS_FAULT.nameFolder();
        throw new OperatorError('answers/no-folder', ANSWERS_FAULT.noFolder({ name }), { hint });
      }
      const known = (await ledger.answers.answerFolder(name)) === path;
      const own = !isAbsolute(instance.settings.answers.folders[name] ?? '');
      await checkAnswerFolder(path, { known, own });
      if (!known) await ledger.answers.useAnswerFolder(name, path);
      return path;
    } catch (error) {
      await fail(name, path ?? '', error);
      return undefined;
    }
  };
  const pathOf = (name: string) => {
    const known = ready.get(name) ?? look(name);
    ready.set(name, known);
    return known;
  };
  const noteFields = (file: AnswersFile) => {
    for (const one of file.fields ?? []) {
      const key = `${one.why} ${one.field}`;
      fields.set(key, { ...one, count: one.count + (fields.get(key)?.count ?? 0) });
    }
  };
  const place = async (file: AnswersFile) => {
    const current = await pathOf(file.folder);
    if (current === undefined) return;
    const isPlaced = file.state === 'placed';
    const folder = isPlaced ? (file.path ?? current) : current;
    const copy = copyPath(context, file);
    try {
      const { name, sha256, marker } = file;
      const done = await placeAnswerFile({ name, sha256, folder, marker, isPlaced, copy }, async () => {
        await ledger.answers.answerFilePlaced(file.id, folder);
      });
      await ledger.answers.answerFileDone(file.id, done, clock.now().toISOString());
      await rm(copy, { force: true });
      context.emit({ what: 'answers-written', file: name, folder, documents: file.documents });
      noteFields(file);
      const ofFolder = numbers.get(folder) ?? new Map<string, number>();
      numbers.set(folder, ofFolder.set(file.answers, file.n));
    } catch (error) {
      await fail(file.folder, folder, error);
    }
  };
  const within = async (name: string, act: () => Promise<void>) => {
    if ((await pathOf(name)) !== undefined) await act();
  };
  const notMade = (name: string, file: string, problem: string) => {
    context.emit({ what: 'answers-failed', file, problem });
    const before = unmade.get(name);
    unmade.set(name, before ? { ...before, count: before.count + 1 } : { file, problem, count: 1 });
  };
  const end = async () => {
    for (const { folder } of (await ledger.answers.answersWaiting()).delays) {
      const failed = ready.has(folder) && (await ready.get(folder)) === undefined;
      if (!failed && !unmade.has(folder)) await ledger.answers.endAnswerDelay(folder);
    }
    for (const [name, about] of unmade) {
      const path = (await ready.get(name)) ?? '';
      if (path !== '') await delay(name, path, 'answers/not-made', format(ANSWERS_FAULT.notMade(about), language));
    }
    // Only a restored ledger reads them: a folder that cannot take them now keeps the last ones.
    await Promise.allSettled([...numbers].map(([folder, last]) => keepAnswerNumbers(folder, last)));
    if (fields.size > 0) context.emit({ what: 'answers-incomplete', fields: [...fields.values()] });
  };
  return { place, within, notMade, end };
}
