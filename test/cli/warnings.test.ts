/** What is told of documents that go out all the same, and what a night says of documents of earlier ones. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const MANY = '  - { that: = $Qte < 10, else: warning, say: That is a lot }';
const FAR = '  - { that: = $PU > 0, else: warning, say: That is a gift }';

test('run and status count warnings of sent documents, and list them by cause with the text of each check', async () => {
  const mapping = `${SALES_MAPPING}checks:\n${MANY}\n${FAR}\n`;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3'], '12'));
  // Neither valid nor a document of its own: what it is warned of is not a warning of a document that goes out.
  scene.drop('ventes-2.csv', sales(['F4'], '12').replaceAll('10,50', 'x'));
  scene.drop('ventes-3.csv', sales(['F5']).replaceAll('10,50', '0,00'));
  const night = await commandIn(scene, 'run');
  expect(night.out).toMatch(/FILE +DOCS +AUTHORIZED +TO CORRECT +WARNINGS/);
  expect(night.out).toMatch(/ventes\.csv +3 +3 +0 +3 /);
  expect(night.out).toMatch(/ventes-2\.csv +1 +0 +1 +0\n/);
  const [, run] = /4 documents passed the checks with warnings: nightpost (warnings --run \S+)\n/.exec(night.out)!;
  const listed = await commandIn(scene, ...run!.split(' '));
  expect(listed.out).toMatch(/COUNT +CAUSE +EXAMPLE +IN\n +3 +map\/check-failed +That is a lot .* F1, F2, F3\n/);
  expect(listed.out).toMatch(/ 1 +map\/check-failed +That is a gift .* F5\n/);
  expect((await commandIn(scene, 'errors', '--warnings', 'F5')).out).not.toContain('That is a lot');
  expect((await commandIn(scene, 'errors', '--warnings', '--mapping', 'other')).err).toContain('list/unknown-value');
  const told = JSON.parse((await commandIn(scene, '--json', 'errors', '--warnings')).out);
  expect(told.warnings).toMatchObject([{ documents: ['F1', 'F2', 'F3'] }, { documents: ['F5'] }]);
  expect((await commandIn(scene, 'status')).out).toContain(
    '4 documents passed the checks with warnings, 4 of them in the latest run: ',
  );
  scene.drop('ventes-4.csv', sales(['F6']));
  const clean = await commandIn(scene, 'run');
  expect(clean.out).not.toMatch(/warnings/i);
  expect((await commandIn(scene, 'status')).out).toContain(
    '4 documents passed the checks with warnings, 0 of them in the latest run: ',
  );
});

test('a warning about a whole export is listed next to those of documents', async () => {
  const mapping = `
mapping: factures
version: 1
target: fr-invoice
accepts: { files: "*.xml" }
source: { format: xml, document: /E/F, row: L, columns: { num: /E/F/N, date: /E/F/D, prix: P, note: T }, numbers: { decimal: "." }, dates: yyyy-MM-dd, types: { prix: number, date: date } }
documents: { one-per: num, class: invoice }
output:
  document: { identifier: $num, date: $date, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: "732829320" }] }
  lines: { each: row, make: { description: $note, net-amount: $prix } }
`;
  await using scene = await openScene({ mappings: { 'x.yaml': mapping } });
  scene.drop('f.xml', '<E><F><N>F1</N><D>2026-09-05</D><L><P>1.00</P></L></F></E>');
  await commandIn(scene, 'run');
  const { out } = await commandIn(scene, 'errors', '--warnings');
  expect(out).toMatch(/ 1 +xml\/path-not-found .* f\.xml\n/);
});

test('a run reports answers of services about documents of earlier runs', async () => {
  const becomes = { code: 2, afterSeconds: 0, afterConsultations: 0 };
  await using scene = await openScene({ sandbox: { becomes } });
  scene.drop('ventes.csv', sales(['F1-X8', 'F2-X6']));
  const anHourAgo = () => new Date(Date.now() - 3_600_000);
  const files = [join(scene.root, 'inbox/ventes.csv')];
  await scene.night({ files, clock: { now: anHourAgo, monotonic: () => performance.now(), sleep: async () => {} } });
  const { out, code } = await commandIn(scene, 'run');
  expect(code).toBe(0);
  expect(out).toMatch(/ventes\.csv +1 +1 /);
  expect(out).toContain('From earlier runs: 1 authorized\n');
  expect(out).toContain('nothing new needs action; 1 from earlier runs still does');
  expect((await commandIn(scene, 'run')).out).not.toContain('From earlier runs');
});

test('corrected or taken in before, and sent now: work of this run, which is the latest', async () => {
  const mapping = `${SALES_MAPPING}checks:\n${MANY}\n`;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', sales(['F1', 'F2'], '12').replace(';12;10,50;20\n', ';;10,50;20\n'));
  await commandIn(scene, 'run', '--take-in-only');
  await commandIn(scene, 'fix', 'F1', 'Qte@2=12', '--reason', 'as delivered');
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['ready', 'ready']);
  const { out } = await commandIn(scene, 'run');
  expect(out).toMatch(/ventes\.csv +2 +2 /);
  expect(out).not.toContain('Of earlier');
  const [, run] = /Run (\S+) /.exec(out)!;
  const status = (await commandIn(scene, 'status')).out;
  expect(status).toContain(`2 of them in the latest run: nightpost warnings --run ${run}\n`);
});

test('a line that is there twice is sent with a warning, unless the mapping refuses or allows it', async () => {
  const content = sales(['F1', 'F2']).replace('Client F2;2;', 'Client F2;1;');
  const nightOf = async (identical: string) => {
    const mapping = SALES_MAPPING.replace('class: invoice', `class: invoice\n  identical-rows: ${identical}`);
    await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
    scene.drop('ventes.csv', content);
    await scene.night();
    const states = (await scene.entries()).map(({ state }) => state);
    return { states, told: (await commandIn(scene, 'errors', '--warnings')).out };
  };
  const { states, told } = await nightOf('warning');
  expect(states).toEqual(['authorized', 'authorized']);
  expect(told).toMatch(/ 1 +map\/identical-rows +row 5 is the same as row 4 in every column +F2\n/);
  expect(told).toContain('check in the ERP whether the line exists twice');
  expect((await nightOf('error')).states).toEqual(['authorized', 'invalid']);
  expect((await nightOf('allowed')).told).toBe('  No warnings.\n');
});
