/** One and many, blanks and decimal marks as a reader of French or Spanish expects them. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const MAPPING = `${SALES_MAPPING}checks:\n  - { that: = $Qte * 2 <> 6, else: warning, say: A }\n`;

const WORDS = {
  fr: {
    warned: '1 document accepté avec avertissement\u00a0: ',
    warnedMany: '2 documents acceptés avec avertissement\u00a0: ',
    statusOne: '1 document accepté avec avertissement, dont 1 ',
    taken: /3 à corriger/,
    rows: 'ligne 2 ',
    rowsMany: 'lignes 2, 3 ',
    corrected: '1 corrigé',
    sent: '100,80 EUR',
    heading: /EXEMPLE +DANS\n/,
    hint: 'map/check-failed\u00a0: ',
  },
  es: {
    warned: '1 documento aceptado con advertencia: ',
    warnedMany: '2 documentos aceptados con advertencia: ',
    statusOne: '1 documento aceptado con advertencia, 1 de ellos ',
    taken: /3 por corregir/,
    rows: 'fila 2 ',
    rowsMany: 'filas 2, 3 ',
    corrected: '1 corregido',
    sent: '100.80 EUR',
    heading: /EJEMPLO +EN\n/,
    hint: 'map/check-failed: ',
  },
} as const;

test.each(['fr', 'es'] as const)('one and many in %s', async (language) => {
  const words = WORDS[language];
  const settings = { rules: { fr: 'wire', sv: 'wire', language } };
  await using scene = await openScene({ settings, mappings: { 'sales.yaml': MAPPING } });
  const [head, ...rows] = sales(['F1', 'F2', 'F3', 'F4']).trim().split('\n');
  const of = (number: string) => rows.filter((row) => row.startsWith(`${number};`));
  const file = (lines: readonly string[]) => `${[head, ...lines].join('\n')}\n`;
  // A single row, with a warning.
  scene.drop('ventes-1.csv', file([of('F1')[0]!.replace(';2;10', ';3;10')]));
  const first = (await commandIn(scene, 'run')).out;
  expect(first).toContain(words.warned);
  expect((await commandIn(scene, 'status')).out).toContain(words.statusOne);
  expect((await commandIn(scene, 'show', 'F1')).out).toContain(words.rows);
  const warnings = (await commandIn(scene, 'errors', '--warnings')).out;
  expect(warnings).toMatch(words.heading);
  expect(warnings).toContain(words.hint);
  // Two that went out come with one row more, one is wrong.
  scene.drop('ventes-2.csv', file([...of('F2'), ...of('F3')]));
  expect((await commandIn(scene, 'run')).out).toContain(words.sent);
  const changed = [...of('F2'), ...of('F3')].map((row) => row.replace(';10,50;', ';11,50;'));
  const wrong = of('F4').map((row) => row.replace(';1;2;', ';1;x;').replace(';2;10', ';3;10'));
  scene.drop('ventes-3.csv', file([...changed, ...wrong]));
  const third = (await commandIn(scene, 'run')).out;
  expect(third).toMatch(words.taken);
  expect((await commandIn(scene, 'show', 'F2')).out).toContain(words.rowsMany);
  const toFix = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  scene.drop('ventes-3.to-fix.csv', scene.read(toFix).replace(';1;x;', ';1;2;'));
  const fixed = await commandIn(scene, 'run');
  expect(fixed.out).toContain(words.corrected);
  expect(fixed.out).not.toContain(`${words.corrected}s`);
});
