/**
 * Rules of issuer and receiver of a remission note, apart from their numbers and addresses: names, activities, mail,
 * codes of establishments. Limits differ between versions 3 and 4 of the schema.
 */

import { isDivision } from '../../code-lists/sv-activities.ts';
import { ESTABLISHMENTS, TITLES } from '../../code-lists/sv-catalogues.ts';
import { codeRule, formRule, lengthRule, requiredRule, type VisitField } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import { type NotePartyView, type NoteView, partyField } from '../views/note-view.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

const ISSUER = ['nit', 'nrc', 'nombre', 'codActividad', 'descActividad', 'telefono', 'correo'] as const;
const RECEIVER = ['tipoDocumento', 'numDocumento', 'bienTitulo', 'nombre', 'correo'] as const;

const LONGEST_MAIL = 100;
/** Words with full stops between them, and at least one full stop after the @. */
const E_MAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

/** Visits the required fields; a missing block breaks once, for the block. */
function required(party: NotePartyView, names: readonly string[], visit: VisitField<unknown>): void {
  if (!party.isThere) visit(undefined, () => party.at);
  else for (const name of names) partyField(party, name, visit);
}

/** Visits the same field of issuer and receiver. */
function ofBoth({ emisor, receptor }: NoteView, name: string, visit: VisitField<string>): void {
  partyField(emisor, name, visit);
  partyField(receptor, name, visit);
}

/** Least and most characters of names and descriptions. */
type Limits = readonly (readonly [party: 'emisor' | 'receptor', name: string, least: number, most: number])[];

/** Limits of version 3 of the schema. */
const LIMITS_V3: Limits = [
  ['emisor', 'nombre', 3, 200],
  ['emisor', 'nombreComercial', 1, 150],
  ['emisor', 'descActividad', 1, 150],
  ['receptor', 'nombre', 1, 250],
  ['receptor', 'descActividad', 1, 150],
];
/** Limits of version 4 of the schema. */
const LIMITS_V4: Limits = [
  ['emisor', 'nombre', 1, 250],
  ['emisor', 'nombreComercial', 1, 150],
  ['emisor', 'descActividad', 5, 150],
  ['receptor', 'nombre', 1, 250],
  ['receptor', 'descActividad', 5, 150],
];

const CODES = [
  ['codEstableMH', 4, 4],
  ['codPuntoVentaMH', 4, 4],
  ['codEstable', 1, 10],
  ['codPuntoVenta', 1, 15],
] as const;

const ACTIVITY = ['/emisor/codActividad', '/receptor/codActividad'];
/** Title of goods that move within one company (CAT-025). */
const TRANSFER = '04';

/** Fields that may be absent and must not be empty. */
const OPTIONAL = [
  ...['nombreComercial', ...CODES.map(([name]) => name)].map((name) => `/emisor/${name}`),
  ...['nrc', 'codActividad', 'descActividad'].map((name) => `/receptor/${name}`),
  '/cuerpoDocumento/*/codigo',
];
const OPTIONAL_FORM = new RegExp(`^(?:${OPTIONAL.join('|').replaceAll('*', '\\d+')})$`);

/** Fields that must be there. */
const filled: readonly Rule<NoteView>[] = [
  requiredRule({
    id: 'SV-EMI-0',
    code: 'sv-remission-note/missing-field',
    at: ['/emisor', ...[...ISSUER, 'tipoEstablecimiento'].map((name) => `/emisor/${name}`)],
    source: 'NR v3, required of emisor; a field that it lets be null may be absent',
    profiles: V3,
    passes: { set: { '/emisor/nombreComercial': null } },
    fails: { set: { '/emisor/telefono': null } },
    fields: ({ emisor }, visit) => required(emisor, [...ISSUER, 'tipoEstablecimiento'], visit),
  }),
  requiredRule({
    id: 'SV-EMI-0-v4',
    code: 'sv-remission-note/missing-field',
    at: ['/emisor', ...ISSUER.map((name) => `/emisor/${name}`)],
    source: 'NR v4, required of emisor; it has no type of establishment any more',
    profiles: V4,
    passes: { set: { '/emisor/tipoEstablecimiento': null } },
    fails: { set: { '/emisor/telefono': null } },
    fields: ({ emisor }, visit) => required(emisor, ISSUER, visit),
  }),
  requiredRule({
    id: 'SV-REC-0',
    code: 'sv-remission-note/missing-field',
    at: ['/receptor', ...RECEIVER.map((name) => `/receptor/${name}`)],
    source: 'NR v3, required of receptor; a field that it lets be null may be absent',
    profiles: BOTH,
    passes: { set: { '/receptor/codActividad': null } },
    fails: { set: { '/receptor/nombre': null } },
    fields: ({ receptor }, visit) => required(receptor, RECEIVER, visit),
  }),
];

