/**
 * The remission-note service, imitated from its contract: token, issuing, and a consultation.
 *
 * Not shown by the contract and chosen here: the names of credentials header and service parameter, both answer
 * shapes, HTTP statuses, and the consultation (`GET /consulta/{codigoGeneracion or NumeroSecuencial}`, service id 3).
 */

import type { IncomingHttpHeaders } from 'node:http';
import { svRemissionNote } from '../documents/sv/sv-remission-note.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { DocumentKind } from '../model/document.ts';
import { sha256Hex } from '../text/sha256.ts';
import { isPlainObject } from '../yaml/plain-object.ts';
import { type Arrival, type SandboxDecision, unscriptedAnswer } from './decide-answer.ts';
import { describeIssues } from './fr-envelope.ts';
import type { Checks, Imitation } from './imitation.ts';
import { digitsAnswer } from './number-triggers.ts';
import type { Operation, SandboxReply, SandboxService } from './sandbox-service.ts';
import type { SvChoices } from './sandbox-settings.ts';
import type { SubmissionHandler } from './submission-handler.ts';
import type { Tokens } from './tokens.ts';
import { decoded, parseJson } from './wire-format.ts';

/** Paths of the imitation, and the class of its only kind of document. */
const SV = { auth: '/auth', issue: '/emision', consultation: '/consulta/', class: 'remission-note' } as const;

/** Names and credentials that the contract does not show. The password protects nothing: the server is on loopback. */
export const SV_CHOICES: SvChoices = {
  user: 'sandbox-user',
  password: 'sandbox-password-of-no-value',
  credentialsHeader: 'credenciales',
  serviceIdParameter: 'idServicio',
};

/** Service identifiers of the contract's table (remission-note 4.1). */
const SERVICE_IDS: readonly string[] = ['1', '2', '3', '4', '7'];
const ISSUING = 'sv 1';
const CONSULTATION = 'sv 3';

const NAMES: { readonly [code: number]: string } = {
  2: 'Autorizado',
  4: 'Error',
  6: 'Rechazado',
  8: 'Contingencia',
  11: 'Invalidado',
  15: 'Devuelto',
  18: 'No existe',
};

type Body = { readonly [key: string]: unknown };

/** Where a client finds the imitation, and as whom it asks. */
export type SvAddress = SvChoices & {
  readonly authUrl: string;
  readonly issueUrl: string;
  /** Sandbox choice, below `issueUrl`; takes a token of service id 3. */
  readonly consultationPath: string;
};

const SECRET = 'NIGHTPOST_SANDBOX_SV_CREDENTIALS';

/** JSON pointers into an answer: choices of the sandbox. */
const ANSWER = {
  code: '/codigo',
  name: '/estado',
  message: '/mensaje',
  identifier: '/documento/numeroSecuencial',
  'tracking-id': '/documento/codigoGeneracion',
};

/** `scriptedNumbers`: the last two digits of a number choose its answer. */
export function svImitation(choices: SvChoices, scriptedNumbers: boolean): Imitation<SvAddress> {
  return {
    open: (handler, tokens, checks) => openService(handler, tokens, { ...choices, ...checks }),
    addressAt: (origin) => ({
      ...choices,
      authUrl: origin + SV.auth,
      issueUrl: origin + SV.issue,
      consultationPath: `${SV.consultation}{identifier}`,
    }),
    settingsFor: (address) => ({
      settings: {
        'auth-url': address.authUrl,
        'issue-url': address.issueUrl,
        credentials: { env: SECRET },
        'credentials-header': address.credentialsHeader,
        'service-id-in': { query: address.serviceIdParameter },
        'token-answer': { token: '/token', seconds: '/expiraEn' },
        answer: ANSWER,
        consultation: { method: 'GET', path: address.consultationPath, answer: ANSWER },
      },
      secret: { variable: SECRET, value: `${address.user}:${address.password}` },
    }),
    answerByNumber: (number, { slowMs }) => (scriptedNumbers ? digitsAnswer(number, slowMs) : undefined),
  };
}

