/**
 * The bytes of HTTP and JSON: whole bodies in, whole answers out, numbers as exact decimals. Raw node:http and
 * callbacks, because benchmarks of the sender measure this server too. A body above 32 MiB is answered with HTTP 413.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Decimal } from '../model/decimal.ts';

const BODY_LIMIT = 32 * 1024 * 1024;

/** Calls back once with the whole body, and never if the client goes away before its end. */
export function readBody(request: IncomingMessage, response: ServerResponse, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  });
  request.on('end', () => {
    const [first, ...others] = chunks;
    if (size <= BODY_LIMIT) done(first && others.length === 0 ? first : Buffer.concat(chunks, size));
    else send(response, 413, 'The body is larger than 32 MiB.\n', { 'content-type': 'text/plain' });
  });
  request.on('error', () => {});
}

/** Sends the whole answer with its length. */
export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: { readonly [name: string]: string | number },
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/**
 * The JSON value of strict UTF-8; undefined if it is not JSON. `exact`: every number is a Decimal, with all its digits.
 */
export function parseJson(bytes: Buffer, exact: boolean): { readonly value: unknown } | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const text = bytes.toString('utf8');
    return { value: exact ? JSON.parse(text, exactly as (key: string, value: unknown) => unknown) : JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A reviver that reads the digits themselves; TypeScript does not know its third argument yet. */
function exactly(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' ? toDecimal(context.source ?? String(value)) : value;
}

/**
 * JSON allows exponents, Decimal does not: the point moves. An absurdly large or small number stays a float, which the
 * shape refuses later.
 */
function toDecimal(source: string): Decimal | number {
  const [mantissa = '', exponent] = source.split(/e/i);
  const value = Decimal.parse(mantissa);
  if (!value || exponent === undefined) return value ?? Number(source);
  const shift = Number(exponent);
  if (Math.abs(shift) > 60) return Number(source);
  if (shift < 0) return Decimal.of(value.units, value.scale - shift);
  return value.times(Decimal.of(10n ** BigInt(shift), 0));
}

/** A part of a path, percent-decoded; unchanged if it is not valid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
