/** Values that the file does not have: the next number of a sequence, and the day of admission. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { type Preview, preview } from '../../../src/views/preview/preview-files.ts';
import { openScene, type Scene, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const MAPPING = `
mapping: guias
version: 1
target: sv-remission-note
accepts: { files: "guias*.csv" }
source:
  format: csv
  delimiter: ";"
  columns: { Linea: number, Cantidad: number, Precio: number }
calculated-columns:
  venta: = ROUND($Cantidad * $Precio, 2)
documents: { one-per: [Sucursal, Guia], never-twice: [Sucursal, Guia] }
output:
  emisor: { nit: "06142803901121", nombre: Ejemplo SA de CV, codEstable: $Sucursal, codPuntoVenta: P001 }
  receptor: { nombre: $Cliente, bienTitulo: "04" }
  cuerpoDocumento:
    each: row
    make: { numItem: $Linea, descripcion: $Articulo, cantidad: $Cantidad, uniMedida: 59, precioUni: $Precio, ventaGravada: $venta }
  resumen: { montoTotalOperacion: = SUM($venta), totalLetras: "= AMOUNT-IN-WORDS(@montoTotalOperacion, \\"es\\")" }
  FechaGeneracion: = TODAY() & "T08:00:00"
  NumeroSecuencial: { sequence: guias, per: [Sucursal] }
  tipoMoneda: USD
`;
/** What each note of the ERP is now: state, and its number if it has one. */
async function numbered(scene: Scene): Promise<{ readonly [note: string]: string }> {
  const found: { [note: string]: string } = {};
  for (const { state, identity, faults } of await scene.entries()) {
    const note = identity.keys
      .find((key) => key.startsWith('nt|'))!
      .split('|')
      .slice(2)
      .join(' ');
    found[note] = [
      state,
      ...(identity.numbers ?? []).map(({ number }) => number),
      ...faults.map(({ code }) => code),
    ].join(' ');
  }
  return found;
}

const HEAD = 'Sucursal;Guia;Cliente;Linea;Articulo;Cantidad;Precio';
const notes = (...guias: readonly string[]) =>
  [HEAD, ...guias.map((guia) => `${guia};Cliente;1;Caja;2;3.50`), ''].join('\n');

/** Number and day of each note, by what the ERP calls it. */
async function issued(scene: Scene): Promise<readonly string[]> {
  const contents = await scene.look(async (ledger) => {
    const found: string[] = [];
    for await (const entry of ledger.queries.find({})) {
      const content = await ledger.queries.contentOf(entry.id);
      if (content !== undefined) found.push(content);
    }
    return found;
  });
  return contents.map((content) => {
    const [, number] = /"NumeroSecuencial":(\d+)/.exec(content) ?? [];
    const [, place] = /"codEstable":"(\w+)"/.exec(content) ?? [];
    const [, day] = /"FechaGeneracion":"([^T]+)T/.exec(content) ?? [];
    return `${place} ${number} ${day}`;
  });
}

