/**
 * What people do about files and expected exports: take again, set aside, waive, undo, send a file. Each form has an id, so
 * that it is one act however often it is sent; after it the page says what happened. Refusals are ScreenError 400 or 409.
 */
import { ACT_FORM } from '../../../i18n/messages/console/console-files-messages.ts';
import { receiveUpload } from '../../../pipeline/intake/receive-upload.ts';
import type { HandedAnswer } from '../../server/act-desk.ts';
import { pageAnswer } from '../../server/console-answers.ts';
import { readUpload } from '../../server/read-upload.ts';
import { type Screen, type ScreenContext, ScreenError, seeOther } from '../../server/screen-context.ts';
import { requireCsrf } from '../../server/sign-in.ts';
import { requiredField, submitForm } from '../submit-form.ts';
import { filesPage } from './files-screen.ts';

export const takeFileAgain: Screen = async (context) => {
  const file = requiredField(context, 'file');
  const answer = await submitForm(context, { act: 'reprocess-file', file });
  const name = (await context.ledger.queries.sourceFile(file))?.name;
  // The file that was made of it is another one.
  const [latest] = 'result' in answer && name !== undefined ? await context.ledger.queries.filesCalled(name) : [];
  return toFile(context, latest?.id ?? file, answer, 'taken-again');
};

export const setFileAsideScreen: Screen = async (context) => {
  const file = requiredField(context, 'file');
  return toFile(context, file, await submitForm(context, { act: 'set-file-aside', file }), 'set-aside');
};

export const undoFileScreen: Screen = async (context) => {
  const file = requiredField(context, 'file');
  return toFile(context, file, await submitForm(context, { act: 'undo-file', file }), 'undone');
};

export const waiveExportScreen: Screen = async (context) => {
  const [name, due] = [requiredField(context, 'export'), requiredField(context, 'due')];
  if (!Number.isFinite(Date.parse(due))) throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
  const act = { act: 'waive', export: name, due: new Date(due).toISOString() } as const;
  return toFiles(context, await submitForm(context, act), 'waived');
};

export const undoWaiverScreen: Screen = async (context) =>
  toFiles(
    context,
    await submitForm(context, { act: 'undo-export', export: requiredField(context, 'export') }),
    'unwaived',
  );

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

function toFile(context: ScreenContext, id: string, answer: HandedAnswer, done: string): Response {
  return seeOther(context, `/files/${encodeURIComponent(id)}?done=${'waits' in answer ? 'accepted' : done}`);
}

function toFiles(context: ScreenContext, answer: HandedAnswer, done: string): Response {
  return seeOther(context, `/files?done=${'waits' in answer ? 'accepted' : done}`);
}
