/**
 * The French electronic invoicing service: OpenID Connect token, request envelope, paths, reading of answers.
 *
 * The content of a document is laid into the envelope as text, so that the digits the ledger keeps are the digits sent.
 */

import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { format, type Message } from '../i18n/message.ts';
import { SERVICE_SETTING, SERVICE_STOP, TOKEN_REFUSAL } from '../i18n/messages/delivery-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Reveal } from '../model/secret-reference.ts';
import { secretReference } from '../model/secret-reference.ts';
import { expecting } from '../model/shape-issue.ts';
import { consultationRequest, consultationSettings, join, policyOfConsultation } from './consultation.ts';
import { frenchContingency } from './consultation-schedule.ts';
import { type Client, clientsOf, integrationSettings, type Sender, sendersOf, sendersSettings } from './fr-senders.ts';
import { type AnswerPlaces, echoesOf } from './parse-reply.ts';
import { judgeConsultation, judgeResponse, type Policy } from './response-policy.ts';
import {
  type AccessToken,
  type Consultation,
  type DeliveryService,
  type Destination,
  type Http,
  isFileAlone,
  type Ours,
  type Submission,
  type WireRequest,
} from './service.ts';
import {
  connection,
  pacing,
  pacingOf,
  readSettings,
  resending,
  resendingOf,
  serviceAddress,
} from './service-settings.ts';
import { TokenRefused, tokenCallFailure } from './token-cache.ts';

/** Classes that go to the invoice operation (contract 2.1 and 4.2). */
const INVOICE_CLASSES: readonly string[] = ['invoice', 'credit-note', 'corrective'];

/** Contract 2.4. */
const PLACES: AnswerPlaces = {
  code: '/result/status/code',
  name: '/result/status/name',
  message: '/result/status/message',
  trackingId: '/result/content/document/tracking-id',
  documentType: '/result/content/document/document-type',
  contentInto: '/result/status/content-into',
  file: '/result/content/document/file',
  pagination: '/result/content/document/pagination',
  statuses: '/result/content/document/status',
  identifier: '/result/content/document/identifier',
  requestId: '/context/request-id',
  senderId: '/context/sender-id',
  country: '/context/country',
};

