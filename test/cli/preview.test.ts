/** `preview` and `diff` as a consultant sees them: tables, JSON, the way back from a cell, what another version changes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test('preview prints the line of the mapping next to each value, and the fields of a cell', async () => {
  await using scene = await openScene();
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, sales(['F1', 'F2']));
  const { out } = await commandIn(scene, 'preview', path, '--doc', 'F2');
  expect(out).toMatch(/\/document\/identifier +"F2" +4:Num 5:Num +mappings\/sales\.yaml:\d+/);
  expect(out).toMatch(/\/lines\/0\/unit-price +10\.5 +4:PU +(mappings\/sales\.yaml)?:\d+/);
  const cell = await commandIn(scene, 'preview', path, '--cell', '3:PU');
  expect(cell.code).toBe(0);
  expect(cell.out).toContain('ventes.csv:3:PU "10,50"   in F1, invoice');
  expect(cell.out).toMatch(/\/lines\/1\/unit-price +10\.5/);
  const json = await commandIn(scene, '--json', 'preview', path, '--cell', '3:PU');
  expect(JSON.parse(json.out)).toMatchObject({ identifier: 'F1', cell: { text: '10,50' } });
  const nobody = await commandIn(scene, 'preview', path, '--cell', '99:PU');
  expect(nobody).toMatchObject({ code: 0, out: '', err: expect.stringContaining('row 99') });
  const formats = await commandIn(scene, 'preview', path, '--format', 'json', '--doc', 'F1');
  expect(JSON.parse(formats.out)).toMatchObject([{ identifier: 'F1' }]);
  expect((await commandIn(scene, 'preview', path, '--cell', 'PU')).code).toBe(2);
  expect((await commandIn(scene, 'preview', path, '--against', 'sales')).err).toContain('preview/not-a-diff');
});

test('preview --faults and --summary: what is wrong alone, and how much of it', async () => {
  await using scene = await openScene();
  const path = join(scene.root, 'ventes.csv');
  const text = sales(['F1', 'F2', 'F3', 'F4']);
  const broken = text
    .replace(/^(F2;05\/09\/2026;[^;]*;1;)[^;]*/m, '$1x')
    .replace(/^(F4;05\/09\/2026;[^;]*;1;)[^;]*/m, '$1y');
  writeFileSync(path, broken);
  const faults = await commandIn(scene, 'preview', path, '--faults');
  expect(faults.code).toBe(3);
  expect(
    faults.out
      .split('\n')
      .filter((line) => /^ {2}F\d /.test(line))
      .map((line) => line.slice(2, 4)),
  ).toEqual(['F2', 'F4']);
  expect(faults.out).toContain('map/not-a-number');
  expect(faults.out).not.toMatch(/\/lines\/0\/unit-price {2,}/);
  expect(faults.err).toContain('4 documents, 2 with faults');
  const summary = await commandIn(scene, 'preview', path, '--summary');
  expect(summary.code).toBe(3);
  expect(summary.out.split('\n').filter((line) => line.trim() !== '').length).toBeLessThan(8);
  expect(summary.out).toMatch(/error map\/not-a-number +2 /);
  const json = JSON.parse((await commandIn(scene, '--json', 'preview', path, '--summary')).out);
  expect(json).toMatchObject({
    documents: 4,
    refused: 2,
    classes: { invoice: 4 },
    faults: [{ code: 'map/not-a-number', level: 'error', documents: 2, first: { origin: { row: 4 } } }],
  });
  const some = JSON.parse((await commandIn(scene, '--json', 'preview', path, '--faults')).out);
  expect(some.map(({ identifier }: { readonly identifier: string }) => identifier)).toEqual(['F2', 'F4']);
  const whole = await commandIn(scene, 'preview', path);
  expect(whole.out.match(/shortened/g)).toBeNull();
  expect(whole.err.match(/shortened/g)?.length ?? 0).toBeLessThan(2);
});

