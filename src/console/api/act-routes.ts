/**
 * The acts of the API: a look at what an act would do, the act, and what became of it. An act is a request in the queue of
 * the instance, done once for its Idempotency-Key, by the run at work or by this program.
 */

import { z } from 'zod';
import { ACT, documentsOf, type PersonAct } from '../../decisions/act.ts';
import type { ActAnswer, ActResult } from '../../decisions/act-result.ts';
import type { ProposedAct } from '../../decisions/propose-act.ts';
import { readAgainObject } from '../../decisions/read-again-object.ts';
import { knownAct } from '../../decisions/requests/known-act.ts';
import { actsForApproval, findAskedAct } from '../../decisions/requests/submitted-acts.ts';
import type { SelectionLook } from '../../decisions/seen-look.ts';
import { format, type Language } from '../../i18n/message.ts';
import { API_ERROR } from '../../i18n/messages/console/console-api-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { localize, OperatorError } from '../../model/fault.ts';
import { documentName } from '../../model/ledger-entry.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { HandedAct } from '../server/act-desk.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import { ACT_STATE, LOOK_SHAPE } from './api-shapes.ts';
import { APPROVAL_LIST } from './approval-shapes.ts';
import { proposeSelected, SELECTED_ACT } from './selected-act.ts';

/** 40,000 documents by id. */
const MOST_BYTES = 8 * 1024 * 1024;

const text = z.string().min(1);
const expect = z.strictObject({ count: z.int().nonnegative(), sha256: text });
const reason = z.string().regex(/\S/);
/** Acts that decide nothing: to ask a service, or to report once more, no one has to have looked. */
const WITHOUT_LOOK: ReadonlySet<string> = new Set(['consult', 'report-again']);
/** A decision names the time since which a document is in its state: a later submission can end in the same one. */
const SEEN_ACT = ACT.superRefine((act, context) => {
  if (WITHOUT_LOOK.has(act.act)) return;
  const refuse = (path: (string | number)[]) =>
    context.addIssue({ code: 'invalid_type', expected: 'string', input: undefined, path: [...path, 'since'] });
  if (act.act === 'undo' && act.document.since === undefined) refuse(['document']);
  if (!('documents' in act)) return;
  for (const [n, { since }] of (act.documents ?? []).entries()) if (since === undefined) refuse(['documents', n]);
});
const LOOKED = z.strictObject({ act: SELECTED_ACT, expect });
const ACT_REQUEST = z.union([
  z.strictObject({ look: text.describe('as POST look gave it'), reason }),
  z.strictObject({ act: SELECTED_ACT, expect, reason }),
  z.strictObject({ act: SEEN_ACT.describe('documents by id, in the version that was seen'), reason }),
]);

/** People whose look reads the sources of documents now: one at a time for each. */
const looking = new Set<string>();

const look = apiRoute({
  method: 'POST',
  path: '/look',
  right: 'act',
  says: 'What an act would do to a selection: nothing is recorded. Its look is for POST acts.',
  body: SELECTED_ACT,
  answers: { 200: LOOK_SHAPE },
  answer: async (context, { body }) => {
    const { id } = context.person;
    if (looking.has(id)) throw new OperatorError('api/busy', API_ERROR.busy(), { hint: API_ERROR.oneAtATime() });
    looking.add(id);
    try {
      const proposed = await proposeSelected(context, body, true);
      const { count, sha256 } = proposed.look;
      const token = Buffer.from(JSON.stringify({ act: body, expect: proposed.look })).toString('base64url');
      return { look: token, count, sha256, ...lookedAt(proposed, context.language) };
    } finally {
      looking.delete(id);
    }
  },
});

