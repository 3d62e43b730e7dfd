/**
 * The Salvadoran remission note service: Base64 credentials for a token, the document itself as body.
 *
 * Its contract leaves out header names, the shape of tokens and answers, and the address of issuing: each is a setting,
 * and those that a submission cannot do without have no default.
 */

import { z } from 'zod';
import { SERVICE_SETTING, SERVICE_STOP, TOKEN_REFUSAL } from '../i18n/messages/delivery-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Reveal } from '../model/secret-reference.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting, refusedWith } from '../model/shape-issue.ts';
import { isZone } from '../text/local-time.ts';
import { readPlaces } from './answer-fields.ts';
import {
  answerSettings,
  consultationRequest,
  consultationSettings,
  join,
  placesOf,
  policyOfConsultation,
} from './consultation.ts';
import { fromFiveNextDay } from './consultation-schedule.ts';
import { echoesOf } from './parse-reply.ts';
import { judgeConsultation, judgeResponse, type Policy } from './response-policy.ts';
import type {
  AccessToken,
  Consultation,
  DeliveryService,
  Destination,
  Http,
  Submission,
  WireRequest,
} from './service.ts';
import {
  answerPointer,
  connection,
  pacing,
  pacingOf,
  readSettings,
  resending,
  resendingOf,
  serviceAddress,
} from './service-settings.ts';
import { withNulls } from './sv-absent-fields.ts';
import { TokenRefused, tokenCallFailure } from './token-cache.ts';

/** remission-note 4.1. */
const ISSUING = 1;
const CONSULTATION = 3;
const CLASS = 'remission-note';

const text = z.string().min(1);
const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, expecting(SERVICE_SETTING.headerName()));

const settings = z
  .strictObject({
    'auth-url': serviceAddress.describe('address of the authentication service'),
    'issue-url': serviceAddress.describe('address before /NotaRemision; the contract leaves it out'),
    credentials: z
      .union([secretReference, z.strictObject({ user: text, password: secretReference })], {
        error:
          'credentials are given by reference: { env: NAME } for user:password, or { user: name, password: { env: NAME } }',
      })
      .describe('user:password as one secret by reference, or { user: name, password: reference }'),
    'credentials-join': z
      .string()
      .default(':')
      .describe('text between user and password where each is given; the contract leaves it out'),
    'credentials-header': headerName.describe(
      'header that carries the credentials in Base64; the contract leaves it out',
    ),
    'credentials-prefix': z.string().default('').describe('text before the Base64, e.g. "Basic "'),
    'service-id-in': z
      .union([z.strictObject({ query: text }), z.strictObject({ header: headerName })])
      .describe('how the service identifier is sent: { query: name } or { header: name }; the contract leaves it out'),
    'token-answer': z
      .union([
        z.strictObject({ token: answerPointer, seconds: answerPointer.optional() }),
        z.strictObject({ text: z.literal(true) }),
      ])
      .describe(
        'place of the token (and of its life in seconds) in the answer, or { text: true }; the contract leaves it out',
      ),
    'token-seconds': z.int().min(1).optional().describe('life of a token, if its answer does not have it'),
    answer: answerSettings.describe('places in the answer of issuing; the contract leaves them out'),
    absent: z
      .enum(['leave-out', 'null'])
      .default('leave-out')
      .describe(
        'fields that a note has no value for and that the schema of the authority wants as null (till codes, nombreComercial, nrc, tributos ...): left out, or sent as null; the contract shows neither',
      ),
    'request-id-header': headerName.optional().describe('header to send our request-id in, if the service takes one'),
    consultation: consultationSettings.optional().describe('how to ask for an outcome; the contract leaves it out'),
    zone: z
      .string()
      .refine(isZone, refusedWith(SERVICE_SETTING.zone()))
      .default('America/El_Salvador')
      .describe('code 8 is consulted from 05:00 of the next day in this time zone'),
    ...pacing,
    ...resending('never'),
    'strict-echo': z
      .boolean()
      .default(false)
      .describe('believe codes 2, 8 and 11 only with the echoes named in answer'),
    connection: connection.prefault({}).describe('timeouts, certificates, proxy'),
  })
  .superRefine((set, context) => {
    if (set.answer['request-id'] === undefined || set['request-id-header'] !== undefined) return;
    addProblem(context, SERVICE_SETTING.requestIdHeader(), ['answer', 'request-id']);
  });