test('preview --format diff: against the ledger, and against another mapping', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const path = join(scene.root, 'ventes-2.csv');
  writeFileSync(path, sales(['F1', 'F2']).replace('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;3;'));
  const ledger = await commandIn(scene, 'preview', path, '--format', 'diff');
  expect(ledger.out).toMatch(/\/lines\/0\/quantity {2}2 -> 3 {3}4:Qte {3}mappings\/sales\.yaml:\d+/);
  expect(ledger.out).not.toContain('F1 ');
  expect(ledger.err).toContain('1 unchanged, 1 changed');
  const old = join(scene.root, 'old.yaml');
  writeFileSync(old, SALES_MAPPING.replace('currency: EUR }\n  issuer', 'currency: USD }\n  issuer'));
  const other = await commandIn(scene, 'preview', path, '--format', 'diff', '--against', old, '--doc', 'F1');
  expect(other.out).toContain('documents: 1 changed');
  expect(other.out).toMatch(/\/document\/currency {2}"USD" -> "EUR"/);
});

test('diff: the summary first, then every document; one JSON value with --json; the archive where nothing is named', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const young = join(scene.root, 'young.yaml');
  writeFileSync(young, SALES_MAPPING.replace('version: 1', 'version: 2').replace('$PU, 2)', '$PU * 2, 2)'));
  const { code, out } = await commandIn(scene, 'diff', 'sales', young);
  expect(code).toBe(0);
  expect(out.split('\n').slice(0, 2)).toEqual(['  sales 1 -> sales 2', '  1 file; documents: 2 changed']);
  expect(out.indexOf('/lines/*/net-amount')).toBeLessThan(out.indexOf('F1   invoice   changed'));
  expect(out).toMatch(/\/lines\/0\/net-amount {2}21 -> 42 {3}2:Qte 2:PU/);
  const json = JSON.parse((await commandIn(scene, '--json', 'diff', 'sales', young)).out);
  expect(json).toMatchObject({
    versions: { old: 'sales 1', new: 'sales 2' },
    summary: { documents: { changed: 2 } },
    documents: [{ what: 'changed', identifier: 'F1' }, { identifier: 'F2' }],
  });
  const same = await commandIn(scene, '--json', 'diff', 'sales', 'sales');
  expect(JSON.parse(same.out)).toMatchObject({ summary: { documents: { same: 2 } }, documents: [] });
  const wrong = await commandIn(scene, 'diff', 'sales', 'nowhere.yaml');
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('diff/no-such-mapping') });
  expect((await commandIn(scene, 'diff', 'sales', young, '--on', 'nowhere')).err).toContain('diff/no-such-file');
});

test('preview of one document of a file in UTF-8 that is read as a page shows nothing garbled', async () => {
  await using scene = await openScene({ settings: { rules: { fr: 'wire', sv: 'wire', language: 'es' } } });
  const page = SALES_MAPPING.replace('format: csv', 'format: csv\n  encoding: windows-1252');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), page);
  const path = join(scene.root, 'ventes.csv');
  const preview = async (bytes: Buffer) => {
    writeFileSync(path, bytes);
    return await commandIn(scene, 'preview', path, '--doc', 'F1');
  };
  const text = sales(['F1', 'F2']).replaceAll('Client F1', 'Garage Noël');
  const refused = await preview(Buffer.from(text));
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('ventes.csv:2  text/is-utf-8  El archivo ');
  expect((await preview(Buffer.from(text, 'latin1'))).out).toContain('Garage Noël');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), page.replace('windows-1252', 'utf-8'));
  expect((await preview(Buffer.from(text))).out).toContain('Garage Noël');
});

test.each(['--answers', '--faults', '--summary'])('preview of a correction file refuses %s', async (option) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1'], 'x'));
  await scene.night();
  const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  const refused = await commandIn(scene, 'preview', join(scene.root, sheet), option);
  expect(refused).toMatchObject({ out: '', code: expect.any(Number) });
  expect(refused.err).toContain('preview/not-of-corrections');
});

test.each([
  ['table', []],
  ['diff', ['--format', 'diff']],
])('with --json a %s of a file that is refused is one JSON value', async (_, form) => {
  await using scene = await openScene();
  const path = join(scene.root, 'ventes.csv');
  const read = async () => {
    const { code, out } = await commandIn(scene, '--json', 'preview', path, ...form);
    return [code, JSON.parse(out)];
  };
  expect(await read()).toEqual([2, { error: expect.objectContaining({ code: 'preview/no-such-file' }) }]);
  const numbers = Array.from({ length: 3000 }, (_, n) => `F${n}`);
  writeFileSync(path, `${sales(numbers)}"F9999"x;\n`);
  expect(await read()).toEqual([2, expect.anything()]);
});
