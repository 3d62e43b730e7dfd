/**
 * The French service, imitated from its contract: token endpoint, issuing, e-reporting, and a consultation.
 *
 * Not shown by the contract and chosen here: the path of e-reporting, the consultation (`GET /documents/{number or
 * tracking id}`, the answer of section 2.4 without a context) and which code goes with which HTTP status.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { frInvoice } from '../documents/fr/fr-invoice.ts';
import { frReport } from '../documents/fr/fr-report.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { DocumentKind } from '../model/document.ts';
import { sha256Hex } from '../text/sha256.ts';
import { type Arrival, type SandboxDecision, unscriptedAnswer } from './decide-answer.ts';
import { describeIssues, type Envelope, readEnvelope } from './fr-envelope.ts';
import type { Checks, Imitation } from './imitation.ts';
import { markedAnswer } from './number-triggers.ts';
import type { Operation, SandboxReply, SandboxService } from './sandbox-service.ts';
import type { SubmissionHandler } from './submission-handler.ts';
import type { Tokens } from './tokens.ts';
import { decoded } from './wire-format.ts';

/** Paths and credentials of the imitation. The secret protects nothing: the server is on loopback only. */
const FR = {
  base: '/issuing',
  identity: '/identity',
  report: '/report',
  consultation: '/documents/',
  realm: 'sandbox',
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret-of-no-value',
} as const;

const KINDS: ReadonlyMap<string, DocumentKind> = new Map([
  ['/invoice', frInvoice],
  [FR.report, frReport],
]);

/** The constant part of a token answer (french-invoicing 2.5). */
const TOKEN = { refresh_expires_in: 0, token_type: 'Bearer', 'not-before-policy': 0, scope: 'issuing' };

/** `result.status.name` per code; the contract shows the first. */
const NAMES: { readonly [code: number]: string } = {
  2: 'Authorized',
  4: 'Error',
  6: 'Rejected',
  8: 'Contingency',
  11: 'Invalidated',
  15: 'Returned',
  18: 'NotFound',
};

type Payload = { readonly [key: string]: unknown };

/** Where a client finds the imitation, and as whom it asks. */
export type FrAddress = {
  readonly url: string;
  readonly identityUrl: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sandbox choices, below `url`. */
  readonly reportPath: string;
  readonly consultationPath: string;
};

const SECRET = 'NIGHTPOST_SANDBOX_FR_SECRET';

export const frImitation: Imitation<FrAddress> = {
  open: openService,
  addressAt: (origin) => ({
    url: origin + FR.base,
    identityUrl: origin + FR.identity,
    realm: FR.realm,
    clientId: FR.clientId,
    clientSecret: FR.clientSecret,
    reportPath: FR.report,
    consultationPath: `${FR.consultation}{identifier}`,
  }),
  settingsFor: (address) => ({
    settings: {
      'base-url': address.url,
      'identity-url': address.identityUrl,
      realm: address.realm,
      'client-id': address.clientId,
      'client-secret': { env: SECRET },
      'sender-id': 'nightpost',
      integration: { id: 'nightpost', name: 'Nightpost', version: '1' },
      'report-path': address.reportPath,
      consultation: {
        method: 'GET',
        path: address.consultationPath,
        answer: {
          code: '/result/status/code',
          name: '/result/status/name',
          message: '/result/status/message',
          'tracking-id': '/result/content/document/tracking-id',
          identifier: '/result/content/document/identifier',
        },
      },
    },
    secret: { variable: SECRET, value: address.clientSecret },
  }),
  answerByNumber: (number, { seen, slowMs }) => markedAnswer(number, seen, slowMs),
};

function openService(
  handler: SubmissionHandler,
  tokens: Tokens,
  { tokenSeconds, validate, kinds }: Checks,
): SandboxService {
  const tokenPath = `${FR.identity}/realms/${FR.realm}/protocol/openid-connect/token`;
  return { name: 'fr', find };

  function find(method: string, path: string, query: string): Operation | undefined {
    if (method === 'POST' && path === tokenPath) {
      return { act: 'token', answer: (headers, body) => token(headers, new URLSearchParams(body.toString('utf8'))) };
    }
    if (!path.startsWith(FR.base)) return undefined;
    const below = path.slice(FR.base.length);
    const contract = KINDS.get(below);
    const kind = kinds.find(({ name }) => name === contract?.name) ?? contract;
    if (method === 'POST' && kind) return { act: 'submit', answer: (headers, body) => submit(headers, body, kind) };
    if (method !== 'GET' || !below.startsWith(FR.consultation)) return undefined;
    const key = decoded(below.slice(FR.consultation.length));
    const documentClass = new URLSearchParams(query).get('class') ?? undefined;
    return { act: 'consult', answer: (headers) => consult(headers, key, documentClass) };
  }

  /** Token endpoint (french-invoicing 5); failures as OpenID Connect writes them (RFC 6749, 5.2). */
  function token(headers: IncomingHttpHeaders, form: URLSearchParams): SandboxReply {
    const scripted = handler.token('fr');
    if (scripted) return { decision: scripted, render: () => JSON.stringify({ error: 'server_error' }) };
    if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
      return noToken(400, 'invalid_request', 'The form has to be urlencoded');
    }
    if (form.get('grant_type') !== 'client_credentials') {
      return noToken(400, 'unsupported_grant_type', 'Only client_credentials is offered');
    }
    if (form.get('client_id') !== FR.clientId || form.get('client_secret') !== FR.clientSecret) {
      return noToken(401, 'invalid_client', 'Invalid client or invalid client credentials');
    }
    const render = () => JSON.stringify({ ...TOKEN, access_token: tokens.issue('fr'), expires_in: tokenSeconds });
    return { decision: unscriptedAnswer(200), render, headers: { 'cache-control': 'no-store' } };
  }

  function submit(headers: IncomingHttpHeaders, body: Buffer, kind: DocumentKind): SandboxReply {
    const tokenFault = tokens.refuse(headers.authorization, 'fr');
    if (tokenFault) return refusal(401, 15, `Incorrect authentication information: ${tokenFault}`);
    if (!headers['content-type']?.startsWith('application/json')) {
      return refusal(400, 6, 'The content type has to be application/json');
    }
    const read = readEnvelope(body, !validate);
    if ('fault' in read) return refusal(400, 6, read.fault);
    const { envelope } = read;
    const arrival = arrivalOf(envelope, kind, validate);
    const decided = handler.submit(arrival);
    return { ...decided, render: () => answerOf(envelope, arrival, decided.decision) };
  }

  function consult(headers: IncomingHttpHeaders, key: string, documentClass: string | undefined): SandboxReply {
    const tokenFault = tokens.refuse(headers.authorization, 'fr');
    if (tokenFault) return refusal(401, 15, `Incorrect authentication information: ${tokenFault}`);
    const { taken, ...decided } = handler.consult('fr', key, documentClass);
    const shown = taken ?? { class: documentClass ?? '', number: key };
    return { ...decided, render: () => JSON.stringify({ result: resultOf(shown, decided.decision) }) };
  }
}

