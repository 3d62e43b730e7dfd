/** Versions of the remission note by the day of the note, in one export; and fields that the settings add to the contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { checkInstance } from '../../../src/authoring/check-instance.ts';
import { withFurtherFields } from '../../../src/documents/schema/further-fields.ts';
import { svRemissionNote } from '../../../src/documents/sv/sv-remission-note.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { buildNightReport } from '../../../src/views/reporting/night-report.ts';
import { openScene, type Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { REPOSITORY } from '../../samples/instance.ts';

type Blocks = { readonly [block: string]: { readonly [field: string]: unknown } };

const WIRE = JSON.parse(readFileSync(join(REPOSITORY, 'test/wire/remission-note.json'), 'utf8')) as Blocks;

/** A mapping of literals but for number and day, with changed blocks. */
function notesMapping(changes: Blocks = {}): string {
  const blocks = Object.entries(WIRE).map(([name, block]) => [
    name,
    name in changes ? { ...block, ...changes[name] } : block,
  ]);
  return stringify({
    mapping: 'notes',
    version: 1,
    target: 'sv-remission-note',
    accepts: { files: 'notas*.csv' },
    source: {
      format: 'csv',
      delimiter: ';',
      dates: 'yyyy-MM-dd HH:mm:ss',
      columns: { Num: 'number', Fecha: 'date-time' },
    },
    documents: { 'one-per': 'Num' },
    output: { ...Object.fromEntries(blocks), FechaGeneracion: '$Fecha', NumeroSecuencial: '$Num' },
  });
}

/** What an instance has before anyone changes a profile. */
function notesScene(mapping: string, rules: object = {}) {
  return openScene({ mappings: { 'notes.yaml': mapping }, settings: { rules } });
}

const LAST_OF_V3 = '2026-11-30';
const FIRST_OF_V4 = '2026-12-01';

/** A night on this day in El Salvador, with a note of each of these days. */
async function nightOf(scene: Scene, now: string, days: readonly string[]): Promise<void> {
  scene.drop('notas.csv', ['Num;Fecha', ...days.map((day, n) => `${n + 1};${day} 08:00:00`), ''].join('\n'));
  const late = Date.parse(now) - Date.now();
  await scene.night({ clock: { ...systemClock, now: () => new Date(Date.now() + late) } });
}

async function outcomes(scene: Scene) {
  const entries = [...(await scene.entries())].sort((a, b) => a.facts.identifier.localeCompare(b.facts.identifier));
  return entries.map(({ facts: { date, rules }, state, faults = [] }) => {
    const isErrors = faults.some(({ level }) => level === 'error');
    return [
      date,
      rules,
      isErrors ? `${state} ${faults.flatMap(({ level, rule }) => (level === 'error' ? [rule] : [])).join()}` : state,
    ];
  });
}