test('numbers follow each other per place, once per document for ever; the day is that of El Salvador', async () => {
  await using scene = await openScene({ mappings: { 'guias.yaml': MAPPING } });
  const at = (iso: string) => ({ clock: { ...systemClock, now: () => new Date(iso) } });
  // 04:30 UTC is still the evening before in El Salvador.
  scene.drop('guias-1.csv', notes('S001;A', 'S001;B', 'S002;A'));
  await scene.night(at('2036-11-21T04:30:00Z'));
  const first = ['S001 1 2036-11-20', 'S001 2 2036-11-20', 'S002 1 2036-11-20'];
  expect((await issued(scene)).toSorted()).toEqual(first);
  scene.drop('guias-2.csv', notes('S001;B', 'S001;C'));
  await scene.night(at('2036-11-21T05:30:00Z'));
  expect(tally(await scene.entries())).toEqual({ authorized: 4, duplicate: 1 });
  // The same note on another day would have another content: told, not sent, and it takes no number.
  scene.drop('guias-3.csv', notes('S001;A', 'S001;D'));
  await scene.night(at('2036-11-21T16:00:00Z'));
  expect(tally(await scene.entries())).toEqual({ authorized: 5, duplicate: 1, conflict: 1 });
  const sent = new Set(await issued(scene));
  for (const one of [...first, 'S001 3 2036-11-20', 'S001 4 2036-11-21']) expect(sent).toContain(one);
  expect([...sent].filter((one) => one.startsWith('S001 5'))).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test.each([
  ['en', '(next number of guias)'],
  ['fr', '(prochain numéro de guias)'],
  ['es', '(siguiente número de guias)'],
])('a preview names the sequence, in the heading as in the field, in %s', async (language, shown) => {
  const settings = { rules: { fr: 'wire', sv: 'wire', language } };
  await using scene = await openScene({ mappings: { 'guias.yaml': MAPPING }, settings });
  const path = join(scene.root, 'guias-1.csv');
  writeFileSync(path, notes('S001;A'));
  const documents: Preview[] = [];
  for await (const one of preview(scene.instance(), path, new Date())) documents.push(one);
  expect(documents.map(({ identifier }) => identifier)).toEqual([shown]);
  expect(documents[0]!.fields.find(({ at }) => at === '/NumeroSecuencial')!.value).toBe(shown);
});

test('a ledger that is made again learns the numbers of every document, and gives none that may have been issued', async () => {
  const settings = { sequences: { guias: { start: 5 } } };
  await using scene = await openScene({
    mappings: { 'guias.yaml': MAPPING },
    settings,
    sandbox: { scriptedNumbers: true },
  });
  const command = async (...args: string[]) => await commandIn(scene, ...args);
  scene.drop('guias-1.csv', notes('S001;A', 'S001;B', 'S001;C', 'S002;A'));
  await command('run');
  const before = {
    'S001 A': 'authorized 5',
    'S001 B': 'rejected 6',
    'S001 C': 'authorized 7',
    'S002 A': 'authorized 5',
  };
  expect(await numbered(scene)).toEqual(before);
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'installation.json']) {
    rmSync(join(scene.root, 'state', name), { force: true });
  }
  expect(await command('ledger', 'rebuild')).toMatchObject({ code: 0 });
  expect(await numbered(scene)).toEqual(before);
  expect((await command('ledger', 'sequences')).out).toMatch(/guias +S001 +8\n +guias +S002 +6/);

  // The one that was rejected keeps its number; what has none yet gets none as long as some may be unknown.
  scene.drop('guias-2.csv', notes('S001;B', 'S001;D', 'S003;A').replace('B;Cliente;1;Caja;2', 'B;Cliente;1;Caja;4'));
  await command('run');
  const unknown = 'invalid ledger/number-unknown';
  expect(await numbered(scene)).toMatchObject({ 'S001 B': 'held 6', 'S001 D': unknown, 'S003 A': unknown });
  const [fault] = (await scene.entries()).find(({ state }) => state === 'invalid')!.faults;
  expect(fault).toMatchObject({ origin: { file: 'guias-2.csv' }, hint: expect.stringContaining('end-quarantine') });
  const again = async () =>
    await command('reprocess', '--cause', 'ledger/number-unknown', '--reason', 'numbers are known', '--yes');
  await command('ledger', 'end-quarantine', 'compared with the portal');
  await again();
  expect(await numbered(scene)).toMatchObject({ 'S001 D': 'ready 8', 'S003 A': unknown });
  const next = async (number: string, place: string) =>
    await command('ledger', 'next', 'guias', number, 'the portal shows it', '--within', place);
  expect(await next('8', 'S001')).toMatchObject({ code: 2, err: expect.stringContaining('ledger/number-given') });
  for (const number of ['1e3', '0x10', '58.0', ' 58', '+58', '9007199254740993'])
    expect(await command('ledger', 'next', 'guias', number, 'x')).toMatchObject({ code: 2 });
  for (const limit of ['1e3', '0x10', '5.0', ' 5'])
    expect(await command('list', '--limit', limit)).toMatchObject({ code: 2, out: '' });
  expect(await command('ledger', 'next', 'guias', '0', 'x')).toMatchObject({
    err: expect.stringContaining('ledger/no-number'),
  });
  const misspelled = await command('ledger', 'next', 'gias', '9', 'the portal shows it');
  expect([misspelled.code, misspelled.err]).toEqual([
    2,
    'nightpost: ledger/unknown-sequence: no mapping and no setting has the sequence "gias"; nothing was changed\n  known sequences: guias\n',
  ]);
  expect(await next('9', 'S003')).toMatchObject({ code: 0 });
  // What will get its number at admission shows none before.
  const { out } = await again();
  expect(out).toMatch(/was "to correct", is now "queued"/);
  expect(out).not.toMatch(/, as |\0|u\{0\}/);
  expect(await numbered(scene)).toMatchObject({ 'S001 D': 'ready 8', 'S003 A': 'ready 9' });
  // For all other places at once.
  expect((await command('ledger', 'next', 'guias', '5', 'all others are new')).out).toContain('(any other)');
  scene.drop('guias-3.csv', notes('S004;A', 'S004;B'));
  await command('run');
  expect(await numbered(scene)).toMatchObject({ 'S004 A': 'authorized 5', 'S004 B': 'rejected 6' });
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a number of a document that a purge has removed is given to no other one after the restore of an older backup', async () => {
  await using scene = await openScene({ mappings: { 'guias.yaml': MAPPING } });
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('guias-0.csv', notes('S001;A'));
  await scene.night();
  await commandIn(scene, 'backup', copy);
  scene.drop('guias-1.csv', notes('S001;B').replace('Cliente;1', 'Otro;1'));
  await scene.night();
  expect(await commandIn(scene, 'purge', '--subject', 'Otro', '--reason', 'asked')).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('guias-2.csv', notes('S001;C'));
  await scene.night();
  expect(await numbered(scene)).toEqual({ 'S001 A': 'authorized 1', 'S001 C': 'authorized 3' });
});

test.each([false, true])(
  'a number that only a summary shows after a restore is given to no other document, corrected: %s',
  async (isCorrected) => {
    await using scene = await openScene({ mappings: { 'guias.yaml': MAPPING } });
    const copy = join(scene.root, 'copy.sqlite');
    scene.drop('guias-0.csv', notes('S001;A'));
    await scene.night();
    await commandIn(scene, 'backup', copy);
    scene.drop('guias-1.csv', notes('S001;B'));
    await scene.night();
    const [last] = scene
      .files('outbox')
      .filter((path) => path.endsWith('.summary.json'))
      .map(scene.read)
      .filter((one) => one.includes('guias-1'));
    const { receipt } = JSON.parse(last!).table[0];
    for (const part of ['receipt', 'payload']) rmSync(join(scene.root, receipt.replace('.receipt.', `.${part}.`)));
    expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
    await scene.night();
    expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
    scene.drop('guias-2.csv', isCorrected ? notes('S001;C').replace('3.50', '3.5O') : notes('S001;C'));
    await scene.night();
    const fix = ['fix', 'S001 C', 'Precio=3.50', '--reason', 'typo', '--by', 'ana'];
    if (isCorrected) expect(await commandIn(scene, ...fix)).toMatchObject({ code: 0 });
    if (isCorrected) await scene.night();
    expect(await numbered(scene)).toEqual({
      'S001 A': 'authorized 1',
      'S001 B': 'invalid ledger/number-unknown',
      'S001 C': 'authorized 3',
    });
  },
);
