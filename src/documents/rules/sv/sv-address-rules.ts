/**
 * Rules of the addresses of a remission note: where the goods leave and where they go. Codes are of CAT-012 and
 * CAT-013, of which two generations are in use.
 */

import { DEPARTMENTS, generationOf, municipalitiesOf, RESTRUCTURED } from '../../code-lists/sv-places.ts';
import { codeRule, lengthRule, requiredRule } from '../field-rules.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { AddressView, NoteView } from '../views/note-view.ts';
import { BOTH } from './sv-profiles.ts';

const NAMES = ['departamento', 'municipio', 'complemento'] as const;
const PLACES = ['/emisor/direccion', '/receptor/direccion'] as const;

/** Addresses of the parties that are there. */
function addresses({ emisor, receptor }: NoteView): readonly AddressView[] {
  return [emisor, receptor].filter(({ isThere }) => isThere).map(({ address }) => address);
}

function at(name: string): readonly string[] {
  return PLACES.map((place) => `${place}/${name}`);
}

/** The two codes that name a municipality together. */
type Pair = { readonly department: string; readonly name: string; readonly municipality: string; readonly at: string };

/** Municipalities whose department is known. */
function municipalities(view: NoteView): readonly Pair[] {
  return addresses(view).flatMap(({ at, texts: { departamento: department = '', municipio: municipality } }) => {
    const name = DEPARTMENTS.get(department);
    if (name === undefined || municipality === undefined) return [];
    return [{ department, name, municipality, at: `${at}/municipio` }];
  });
}

/** A missing address breaks one rule, not one per field. */
export const svAddressRules: readonly Rule<NoteView>[] = [
  requiredRule({
    id: 'SV-DIR-0',
    code: 'sv-remission-note/missing-field',
    at: [...PLACES, ...NAMES.flatMap(at)],
    source: 'NR v3, required of direccion',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/receptor/direccion/complemento': null } },
    fields: (view, visit) => {
      for (const { at, isThere, texts } of addresses(view)) {
        if (!isThere) visit(undefined, () => at);
        else for (const name of NAMES) visit(texts[name], () => `${at}/${name}`);
      }
    },
  }),
  codeRule({
    id: 'SV-DIR-1',
    code: 'sv-remission-note/unknown-code',
    at: at('departamento'),
    formula: '01 to 14; the 00 of the catalogue, for other countries, is not taken here',
    source: 'NR v3, direccion.departamento; CAT-012',
    profiles: BOTH,
    passes: { set: { '/receptor/direccion/departamento': '08' } },
    fails: { set: { '/receptor/direccion/departamento': '15' } },
    list: { name: 'CAT-012', codes: DEPARTMENTS },
    fields: (view, visit) => {
      for (const { at, texts } of addresses(view)) visit(texts.departamento, () => `${at}/departamento`);
    },
  }),
  {
    id: 'SV-DIR-2',
    code: 'sv-remission-note/unknown-municipality',
    severity: 'error',
    at: at('municipio'),
    formula: 'department and municipality as a pair; the 44 of 2024 for notes since 2024-05-01',
    source: 'CAT-013, before and after the law of municipal restructuring',
    profiles: BOTH,
    passes: { set: { '/receptor/direccion/departamento': '12' } },
    fails: { set: { '/receptor/direccion/departamento': '01' } },
    test: (view, broken) => {
      for (const { department, name, municipality, at } of municipalities(view)) {
        const generation = generationOf(department, municipality);
        if (generation === 'former' || (generation === 'today' && view.day >= RESTRUCTURED)) continue;
        const values = { department, name, codes: municipalitiesOf(department, view.day) };
        broken(at, { ...values, ...offering(withItsZero(department, municipality, view.day)) });
      }
    },
  },
  {
    // A warning: the published schema of version 3 knows these codes only, and both generations were certified.
    id: 'SV-DIR-2b',
    code: 'sv-remission-note/former-municipality',
    severity: 'warning',
    at: at('municipio'),
    source: 'CAT-013; NR v3 knows the former codes only, certified notes carry both',
    profiles: BOTH,
    validFrom: RESTRUCTURED,
    passes: { set: { '/receptor/direccion/municipio': '14', '/FechaGeneracion': '2024-04-30T08:30:00' } },
    fails: { set: { '/receptor/direccion/municipio': '14' } },
    test: (view, broken) => {
      for (const { department, municipality, at } of municipalities(view)) {
        if (generationOf(department, municipality) === 'former') {
          broken(at, { department, codes: municipalitiesOf(department, view.day) });
        }
      }
    },
  },
  lengthRule({
    id: 'SV-DIR-4',
    code: 'sv-remission-note/text-length',
    at: at('complemento'),
    formula: '1 to 200 characters',
    source: 'NR v3, direccion.complemento',
    profiles: BOTH,
    passes: { set: { '/emisor/direccion/complemento': 'x'.repeat(200) } },
    fails: { set: { '/emisor/direccion/complemento': 'x'.repeat(201) } },
    fields: (view, visit) => {
      for (const { at, texts } of addresses(view)) visit(texts.complemento, 1, 200, () => `${at}/complemento`);
    },
  }),
];

/** "1" was "01" before a spreadsheet removed the zero; no current municipality begins with a zero. */
function withItsZero(department: string, municipality: string, day: string): string | undefined {
  const code = `0${municipality}`;
  return day < RESTRUCTURED && generationOf(department, code) === 'former' ? code : undefined;
}
