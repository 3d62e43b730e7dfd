/**
 * The official JSON schema of the Salvadoran remission note (fe-nr-v3.json) as an oracle: the notes of our samples, with the
 * keys that the provider fills in, must validate; and each field damaged in turn must be refused by both or by none.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { DOCUMENT_KINDS } from '../../src/catalogue.ts';
import { checkDocument } from '../../src/documents/check-document.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { Json, JsonObject } from '../../src/model/draft.ts';
import { isError } from '../../src/model/fault.ts';
import { REPOSITORY } from '../samples/instance.ts';
import { type Comparison, tally } from './suite.ts';

type Block = { [key: string]: unknown };

/**
 * Municipalities since May 2024, by department. The pattern of the schema knows the former ones alone, and the authority
 * accepts both: in the official document a new one stands as the first of the former ones.
 */
const NEW_MUNICIPALITIES: { readonly [department: string]: readonly [first: number, last: number] } = {
  ...{ '01': [13, 15], '02': [14, 17], '03': [17, 20], '04': [34, 36], '05': [23, 28], '06': [20, 24], '07': [17, 18] },
  ...{ '08': [23, 25], '09': [10, 11], '10': [14, 15], '11': [24, 26], '12': [21, 23], '13': [27, 28], '14': [19, 20] },
};

const SAMPLES = ['sv-remission-notes', 'sv-transfers'];
const note = DOCUMENT_KINDS.find(({ name }) => name === 'sv-remission-note')!;

export async function compareRemissionNotes(folder: string): Promise<readonly Comparison[]> {
  const validate = compiled(folder);
  const whole = tally('Official schema of type 04, our samples');
  const damaged = tally('Official schema of type 04, one field damaged');
  for (const [name, payload] of ownNotes()) {
    const wrong = validate(official(payload));
    if (wrong.length === 0) whole.agree();
    for (const found of wrong) whole.differ({ about: found, case: name, found });
    if (wrong.length > 0 || refusals(payload).length > 0) continue;
    for (const { at, what, changed } of damages(payload)) {
      const theirs = validate(official(changed));
      const ours = refusals(changed);
      const about = at.replaceAll(/\/\d+/g, '/*');
      if (theirs.length > 0 === ours.length > 0) damaged.agree();
      else if (theirs.length > 0)
        damaged.differ({ about, case: `${name} ${at} ${what}`, found: `only the schema refuses it: ${theirs[0]}` });
      else
        damaged.differ({
          about: ours[0]!,
          case: `${name} ${at} ${what}`,
          found: `only we refuse it: ${ours.join(', ')}`,
        });
    }
  }
  return [whole.done(), damaged.done()];
}