type Settings = z.output<typeof settings>;

/** The service as the settings and the pipeline know it. */
export const sv: DeliveryService = { name: 'sv', settings, open: (given) => open(readSettings(settings, 'sv', given)) };

function open(set: Settings): Destination {
  const policy: Policy = {
    places: placesOf(set.answer),
    setting: 'services.sv.answer',
    strictEcho: set['strict-echo'],
    ...resendingOf(set),
    contingency: fromFiveNextDay(set.zone),
  };
  const asking = set.consultation;
  const consultPolicy = policyOfConsultation('sv', asking, policy);
  const optional = definedOnly({
    consult: asking && ((given: Consultation) => consultationRequest(asking, set['issue-url'], given)),
    authorizeConsultation: asking && ((http: Http, reveal: Reveal) => authorize(set, CONSULTATION, http, reveal)),
  });
  return {
    name: sv.name,
    pacing: pacingOf(set),
    baseUrl: set['issue-url'],
    echoes: echoesOf(policy.places),
    connection: set.connection,
    lacks: (documentClass) =>
      documentClass === CLASS ? undefined : SERVICE_STOP.noClass({ service: 'sv', name: documentClass }),
    authorize: (http, reveal) => authorize(set, ISSUING, http, reveal),
    submit: (submission) => submit(set, submission),
    judge: (exchange, ours) => judgeResponse(exchange, ours, policy),
    ...optional,
    contingency: policy.contingency,
    judgeConsultation: (exchange, ours, before) => judgeConsultation(exchange, ours, before, consultPolicy),
  };
}

function submit(set: Settings, submission: Submission): WireRequest {
  const header = set['request-id-header'];
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  return {
    method: 'POST',
    url: join(set['issue-url'], '/NotaRemision'),
    headers: header === undefined ? json : { ...json, [header.toLowerCase()]: submission.requestId },
    body: set.absent === 'null' ? withNulls(submission.content) : submission.content,
  };
}

/** remission-note 4.1 and 5: user and password in Base64, and for which service. */
async function authorize(set: Settings, serviceId: number, http: Http, reveal: Reveal): Promise<AccessToken> {
  const given = set.credentials;
  const pair =
    'user' in given ? `${given.user}${set['credentials-join']}${await reveal(given.password)}` : await reveal(given);
  const base64 = Buffer.from(pair, 'utf8').toString('base64');
  const url = new URL(join(set['auth-url'], '/ServicioService'));
  const headers: { [name: string]: string } = {
    accept: 'application/json',
    [set['credentials-header'].toLowerCase()]: set['credentials-prefix'] + base64,
  };
  const where = set['service-id-in'];
  if ('query' in where) url.searchParams.set(where.query, String(serviceId));
  else headers[where.header.toLowerCase()] = String(serviceId);
  const exchange = await http({ method: 'GET', url: url.href, headers });
  if ('error' in exchange || exchange.status < 200 || exchange.status > 299) throw tokenCallFailure(exchange);
  const token = tokenIn(exchange.body ?? '', set);
  if (!token) throw new TokenRefused('unreachable', TOKEN_REFUSAL.noToken());
  return token;
}

function tokenIn(body: string, set: Settings): AccessToken | undefined {
  const shape = set['token-answer'];
  const fixed = set['token-seconds'] === undefined ? {} : { lifeSeconds: set['token-seconds'] };
  if ('text' in shape) return { value: body.trim(), ...fixed };
  const found = readPlaces(body, [shape.token, shape.seconds]);
  const value = found?.(shape.token).value;
  const seconds = Number(found?.(shape.seconds).value);
  if (typeof value !== 'string') return undefined;
  return { value, ...(Number.isFinite(seconds) && seconds > 0 ? { lifeSeconds: seconds } : fixed) };
}