function openService(
  handler: SubmissionHandler,
  tokens: Tokens,
  { tokenSeconds, validate, kinds, ...choices }: SvChoices & Checks,
): SandboxService {
  const kind = kinds.find(({ name }) => name === svRemissionNote.name) ?? svRemissionNote;
  const credentials = Buffer.from(`${choices.user}:${choices.password}`).toString('base64');
  return { name: 'sv', find };

  function find(method: string, path: string, query: string): Operation | undefined {
    if (method === 'GET' && path === `${SV.auth}/ServicioService`) {
      const serviceId = new URLSearchParams(query).get(choices.serviceIdParameter) ?? '';
      return { act: 'token', answer: (headers) => token(headers, serviceId) };
    }
    if (method === 'POST' && path === `${SV.issue}/NotaRemision`) return { act: 'submit', answer: submit };
    if (method !== 'GET' || !path.startsWith(SV.issue + SV.consultation)) return undefined;
    const key = decoded(path.slice(SV.issue.length + SV.consultation.length));
    return { act: 'consult', answer: (headers) => consult(headers, key) };
  }

  function token(headers: IncomingHttpHeaders, serviceId: string): SandboxReply {
    const scripted = handler.token('sv');
    if (scripted) return { decision: scripted, render: () => '{}' };
    if (headers[choices.credentialsHeader.toLowerCase()] !== credentials) {
      return refusal(401, 15, 'Credenciales incorrectas');
    }
    if (!SERVICE_IDS.includes(serviceId)) return refusal(400, 15, `Servicio desconocido: "${serviceId}"`);
    const render = () => JSON.stringify({ token: tokens.issue(`sv ${serviceId}`), expiraEn: tokenSeconds });
    return { decision: unscriptedAnswer(200), render };
  }

  function submit(headers: IncomingHttpHeaders, bytes: Buffer): SandboxReply {
    const tokenFault = tokens.refuse(headers.authorization, ISSUING);
    if (tokenFault) return refusal(401, 15, `Credenciales incorrectas: ${tokenFault}`);
    const parsed = parseJson(bytes, validate);
    if (!isPlainObject(parsed?.value)) return refusal(400, 6, 'El cuerpo no es un objeto JSON');
    const body = parsed.value;
    const decided = handler.submit(arrivalOf(body, validate ? kind : undefined));
    return { ...decided, render: () => answerOf(body.NumeroSecuencial, decided.decision, handler.now()) };
  }

  function consult(headers: IncomingHttpHeaders, key: string): SandboxReply {
    const tokenFault = tokens.refuse(headers.authorization, CONSULTATION);
    if (tokenFault) return refusal(401, 15, `Credenciales incorrectas: ${tokenFault}`);
    const { taken, ...decided } = handler.consult('sv', key);
    return { ...decided, render: () => answerOf(taken && Number(taken.number), decided.decision, handler.now()) };
  }
}

function refusal(http: number, code: number, message: string): SandboxReply {
  return { decision: unscriptedAnswer(http), render: () => JSON.stringify(statusOf(code, message)) };
}

/** Numbers count per establishment and till and start again every year, so these are part of the identity. */
function arrivalOf(body: Body, kind: DocumentKind | undefined): Arrival {
  const emisor = isPlainObject(body.emisor) ? body.emisor : {};
  const number = body.NumeroSecuencial === undefined ? '' : String(body.NumeroSecuencial);
  const place = [emisor.nit, emisor.codEstable ?? emisor.codEstableMH, emisor.codPuntoVenta ?? emisor.codPuntoVentaMH];
  const year = String(body.FechaGeneracion ?? '').slice(0, 4);
  const problem = kind && problemOf(body, number, kind);
  return definedOnly({
    service: 'sv',
    class: SV.class,
    number,
    identity: ['sv', ...place.map((part) => part ?? ''), SV.class, number, year].join('|'),
    requestId: '',
    digest: () => sha256Hex(JSON.stringify(body)),
    problem,
  });
}

function problemOf(body: Body, number: string, kind: DocumentKind): Arrival['problem'] {
  const checked = kind.shape.safeParse(withoutNulls(body));
  if (!checked.success) return { code: 6, message: describeIssues(checked.error) };
  return number === '' ? { code: 6, message: 'NumeroSecuencial: falta' } : undefined;
}

/** `number` as it came, with all its digits. */
function answerOf(number: unknown, decision: SandboxDecision, now: string): string {
  const { code, message, trackingId, answer } = decision;
  const documento = definedOnly({
    numeroSecuencial: number === undefined || answer.echo === undefined ? number : 0,
    codigoGeneracion: trackingId?.toUpperCase(),
    fechaProceso: now,
  });
  return JSON.stringify({ ...statusOf(code, message), documento });
}

function statusOf(code: number, message?: string): object {
  const estado = NAMES[code] ?? 'Desconocido';
  return { codigo: code, estado, mensaje: message ?? estado };
}

/** The authority's schema allows null for fields that the contract only shows with a value: null is read as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  // A number is an object of its own here, with its digits.
  if (!isPlainObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const given = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(given.map(([key, part]) => [key, withoutNulls(part)]));
}
