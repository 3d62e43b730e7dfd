/** `errors --group` says what really gets documents out of a cause, and names them as the commands take them. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

async function advice(scene: Scene): Promise<string> {
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  return out.slice(out.indexOf('WHAT TO DO'));
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `F${n + 1}`);

test('a document whose number is taken needs a new one, and receipt names distinguish the documents', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(numbers(6)));
  await scene.night();
  scene.drop('ventes-2.csv', sales(numbers(6)).replaceAll(/(Client F[1-4]);/g, '$1 SA;'));
  await scene.night();
  const said = await advice(scene);
  expect(said).toMatch(
    /the number is already used \(nightpost show F1\)\. Give this document its own number in the ERP/,
  );
  expect(said).not.toMatch(/fail for this cause|nightpost (fix|reprocess)/);
  expect(said).toContain('then set this one aside: nightpost set-aside --state conflict');
  const [, name] = /(F1~\w+) +to correct/.exec((await commandIn(scene, 'errors')).out)!;
  expect((await commandIn(scene, 'fix', name!, 'Qte=3', '--dry-run')).code).not.toBe(2);
  expect((await commandIn(scene, 'reject', name!, '--reason', 'came under F7')).out).toContain(
    'was "number already used", is now set aside',
  );
  expect((await commandIn(scene, 'errors')).out).not.toContain(name);
  // Set aside is not barred: it would be the same conflict again.
  expect((await commandIn(scene, 'reprocess', name!, '--dry-run')).out).toMatch(/would become .*the number belongs to/);
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('faulty documents are fixed in their cells when others of the mapping were sent', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(numbers(3)));
  await scene.night();
  scene.drop('ventes-2.csv', sales(numbers(6)).replaceAll(/(F[456];05\/09\/2026;Client F[456];1;)2/g, '$12O'));
  await scene.night();
  expect(await advice(scene)).toMatch(/all at once: nightpost fix --cause .*; or correct the cells in error\//);
});

test('rows that stand apart are a matter of the mapping, and so is a placeholder', async () => {
  const draft = SALES_MAPPING.replace(
    'name: Exemple SARL',
    "name: = IF($Qte = 3; 'FILL IN the name'; 'Exemple')".replaceAll("'", '"'),
  );
  await using scene = await openScene({ mappings: { 'sales.yaml': draft } });
  const [head, ...rows] = sales(['F1', 'F2', 'F3']).trim().split('\n');
  const apart = [rows[0], rows[2], rows[1], rows[3], ...rows.slice(4).map((row) => row.replace(';2;10', ';3;10'))];
  scene.drop('ventes.csv', `${[head, ...apart].join('\n')}\n`);
  await scene.night();
  const said = await advice(scene);
  expect(said).toMatch(
    /map\/key-came-back .*rows: anywhere in the mapping mappings\/sales\.yaml, then nightpost reprocess/,
  );
  expect(said).toMatch(/fr-invoice\/not-filled-in .*fill in \/issuer\/name in the mapping mappings\/sales\.yaml, then/);
  expect(said).not.toContain('nightpost fix');
});

test('what no cell of the export holds is a matter of the mapping or of the ERP', async () => {
  const credit = SALES_MAPPING.replace('class: invoice', 'class: credit-note');
  await using scene = await openScene({ mappings: { 'sales.yaml': credit }, settings: { rules: {} } });
  scene.drop('ventes.csv', sales(['A1']).replaceAll('05/09/2026', '20/11/2026'));
  await scene.night();
  const found = (await scene.entries())[0]!.faults.find(({ code }) => code === 'fr-invoice/no-original-invoice');
  expect(found).toMatchObject({ level: 'error', at: '/references' });
  const said = await advice(scene);
  expect(said).toMatch(/add it to the mapping mappings\/sales\.yaml, then nightpost reprocess A1 .*in the ERP/);
  expect(said).not.toMatch(/COLUMN=VALUE/);
});

test('each check is one cause; its way out compares values and never writes the control total', async () => {
  const checks = [
    'checks:',
    '  - { that: = SUM($net) = $Total, else: error, say: The net total differs }',
    '  - { that: = $Taux < 30, else: error, say: The rate is too high }',
    '',
  ].join('\n');
  const mapping = SALES_MAPPING.replace('Taux: number }', 'Taux: number, Total: number }') + checks;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const rows = [
    ['F1', '2', '20', '21,00'],
    ['F2', '2', '20', '12,00'],
    ['F3', '2', '30', '21,00'],
    ['F4', '2', '20', '21,00'],
  ].map(([number, quantity, rate, total]) => `${number};05/09/2026;Client;1;${quantity};10,50;${rate};${total}`);
  // The last document holds its only row twice.
  scene.drop('ventes.csv', `${['Num;Date;Client;Lig;Qte;PU;Taux;Total', ...rows, rows[3]].join('\n')}\n`);
  await scene.night();
  const said = (await advice(scene)).split('\n').slice(1, 4);
  expect(said[0]).toMatch(
    /compare with the original document F2: .*Total is "12,00".*\. Then nightpost fix F2 COLUMN=VALUE /,
  );
  expect(said[1]).toMatch(
    /compare with the original document F3: .*Taux is "30".*\. Then nightpost fix F3 COLUMN=VALUE /,
  );
  expect(said[2]).toMatch(/row 6 .*row 5.*If the line was exported twice, export the document again/);
});

test('a totals row has no cell to correct and no to-fix file, and needs no action once it is set aside', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', `${sales(['F1'])}Total;;;;12;;\n`);
  scene.drop('ventes-2.csv', `${sales(['F2', 'F3'])}Total;;;;14\n`);
  await scene.night();
  const said = await advice(scene);
  expect(said).toMatch(
    /map\/totals-row .*not a document.* In the mapping mappings\/sales\.yaml, leave it out: source: leave-out: \[\{ column: Num, equals: "Total" \}\].*set it aside: nightpost set-aside --cause map\/totals-row /,
  );
  expect(said).not.toMatch(/nightpost fix|csv\/too-few-cells/);
  const listed = (await commandIn(scene, 'errors')).out;
  expect(listed).toMatch(/correct in \S+: F3\n/);
  const toFix = scene.files('error').filter((path) => path.endsWith('.to-fix.csv'));
  expect(toFix).toHaveLength(1);
  expect(scene.read(toFix[0]!)).not.toContain('Total;');
  const leaves = SALES_MAPPING.replace('source:', 'source:\n  leave-out: [{ column: Num, equals: "Total" }]');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), leaves);
  expect((await commandIn(scene, 'reprocess', 'F3', '--reason', 'left out now')).out).toContain(
    'F3: was "to correct", is now "queued"',
  );
  const none = await commandIn(scene, 'reprocess', '--cause', 'map/totals-row', '--reason', 'left out now');
  expect(none.out).toMatch(/reprocess\/no-document .*set it aside: nightpost set-aside/);
  expect((await commandIn(scene, 'reject', '--cause', 'map/totals-row', '--reason', 'totals')).code).toBe(0);
  await scene.night();
  expect((await commandIn(scene, 'errors')).out).toContain('No documents need action.');
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('rows without a document offer no cell of their neighbors, and are set aside after a new export', async () => {
  await using scene = await openScene();
  const [head, ...rows] = sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']).trim().split('\n');
  scene.drop(
    'ventes.csv',
    `${[head, ...rows.slice(0, 3), `;${rows[3]}`, ...rows.slice(4, 9), `;${rows[9]}`, ...rows.slice(10)].join('\n')}\n`,
  );
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 6 });
  for (const dryRun of [['--dry-run'], ['--reason', 'x']]) {
    const beside = await commandIn(scene, 'fix', 'F3', 'Client=X', ...dryRun);
    expect(beside).toMatchObject({ code: 2, out: '' });
    expect(beside.err).toContain('fix/only-in-erp: F3 cannot be fixed by editing a cell');
    expect(beside.err).toMatch(/map\/beside-broken-row .*\n(.*\n)*.*export again.*nightpost reprocess F3/);
  }
  expect(await advice(scene)).toMatch(/csv\/too-many-cells {2}.*nightpost set-aside --cause csv\/too-many-cells /);
  // Set aside before it came again, by somebody who was in a hurry: that is no reason not to send it.
  expect((await commandIn(scene, 'reject', 'F3', '--reason', 'in a hurry')).out).toContain(
    'F3: was "to correct", is now set aside',
  );
  scene.drop('ventes-2.csv', sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 6, duplicate: 2, invalid: 2 });
  const [first, second] = scene.files('error').filter((path) => /row-\d+\.receipt\.json$/.test(path));
  // By hand, and by its receipt.
  expect((await commandIn(scene, 'reject', /ventes-row-\d+/.exec(first!)![0], '--reason', 'came again')).code).toBe(0);
  copyFileSync(join(scene.root, second!), join(scene.root, 'pending/reject', basename(second!)));
  await scene.night();
  expect((await commandIn(scene, 'errors')).out).toContain('No documents need action.');
  expect((await commandIn(scene, 'reject', /ventes-row-\d+/.exec(first!)![0], '--reason', 'again')).out).toContain(
    'already set aside',
  );
  expect(JSON.parse(scene.read(second!))).toMatchObject({ words: { en: 'Set aside' }, evidence: { as: 'invalid' } });
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('a refused file is set aside by name, and reported when it is dropped a second time', async () => {
  await using scene = await openScene();
  scene.drop('photo.csv', 'JFIF');
  scene.drop('liste.csv', 'a;b');
  await scene.night();
  const waiting = async () => (await commandIn(scene, 'errors')).out;
  expect(await waiting()).toMatch(/photo\.csv .*intake\/no-mapping/);
  const why = ['--reason', 'a picture'];
  expect((await commandIn(scene, 'reject', 'photo.csv', '--dry-run')).out).toContain('would be set aside');
  expect(await waiting()).toContain('photo.csv');
  expect((await commandIn(scene, 'reject', 'photo.csv')).err).toContain('decide/no-reason');
  expect((await commandIn(scene, 'reject', 'nothing.csv', ...why)).err).toContain('select/no-such-document');
  expect(await commandIn(scene, 'reject', 'photo.csv', ...why)).toMatchObject({
    code: 0,
    out: '  photo.csv: refused, is now set aside; no further action is needed\n',
  });
  expect(await waiting()).not.toContain('photo.csv');
  expect((await commandIn(scene, 'errors', '--group', 'cause')).out).toMatch(
    /liste\.csv .*\n.*nightpost set-aside FILE /,
  );
  scene.drop('photo.csv', 'JFIF');
  await scene.night();
  expect(await waiting()).toContain('photo.csv');
  expect((await commandIn(scene, 'reject', 'photo.csv', ...why)).code).toBe(0);
  expect(await waiting()).not.toContain('photo.csv');
});

test('--cause accepts each text of the column CAUSE, and finds those documents', async () => {
  const checks = [
    'checks:',
    '  - { that: = SUM($net) = $Total, else: error, say: The net total differs }',
    '  - { that: = $Taux < 30, else: error, say: The rate is too high }',
    '',
  ].join('\n');
  const mapping = SALES_MAPPING.replace('Taux: number }', 'Taux: number, Total: number }') + checks;
  const settings = { run: { 'give-up-after': '5s', hold: { over: { EUR: 1000 } } } };
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings });
  const rows = [
    ['F1-X6', '2', '20', '21,00'],
    ['F2', '2', '20', '12,00'],
    ['F3', '2', '30', '21,00'],
    ['F4', '2', '20', '21,00'],
    ['F5', '2O', '20', '21,00'],
    ['F6-XLOST', '2', '20', '21,00'],
    ['F7-X15', '2', '20', '21,00'],
    ['F8', '200', '20', '2100,00'],
    ['F9', '2', '20', '13,00'],
  ].map(([number, quantity, rate, total]) => `${number};05/09/2026;Client;1;${quantity};10,50;${rate};${total}`);
  rows.splice(4, 0, rows[3]!);
  scene.drop('ventes.csv', `${['Num;Date;Client;Lig;Qte;PU;Taux;Total', ...rows].join('\n')}\n`);
  await scene.night();
  await commandIn(scene, 'reject', 'F8', '--reason', 'not ours');
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  const line = mapping.split('\n').findIndex((text) => text.includes('The net total')) + 1;
  const documentsOf: { readonly [cause: string]: readonly string[] } = {
    // Found by each of its faults: F4 fails the check because of its row that is there twice.
    [`map/check-failed:mappings/sales.yaml:${line}`]: ['F2', 'F4', 'F9'],
    [`map/check-failed:mappings/sales.yaml:${line + 1}`]: ['F3'],
    'map/identical-rows': ['F4'],
    'map/not-a-number:sales@Qte=2O': ['F5'],
    'fr:6': ['F1-X6'],
    'fr:15': ['F7-X15'],
    'in-doubt': ['F6-XLOST'],
  };
  const causes = out.slice(0, out.indexOf('WHAT TO DO')).split('\n').slice(1);
  const printed = causes.flatMap((text) => /^ +\d+ {2}(\S+)/.exec(text)?.[1] ?? []);
  expect(printed.sort()).toEqual(Object.keys(documentsOf).sort());
  for (const cause of [...printed, 'set-aside']) {
    const shown = await commandIn(scene, '--json', 'errors', '--cause', cause);
    const numbers = (JSON.parse(shown.out) as { documents: LedgerEntry[] }).documents.map(
      ({ facts }) => facts.identifier,
    );
    expect({ cause, numbers }).toMatchObject({ cause, numbers: documentsOf[cause] ?? ['F8'] });
  }
  const again = await commandIn(
    scene,
    'reprocess',
    '--cause',
    `map/check-failed:mappings/sales.yaml:${line}`,
    '--dry-run',
  );
  expect(again.out).toMatch(/F2: .*\n(.*\n)*.*F9: /);
  expect(again.out).not.toContain('F3');
  expect((await commandIn(scene, 'retry', '--cause', 'in-doubt', '--reason', 'all')).err).toContain('retry/in-doubt');
});

test('a code that gives no class may be of no invoice at all', async () => {
  const mapping = SALES_MAPPING.replace('class: invoice', 'class: { from: Type, table: kinds }').replace(
    '\noutput:',
    '\ntables: { kinds: { "380": invoice } }\noutput:',
  );
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const [head, ...rows] = sales(['F1', 'F2', 'F3', 'F4', 'F5']).trim().split('\n');
  const typed = rows.map((row) => `${row};${/^F[12]/.test(row) ? '325' : '380'}`);
  scene.drop('ventes.csv', `${[`${head};Type`, ...typed].join('\n')}\n`);
  await scene.night();
  const faults = (await scene.entries()).flatMap((entry) => entry.faults);
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['map/not-in-table']));
  for (const { hint } of faults) expect(hint).toMatch(/A pro forma, a debit note, .* exclude it from the export/);
  const said = await advice(scene);
  expect(said).toMatch(/exclude it from the export.*if it is not an invoice: nightpost set-aside/);
  expect(said).not.toMatch(/add what is missing to the table|nightpost fix/);
});

test('documents that wait for a row get the advice to correct a cell or to export again', async () => {
  await using scene = await openScene();
  const [head, ...rows] = sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']).trim().split('\n');
  const used = rows.filter((_, n) => n % 2 === 0).map((row) => row.replace(/^F2;/, ';').replace(/^F5;.*/, 'F5;05'));
  scene.drop('ventes.csv', `${[head, ...used].join('\n')}\n`);
  await scene.night();
  const said = (await advice(scene)).split('\n').filter((line) => line.includes('map/beside-broken-row '));
  expect(said).toHaveLength(2);
  const [cell, erp] = said.toSorted((a, b) => Number(a.includes('export')) - Number(b.includes('export')));
  expect(cell).toMatch(
    /nightpost fix ventes-row-3 Num=VALUE .*nightpost set-aside ventes-row-3 .*nightpost reprocess --cause/,
  );
  expect(erp).toMatch(/export/);
  expect(erp).not.toContain('nightpost fix');
});