const text = z.string().min(1);
const path = z.string().regex(/^\/[^?#\s]*$/, expecting(SERVICE_SETTING.path()));

const settings = z.strictObject({
  'base-url': serviceAddress.describe('address of the issuing and e-reporting service'),
  'identity-url': serviceAddress.describe('address of the identity provider'),
  realm: text.describe('realm at the identity provider'),
  'client-id': text.describe('client identifier at the identity provider'),
  'client-secret': secretReference.describe('secret of the client, by reference'),
  country: text.default('fr').describe('context.country of every request'),
  'sender-id': text.describe('context.sender-id of every request'),
  integration: integrationSettings.describe('context.integration of every request'),
  senders: sendersSettings
    .optional()
    .describe(
      'other senders by issuer, for the companies of a group, with credentials of their own or those of the service; sender-id is for all that none of them names',
    ),
  'request-version': text.default('1.0').describe('context.request-version; 1.0 is the only value seen'),
  'action-type': text.default('issue-document').describe('action.type; issue-document is the only value seen'),
  'content-type': z
    .union([text, z.strictObject({ payload: text, file: text })])
    .default('json')
    .describe(
      'action.content-type, the kind of content supplied; json is the only value seen. { payload: json, file: ... } where encoded files have another',
    ),
  'invoice-path': path.default('/invoice').describe('path of invoices, credit notes and correctives'),
  'report-path': path.optional().describe('path of e-reports; the contract leaves it out, so there is no default'),
  consultation: consultationSettings.optional().describe('how to ask for an outcome; the contract leaves it out'),
  ...pacing,
  ...resending('without-code'),
  'strict-echo': z
    .boolean()
    .default(false)
    .describe('believe codes 2, 8 and 11 only with request-id and document number echoed'),
  connection: connection.prefault({}).describe('timeouts, certificates, proxy'),
});

type Settings = z.output<typeof settings>;

/** The service as the settings and the pipeline know it. */
export const fr: DeliveryService = { name: 'fr', settings, open: (given) => open(readSettings(settings, 'fr', given)) };

function open(set: Settings): Destination {
  const policy: Policy = {
    places: PLACES,
    strictEcho: set['strict-echo'],
    ...resendingOf(set),
    contingency: frenchContingency,
  };
  const usual: Client = { id: set['client-id'], secret: set['client-secret'] };
  const { clients, clientOf } = clientsOf(set);
  const accounts = [...clients].map(([name, client]) => ({
    name,
    authorize: (http: Http, reveal: Reveal) => authorize(set, client, http, reveal),
  }));
  const senderOf = sendersOf(set);
  const contextOf = ({ sent }: Ours) => sent && { country: set.country, senderId: senderOf(sent).id };
  const asking = set.consultation;
  const consultPolicy = policyOfConsultation('fr', asking, policy);
  const optional = definedOnly({
    accounts: clients.size > 0 ? accounts : undefined,
    accountOf: clients.size > 0 ? clientOf : undefined,
    consult: asking && ((given: Consultation) => consultationRequest(asking, set['base-url'], given)),
  });
  return {
    name: fr.name,
    pacing: pacingOf(set),
    baseUrl: set['base-url'],
    echoes: echoesOf(PLACES),
    connection: set.connection,
    lacks: (documentClass) => lacks(set, documentClass),
    authorize: (http, reveal) => authorize(set, usual, http, reveal),
    submit: submitter(set),
    judge: (exchange, ours) => judgeResponse(exchange, { ...contextOf(ours), ...ours }, policy),
    ...optional,
    contingency: policy.contingency,
    judgeConsultation: (exchange, ours, before) => judgeConsultation(exchange, ours, before, consultPolicy),
  };
}

/** Why documents of a class cannot be sent; undefined if they can. */
function lacks(set: Settings, documentClass: string): Message | undefined {
  if (INVOICE_CLASSES.includes(documentClass)) return undefined;
  if (documentClass !== 'report') return SERVICE_STOP.noClass({ service: 'fr', name: documentClass });
  if (set['report-path'] !== undefined) return undefined;
  return SERVICE_STOP.noReportPath();
}

/** What is the same around the documents of a class, a sender and a kind of content. */
type Envelope = { readonly url: string; readonly middle: string };

function submitter(set: Settings): (submission: Submission) => WireRequest {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const senderOf = sendersOf(set);
  const envelopeOf = (documentClass: string, { id, integration }: Sender, isFile: boolean): Envelope => {
    const at = documentClass === 'report' ? set['report-path'] : set['invoice-path'];
    const missing = lacks(set, documentClass);
    if (at === undefined || missing) throw new Error(missing && format(missing, 'en'));
    const context = JSON.stringify({
      'request-version': set['request-version'],
      country: set.country,
      'sender-id': id,
      integration: { id: integration.id, name: integration.name, version: integration.version },
    });
    const kind = set['content-type'];
    const kinds = typeof kind === 'string' ? { payload: kind, file: kind } : kind;
    const action = JSON.stringify({
      type: set['action-type'],
      class: documentClass,
      'content-type': isFile ? kinds.file : kinds.payload,
    });
    return {
      url: join(set['base-url'], at),
      middle: `,${context.slice(1)},"action":${action.slice(0, -1)},"content":`,
    };
  };
  // The same in every request of a run.
  const envelopes = new Map<string, Envelope>();
  return (submission) => {
    const { class: documentClass, content, requestId, now } = submission;
    const sender = senderOf(submission);
    const isFile = isFileAlone(content);
    const key = isFile ? `${sender.key} ${documentClass} file` : `${sender.key} ${documentClass}`;
    let envelope = envelopes.get(key);
    if (!envelope) {
      envelope = envelopeOf(documentClass, sender, isFile);
      envelopes.set(key, envelope);
    }
    const context = JSON.stringify({ 'request-id': requestId, timestamp: now.toISOString() });
    const body = `{"context":${context.slice(0, -1)}${envelope.middle}${content}}}`;
    return { method: 'POST', url: envelope.url, headers, body };
  };
}

/** Contract 4.1: client_credentials with client_id and client_secret as form fields. */
async function authorize(set: Settings, { id, secret: by }: Client, http: Http, reveal: Reveal): Promise<AccessToken> {
  const endpoint = join(set['identity-url'], `/realms/${encodeURIComponent(set.realm)}/protocol/openid-connect/token`);
  const server: oauth.AuthorizationServer = { issuer: set['identity-url'], token_endpoint: endpoint };
  const client: oauth.Client = { client_id: id };
  const secret = oauth.ClientSecretPost(await reveal(by));
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    secret,
    {},
    {
      [oauth.customFetch]: (url, options) => fetchOver(http, url, options),
      // The address rule has allowed plain http towards this machine alone.
      [oauth.allowInsecureRequests]: true,
    },
  );
  try {
    const token = await oauth.processClientCredentialsResponse(server, client, response);
    return definedOnly({ value: token.access_token, lifeSeconds: token.expires_in });
  } catch {
    // What the library throws quotes the answer, hence perhaps a token: only the fact goes on.
    throw new TokenRefused('unreachable', TOKEN_REFUSAL.noToken());
  }
}

type FetchOptions = Parameters<NonNullable<oauth.TokenEndpointRequestOptions[typeof oauth.customFetch]>>[1];

async function fetchOver(http: Http, url: string, options: FetchOptions): Promise<Response> {
  const body = String(options.body);
  const exchange = await http({ method: 'POST', url, headers: options.headers, body });
  if ('error' in exchange || exchange.status !== 200) throw tokenCallFailure(exchange);
  const type = exchange.headers['content-type'];
  return new Response(exchange.body ?? '', {
    status: 200,
    headers: definedOnly({ 'content-type': type }),
  });
}
