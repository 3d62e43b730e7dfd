/**
 * Rules of the numbers that identify issuer and receiver of a remission note: NIT, NRC, DUI and others. Wrong check
 * digits are warnings; each rule names its source.
 */
import { isDui, isNit } from '../../../model/identifiers.ts';
import { IDENTITY_DOCUMENTS } from '../../code-lists/sv-catalogues.ts';
import { digitRule, type Visit } from '../check-digit-rules.ts';
import { codeRule, formRule, lengthRule, type VisitField } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import { type NoteView, partyField } from '../views/note-view.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

/** 14 digits, or the 9 of a DUI that serves as NIT. */
const NIT_FORM = /^(?:\d{14}|\d{9})$/;
const DUI_FORM = /^\d{8}-\d$/;
const NIT = '36';
const DUI = '13';

/** The number of the receiver, where its document is of that type. */
function ofType({ receptor }: NoteView, type: string, visit: VisitField<string>): void {
  if (receptor.texts.tipoDocumento === type) partyField(receptor, 'numDocumento', visit);
}

/** Visits every NIT of the note. */
function nits(view: NoteView, visit: VisitField<string>): void {
  partyField(view.emisor, 'nit', visit);
  ofType(view, NIT, visit);
}

/** The type of the document (CAT-022) decides the form of the receiver's number. */
export const identityRules: readonly Rule<NoteView>[] = [
  formRule({
    id: 'SV-EMI-1',
    code: 'sv-remission-note/nit-form',
    at: ['/emisor/nit'],
    source: 'NR v3, emisor.nit',
    profiles: BOTH,
    passes: { set: { '/emisor/nit': '000162975' } },
    fails: { set: { '/emisor/nit': '0614-050707-104-8' } },
    form: NIT_FORM,
    fields: ({ emisor }, visit) => partyField(emisor, 'nit', visit),
  }),
  digitRule({
    id: 'SV-EMI-2',
    code: 'sv-remission-note/nit-check-digit',
    at: ['/emisor/nit', '/receptor/numDocumento'],
    formula: 'weights 14 to 2 under the first scheme, 2, 7, 6, 5, 4, 3 … under the second; modulus 11',
    source: 'python-stdnum sv.nit',
    profiles: BOTH,
    passes: { set: { '/emisor/nit': '06140711071030' } },
    fails: { set: { '/emisor/nit': '06140711071031' } },
    type: NIT,
    valid: isNit,
    walk: (view, visit: Visit) =>
      nits(view, (nit, at) => {
        if (nit !== undefined && NIT_FORM.test(nit)) visit(NIT, nit, at);
      }),
  }),
  ...(
    [
      ['SV-EMI-3', V3, 'emisor', 1, 'NR v3, emisor.nrc'],
      ['SV-EMI-3-v4', V4, 'emisor', 2, 'NR v4, emisor.nrc'],
      ['SV-REC-3b', BOTH, 'receptor', 2, 'NR v3 and v4, receptor.nrc'],
    ] as const
  ).map(([id, profiles, party, least, source]) =>
    formRule<NoteView>({
      id,
      code: 'sv-remission-note/nrc-form',
      at: [`/${party}/nrc`],
      source,
      profiles,
      passes: { set: { [`/${party}/nrc`]: '12345678' } },
      fails: { set: { [`/${party}/nrc`]: '123456-7' } },
      form: least === 1 ? /^\d{1,8}$/ : /^\d{2,8}$/,
      fields: (view, visit) => {
        // Of a receiver who is known otherwise it has no place at all (SV-REC-3).
        if (party === 'emisor' || view.receptor.texts.tipoDocumento === NIT) partyField(view[party], 'nrc', visit);
      },
    }),
  ),
  codeRule({
    id: 'SV-REC-1',
    code: 'sv-remission-note/unknown-code',
    at: ['/receptor/tipoDocumento'],
    source: 'NR v3, receptor.tipoDocumento; CAT-022',
    profiles: BOTH,
    passes: { set: { '/receptor/tipoDocumento': '37', '/receptor/nrc': null } },
    fails: { set: { '/receptor/tipoDocumento': '35', '/receptor/nrc': null } },
    list: IDENTITY_DOCUMENTS,
    fields: ({ receptor }, visit) => partyField(receptor, 'tipoDocumento', visit),
  }),
  formRule({
    id: 'SV-REC-2',
    code: 'sv-remission-note/nit-form',
    at: ['/receptor/numDocumento'],
    source: 'NR v3, receptor.numDocumento where tipoDocumento is 36',
    profiles: BOTH,
    passes: { set: { '/receptor/numDocumento': '000162975' } },
    fails: { set: { '/receptor/numDocumento': '0614-051286-129-4' } },
    form: NIT_FORM,
    fields: (view, visit) => ofType(view, NIT, visit),
  }),
  ...(
    [
      ['SV-REC-2b', V3, 'error', 'NR v3, receptor.numDocumento where tipoDocumento is 13'],
      ['SV-REC-2b-v4', V4, 'warning', 'NR v3; a warning, because no public text of NR v4 shows this form'],
    ] as const
  ).map(([id, profiles, severity, source]) =>
    formRule<NoteView>({
      id,
      code: 'sv-remission-note/dui-form',
      severity,
      at: ['/receptor/numDocumento'],
      source,
      profiles,
      passes: {
        set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '02495046-3', '/receptor/nrc': null },
      },
      fails: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '024950463', '/receptor/nrc': null } },
      form: DUI_FORM,
      fields: (view, visit) => ofType(view, DUI, visit),
    }),
  ),
  digitRule({
    id: 'SV-REC-2c',
    code: 'sv-remission-note/dui-check-digit',
    at: ['/receptor/numDocumento'],
    formula: 'weights 9 to 2, modulus 10',
    source: 'public register of identity documents; the rule is known from implementers',
    profiles: BOTH,
    passes: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '00016297-5', '/receptor/nrc': null } },
    fails: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '12345678-1', '/receptor/nrc': null } },
    type: DUI,
    valid: isDui,
    walk: (view, visit: Visit) =>
      ofType(view, DUI, (dui, at) => {
        if (dui !== undefined && DUI_FORM.test(dui)) visit(DUI, dui, at);
      }),
  }),
  lengthRule({
    id: 'SV-REC-2d',
    code: 'sv-remission-note/text-length',
    at: ['/receptor/numDocumento'],
    formula: '3 to 20 characters',
    source: 'NR v3, receptor.numDocumento',
    profiles: BOTH,
    passes: { set: { '/receptor/tipoDocumento': '03', '/receptor/numDocumento': 'A12345678', '/receptor/nrc': null } },
    fails: { set: { '/receptor/tipoDocumento': '03', '/receptor/numDocumento': 'A1', '/receptor/nrc': null } },
    fields: ({ receptor: { texts } }, visit) => {
      // NIT and DUI have a form of their own.
      if (texts.tipoDocumento === NIT || texts.tipoDocumento === DUI) return;
      visit(texts.numDocumento, 3, 20, () => '/receptor/numDocumento');
    },
  }),
  {
    id: 'SV-REC-3',
    code: 'sv-remission-note/nrc-without-nit',
    severity: 'error',
    at: ['/receptor/nrc'],
    source: 'NR v3, condition on receptor.nrc',
    profiles: BOTH,
    unless: { block: ['SV-REC-1'] },
    passes: { set: { '/receptor/nrc': null } },
    fails: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '00016297-5' } },
    test: ({ receptor: { texts } }, broken) => {
      if (texts.nrc !== undefined && texts.tipoDocumento !== undefined && texts.tipoDocumento !== NIT) {
        broken('/receptor/nrc');
      }
    },
  },
];