/** Optional fields that are there and blank. */
const blank: readonly Rule<NoteView>[] = [
  {
    id: 'SV-EMI-0b',
    code: 'sv-remission-note/blank-field',
    severity: 'error',
    at: OPTIONAL,
    source: 'NR v3, null or at least one character',
    profiles: BOTH,
    passes: { set: { '/emisor/codEstable': null } },
    fails: { set: { '/emisor/codEstable': '' } },
    test: (view, broken) => {
      for (const at of view.blank) if (OPTIONAL_FORM.test(at)) broken(at);
    },
  },
];

/** Forms, lengths and codes. */
const described: readonly Rule<NoteView>[] = [
  ...(
    [
      ['SV-EMI-4', V3, LIMITS_V3, 'NR v3'],
      ['SV-EMI-4-v4', V4, LIMITS_V4, 'NR v4'],
    ] as const
  ).map(([id, profiles, limits, source]) =>
    lengthRule<NoteView>({
      id,
      code: 'sv-remission-note/text-length',
      at: limits.map(([party, name]) => `/${party}/${name}`),
      formula: limits.map(([party, name, least, most]) => `${party}.${name} ${least} to ${most}`).join(', '),
      source,
      profiles,
      passes: { set: { '/emisor/nombre': 'Ñandú' } },
      fails: { set: { '/emisor/nombreComercial': 'x'.repeat(151) } },
      fields: (view, visit) => {
        for (const [party, name, least, most] of limits) {
          partyField(view[party], name, (text, at) => visit(text, least, most, at));
        }
      },
    }),
  ),
  ...(
    [
      ['SV-EMI-5', V3, 2, 'NR v3, codActividad'],
      ['SV-EMI-5-v4', V4, 5, 'NR v4, codActividad'],
    ] as const
  ).map(([id, profiles, least, source]) =>
    formRule<NoteView>({
      id,
      code: 'sv-remission-note/activity-form',
      at: ACTIVITY,
      source,
      profiles,
      passes: { set: { '/emisor/codActividad': '01111' } },
      fails: { set: { '/emisor/codActividad': 'A-46301' } },
      form: least === 2 ? /^\d{2,6}$/ : /^\d{5,6}$/,
      fields: (view, visit) => ofBoth(view, 'codActividad', visit),
    }),
  ),
  {
    id: 'SV-EMI-5b',
    code: 'sv-remission-note/unknown-activity',
    severity: 'warning',
    at: ACTIVITY,
    formula: 'the first two digits are a division of ISIC revision 4',
    source: 'CAT-019, which follows ISIC revision 4',
    profiles: BOTH,
    passes: { set: { '/receptor/codActividad': '10005' } },
    fails: { set: { '/receptor/codActividad': '34000' } },
    test: (view, broken) =>
      ofBoth(view, 'codActividad', (code, at) => {
        if (code !== undefined && /^\d{2,6}$/.test(code) && !isDivision(code)) broken(at());
      }),
  },
  codeRule({
    id: 'SV-EMI-6',
    code: 'sv-remission-note/unknown-code',
    at: ['/emisor/tipoEstablecimiento'],
    source: 'NR v3, emisor.tipoEstablecimiento; CAT-009. Version 4 has no such field',
    profiles: V3,
    passes: { set: { '/emisor/tipoEstablecimiento': '20' } },
    fails: { set: { '/emisor/tipoEstablecimiento': '03' } },
    list: ESTABLISHMENTS,
    fields: ({ emisor }, visit) => partyField(emisor, 'tipoEstablecimiento', visit),
  }),
  lengthRule({
    id: 'SV-EMI-7',
    code: 'sv-remission-note/text-length',
    at: CODES.map(([name]) => `/emisor/${name}`),
    formula: CODES.map(([name, least, most]) => `${name} ${least === most ? least : `${least} to ${most}`}`).join(', '),
    source: 'NR v3, emisor',
    profiles: BOTH,
    passes: { set: { '/emisor/codEstable': null } },
    fails: { set: { '/emisor/codEstableMH': '1' } },
    fields: ({ emisor }, visit) => {
      for (const [name, least, most] of CODES) partyField(emisor, name, (text, at) => visit(text, least, most, at));
    },
  }),
  ...(
    [
      ['SV-EMI-7-v4', 'codEstableMH', /^[MBSP]\d{3}$/, 'M001'],
      ['SV-EMI-7b-v4', 'codPuntoVentaMH', /^P\d{3}$/, 'P001'],
    ] as const
  ).map(([id, name, form, sample]) =>
    formRule<NoteView>({
      id,
      code: 'sv-remission-note/establishment-form',
      at: [`/emisor/${name}`],
      source: 'NR v4, pattern of identificacion.numeroControl',
      profiles: V4,
      passes: { set: { [`/emisor/${name}`]: sample } },
      fails: { set: { [`/emisor/${name}`]: '0001' } },
      form,
      fields: ({ emisor }, visit) => partyField(emisor, name, visit),
    }),
  ),
  lengthRule({
    id: 'SV-EMI-8',
    code: 'sv-remission-note/text-length',
    at: ['/emisor/telefono'],
    formula: '8 to 30 characters',
    source: 'NR v3, emisor.telefono',
    profiles: BOTH,
    passes: { set: { '/emisor/telefono': '+503 2222-3344' } },
    fails: { set: { '/emisor/telefono': '2222' } },
    fields: ({ emisor }, visit) => partyField(emisor, 'telefono', (text, at) => visit(text, 8, 30, at)),
  }),
  {
    id: 'SV-EMI-8b',
    code: 'sv-remission-note/e-mail',
    severity: 'error',
    at: ['/emisor/correo', '/receptor/correo'],
    source: 'NR v3, correo; a missing full stop is a real rejection',
    profiles: BOTH,
    passes: { set: { '/receptor/correo': 'compras.sv+nr@tienda.example' } },
    fails: { set: { '/receptor/correo': 'compras@tienda' } },
    test: (view, broken) =>
      ofBoth(view, 'correo', (text, at) => {
        if (text !== undefined && (text.length > LONGEST_MAIL || !E_MAIL.test(text))) broken(at());
      }),
  },
  codeRule({
    id: 'SV-REC-4',
    code: 'sv-remission-note/unknown-code',
    at: ['/receptor/bienTitulo'],
    source: 'CAT-025; NR v3 gives the length only',
    profiles: BOTH,
    passes: { set: { '/receptor/bienTitulo': '05' } },
    fails: { set: { '/receptor/bienTitulo': '06' } },
    list: TITLES,
    fields: ({ receptor }, visit) => partyField(receptor, 'bienTitulo', visit),
  }),
];