test('each note of one export is under the version of its day, which its receipt names', async () => {
  // Version 3 requires the type of establishment, version 4 has none.
  const { tipoEstablecimiento: _, ...emisor } = WIRE.emisor!;
  await using scene = await notesScene(notesMapping({ emisor: { ...emisor, tipoEstablecimiento: '' } }));
  await nightOf(scene, '2026-12-01T18:00:00Z', [LAST_OF_V3, FIRST_OF_V4]);
  expect(await outcomes(scene)).toEqual([
    [LAST_OF_V3, 'sv-nr-v3', 'invalid SV-EMI-0'],
    [FIRST_OF_V4, 'sv-nr-v4', 'authorized'],
  ]);
  const [sent] = scene.files('outbox').filter((path) => path.endsWith('.receipt.json'));
  expect(JSON.parse(scene.read(sent!))).toMatchObject({ rules: 'sv-nr-v4' });
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('a profile of one version stays as the settings have it, and verify finds nothing after a change to sv-by-day', async () => {
  await using scene = await notesScene(notesMapping(), { sv: 'sv-nr-v3' });
  await nightOf(scene, '2026-12-01T18:00:00Z', [LAST_OF_V3, FIRST_OF_V4]);
  expect(await outcomes(scene)).toEqual([
    [LAST_OF_V3, 'sv-nr-v3', 'authorized'],
    [FIRST_OF_V4, 'sv-nr-v3', 'authorized'],
  ]);
  const settings = join(scene.root, 'nightpost.yaml');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, stringify({ ...parse(text), rules: { sv: 'sv-by-day' } }));
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test.each([
  ['sv-by-day', '2026-10-16T12:00:00Z', ['config/profile-ends']],
  ['sv-by-day', '2026-10-15T12:00:00Z', undefined],
  ['sv-by-day', '2026-12-01T18:00:00Z', undefined],
  ['sv-nr-v3', '2026-12-01T18:00:00Z', ['config/profile-ends']],
  ['sv-nr-v4', '2026-11-20T18:00:00Z', undefined],
])('under %s at %s the report names what ends: %j', async (sv, now, codes) => {
  await using scene = await notesScene(notesMapping(), { sv });
  const clock = { ...systemClock, now: () => new Date(now) };
  const { work } = await scene.night({ clock });
  const report = await scene.look(async (ledger) => buildNightReport({ ...work, ledger }, { kind: 'run', stops: [] }));
  expect(report.rules?.map(({ code }) => code)).toEqual(codes);
});

const FIELDS = { '/emisor/direccion/distrito': 'text', '/cuerpoDocumento/*/peso': 'number' } as const;
const FURTHER = { 'further-fields': { 'sv-remission-note': FIELDS } };
const DISTRICT = notesMapping({ emisor: { direccion: { ...(WIRE.emisor!.direccion as object), distrito: '0623' } } });

test.each([
  ['that takes it', [withFurtherFields(svRemissionNote, FIELDS)], 'authorized'],
  ['of the contract alone', [], 'rejected'],
])('a field of the settings reaches a service %s, and the receipt names it', async (_, kinds, state) => {
  const mappings = { 'notes.yaml': DISTRICT };
  await using scene = await openScene({ mappings, sandbox: { kinds }, settings: { rules: FURTHER } });
  await nightOf(scene, '2026-12-01T18:00:00Z', [FIRST_OF_V4]);
  const rules = 'sv-nr-v4; further fields: /emisor/direccion/distrito (text), /cuerpoDocumento/*/peso (number)';
  expect(await outcomes(scene)).toEqual([[FIRST_OF_V4, rules, state]]);
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('what was sent with a field of the settings is proven after the settings have lost it', async () => {
  const kinds = [withFurtherFields(svRemissionNote, FIELDS)];
  await using scene = await openScene({
    mappings: { 'notes.yaml': DISTRICT },
    sandbox: { kinds },
    settings: { rules: FURTHER },
  });
  await nightOf(scene, '2026-12-01T18:00:00Z', [FIRST_OF_V4, LAST_OF_V3]);
  writeFileSync(join(scene.root, 'mappings/notes.yaml'), notesMapping());
  const settings = join(scene.root, 'nightpost.yaml');
  writeFileSync(settings, stringify({ ...parse(readFileSync(settings, 'utf8')), rules: {} }));
  const { code, out } = await commandIn(scene, 'verify', '--all');
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining('2 converted again from their rows, identical'),
  });
});

test('without the setting the mapping is refused, and so is a value of another type', async () => {
  await using scene = await notesScene(notesMapping());
  const faultsOf = (mapping: string, rules: object) => {
    writeFileSync(join(scene.root, 'mappings/notes.yaml'), mapping);
    const settings = join(scene.root, 'nightpost.yaml');
    writeFileSync(settings, stringify({ ...parse(readFileSync(settings, 'utf8')), rules }));
    const { findings } = checkInstance(scene.root, {});
    return findings.filter(({ level }) => level === 'error').map(({ code }) => code);
  };
  expect(faultsOf(DISTRICT, {})).toEqual(['map/no-such-field']);
  expect(faultsOf(DISTRICT, FURTHER)).toEqual([]);
  const heavy = notesMapping({ emisor: { direccion: { distrito: true } } });
  expect(faultsOf(heavy, FURTHER)).toEqual([expect.stringMatching(/^map\//)]);
});

test.each([
  [{ 'sv-remision-note': { '/emisor/distrito': 'text' } }],
  [{ 'sv-remission-note': { '/emisor/nit': 'text' } }],
  [{ 'sv-remission-note': { '/emisor/nit/part': 'text' } }],
  [{ 'sv-remission-note': { '/cuerpoDocumento/peso': 'number' } }],
  [{ 'sv-remission-note': { '/extension/note': 'text' } }],
])('settings without a place in a document are refused: %j', async (further) => {
  const scene = openScene({ settings: { rules: { 'further-fields': further } } });
  await expect(scene).rejects.toMatchObject({ faults: [{ code: 'config/further-field' }] });
});

test('a new block may have several fields, in a list too', () => {
  const { shape } = withFurtherFields(svRemissionNote, {
    '/ventaTercero/codDomiciliado': 'text',
    '/ventaTercero/activo': 'boolean',
    '/documentoRelacionado/*/numero': 'integer',
  });
  const more = (value: unknown) => ({ documentoRelacionado: [{ numero: value }] });
  const seller = { ventaTercero: { codDomiciliado: 'X', activo: true } };
  expect(shape.safeParse({ ...seller, ...more(Decimal.from(7)) }).success).toBe(true);
  expect(shape.safeParse({ ...seller, ...more('7') }).success).toBe(false);
  expect(shape.safeParse({ ventaTercero: { nombre: 'X' } }).success).toBe(false);
});

test('a purge of one document of an export leaves the others proven with the fields that they were sent with', async () => {
  const kinds = [withFurtherFields(svRemissionNote, FIELDS)];
  const emisor = { direccion: { ...(WIRE.emisor!.direccion as object), distrito: '0623' } };
  const mapping = (changes: Blocks) => notesMapping({ ...changes, receptor: { nombre: '$Cliente' } });
  await using scene = await openScene({
    mappings: { 'notes.yaml': mapping({ emisor }) },
    sandbox: { kinds },
    settings: { rules: FURTHER },
  });
  const day = `${FIRST_OF_V4} 08:00:00`;
  scene.drop('notas.csv', `Num;Fecha;Cliente\n1;${day};Zoroastre\n2;${day};Jeanne\n`);
  const late = Date.parse('2026-12-01T18:00:00Z') - Date.now();
  await scene.night({ clock: { ...systemClock, now: () => new Date(Date.now() + late) } });
  expect((await outcomes(scene)).map(([, , state]) => state)).toEqual(['authorized', 'authorized']);
  expect((await commandIn(scene, 'purge', '--subject', 'Zoroastre', '--reason', 'x')).code).toBe(0);
  writeFileSync(join(scene.root, 'mappings/notes.yaml'), mapping({}));
  const settings = join(scene.root, 'nightpost.yaml');
  writeFileSync(settings, stringify({ ...parse(readFileSync(settings, 'utf8')), rules: {} }));
  expect(await commandIn(scene, 'verify', '--all')).toMatchObject({ code: 0 });
});
