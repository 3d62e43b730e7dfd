import { expect, test } from 'vitest';
import { planPurge, purge } from '../../src/maintenance/purge-instance.ts';
import { filesWith } from '../files-with.ts';
import { openScene, SALES_MAPPING, stopAtWrite } from '../night.ts';
import { commandIn } from '../program.ts';

const NAME = 'Zoroastre Quetzal';
const SIREN = '552100554';

test('the next purge removes what one has left that failed at any of its writes', async () => {
  let stopped = 0;
  for (let at = 1; at === stopped + 1; at++) {
    const receiver = `receiver: { name: $Client, identifiers: [{ type: siren, value: '${SIREN}' }] }`;
    await using scene = await openScene({
      settings: { receipts: { answers: 'xml' } },
      mappings: { 'sales.yaml': SALES_MAPPING.replace('receiver: { name: $Client }', receiver) },
    });
    const rows = ['F1', 'F2'].map((number) => `${number};05/09/2026;${NAME};1;2;10,50;20`);
    scene.drop('ventes.csv', ['Num;Date;Client;Lig;Qte;PU;Taux', ...rows, ''].join('\n'));
    scene.drop('ventes-2.csv', ['Num;Date;Client;Lig;Qte;PU;Taux', rows[0]!.replace('F1', 'F3'), ''].join('\n'));
    expect((await commandIn(scene, 'run')).code).toBe(0);
    expect(filesWith(scene, NAME).length).toBeGreaterThan(5);
    const decision = { at: new Date().toISOString(), by: 'anna', reason: 'asked for' };
    const instance = scene.instance();
    const first = await scene
      .look(async (ledger) => await planPurge({ instance, ledger }, new Date(), SIREN))
      .then((plan) => (plan === 'stopped' ? undefined : plan));
    await scene
      .desk(async ({ ledger }) => await purge({ instance, ledger }, first!, decision), stopAtWrite(at))
      .catch(() => stopped++);
    expect(await commandIn(scene, 'purge', '--subject', SIREN, '--reason', 'asked for')).toMatchObject({ code: 0 });
    expect([at, filesWith(scene, NAME)]).toEqual([at, []]);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  }
  expect(stopped).toBeGreaterThan(8);
}, 60_000);
