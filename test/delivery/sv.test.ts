import { describe, expect, it } from 'vitest';
import type { Http, WireRequest } from '../../src/delivery/service.ts';
import { sv } from '../../src/delivery/sv-service.ts';
import type { Exchange } from '../../src/model/answer.ts';
import { serviceContract } from '../contracts/service.ts';
import { httpAnswer, quickHttp, rawServer } from './loopback.ts';

const settings = {
  'auth-url': 'https://auth.example',
  'issue-url': 'https://issue.example/v1',
  credentials: { env: 'SV_CREDENTIALS' },
  'credentials-header': 'X-Credentials',
  'service-id-in': { query: 'idServicio' },
  'token-answer': { token: '/token' },
  answer: { code: '/estado/codigo' },
};
const consultation = { method: 'GET', path: '/consulta/{identifier}', answer: { code: '/estado/codigo' } };
const content = '{"NumeroSecuencial":7,"resumen":{"montoTotalOperacion":0.10000000000000000001}}';

serviceContract({
  service: sv,
  settings,
  consultation,
  class: 'remission-note',
  content,
  answer: (code) => `{"estado":{"codigo":${code}}}`,
});

const submission = {
  class: 'remission-note',
  content,
  identifier: '7',
  requestId: 'r-1',
  now: new Date('2026-11-21T05:30:00Z'),
};
const ours = { ...submission, tokenRenewed: false, tries: 0, random: () => 0 };

function answered(body: string): Exchange {
  return { sent: true, status: 200, headers: {}, body };
}

/** What the token call looks like, and what is made of the answer. */
async function authorized(more: object, body: string, consult = false) {
  const requests: WireRequest[] = [];
  const http: Http = async (request) => {
    requests.push(request);
    return answered(body);
  };
  const destination = sv.open({ ...settings, ...more });
  const call = consult ? destination.authorizeConsultation! : destination.authorize;
  const token = await call(http, async () => 'usuario:contraseña');
  return { token, request: requests[0]! };
}

const BASE64 = 'dXN1YXJpbzpjb250cmFzZcOxYQ==';

describe('the remission note service', () => {
  it('sends the document itself', () => {
    expect(sv.open(settings).submit(submission)).toEqual({
      method: 'POST',
      url: 'https://issue.example/v1/NotaRemision',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: content,
    });
  });

  it('sends what is absent as null where the settings say so, with every digit as it was', () => {
    const note =
      '{"emisor":{"nit":"06141234561011","codEstable":"S1"},"receptor":{"nrc":"1234567"},' +
      '"cuerpoDocumento":[{"numItem":1,"precioUni":10.500000000000000001,"tributos":[]},{"codigo":"A","tributos":["20"]}],' +
      '"resumen":{"totalGravada":1e2,"porcentajeDescuento":0},"NumeroSecuencial":12345678901234567890,"Adjuntos":[]}';
    const sent = (absent: string) => sv.open({ ...settings, absent }).submit({ ...submission, content: note }).body;
    expect(sent('leave-out')).toBe(note);
    expect(sent('null')).toBe(
      '{"emisor":{"nit":"06141234561011","codEstable":"S1","nombreComercial":null,"codEstableMH":null,"codPuntoVentaMH":null,' +
        '"codPuntoVenta":null},"receptor":{"nrc":"1234567","codActividad":null,"descActividad":null},' +
        '"cuerpoDocumento":[{"numItem":1,"precioUni":10.500000000000000001,"tributos":null,"codigo":null},' +
        '{"codigo":"A","tributos":["20"]}],"resumen":{"totalGravada":1e2,"porcentajeDescuento":0,"tributos":null},' +
        '"NumeroSecuencial":12345678901234567890,"Adjuntos":[],"extension":null}',
    );
    expect(sv.open(settings).submit({ ...submission, content: note }).body).toBe(note);
  });

  it('sends our request-id where a header is named, and believes its echo only then', () => {
    const answer = { code: '/c', 'request-id': '/r', identifier: '/n' };
    expect(() => sv.open({ ...settings, answer })).toThrow(/request-id-header/);
    const destination = sv.open({ ...settings, answer, 'request-id-header': 'X-Request-Id', 'strict-echo': true });
    expect(destination.submit(submission).headers['x-request-id']).toBe('r-1');
    expect(destination.judge(answered('{"c":2,"r":"r-1","n":7}'), ours).state).toBe('authorized');
    expect(destination.judge(answered('{"c":2,"r":"r-1"}'), ours).state).toBe('in-doubt');
    expect(destination.judge(answered('{"c":2,"r":"r-1","n":8}'), ours).state).toBe('in-doubt');
  });

  it('reads no code when no place for it is configured', () => {
    expect(sv.open(settings).judge(answered('{"codigo":2}'), ours).state).toBe('in-doubt');
    const { answer: _, ...without } = settings;
    expect(() => sv.open(without)).toThrow(/answer/);
  });

  it('consults code 8 from 05:00 in El Salvador', () => {
    const verdict = sv.open(settings).judge(answered('{"estado":{"codigo":8}}'), ours);
    expect(new Date(verdict.consultAt!).toISOString()).toBe('2026-11-21T11:00:00.000Z');
    expect(() => sv.open({ ...settings, zone: 'America/San_Salvador' })).toThrow(/time zone/);
  });
});