/** What the schema says against a document. */
function compiled(folder: string): (document: unknown) => readonly string[] {
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('fe-nr-v3.json'),
  );
  if (path === undefined) throw new Error(`${folder} holds no fe-nr-v3.json`);
  // Without a precision 19.99 is no multiple of 0.01 in binary numbers.
  const ajv = new Ajv({ strict: false, allErrors: true, multipleOfPrecision: 6 });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(folder, path), 'utf8')) as object);
  return (document) => {
    if (validate(document)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, '/*')} ${message}`,
    );
  };
}

function ownNotes(): readonly (readonly [string, Block])[] {
  return SAMPLES.flatMap((sample) => {
    const folder = join(REPOSITORY, 'samples', sample, 'expect');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.map(
      (name) => [`${sample}/${name}`, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Block] as const,
    );
  });
}

/** Rules of the profile, shape and identity: what we refuse the note for. */
function refusals(payload: Block): readonly string[] {
  const draft = {
    kind: note.name,
    class: note.classes[0]!,
    rows: [1],
    payload: withDecimals(payload) as JsonObject,
    trace: () => new Map(),
  };
  const outcome = checkDocument(draft, { ...note, rules: note.rules.under({ profile: 'sv-nr-v3' }) });
  if ('document' in outcome) return [];
  return [...new Set(outcome.faults.filter(isError).map(({ rule, code }) => rule ?? code))];
}

function withDecimals(value: unknown): Json {
  if (typeof value === 'number') return Decimal.from(value);
  if (Array.isArray(value)) return value.map(withDecimals);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDecimals(inner)]));
}

/** The document as the provider completes and signs it: what the contract does not carry is fixed, absent keys are null. */
function official(payload: Block): Block {
  const { emisor, receptor, cuerpoDocumento, resumen, extension, FechaGeneracion, tipoMoneda } = payload;
  const [day, time] = String(FechaGeneracion).split('T');
  const items = Array.isArray(cuerpoDocumento) ? (cuerpoDocumento as Block[]) : [];
  return {
    identificacion: {
      ...{
        version: 3,
        ambiente: '00',
        tipoDte: '04',
        tipoModelo: 1,
        tipoOperacion: 1,
        tipoContingencia: null,
        motivoContin: null,
      },
      numeroControl: 'DTE-04-M001P001-000000000000001',
      codigoGeneracion: '00000000-0000-4000-8000-000000000000'.toUpperCase(),
      fecEmi: day,
      horEmi: time,
      tipoMoneda,
    },
    documentoRelacionado: null,
    emisor: placed(
      filled(emisor, ['nombreComercial', 'codEstableMH', 'codEstable', 'codPuntoVentaMH', 'codPuntoVenta']),
    ),
    receptor: placed(filled(receptor, ['nrc', 'codActividad', 'descActividad', 'nombreComercial', 'telefono'])),
    ventaTercero: null,
    cuerpoDocumento: items.map((item) =>
      emptyAsNull(filled(item, ['numeroDocumento', 'codigo', 'codTributo', 'tributos'])),
    ),
    resumen: emptyAsNull(filled(resumen, ['porcentajeDescuento', 'tributos'])),
    extension: filled(extension, ['nombEntrega', 'docuEntrega', 'nombRecibe', 'docuRecibe', 'observaciones']),
    apendice: null,
  };
}

function placed(party: Block): Block {
  const { direccion } = party as { direccion?: Block };
  const [first = 0, last = -1] = NEW_MUNICIPALITIES[String(direccion?.departamento)] ?? [];
  const number = /^\d\d$/.test(String(direccion?.municipio)) ? Number(direccion?.municipio) : -1;
  return number >= first && number <= last ? { ...party, direccion: { ...direccion, municipio: '01' } } : party;
}

function filled(value: unknown, keys: readonly string[]): Block {
  return { ...Object.fromEntries(keys.map((key) => [key, null])), ...(value as Block) };
}

function emptyAsNull(block: Block): Block {
  return { ...block, tributos: Array.isArray(block.tributos) && block.tributos.length === 0 ? null : block.tributos };
}

type Damage = { readonly at: string; readonly what: string; readonly changed: Block };

/** No empty text: a mapping leaves empty values out, and so do the samples. */
const TEXTS: { readonly [what: string]: (text: string) => unknown } = {
  'is one letter': () => 'x',
  'is far too long': () => 'x'.repeat(4000),
  'has a blank in front': (text) => ` ${text}`,
  'has a character more': (text) => `${text}9`,
  'has a character less': (text) => text.slice(0, -1),
  'has signs in it': (text) => `${text.slice(0, 1)}#-${text.slice(1)}`,
  'is 99': () => '99',
  'is a number': () => 7,
};
const NUMBERS: { readonly [what: string]: (value: number) => unknown } = {
  'is negative': (value) => -1 - value,
  'is zero': () => 0,
  'has nine decimals': (value) => Math.floor(value) + 0.123456789,
  'has three decimals': (value) => Math.floor(value) + 0.125,
  'is enormous': () => 1e12,
  'is a text': (value) => String(value),
};

/** Every field of the note, damaged in every way that fits it, one at a time. */
function* damages(payload: Block): Generator<Damage> {
  for (const { path, value } of leaves(payload, [])) {
    const ways = typeof value === 'number' ? NUMBERS : TEXTS;
    const at = `/${path.join('/')}`;
    yield { at, what: 'is missing', changed: changedAt(payload, path, undefined) };
    for (const [what, change] of Object.entries(ways)) {
      const damage = (change as (value: unknown) => unknown)(value);
      if (damage !== value && damage !== '') yield { at, what, changed: changedAt(payload, path, damage) };
    }
  }
}

type Leaf = { readonly path: readonly string[]; readonly value: string | number };

function leaves(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  // Ours alone, and files beside the note: the official document has no place for them.
  return Object.entries(value).flatMap(([key, inner]) =>
    path.length === 0 && ['Adjuntos', 'NumeroSecuencial'].includes(key) ? [] : leaves(inner, [...path, key]),
  );
}

function changedAt(payload: Block, path: readonly string[], value: unknown): Block {
  const copy = structuredClone(payload);
  let here: Block = copy;
  for (const key of path.slice(0, -1)) here = here[key] as Block;
  const last = path.at(-1)!;
  if (value !== undefined) here[last] = value;
  else if (Array.isArray(here)) here.splice(Number(last), 1);
  else delete here[last];
  return copy;
}
