/**
 * What people do about files and expected exports: take again, set aside, waive, undo, send a file. Each form has an id, so
 * that it is one act however often it is sent; after it the page says what happened. Refusals are ScreenError 400 or 409.
 */
import { FILE_ACT } from '../../../i18n/messages/console/console-files-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import type { ActName, ActOf } from '../../../pipeline/decisions/act.ts';
import { receiveUpload } from '../../../pipeline/intake/receive-upload.ts';
import { type SubmittedAnswer, submitAct } from '../../../pipeline/submit-act.ts';
import { pageAnswer } from '../../server/console-answers.ts';
import { readUpload } from '../../server/read-upload.ts';
import { type Screen, type ScreenContext, ScreenError, seeOther } from '../../server/screen-context.ts';
import { requireCsrf } from '../../server/sign-in.ts';
import { filesPage } from './files-screen.ts';

/** An answer that takes longer waits for the run at work. */
const WAIT_MS = 2000;
const ID = /^[\w-]{8,64}$/;
const MOST_REASON = 500;

export const takeFileAgain: Screen = async (context) => {
  const file = fieldOf(context, 'file');
  const answer = await submitForm(context, { act: 'reprocess-file', file });
  const name = (await context.ledger.sourceFile(file))?.name;
  // The file that was made of it is another one.
  const [latest] = 'result' in answer && name !== undefined ? await context.ledger.filesCalled(name) : [];
  return toFile(context, latest?.id ?? file, answer, 'taken-again');
};

export const setFileAsideScreen: Screen = async (context) => {
  const file = fieldOf(context, 'file');
  return toFile(context, file, await submitForm(context, { act: 'set-file-aside', file }), 'set-aside');
};

export const undoFileScreen: Screen = async (context) => {
  const file = fieldOf(context, 'file');
  return toFile(context, file, await submitForm(context, { act: 'undo-file', file }), 'undone');
};

export const waiveExportScreen: Screen = async (context) => {
  const [name, due] = [fieldOf(context, 'export'), fieldOf(context, 'due')];
  if (!Number.isFinite(Date.parse(due))) throw new ScreenError({ status: 400, message: FILE_ACT.incomplete() });
  const act = { act: 'waive', export: name, due: new Date(due).toISOString() } as const;
  return toFiles(context, await submitForm(context, act), 'waived');
};

export const undoWaiverScreen: Screen = async (context) =>
  toFiles(context, await submitForm(context, { act: 'undo-export', export: fieldOf(context, 'export') }), 'unwaived');

/** Streams the file of the form into the inbox. The token comes before the file, so nothing is written without it. */
export const uploadScreen: Screen = async (context) => {
  const { fields, file } = await readUpload(context.request);
  requireCsrf(fields, context.csrf);
  const received = await receiveUpload(context.instance, file?.name ?? '', file?.bytes ?? nothing());
  if ('refused' in received) {
    const { refused, hint } = received;
    const text = [refused, ...(hint ? [hint] : [])].map(context.say).join(' ');
    return pageAnswer(await filesPage(context, { tone: 'support', text }), 422);
  }
  const { name, size } = received;
  context.record('file-uploaded', { name, size });
  return seeOther(context, `/files?${new URLSearchParams({ done: 'uploaded', name })}`);
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

function toFile(context: ScreenContext, id: string, answer: SubmittedAnswer<ActName>, done: string): Response {
  return seeOther(context, `/files/${encodeURIComponent(id)}?done=${'accepted' in answer ? 'accepted' : done}`);
}

function toFiles(context: ScreenContext, answer: SubmittedAnswer<ActName>, done: string): Response {
  return seeOther(context, `/files?done=${'accepted' in answer ? 'accepted' : done}`);
}

function fieldOf({ form }: ScreenContext, name: string): string {
  const value = form.get(name);
  if (typeof value === 'string' && value !== '' && value.length <= 500) return value;
  throw new ScreenError({ status: 400, message: FILE_ACT.incomplete() });
}

async function submitForm<Name extends ActName>(
  context: ScreenContext,
  act: ActOf<Name>,
): Promise<SubmittedAnswer<Name>> {
  const { instance, person } = context;
  const [key, reason] = [fieldOf(context, 'id'), fieldOf(context, 'reason').trim()];
  if (!ID.test(key) || reason === '' || reason.length > MOST_REASON) {
    throw new ScreenError({ status: 400, message: FILE_ACT.incomplete() });
  }
  const decision = { by: person.name, reason, at: new Date().toISOString() };
  // A browser that leaves does not end what a person has decided.
  const options = { tell: () => {}, stop: new AbortController().signal, waitMs: WAIT_MS };
  try {
    return await submitAct(instance, { id: `${person.id}-${key}`, act, decision }, options);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint } = error.texts;
    throw new ScreenError({ status: 409, message, ...(hint && { hint }) });
  }
}
