import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { note, recordOf, svConsult, svIssue, svToken, svTokenCall } from './client.ts';

let sandbox: Sandbox;
let issuing: string;
let consulting: string;

beforeAll(async () => {
  sandbox = await startSandbox({ sv: { credentialsHeader: 'X-Clave', serviceIdParameter: 'svc' } });
  issuing = await svToken(sandbox, 1);
  consulting = await svToken(sandbox, 3);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

test('a token costs the right credentials and a known service id', async () => {
  expect(await svTokenCall(sandbox, 1)).toMatchObject({
    status: 200,
    body: { token: expect.any(String), expiraEn: 300 },
  });
  expect((await svTokenCall(sandbox, 1, 'wrong')).status).toBe(401);
  expect((await svTokenCall(sandbox, 5)).status).toBe(400);
});

test('a token opens its own service only', async () => {
  expect((await svIssue(sandbox, consulting, note(1))).status).toBe(401);
  expect((await svConsult(sandbox, issuing, '1')).status).toBe(401);
  expect(sandbox.acceptances()).toEqual([]);
});

test('an authorized note is answered in the shape the sandbox chose', async () => {
  const { status, body } = await svIssue(sandbox, issuing, note(1201));
  expect(status).toBe(200);
  expect(body).toEqual({
    codigo: 2,
    estado: 'Autorizado',
    mensaje: 'Autorizado',
    documento: {
      numeroSecuencial: 1201,
      codigoGeneracion: expect.stringMatching(/^[0-9A-F-]{36}$/),
      fechaProceso: expect.any(String),
    },
  });
});

test('a note with null where nothing is known is authorized', async () => {
  const receptor = { nombre: 'Tienda Ejemplo', numDocumento: '06140202002020', nrc: null, codActividad: null };
  const { body } = await svIssue(sandbox, issuing, note(1202, { receptor, extension: null }));
  expect(body).toMatchObject({ codigo: 2 });
});

test.each([
  ['an unknown field', { color: 'rojo' }, /color/],
  ['a number as text', { NumeroSecuencial: '12' }, /NumeroSecuencial/],
  ['half a sequential number', { NumeroSecuencial: 12.5 }, /NumeroSecuencial/],
  ['no sequential number', { NumeroSecuencial: undefined }, /NumeroSecuencial/],
  ['a date with a zone', { FechaGeneracion: '2026-11-20T16:00:00Z' }, /FechaGeneracion/],
  ['an item that is no object', { cuerpoDocumento: ['harina'] }, /cuerpoDocumento\.0/],
])('%s is rejected (code 6) and named', async (_, changes, message) => {
  const { status, body } = await svIssue(sandbox, issuing, note(12, changes));
  expect(status).toBe(200);
  expect(body).toMatchObject({ codigo: 6, mensaje: expect.stringMatching(message) });
  expect(sandbox.acceptances()[0]!.accepted).toBe(0);
});

test.each(['', '[', '[]', '"text"', 'null'])('the body %j is a bad request', async (body) => {
  expect((await svIssue(sandbox, issuing, body)).status).toBe(400);
});

test('the same sequential number is a duplicate, another till or year is not', async () => {
  const codeOf = async (changes: object) => (await svIssue(sandbox, issuing, note(7, changes))).body.codigo as number;
  const till = { emisor: { nit: '06140101001010', codEstable: '0001', codPuntoVenta: '0002' } };
  const codes = [
    await codeOf({}),
    await codeOf({}),
    await codeOf(till),
    await codeOf({ FechaGeneracion: '2027-01-02T08:00:00' }),
  ];
  expect(codes).toEqual([2, 15, 2, 2]);
  expect(recordOf(sandbox, '7')).toMatchObject({ accepted: 1, duplicates: 1 });
});

test('a consultation finds the generation code and the number', async () => {
  sandbox.script([{ match: { service: 'sv' }, answer: { code: 8 } }]);
  const { body } = await svIssue(sandbox, issuing, note(8));
  const ask = async (key: string) => (await svConsult(sandbox, consulting, key)).body;
  expect(await ask(body.documento.codigoGeneracion)).toMatchObject({ codigo: 8, documento: { numeroSecuencial: 8 } });
  expect(await ask('8')).toMatchObject({
    codigo: 2,
    documento: { numeroSecuencial: 8 },
  });
  expect((await ask('9')).codigo).toBe(18);
});

test('digits of the number choose the answer only where that is asked for', async () => {
  expect((await svIssue(sandbox, issuing, note(1206))).body.codigo).toBe(2);
  await using scripted = await startSandbox({ scriptedNumbers: true });
  const token = await svToken(scripted, 1);
  const codeOf = async (number: number) => (await svIssue(scripted, token, note(number))).body.codigo as number;
  expect([await codeOf(1201), await codeOf(1206), await codeOf(8), await codeOf(1299)]).toEqual([2, 6, 8, 99]);
  expect((await svIssue(scripted, token, note(1294))).body.documento.numeroSecuencial).not.toBe(1294);
  await expect(svIssue(scripted, token, note(1291))).rejects.toThrow();
  expect(recordOf(scripted, '1291')).toMatchObject({ accepted: 1 });
});