const act = apiRoute({
  method: 'POST',
  path: '/acts',
  right: 'act',
  says: 'Does an act: on documents by id, on what a look showed, or on a selection that has to be as expected. 202 while it waits for the run at work.',
  headers: z.strictObject({ 'idempotency-key': z.string().regex(/^[\x21-\x7e]{1,255}$/) }),
  body: ACT_REQUEST,
  mostBytes: MOST_BYTES,
  answers: { 200: ACT_STATE, 202: ACT_STATE },
  answer: async (context, { body }) => {
    const { instance, person, language, request, halt } = context;
    const key = request.headers.get('idempotency-key') ?? '';
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new OperatorError('api/no-key', API_ERROR.noKey(), { hint: API_ERROR.giveKey() });
    }
    const own = `api-${sha256Hex(`${person.id}\n${key}`).slice(0, 32)}`;
    const id = `${own}-${sha256Hex(JSON.stringify(body)).slice(0, 16)}`;
    const known = await knownAct(instance, own);
    if (known && known.id !== id) {
      throw new OperatorError('api/key-of-another-act', API_ERROR.keyReused(), { hint: API_ERROR.giveKey() });
    }
    if (known) return (await knownState(context, id)) ?? stateAnswer(id, known.answer, language);
    if (halt) throw halt;
    const asked = await actAsked(context, body);
    if (!asked.act) return { id, state: 'done', documents: [], ...asked.left };
    const answer = await submitted(context, { id, ...asked, act: asked.act, reason: body.reason });
    return (await knownState(context, id)) ?? stateAnswer(id, answer, language, asked.left);
  },
});

const actState = apiRoute({
  method: 'GET',
  path: '/acts/:id',
  right: 'view',
  says: 'What became of an act.',
  answers: { 200: ACT_STATE },
  answer: async ({ instance, params, language }) => {
    const { id = '' } = params;
    const known = await knownAct(instance, id);
    if (!known || known.id !== id) {
      throw new OperatorError('api/unknown-act', API_ERROR.noAct(), { hint: API_ERROR.keptAMonth() });
    }
    const { answer } = known;
    if (answer && 'error' in answer)
      return { id, state: 'refused', code: answer.error.code, says: wordsOf(answer.error, language) };
    return (await approvalState(instance, id)) ?? stateOf(id, answer, language);
  },
});

const approvals = apiRoute({
  method: 'GET',
  path: '/approvals',
  right: 'view',
  says: 'Acts that wait for the approval of another person.',
  answers: { 200: APPROVAL_LIST },
  answer: async ({ instance }) => ({
    acts: (await actsForApproval(instance, new Date())).map(
      ({ id, act: asked, person, reason: why, at, expires, about }) => {
        const documents = documentsOf(asked).length;
        return { id, act: asked.act, by: person, reason: why, at, expires, documents, waitsFor: about };
      },
    ),
  }),
});

const approval = apiRoute({
  method: 'POST',
  path: '/acts/:id/approval',
  right: 'act',
  says: 'Approves or refuses an act that waits for another person. The person who asked for it withdraws it by refusing.',
  body: z.strictObject({ as: z.enum(['approved', 'refused']), reason }),
  answers: { 200: ACT_STATE, 202: ACT_STATE },
  answer: async (context, { body }) => {
    const { params, desk, language } = context;
    const { id = '' } = params;
    const answer = await desk.approve(context, id, body);
    if ('ended' in answer) {
      return { id, state: 'refused', code: answer.ended.code, says: wordsOf(answer.ended, language) };
    }
    return stateAnswer(id, 'waits' in answer ? undefined : answer, language);
  },
});

export const ACT_ROUTES: readonly ApiRoute[] = [look, act, actState, approvals, approval];

type Asked = {
  readonly act?: PersonAct | undefined;
  readonly look?: SelectionLook;
  readonly left: { readonly leftOut?: readonly object[] };
};

