/** A client of both services as plain as it gets, written from the contracts: what the tests of the sandbox speak through. */
import type { Sandbox } from '../../src/sandbox/sandbox-server.ts';

export type Heard = {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
  readonly headers: Headers;
};

async function heard(response: Response): Promise<Heard> {
  const text = await response.text();
  const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, body, text, headers: response.headers };
}

export async function frTokenCall(sandbox: Sandbox, changes: { [field: string]: string } = {}): Promise<Heard> {
  const { identityUrl, realm, clientId, clientSecret } = sandbox.fr;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...changes };
  const url = `${identityUrl}/realms/${realm}/protocol/openid-connect/token`;
  return heard(await fetch(url, { method: 'POST', body: new URLSearchParams(form) }));
}

export async function frToken(sandbox: Sandbox): Promise<string> {
  return (await frTokenCall(sandbox)).body.access_token;
}

export function invoice(number: string, changes: object = {}): object {
  return {
    document: { identifier: number, date: '2026-11-20', currency: 'EUR' },
    issuer: { name: 'Fournil Exemple', identifiers: [{ type: 'siren', value: '123456782' }] },
    receiver: { name: 'Cantine Exemple' },
    lines: [{ number: '1', description: 'Pain', quantity: 2, 'unit-price': 1.1, 'net-amount': 2.2 }],
    totals: { 'final-amount': 2.32, currency: 'EUR' },
    ...changes,
  };
}

let requests = 0;

export function envelope(content: object, documentClass = 'invoice', context: object = {}): object {
  return {
    context: {
      'request-id': `request-${++requests}`,
      timestamp: '2026-11-20T22:00:00Z',
      'request-version': '1.0',
      country: 'fr',
      'sender-id': 'tests',
      integration: { id: 'nightpost', name: 'Nightpost', version: '0' },
      ...context,
    },
    action: { type: 'issue-document', class: documentClass, 'content-type': 'json', content },
  };
}

/** Sends any body; an object is written as JSON. */
export async function frPost(
  sandbox: Sandbox,
  token: string,
  body: object | string,
  path = '/invoice',
): Promise<Heard> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return heard(await fetch(sandbox.fr.url + path, { method: 'POST', headers, body: text }));
}

export async function frIssue(sandbox: Sandbox, token: string, number: string, changes: object = {}): Promise<Heard> {
  return frPost(sandbox, token, envelope({ payload: invoice(number, changes) }));
}

export async function frConsult(sandbox: Sandbox, token: string, identifier: string, query = ''): Promise<Heard> {
  const path = sandbox.fr.consultationPath.replace('{identifier}', encodeURIComponent(identifier));
  return heard(await fetch(sandbox.fr.url + path + query, { headers: { authorization: `Bearer ${token}` } }));
}

export async function svTokenCall(sandbox: Sandbox, serviceId: number, password = sandbox.sv.password): Promise<Heard> {
  const { authUrl, user, credentialsHeader, serviceIdParameter } = sandbox.sv;
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const url = `${authUrl}/ServicioService?${serviceIdParameter}=${serviceId}`;
  return heard(await fetch(url, { headers: { [credentialsHeader]: credentials } }));
}

export async function svToken(sandbox: Sandbox, serviceId: number): Promise<string> {
  return (await svTokenCall(sandbox, serviceId)).body.token;
}

export function note(number: number, changes: object = {}): object {
  return {
    emisor: { nit: '06140101001010', codEstable: '0001', codPuntoVenta: '0001', nombre: 'Bodega Ejemplo' },
    receptor: { nombre: 'Tienda Ejemplo', numDocumento: '06140202002020' },
    cuerpoDocumento: [
      { numItem: 1, codigo: 'A1', descripcion: 'Harina', cantidad: 3, precioUni: 1.5, tributos: ['20'] },
    ],
    resumen: { totalGravada: 4.5, montoTotalOperacion: 4.5, totalLetras: 'CUATRO 50/100 USD' },
    extension: {},
    FechaGeneracion: '2026-11-20T16:00:00',
    NumeroSecuencial: number,
    tipoMoneda: 'USD',
    Adjuntos: [],
    ...changes,
  };
}

export async function svIssue(sandbox: Sandbox, token: string, body: object | string): Promise<Heard> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return heard(await fetch(`${sandbox.sv.issueUrl}/NotaRemision`, { method: 'POST', headers, body: text }));
}

export async function svConsult(sandbox: Sandbox, token: string, identifier: string): Promise<Heard> {
  const path = sandbox.sv.consultationPath.replace('{identifier}', encodeURIComponent(identifier));
  return heard(await fetch(sandbox.sv.issueUrl + path, { headers: { authorization: `Bearer ${token}` } }));
}

/** The record of a document number; undefined where it never reached a service. */
export function recordOf(sandbox: Sandbox, number: string) {
  return sandbox.acceptances().find((taken) => taken.number === number);
}
