/** What `show` tells of what a person recorded, and the words around corrections and endings, in the language of the settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopOnSignals } from '../../src/cli/session/command-session.ts';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const FRENCH = { rules: { fr: 'wire', sv: 'wire', language: 'fr' } };

test('an outcome that a person recorded is shown as such, with its proof', async () => {
  const mapping = `${SALES_MAPPING}checks:\n  - { that: = $Qte <> 2, else: warning, say: A }\n`;
  await using scene = await openScene({ settings: FRENCH, mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', sales(['F1-XLOST', 'F2-X6']));
  await scene.night();
  writeFileSync(join(scene.root, 'portail.png'), 'a picture');
  const proof = ['--evidence', join(scene.root, 'portail.png'), '--by', 'anna'];
  await commandIn(scene, 'resolve', 'F1-XLOST', '--as', 'rejected', '--reason', 'vu au portail', ...proof);
  const shown = (await commandIn(scene, 'show', 'F1-XLOST')).out;
  expect(shown).toMatch(
    /\n {2}décision +rejeté par le service {3}[\d/]+ [\d:]+ {3}anna\u00a0: vu au portail, preuve portail\.png \(sha-256 [0-9a-f]{64}\)\n/,
  );
  expect(shown).toContain('Une personne a enregistré ce résultat\u00a0; le service ne l’a pas communiqué.');
  expect(shown).not.toContain('(code 6)');
  expect(shown).toMatch(/\n {2}\S+ +sales 1/);
  expect(shown).toContain('map/check-failed (avertissement)');
  expect((await commandIn(scene, 'show', 'F2-X6')).out).toContain('Rejeté pour son contenu (code 6)');
});

const XML = `
mapping: factures
version: 1
target: fr-invoice
accepts: { files: "*.xml" }
source: { format: xml, document: /E/F, row: L, columns: { num: /E/F/N, date: /E/F/D, prix: P, note: T }, numbers: { decimal: "." }, dates: yyyy-MM-dd, types: { prix: number, date: date } }
documents: { one-per: num, class: invoice }
output:
  document: { identifier: $num, date: $date, currency: EUR }
  issuer: { name: $note, identifiers: [{ type: siren, value: "732829320" }] }
  lines: { each: row, make: { number: = ROW-NUMBER(), net-amount: $prix } }
`;

test('the words of a state that a person records never mention an answer of a service', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X15', 'F2-XLOST', 'F3-XLOST']));
  await scene.night();
  for (const [number, as] of [
    ['F1-X15', 'rejected'],
    ['F2-XLOST', 'failed'],
    ['F3-XLOST', 'contingency'],
  ] as const) {
    await commandIn(scene, 'resolve', number, '--as', as, '--reason', 'the portal says so');
    const { out } = await commandIn(scene, 'show', number);
    expect(out).toContain('A person recorded this outcome');
    expect(out).not.toMatch(/\(code [468]\)/);
  }
});

test('messages about an XML export do not mention CSV, and its correction file has the language of the settings', async () => {
  await using scene = await openScene({ settings: FRENCH, mappings: { 'x.yaml': XML } });
  const lines = '<L><P>1.00</P><T>x</T></L><L><P>2.00</P><T/></L>';
  scene.drop('f.xml', `<E><F><N>F1</N><D>2026-09-05</D>${lines}</F></E>`);
  await scene.night();
  const { faults } = (await scene.entries())[0]!;
  expect(faults).toMatchObject([{ code: 'map/not-the-same', hint: expect.not.stringContaining('fill-down') }]);
  scene.drop('g.xml', '<E><F><N/><D>2026-09-05</D><L><P>1.00</P><T>x</T></L></F></E>');
  await scene.night();
  const keyless = (await scene.entries())[1]!.faults.find(({ code }) => code === 'map/no-key');
  expect(keyless?.hint).toMatch(/si son chemin est faux/);
  expect(keyless?.hint).not.toContain('fill-down');
  const toFix = scene.files('error').find((path) => path.endsWith('.to-fix.xml'))!;
  expect(scene.read(toFix)).toMatch(/<!-- Corrigez les valeurs ci-dessous et déposez ce fichier dans inbox\/\. .*_doc/);
  expect(scene.read(toFix)).not.toContain('Correct the values');
});

test('the message after a stop is in the language of the settings', () => {
  const told: string[] = [];
  const stopping = stopOnSignals({ talk: (text: string) => told.push(text) } as never, 'fr');
  process.emit('SIGTERM');
  stopping.release();
  expect(told).toEqual(['Arrêt demandé\u00a0: les documents en cours sont terminés, les autres restent en file.']);
  expect(stopping.signal.aborted).toBe(true);
});