/** Throws `api/changed-meanwhile` where a selection is no longer as the person saw it. */
async function actAsked(context: ScreenContext, body: z.infer<typeof ACT_REQUEST>): Promise<Asked> {
  if ('act' in body && !('expect' in body)) return { act: body.act, left: {} };
  const looked = 'look' in body ? readLook(body.look) : body;
  const proposed = await proposeSelected(context, looked.act, false);
  const { count, sha256 } = proposed.look;
  if (count !== looked.expect.count || sha256 !== looked.expect.sha256) {
    throw new OperatorError('api/changed-meanwhile', API_ERROR.changed({ before: looked.expect.count, now: count }), {
      hint: API_ERROR.lookAgain(),
    });
  }
  const { leftOut } = lookedAt(proposed, context.language);
  return { act: proposed.act, look: proposed.look, left: { leftOut } };
}

/** Throws `api/changed-meanwhile` for what is no look. */
function readLook(token: string): z.infer<typeof LOOKED> {
  try {
    return LOOKED.parse(JSON.parse(Buffer.from(token, 'base64url').toString('utf8')));
  } catch (cause) {
    throw new OperatorError('api/changed-meanwhile', API_ERROR.noLook(), { hint: API_ERROR.lookAgain(), cause });
  }
}

function lookedAt({ documents, foreseen, leftOut }: ProposedAct, language: Language) {
  const seen = new Map(foreseen.map((one) => [one.entry.id, one]));
  return {
    documents: documents.map((entry) => {
      const one = seen.get(entry.id);
      if (one) return inWords(readAgainObject(one), language);
      return { id: entry.id, number: documentName(entry), was: entry.state };
    }),
    leftOut: leftOut.map(({ entry, why, code }) => {
      const { id, state } = entry;
      return definedOnly({ id, number: documentName(entry), state, code, why: format(why, language) });
    }),
  };
}

/** Undefined: it waits, and goes on. */
async function submitted(context: ScreenContext, handed: HandedAct): Promise<ActAnswer | undefined> {
  const [answer] = await context.desk.submit(context, [handed]);
  return answer && 'waits' in answer ? undefined : answer;
}

/** Of an act that waits for another person. */
async function approvalState(instance: ScreenContext['instance'], id: string): Promise<object | undefined> {
  const waits = (await findAskedAct(instance, id))?.approval;
  return waits && { id, state: 'approval', act: waits.act.act, expires: waits.expires, waitsFor: waits.about };
}

async function knownState({ instance }: ScreenContext, id: string): Promise<Response | undefined> {
  const waits = await approvalState(instance, id);
  return waits && Response.json(waits, { status: 202, headers: { location: `acts/${id}` } });
}

/** 200 with the result, 202 while it waits; a refused act is thrown. */
function stateAnswer(id: string, answer: ActAnswer | undefined, language: Language, more: object = {}): Response {
  if (answer && 'error' in answer) throw answer.error;
  const headers = { location: `acts/${id}` };
  return Response.json({ ...stateOf(id, answer, language), ...more }, answer ? { headers } : { status: 202, headers });
}

function stateOf(
  id: string,
  answer: Extract<ActAnswer, { readonly result: ActResult }> | undefined,
  language: Language,
) {
  if (!answer) return { id, state: 'waiting', says: format(API_ERROR.waits(), language) };
  return { id, state: 'done', ...resultObject(answer.result, language) };
}

/** The result as the commands print it with --json. */
function resultObject(result: ActResult, language: Language): object {
  switch (result.act) {
    case 'fix':
    case 'replace-cells':
    case 'reprocess':
      return { act: result.act, documents: result.documents.map((one) => inWords(readAgainObject(one), language)) };
    case 'reprocess-file':
      return { act: result.act, files: result.files.map((one) => inWords(one, language)) };
    case 'consult': {
      const services = result.services.map(({ stopped, ...one }) => {
        return definedOnly({ ...one, stopped: stopped && { ...stopped, says: format(stopped.says, language) } });
      });
      return { act: result.act, services };
    }
    default:
      return result;
  }
}

function inWords<T extends { readonly faults: Parameters<typeof localize>[0] }>(one: T, language: Language): T {
  return { ...one, faults: localize(one.faults, language) };
}

function wordsOf(error: OperatorError, language: Language): string {
  return error.localized(language).message;
}
