/** A French service on loopback that gives out tokens, and keeps each other request until the walk says what it answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireRequest } from '../../../src/delivery/service.ts';
import type { Exchange } from '../../../src/model/answer.ts';

type HeldService = AsyncDisposable & { readonly url: string };

/** Decides when it resolves; an exchange without a status cuts the connection. */
export type Answering = (request: WireRequest) => Promise<Exchange>;

const TOKEN = JSON.stringify({ access_token: 'token', token_type: 'Bearer', expires_in: 3600 });

export async function openHeldService(answer: Answering): Promise<HeldService> {
  const server = createServer((request, response) => {
    serve(request, response, answer).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
  const { method = '', url = '' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (url.endsWith('/token')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(TOKEN);
    return;
  }
  const body = method === 'POST' ? { body: Buffer.concat(chunks).toString() } : {};
  const exchange = await answer({ method: method as WireRequest['method'], url, headers: {}, ...body });
  if (!('status' in exchange)) response.destroy();
  else response.writeHead(exchange.status, exchange.headers).end(exchange.body);
}
