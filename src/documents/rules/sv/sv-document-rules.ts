/** Rules of a remission note as a whole: its number, day, currency and extension. */
import { Decimal } from '../../../model/decimal.ts';
import { keysAt, textAt } from '../../content/json-pointer.ts';
import { lengthRule, requiredRule } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import type { NoteView } from '../views/note-view.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

/** Fifteen digits of the control number. */
const LAST_NUMBER = Decimal.parse('999999999999999')!;
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
    says: {
      en: 'the currency of a note is USD',
      fr: 'la monnaie d’une note est USD',
      es: 'la moneda de una nota es USD',
    },
    hint: {
      en: 'give USD, in capitals; amounts in another currency have to be converted before',
      fr: 'donnez USD, en majuscules ; des montants dans une autre monnaie doivent être convertis avant',
      es: 'indique USD, en mayúsculas; los importes en otra moneda deben convertirse antes',
    },
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
    says: {
      en: 'the note is dated after today, {today} in El Salvador',
      fr: 'la note est datée d’après aujourd’hui, {today} au Salvador',
      es: 'la nota tiene fecha posterior a hoy, {today} en El Salvador',
    },
    hint: {
      en: 'look at the order of day and month in the cell; FechaGeneracion is local time of El Salvador, without zone',
      fr: 'regardez l’ordre du jour et du mois dans la cellule ; FechaGeneracion est l’heure locale du Salvador, sans fuseau',
      es: 'revise el orden de día y mes en la celda; FechaGeneracion es hora local de El Salvador, sin zona',
    },
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
    says: {
      en: 'the note is dated before today, {today} in El Salvador; the authority takes it, and remarks on the difference',
      fr: 'la note est datée d’avant aujourd’hui, {today} au Salvador ; l’administration l’accepte, en relevant l’écart',
      es: 'la nota tiene fecha anterior a hoy, {today} en El Salvador; se acepta, con la observación de que difiere',
    },
    hint: {
      en: 'nothing has to be done; where every note goes out the day after, switch the rule off in the settings',
      fr: 'il n’y a rien à faire ; si chaque note part le lendemain, désactivez la règle dans les réglages',
      es: 'no hay que hacer nada; si todas las notas salen al día siguiente, desactive la regla en la configuración',
    },
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
    says: {
      en: 'the sequential number is a whole number from 1 to 999999999999999',
      fr: 'le numéro séquentiel est un entier de 1 à 999999999999999',
      es: 'el número secuencial es un entero de 1 a 999999999999999',
    },
    hint: {
      en: 'give the number of the note alone, or let the ledger count: { sequence: name, per: [...] }',
      fr: 'donnez le seul numéro de la note, ou laissez le registre compter : { sequence: nom, per: [...] }',
      es: 'indique solo el número de la nota o deje contar al registro: { sequence: nombre, per: [...] }',
    },
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
    says: {
      en: 'the extension of the authority has no {field}',
      fr: 'l’extension de l’administration n’a pas de {field}',
      es: 'la extensión de la administración no tiene {field}',
    },
    hint: {
      en: `its fields are ${[...EXTENSION.keys()].join(', ')}; ask the provider whether it takes others`,
      fr: `ses champs sont ${[...EXTENSION.keys()].join(', ')} ; demandez au prestataire s’il en prend d’autres`,
      es: `sus campos son ${[...EXTENSION.keys()].join(', ')}; pregunte al proveedor si admite otros`,
    },
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
    says: {
      en: 'from 20,000 USD on the persons who hand over and receive may have to be named: {missing} missing',
      fr: 'à partir de 20 000 USD, les personnes qui remettent et reçoivent doivent peut-être être nommées : sans {missing}',
      es: 'desde 20,000 USD puede ser necesario nombrar a quien entrega y a quien recibe: falta {missing}',
    },
    hint: {
      en: 'give the four fields in extension, or ask the provider whether it does',
      fr: 'donnez les quatre champs dans extension, ou demandez au prestataire s’il le fait',
      es: 'indique los cuatro campos en extension o pregunte al proveedor si lo hace',
    },
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
    says: {
      en: 'version 4 has no extension: what stands in it does not reach the authority',
      fr: 'la version 4 n’a pas d’extension : son contenu n’arrive pas à l’administration',
      es: 'la versión 4 no tiene extensión: su contenido no llega a la administración',
    },
    hint: {
      en: 'ask the provider where such texts go (observaciones of the summary has no field in the contract)',
      fr: 'demandez au prestataire où vont ces textes (observaciones du résumé n’a pas de champ dans le contrat)',
      es: 'pregunte al proveedor dónde van estos textos (observaciones del resumen no tiene campo en el contrato)',
    },
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