describe('its token', () => {
  it('is asked for with Base64 credentials and the service identifier', async () => {
    const { token, request } = await authorized({}, '{"token":"abc"}');
    expect(request).toEqual({
      method: 'GET',
      url: 'https://auth.example/ServicioService?idServicio=1',
      headers: { accept: 'application/json', 'x-credentials': BASE64 },
    });
    expect(token).toEqual({ value: 'abc' });
  });

  it('goes with prefix and header where the settings say so', async () => {
    const { request } = await authorized(
      {
        'credentials-prefix': 'Basic ',
        'credentials-header': 'Authorization',
        'service-id-in': { header: 'Servicio' },
      },
      '{"token":"abc"}',
    );
    expect(request.url).toBe('https://auth.example/ServicioService');
    expect(request.headers).toMatchObject({ authorization: `Basic ${BASE64}`, servicio: '1' });
  });

  it('takes a user and a secret password too', async () => {
    const credentials = { user: 'ana', password: { env: 'SV_PASSWORD' } };
    const { request } = await authorized({ credentials }, '{"token":"abc"}');
    expect(Buffer.from(request.headers['x-credentials']!, 'base64').toString()).toBe('ana:usuario:contraseña');
  });

  it('is another one for consultations', async () => {
    const { request } = await authorized({ consultation }, '{"token":"abc"}', true);
    expect(request.url).toContain('idServicio=3');
    expect(sv.open(settings).authorizeConsultation).toBeUndefined();
  });

  it.each([
    [{ 'token-answer': { token: '/d/t', seconds: '/d/s' } }, '{"d":{"t":"abc","s":900}}', 900],
    [{ 'token-answer': { token: '/d/t', seconds: '/d/s' } }, '{"d":{"t":"abc","s":"900"}}', 900],
    [{ 'token-answer': { token: '/t', seconds: '/s' }, 'token-seconds': 60 }, '{"t":"abc"}', 60],
    [{ 'token-answer': { token: '' }, 'token-seconds': 60 }, '"abc"', 60],
    [{ 'token-answer': { text: true } }, ' abc\n', undefined],
  ])('is read as %j says', async (more, body, lifeSeconds) => {
    const { token } = await authorized(more, body);
    expect(token).toEqual(lifeSeconds === undefined ? { value: 'abc' } : { value: 'abc', lifeSeconds });
  });

  it('travels over a real connection', async () => {
    await using server = await rawServer((socket) => socket.end(httpAnswer(200, '{"token":"abc"}')));
    await using open = await quickHttp();
    const destination = sv.open({ ...settings, 'auth-url': server.url });
    expect(await destination.authorize(open.http, async () => 'u:p')).toEqual({ value: 'abc' });
    expect(server.seen.text).toMatch(/^GET \/ServicioService\?idServicio=1 HTTP/);
    expect(server.seen.text).toMatch(/x-credentials: dTpw\r\n/);
  });
});
