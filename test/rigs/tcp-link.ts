/** A TCP link on loopback between one worker and its database, which a rig breaks: nothing arrives, all of it late, or it is cut. */
import { once } from 'node:events';
import { createServer, type Socket, connect as toServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** `silent`: what is sent is kept, and arrives when the link is whole again; `late`: each piece waits. */
export type LinkState = 'whole' | 'silent' | 'late' | 'cut';

export type TcpLink = AsyncDisposable & { readonly port: number; readonly set: (state: LinkState) => void };

const LATE_MS = 300;

/** `awayMs`: how much later each piece arrives while it is whole. */
export async function openLink(toPort: number, awayMs = 0): Promise<TcpLink> {
  let state: LinkState = 'whole';
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    // Late or not, what was sent first arrives first.
    let before: Promise<unknown> = Promise.resolve();
    from
      .setNoDelay()
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from);
        to.destroy();
      })
      .on('data', (bytes: Buffer) => {
        const atMs = performance.now() + (state === 'late' ? LATE_MS : awayMs);
        const untilThen = async () => {
          const ms = atMs - performance.now();
          if (ms > 0) await wait(ms);
        };
        before = before.then(untilThen).then(() => to.write(bytes));
      });
  };
  const link = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const server = toServer(toPort, '127.0.0.1');
    for (const one of [client, server]) {
      sockets.add(one);
      if (state === 'silent') one.pause();
    }
    pass(client, server);
    pass(server, client);
    if (state === 'silent') for (const one of [client, server]) one.pause();
  }).listen(0, '127.0.0.1');
  await once(link, 'listening');
  const { port } = link.address() as { readonly port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    set: (next) => {
      state = next;
      if (next === 'cut') cut();
      for (const socket of sockets) next === 'silent' ? socket.pause() : socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      link.close();
      await once(link, 'close');
    },
  };
}
