/** A TCP relay on loopback between the ledger and its server: it changes bytes of the answers, holds them, or cuts. */
import { once } from 'node:events';
import { createServer, type Socket, connect as toServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PostgresPlace } from '../../../src/ledger/postgres/postgres-place.ts';

export type RelayOptions = {
  /** Changes what the server answers; the same length. */
  readonly change?: (answer: Buffer) => Buffer;
};

/** The same place through a relay, which ends with the test. */
export async function relayTo(
  place: PostgresPlace,
  { change = (answer) => answer }: RelayOptions = {},
): Promise<PostgresPlace> {
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = toServer(place.port, place.host);
    for (const one of [client, server]) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => sockets.delete(one));
    }
    client.on('data', (bytes) => server.write(bytes)).on('end', () => server.end());
    server.on('data', (bytes: Buffer) => client.write(change(bytes))).on('end', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    relay.close();
    await once(relay, 'close');
  });
  const { port } = relay.address() as { readonly port: number };
  return { ...place, host: '127.0.0.1', port };
}

/** Replaces a text by another one of the same length. */
export function replacing(from: string, to: string): (answer: Buffer) => Buffer {
  return (answer) => Buffer.from(answer.toString('latin1').replaceAll(from, to), 'latin1');
}