const OWN = { '/receptor/numDocumento': '06140507071048', '/receptor/nrc': '1234567' };

function isInternal({ emisor, receptor }: NoteView): boolean {
  return emisor.texts.nit !== undefined && receptor.texts.numDocumento?.replace('-', '') === emisor.texts.nit;
}

/** Transfers within one company: issuer and receiver are the same. */
const internal: readonly Rule<NoteView>[] = [
  {
    id: 'SV-REC-5',
    code: 'sv-remission-note/internal-title',
    severity: 'warning',
    at: ['/receptor/bienTitulo'],
    source: 'CAT-025 and the practice of implementers; no rule of the authority is known',
    profiles: BOTH,
    passes: { set: { ...OWN, '/receptor/direccion/municipio': '24' } },
    fails: { set: { ...OWN, '/receptor/bienTitulo': '03' } },
    test: (view, broken) => {
      if (isInternal(view) && view.receptor.texts.bienTitulo !== TRANSFER) broken('/receptor/bienTitulo');
    },
  },
  {
    id: 'SV-REC-5b',
    code: 'sv-remission-note/same-place',
    severity: 'warning',
    at: ['/receptor/direccion'],
    source: 'the practice of implementers: the receiver is the issuer at the destination',
    profiles: BOTH,
    passes: { set: { ...OWN, '/receptor/direccion/municipio': '24' } },
    fails: { set: OWN },
    test: (view, broken) => {
      const [from, to] = [view.emisor.address, view.receptor.address];
      if (!isInternal(view) || !from.isThere || !to.isThere) return;
      const names = ['departamento', 'municipio', 'complemento'] as const;
      if (names.every((name) => from.texts[name] === to.texts[name])) broken('/receptor/direccion');
    },
  },
];

/** First what must be there, then its content. */
export const svPartyRules: readonly Rule<NoteView>[] = [...filled, ...blank, ...described, ...internal];
