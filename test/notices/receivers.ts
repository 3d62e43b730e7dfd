/** Real receivers of notices on this machine: a mail server, and a web server that answers as it is asked to. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Certificate } from '../certificates.ts';

/** `tls: none` in the settings: this machine needs no TLS. */
export type MailServer = AsyncDisposable & { readonly port: number; readonly mails: readonly Buffer[] };

/** `answer`: how DATA is answered: a code, or `close` to cut the connection once the mail is there. */
export async function mailServer(
  options: SMTPServerOptions & { readonly answer?: () => number | 'close' | undefined } = {},
): Promise<MailServer> {
  const { answer, ...own } = options;
  const mails: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: own.key ? [] : ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks));
        const how = answer?.();
        if (how === 'close') for (const socket of sockets) socket.destroy();
        else done(how === undefined ? null : Object.assign(new Error('refused'), { responseCode: how }));
      });
    },
    ...own,
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
export type WebReceiver = AsyncDisposable & { readonly url: string; readonly received: Received[] };

/** Answers 204 unless `act` answers; over https where it has a certificate. */
export async function webReceiver(
  act?: (response: ServerResponse, got: Received) => void,
  certificate?: Certificate,
): Promise<WebReceiver> {
  const received: Received[] = [];
  const answer: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(got);
      if (act) act(response, got);
      else response.writeHead(204).end();
    });
  };
  const server = certificate ? createSecureServer({ ...certificate }, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const scheme = certificate ? 'https' : 'http';
  return {
    url: `${scheme}://127.0.0.1:${port}/hook?token=s3cr3t-t0ken-of-hook`,
    received,
    [Symbol.asyncDispose]: close,
  };
}
