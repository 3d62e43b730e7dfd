/**
 * Rules of a remission note as a whole: its number, day, currency and extension. A note whose number comes from a
 * sequence of the ledger is not asked for one.
 */
import { Decimal } from '../../../model/decimal.ts';
import { keysAt, textAt } from '../../content/json-pointer.ts';
import { lengthRule, requiredRule } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import type { NoteView } from '../views/note-view.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

/** Fifteen digits of the control number. */
const LAST_NUMBER = Decimal.from(999_999_999_999_999);
/** Later than any day that a document is checked on: the check was asked without one. */
const NO_DAY = '9999-12-31';

/** Most characters of the fields of the extension; the persons who hand over and who receive come first. */
const EXTENSION: ReadonlyMap<string, number> = new Map([
  ['nombEntrega', 100],
  ['docuEntrega', 25],
  ['nombRecibe', 100],
  ['docuRecibe', 25],
  ['observaciones', 3000],
]);
const PERSONS = [...EXTENSION.keys()].slice(0, 4);
/** From this amount on an edition of the schema wants the persons named. */
const NAMED_FROM = Decimal.from(20_000);

/** Days are compared with the calendar day of the service. */
export const documentRules: readonly Rule<NoteView>[] = [
  requiredRule({
    id: 'SV-DOC-0',
    code: 'sv-remission-note/missing-field',
    at: ['/FechaGeneracion', '/NumeroSecuencial', '/tipoMoneda'],
    source: 'NR v3, required of identificacion',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/tipoMoneda': null } },
    fields: ({ generated, number, isNumbered, currency }, visit) => {
      visit(generated, () => '/FechaGeneracion');
      if (!isNumbered) visit(number, () => '/NumeroSecuencial');
      visit(currency, () => '/tipoMoneda');
    },
  }),
  {
    id: 'SV-DOC-1',
    code: 'sv-remission-note/currency',
    severity: 'error',
    at: ['/tipoMoneda'],
    source: 'NR v3, identificacion.tipoMoneda',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/tipoMoneda': 'SVC' } },
    test: ({ currency }, broken) => {
      if (currency !== undefined && currency !== 'USD') broken('/tipoMoneda');
    },
  },
  {
    id: 'SV-DOC-2',
    code: 'sv-remission-note/future-date',
    severity: 'error',
    at: ['/FechaGeneracion'],
    source: 'NR v3, identificacion.fecEmi, and the practice of implementers',
    profiles: BOTH,
    passes: { set: { '/FechaGeneracion': '2026-11-20T23:59:59' }, today: '2026-11-20' },
    fails: { set: { '/FechaGeneracion': '2026-11-21T00:00:00' }, today: '2026-11-20' },
    test: ({ generated, day, today }, broken) => {
      if (generated !== undefined && day > today) broken('/FechaGeneracion', { today });
    },
  },
  {
    id: 'SV-DOC-2b',
    code: 'sv-remission-note/other-day',
    severity: 'warning',
    at: ['/FechaGeneracion'],
    source: 'observation "[identificacion.fecEmi] DIFIERE DE LA FECHA DE ENVIO", seen by implementers',
    profiles: BOTH,
    passes: { set: {}, today: '2026-11-20' },
    fails: { set: {}, today: '2026-11-21' },
    test: ({ generated, day, today }, broken) => {
      if (generated !== undefined && day < today && today !== NO_DAY) broken('/FechaGeneracion', { today });
    },
  },
  {
    id: 'SV-DOC-3',
    code: 'sv-remission-note/number-range',
    severity: 'error',
    at: ['/NumeroSecuencial'],
    source: 'NR v3, the fifteen digits of identificacion.numeroControl',
    profiles: BOTH,
    passes: { set: { '/NumeroSecuencial': 1 } },
    fails: { set: { '/NumeroSecuencial': 0 } },
    test: ({ number }, broken) => {
      if (number && (number.compare(Decimal.one) < 0 || number.compare(LAST_NUMBER) > 0)) broken('/NumeroSecuencial');
    },
  },
  lengthRule({
    // A warning: the contract says of the extension that it may be empty, not what is in it.
    id: 'SV-DOC-4',
    code: 'sv-remission-note/text-length',
    severity: 'warning',
    at: [...EXTENSION.keys()].map((name) => `/extension/${name}`),
    formula: [...EXTENSION].map(([name, most]) => `${name} 1 to ${most}`).join(', '),
    source: 'NR v3, extension; the contract does not show its fields',
    profiles: V3,
    passes: { set: { '/extension': { nombEntrega: 'Rosa Ejemplo' } } },
    fails: { set: { '/extension': { docuEntrega: 'x'.repeat(26) } } },
    fields: ({ extension }, visit) => {
      for (const [name, most] of EXTENSION) visit(textAt(extension, name), 1, most, () => `/extension/${name}`);
    },
  }),
  {
    id: 'SV-DOC-4b',
    code: 'sv-remission-note/extension-field',
    severity: 'warning',
    at: ['/extension'],
    source: 'NR v3, extension; the contract does not show its fields',
    profiles: V3,
    passes: { set: { '/extension': { observaciones: 'Entregar por la mañana' } } },
    fails: { set: { '/extension': { placa: 'P-123' } } },
    test: ({ extension }, broken) => {
      const others = keysAt(extension).filter((name) => !EXTENSION.has(name));
      if (others.length > 0) broken('/extension', { field: others.join(', ') });
    },
  },
  {
    // A warning: of two public editions of version 3 only the older one says so.
    id: 'SV-DOC-4c',
    code: 'sv-remission-note/persons-not-named',
    severity: 'warning',
    at: ['/extension'],
    formula: 'montoTotalOperacion ≥ 20000: nombEntrega, docuEntrega, nombRecibe, docuRecibe',
    source: 'an older public edition of NR v3; the present one has no such condition',
    profiles: V3,
    unless: { document: ['SV-SUM-5'] },
    passes: { set: {} },
    fails: {
      set: {
        ...{ '/cuerpoDocumento/0/precioUni': 2000, '/cuerpoDocumento/0/ventaNoSuj': 24000 },
        ...{ '/resumen/totalNoSuj': 24008.23, '/resumen/subTotalVentas': 24008.23, '/resumen/subTotal': 24008.23 },
        '/resumen/montoTotalOperacion': 24008.23,
        '/resumen/totalLetras': 'VEINTICUATRO MIL OCHO 23/100 DÓLARES',
      },
    },
    test: ({ resumen, extension }, broken) => {
      const total = resumen.amounts.montoTotalOperacion;
      if (!total || total.compare(NAMED_FROM) < 0) return;
      const missing = PERSONS.filter((name) => textAt(extension, name) === undefined);
      if (missing.length > 0) broken('/extension', { missing: missing.join(', ') });
    },
  },
  {
    id: 'SV-DOC-4-v4',
    code: 'sv-remission-note/extension-ended',
    severity: 'warning',
    at: ['/extension'],
    source: 'NR v4, which took extension out',
    profiles: V4,
    passes: { set: { '/extension': {} } },
    fails: { set: { '/extension': { nombEntrega: 'Rosa Ejemplo' } } },
    test: ({ extension }, broken) => {
      if (keysAt(extension).length > 0) broken('/extension');
    },
  },
];