function noToken(http: number, error: string, description: string): SandboxReply {
  return { decision: unscriptedAnswer(http), render: () => JSON.stringify({ error, error_description: description }) };
}

function refusal(http: number, code: number, message: string): SandboxReply {
  return {
    decision: unscriptedAnswer(http),
    render: () => JSON.stringify({ result: { status: statusOf(code, message) } }),
  };
}

/** Identity of a document: issuer, class, series, number and the year of its date. */
function arrivalOf({ context, action }: Envelope, kind: DocumentKind, validate: boolean): Arrival {
  const { payload, file } = action.content;
  const number = payload ? textAt(payload, 'document', 'identifier') : String(file?.filename).replace(/\.[^.]*$/, '');
  const date = payload ? textAt(payload, 'document', 'date') : '';
  const series = payload ? textAt(payload, 'document', 'series') : '';
  const issuer = (payload && issuerOf(payload)) || context['sender-id'];
  const problem = validate ? problemOf(action, kind, number) : undefined;
  return definedOnly({
    service: 'fr',
    class: action.class,
    number,
    identity: ['fr', issuer, action.class, series, number, date.slice(0, 4)].join('|'),
    requestId: context['request-id'],
    digest: () => sha256Hex(JSON.stringify(action.content)),
    problem,
  });
}

function problemOf(action: Envelope['action'], kind: DocumentKind, number: string): Arrival['problem'] {
  const { payload, file } = action.content;
  if (!kind.classes.includes(action.class)) {
    return { code: 15, message: `Unrecognized document type: ${action.class} is not issued here` };
  }
  const checked = payload && kind.shape.safeParse(payload);
  if (checked && !checked.success) return { code: 6, message: `payload: ${describeIssues(checked.error)}` };
  if (file && !isBase64(file.data)) return { code: 6, message: 'file.data: is not Base64' };
  return number === '' ? { code: 6, message: 'payload: document.identifier is missing' } : undefined;
}

/** By a round trip: a regular expression would exhaust the stack on a file of many megabytes. */
function isBase64(data: string): boolean {
  return data !== '' && Buffer.from(data, 'base64').toString('base64') === data;
}

/** The SIREN if the issuer has one, else its first identifier (a list in invoices, one in reports). */
function issuerOf(payload: Payload): string {
  const issuer = payload.issuer as { identifiers?: { type?: string; value?: string }[] } | undefined;
  const listed = Array.isArray(issuer?.identifiers) ? issuer.identifiers : [];
  const chosen = listed.find((identifier) => identifier?.type === 'siren') ?? listed[0];
  return String(chosen?.value ?? textAt(payload, 'issuer', 'identifier')).replace(/\s/g, '');
}

function textAt(payload: Payload, part: string, field: string): string {
  const value = (payload[part] as Payload | undefined)?.[field];
  return typeof value === 'string' ? value : '';
}

function answerOf({ context }: Envelope, arrival: Arrival, decision: SandboxDecision): string {
  const { echo } = decision.answer;
  const wrong = echo === 'both' ? 'request-id' : echo;
  const ours = wrong === undefined || wrong === 'identifier' ? context : { ...context, [wrong]: 'of-another-request' };
  const number = echo === 'identifier' || echo === 'both' ? `${arrival.number}-OTHER` : arrival.number;
  return JSON.stringify({ context: ours, result: resultOf({ class: arrival.class, number }, decision) });
}

/** Section 2.4; `pagination` is "present only when applicable" and never is. */
function resultOf(shown: { readonly class: string; readonly number: string }, decision: SandboxDecision): object {
  const { code, message, trackingId } = decision;
  const document = definedOnly({
    'tracking-id': trackingId,
    'document-type': shown.class,
    identifier: shown.number,
    file: { format: 'pdf', filename: `${shown.number}.pdf`, transport: 'base64' },
    status: [],
  });
  return { status: statusOf(code, message), content: { document } };
}

function statusOf(code: number, message?: string): object {
  const name = NAMES[code] ?? 'Unknown';
  return { code, name, message: message ?? name, 'content-into': 'document' };
}
