/** The commands of an operator speak the language of the settings where they tell what is wrong, and why something waits. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allMessages, englishIn } from '../catalogue.ts';
import { inUseFor, openScene, SALES_MAPPING, type Scene } from '../night.ts';
import { commandIn } from '../program.ts';

const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux';
const MAPPING = SALES_MAPPING.replace('columns: {', 'columns: { Client: { text: siren },');

test.each([
  [
    'fr',
    /F1 +à valider .*son montant de 1200,00 EUR dépasse la limite de 1000,00 EUR/,
    /F4-XLOST +à vérifier .*envoyé, connexion coupée avant la réponse complète\u00a0: ECONNRESET/,
    /F2 +à corriger .*; écrivez 005480546/,
    /«\u00a012,5O\u00a0» n’est pas un nombre - «\u00a0O\u00a0» n’a pas sa place dans un nombre/,
  ],
  [
    'es',
    /F1 +por aprobar .*su monto de 1200[.]00 EUR supera el límite de 1000[.]00 EUR/,
    /F4-XLOST +por verificar .*enviado, pero la conexión se cortó antes de la respuesta completa: ECONNRESET/,
    /F2 +por corregir .*; escriba 005480546/,
    /«12,5O» no es un número - «O» no puede estar en un número/,
  ],
] as const)('errors and show in %s', async (language, held, lost, offered, told) => {
  const rules = { fr: 'wire', sv: 'wire', language };
  const run = { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } };
  await using scene = await openScene({ settings: { rules, run }, mappings: { 'sales.yaml': MAPPING } });
  const rows = [
    'F1;05/09/2026;732829320;1;100;10;20',
    'F2;05/09/2026;5480546;1;1;10;20',
    'F3;05/09/2026;732829320;1;12,5O;1;20',
    'F4-XLOST;05/09/2026;732829320;1;1;10;20',
  ];
  scene.drop('ventes.csv', `${[HEAD, ...rows].join('\n')}\n`);
  await scene.night();
  const errors = (await commandIn(scene, 'errors')).out;
  expect(errors).toMatch(held);
  expect(errors).toMatch(lost);
  expect(errors).toMatch(offered);
  expect((await commandIn(scene, 'show', 'F3')).out).toMatch(told);
});

async function waitingIn(language: 'en' | 'fr' | 'es'): Promise<Scene> {
  const rules = { fr: 'wire', sv: 'wire', language };
  const expect = [{ name: 'stock', files: 'stock*.csv', by: '00:00' }];
  const run = { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } };
  const mapping = `${MAPPING}checks:\n  - { that: = $Qte < 10, else: warning, say: A }\n`;
  const scene = await openScene({ settings: { rules, run, expect }, mappings: { 'sales.yaml': mapping } });
  await inUseFor(scene, 2);
  const rows = ['F3', 'F4', 'F5', 'F6', 'F7', 'F8'].map((number) => `${number};05/09/2026;732829320;1;12,5O;1;20`);
  const others = ['F1;05/09/2026;732829320;1;100;10;20', 'F9-XLOST;05/09/2026;732829320;1;12;1;20'];
  scene.drop('ventes.csv', `${[HEAD, ...rows, ...others].join('\n')}\n`);
  await commandIn(scene, '-q', 'run');
  return scene;
}

const LOOKS = [
  ['run'],
  ['status'],
  ['errors'],
  ['errors', '--group', 'cause'],
  ['errors', '--warnings'],
  ['errors', '--cause', 'nothing'],
  ['errors', 'F99'],
  ['show', 'F1'],
  ['show', 'F3'],
  ['show', 'F9-XLOST'],
];

test.each([
  ['fr', ['ÉTAT', 'RESPONSABLE', 'TIERS', 'NOMBRE', 'EXEMPLE', 'QUE FAIRE', 'comptabilité', 'ligne 2', 'MANQUANT']],
  ['es', ['ESTADO', 'RESPONSABLE', 'CONTRAPARTE', 'CANTIDAD', 'EJEMPLO', 'QUÉ HACER', 'contabilidad', 'FALTA']],
] as const)('headings, states and ways out in %s; what programs read is the same in each', async (language, words) => {
  await using scene = await waitingIn(language);
  const sentences = await allMessages();
  const outs: string[] = [];
  for (const args of LOOKS) {
    const { out } = await commandIn(scene, ...args);
    expect(englishIn(out, language, sentences), out).toBeUndefined();
    outs.push(out);
  }
  for (const word of words) expect(outs.join('\n')).toContain(word);
  for (const word of ['STATE', 'WHO ACTS', 'CAUSE  WHAT', 'finance', 'revision ', 'under way', ' history', 'VALUE ']) {
    expect(outs.join('\n')).not.toContain(word);
  }
  const status = JSON.parse((await commandIn(scene, '--json', 'status')).out);
  expect(status).toMatchObject({ documents: { invalid: 6, held: 1, 'in-doubt': 1 }, expected: [{ state: 'missing' }] });
});

test('a run reports files in the language of the settings', async () => {
  await using scene = await openScene({ settings: { rules: { fr: 'wire', sv: 'wire', language: 'es' } } });
  scene.drop('ventes.csv', `${HEAD.replaceAll(';', ',')}\n`);
  scene.drop('otro.csv', `${HEAD}\n`);
  const { out, err } = await commandIn(scene, 'run');
  expect(out + err).toContain('ninguna plantilla de conversión acepta un archivo con este nombre');
  expect(out + err).toContain('el archivo usa otro separador');
});

test('preview says it in the language of the settings too', async () => {
  await using scene = await openScene({ settings: { rules: { fr: 'fr-2026', sv: 'wire', language: 'fr' } } });
  scene.drop('ventes.csv', `${HEAD}\nF1;31/02/2026;X;1;1;10;20\nF2;05/09/2026;X;1;1;10;20\n`);
  const { out } = await commandIn(scene, 'preview', join(scene.root, 'inbox/ventes.csv'));
  expect(out).toContain('«\u00a031/02/2026\u00a0» n’est pas une date\u00a0: il n’y a pas de jour 31 en 02/2026');
  expect(out).toMatch(/fr-invoice\/\S+ {2}.*facture/);
  expect(out).not.toMatch(/the invoice|the document/);
});

const WHY = ['--reason', 'test'];
const LOOK = [...WHY, '--dry-run'];

/** Each command by which a person decides, where it does something and where it refuses. */
const DECISIONS = [
  ['fix', 'F3', 'Qte=12', ...LOOK],
  ['fix', 'F3', 'Qte=13x', ...LOOK],
  ['fix', 'F3', 'Qte=12,5O', ...LOOK],
  ['fix', 'F3', 'Rabatt=1', ...LOOK],
  ['fix', 'F3', 'Qte@99=1', ...LOOK],
  ['fix', 'F3', 'nothing', ...LOOK],
  ['fix', 'F3', '--suggested', ...LOOK],
  ['fix', 'F3', ...LOOK],
  ['fix', 'F3', 'Qte=12'],
  ['fix', 'F99', 'Qte=12', ...LOOK],
  ['fix', 'F3', 'Qte=12', ...WHY],
  ['reprocess', 'F4', ...LOOK],
  ['reprocess', '--cause', 'none/such', ...LOOK],
  ['reprocess', '--state', 'invalid', ...WHY],
  ['reprocess', ...LOOK],
  ['reprocess', 'otro.csv', ...LOOK],
  ['reprocess', 'otro.csv', ...WHY],
  ['retry', 'F1', ...LOOK],
  ['retry', 'F5', ...LOOK],
  ['retry', 'F9-XLOST', ...LOOK],
  ['retry', '--state', 'in-doubt', ...LOOK],
  ['retry', 'F9-XLOST', '--evidence', 'none.png', ...LOOK],
  ['release', 'F5', ...LOOK],
  ['release', 'F1', ...LOOK],
  ['reject', 'F5', ...LOOK],
  ['consult'],
  ['consult', 'F1', 'F3', 'F9-XLOST', '--dry-run'],
  ['reject', 'F1', ...WHY],
  ['show', 'F1'],
  ['errors', 'F1'],
  ['resolve', 'F5', '--as', 'authorized', ...WHY],
  ['resolve', 'F9-XLOST', '--as', 'authorized', ...WHY],
  ['purge', '--dry-run'],
  ['purge', '--subject', ' '],
  ['verify'],
  ['ledger', 'receipts', '--dry-run'],
  ['verify', 'F1', '--all'],
  ['verify', 'F99'],
  ['show', 'F99'],
  ['run', 'none.csv'],
];

test.each([
  ['fr', ['Rien n’a été modifié', 'est maintenant «\u00a0en file\u00a0»', 'Serait supprimé', 'Vérifié', 'écarté']],
  ['es', ['No se cambió nada', 'ahora está «en cola»', 'Se eliminaría', 'Verificado', 'descartado']],
] as const)('what a person decides, and why it is refused, in %s', async (language, words) => {
  await using scene = await waitingIn(language);
  const sentences = await allMessages();
  scene.drop('otro.csv', `${HEAD}\n`);
  await commandIn(scene, 'run');
  let all = '';
  for (const args of DECISIONS) {
    const { out, err } = await commandIn(scene, ...args);
    expect(out + err, args.join(' ')).not.toBe('');
    expect(englishIn(out + err, language, sentences), `${args.join(' ')}\n${out}${err}`).toBeUndefined();
    expect(out + err, args.join(' ')).not.toMatch(/\{[a-z][\w-]*\}/);
    all += `${args.join(' ')}\n${out}${err}\n`;
  }
  for (const word of words) expect(all).toContain(word);
});
