/**
 * The program over a fail-over that forgets: a night on the primary, a second one that an asynchronous standby never gets, the
 * primary is killed, the standby promoted. What each command says, and how often the service got each document.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { placeOf, TestServer } from '../../database/postgres/server.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn, startIn } from '../../program.ts';
import { attachStandby, delaying, promote } from './fail-over.ts';

/** What was not as it has to be; nothing in the end. `work`: what was at work when the primary was killed, so which witnesses know of its commits. */
export async function failOverOfProgram(work: 'run' | 'watch'): Promise<readonly string[]> {
  const primary = await TestServer.create();
  const relay = await delaying(primary.port, 0);
  let standby: TestServer | undefined;
  let scene: Scene | undefined;
  try {
    const postgres = {
      host: '127.0.0.1',
      port: primary.port,
      database: 'postgres',
      user: 'nightpost',
      tls: 'off',
      lease: '5s',
    };
    scene = await openScene({ settings: { ledger: { postgres }, inbox: { settle: '1ms', scan: '200ms' } } });
    scene.drop('ventes-1.csv', sales(['F1']));
    await scene.night();
    await primary.stop();
    standby = await TestServer.standbyOf(primary, relay.port);
    await primary.start();
    await standby.start();
    await attachStandby(primary, false);
    if (work === 'run') {
      relay.hold();
      scene.drop('ventes-2.csv', sales(['F2', 'F3']));
      await scene.night();
      await primary.stop('kill');
    } else await watchOver(scene, { primary, standby, relay });
    await promote(standby);

    replacePort(scene, primary.port, standby.port);
    scene.drop('ventes-3.csv', sales(['F3', 'F4']));
    const faults: string[] = [];
    const expectOf = async (code: number, text: string, ...command: readonly string[]) => {
      const ended = await commandIn(scene!, ...command);
      const said = `${ended.out}${ended.err}`;
      if (ended.code !== code || !said.includes(text))
        faults.push(`${work}: ${command.join(' ')}: ${ended.code} ${said}`);
    };
    await expectOf(2, 'ledger/older: The ledger on the server', 'run');
    await expectOf(2, 'ledger/older', 'watch', '-q');
    await expectOf(0, 'learned from receipts', 'doctor', '--offline', '--accept-ledger', 'compared with the service');
    await scene.night();
    const states = tally(await scene.entries());
    if (!isDeepStrictEqual(states, { authorized: 3, duplicate: 1, held: 1 })) faults.push(JSON.stringify(states));
    await expectOf(0, '', 'ledger', 'end-quarantine', 'compared');
    await expectOf(0, '', 'verify', '--all');

    // The former primary comes back, as one: it does not know what was decided since.
    await primary.start();
    replacePort(scene, standby.port, primary.port);
    scene.drop('ventes-4.csv', sales(['F5']));
    await expectOf(2, 'ledger/older', 'run');
    const requests = scene.sandbox.acceptances().map((one) => one.requests);
    if (!isDeepStrictEqual(requests, [1, 1, 1])) faults.push(`${work}: sent ${requests.join(', ')} times`);
    return faults;
  } finally {
    await scene?.[Symbol.asyncDispose]();
    await relay.close();
    await standby?.remove();
    await primary.remove();
  }
}

function replacePort(scene: Scene, from: number, to: number): void {
  const settings = scene.read('nightpost.yaml');
  writeFileSync(join(scene.root, 'nightpost.yaml'), settings.replace(`port: ${from}`, `port: ${to}`));
}

type Servers = {
  readonly primary: TestServer;
  readonly standby: TestServer;
  readonly relay: { readonly hold: () => void };
};

/** A watch that is at work on both sides of the last commit that the standby gets: only the witness of its role knows of the others. */
async function watchOver(scene: Scene, { primary, standby, relay }: Servers): Promise<void> {
  let watch = startIn(scene, 'watch', '-q');
  const written = async (receipts: number) => {
    while (scene.files('outbox').filter((path) => path.endsWith('.receipt.json')).length < receipts) {
      // As a service manager does: on a loaded machine it may lose its lease.
      if (watch.child.exitCode !== null) watch = startIn(scene, 'watch', '-q');
      await sleep(50);
    }
  };
  try {
    scene.drop('ventes-2.csv', sales(['F2']));
    await written(2);
    while ((await commitsAs(primary)) !== (await commitsAs(standby))) await sleep(20);
    relay.hold();
    scene.drop('ventes-2b.csv', sales(['F3']));
    await written(3);
    await primary.stop('kill');
    await watch.ended;
  } finally {
    const { child } = watch;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

/** How many commits a server knows that a worker has made as the sender. */
async function commitsAs(server: TestServer): Promise<number> {
  const session = await connectPostgres(placeOf(server.url, 'nightpost'));
  const { rows } = await session.ask(`SELECT generation FROM role WHERE name = 'send fr'`);
  await session.end();
  return Number(rows[0]?.generation ?? 0);
}
