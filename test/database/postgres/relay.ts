/**
 * A TCP relay on loopback between the ledger and its server. It reads what the client sends message by message, and a test
 * decides about each: it passes, the connection ends before it, or the answer to it is lost. Where the server wants TLS, the
 * relay speaks it: what the client sends is plain, so that it can be read.
 */
import { once } from 'node:events';
import { createServer, type Socket, connect as toServer } from 'node:net';
import { connect as toTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';

/** One message of the client, after those with which a session starts. */
export type Message = {
  /** Its first byte: P(arse), B(ind), D(escribe), E(xecute), S(ync), Q(uery), X (the end). */
  readonly type: string;
  /** The statement that is under way on its connection. */
  readonly sql: string;
};
export type Fate = 'passes' | 'cut-before' | 'answer-lost';

/**
 * The same place through a relay, which ends with the test. `change` replaces an answer by one of the same length, `ask` a
 * message of the client.
 */
export async function relayTo(
  place: PostgresPlace,
  fate: (message: Message) => Fate = () => 'passes',
  change: (answer: Buffer) => Buffer = (answer) => answer,
  ask: (message: Buffer) => Buffer = (message) => message,
): Promise<PostgresPlace> {
  const sockets = new Set<Socket>();
  const relay = createServer(async (client) => {
    const plain = toServer(place.port, place.host);
    let lost = false;
    for (const one of [client, plain]) {
      sockets.add(one);
      // Messages are small, and each is written alone: without it they wait for each other 40 ms.
      one
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => sockets.delete(one));
    }
    const server = place.tls === 'off' ? plain : await encrypted(plain);
    const cut = () => {
      client.destroy();
      // What was passed on before arrives, encrypted or not.
      server.end(() => plain.destroy());
    };
    const read = messageReader((type, sql, bytes) => {
      const what = type === '' ? 'passes' : fate({ type, sql });
      if (what === 'cut-before') return cut();
      // The server has the message and does what it asks; its answer ends here.
      if (what === 'answer-lost') lost = true;
      server.write(ask(bytes));
    });
    client.on('data', read).on('end', () => server.end());
    server.on('data', (bytes: Buffer) => (lost ? cut() : client.write(change(bytes)))).on('end', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    relay.close();
    await once(relay, 'close');
  });
  const { port } = relay.address() as { readonly port: number };
  return { ...place, host: '127.0.0.1', port, tls: 'off' };
}

/** The request for TLS (https://www.postgresql.org/docs/current/protocol-message-formats.html), and its answer of one byte. */
async function encrypted(plain: Socket): Promise<Socket> {
  plain.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
  await once(plain, 'data');
  return toTls({ socket: plain, rejectUnauthorized: false }).on('error', () => {});
}

/** Cuts what a client sends into messages. The first one, of the start, and those of the password have the type ''. */
function messageReader(each: (type: string, sql: string, bytes: Buffer) => void): (bytes: Buffer) => void {
  const named = new Map<string, string>();
  let [rest, started, sql] = [Buffer.alloc(0), false, ''];
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = started ? String.fromCharCode(message[0]!) : '';
      started = true;
      const texts = message.toString('utf8', 5).split('\0');
      if (type === 'P') {
        [, sql = ''] = texts;
        named.set(texts[0]!, sql);
      }
      if (type === 'B') sql = named.get(texts[1]!) ?? '';
      each(type === 'p' ? '' : type, sql, message);
    }
  };
}

/** Replaces a text by another one of the same length. */
export function replacing(from: string, to: string): (answer: Buffer) => Buffer {
  return (answer) => Buffer.from(answer.toString('latin1').replaceAll(from, to), 'latin1');
}