test('a document counts under one cause, and its other errors are counted too', async () => {
  await using scene = await openScene();
  scene.drop(
    'ventes.csv',
    sales(['F1', 'F2']).replace('F1;05/09/2026;Client F1;1;2;', 'F1;05-09-2026;Client F1;1;2O;'),
  );
  await scene.night();
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  expect(out).toMatch(/other errors of these documents: map\/not-a-number \(1\)/);
});

test('of several refused files of one name the one that is meant is named', async () => {
  await using scene = await openScene();
  for (const content of ['JFIF', 'other']) {
    scene.drop('photo.csv', content);
    await scene.night();
  }
  const why = ['--reason', 'a picture'];
  const refused = await commandIn(scene, 'reject', 'photo.csv', ...why);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('select/several-files') });
  const [, id] = /: (\S+) \(/.exec(refused.err.slice(refused.err.indexOf('"photo.csv"')))!;
  expect((await commandIn(scene, 'reject', id!, ...why)).code).toBe(0);
  expect((await commandIn(scene, 'reject', 'photo.csv', ...why)).code).toBe(0);
  expect((await commandIn(scene, 'errors')).out).not.toContain('photo.csv');
});

test('code 4: a ticket first, then retry; held since a restore: the service first, then release', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X4']));
  await scene.night();
  const failed = await advice(scene);
  expect(failed).toMatch(/open a ticket .*nightpost retry F1-X4/);
  expect(failed).not.toContain('fix the cause');
  scene.drop('ventes-2.csv', sales(['F2']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  await commandIn(scene, 'backup', `${scene.root}/copy.sqlite`);
  await commandIn(scene, 'ledger', 'restore', `${scene.root}/copy.sqlite`);
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  expect(out).toMatch(/check with the service first.*nightpost release F2/);
  await commandIn(scene, 'run');
  const receipts = scene.files('pending').filter((path) => path.endsWith('.receipt.json'));
  const next = receipts.map((path) => JSON.parse(scene.read(path)).next);
  expect(next).toMatchObject([
    {
      en: expect.stringContaining('Compare with the service first'),
      fr: expect.stringContaining('Comparez d'),
      es: expect.stringContaining('Compare primero'),
    },
  ]);
});

const columns = '  columns: {';
const asTypes = `  record-types:
    levels:
      - { value: E, columns: [T, Num, Date, Client] }
      - { value: L, columns: [U, Lig, Qte, PU, Taux] }
`;

test.each([
  [
    'a document that a rule leaves out',
    `  fill-down: [Num, Date, Client]\n  leave-out: [{ column: Num, starts-with: D }]\n`,
    'Num;Date;Client;Lig;Qte;PU;Taux\nF1;05/09/2026;A;1;2;10,50;20\nD1;05/09/2026;A;1;2;10,50;20\n;;;2;2;10,50;20\nF2;05/09/2026;A;1;2;10,50;20\n',
    /label: true/,
  ],
  [
    'a record that a rule leaves out',
    `${asTypes}  leave-out: [{ column: 1, equals: D }]\n`,
    'E;F1;05/09/2026;A\nL;1;2;10,50;20\nD;D1;05/09/2026;A\nL;2;2;10,50;20\nE;F2;05/09/2026;A\nL;1;2;10,50;20\n',
    /further value of the level/,
  ],
])('rows below %s are a matter of the mapping', async (_, source, text, hint) => {
  await using scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING.replace(columns, `${source}${columns}`) },
  });
  scene.drop('ventes.csv', text);
  await scene.night();
  const said = (await advice(scene)).split('\n').filter((line) => /^ *(?:csv|map)\//.test(line));
  expect(said.length).toBeGreaterThan(0);
  for (const line of said) {
    expect(line).toMatch(hint);
    expect(line).toMatch(/nightpost reprocess/);
    expect(line).not.toMatch(/in the ERP|nightpost fix/);
  }
  expect((await commandIn(scene, 'errors')).out).not.toMatch(/correct it in the ERP/);
});
