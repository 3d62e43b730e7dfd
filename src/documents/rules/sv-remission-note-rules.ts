/** The rules of Salvadoran remission notes. */

import { isDui, isNit } from '../../model/identifiers.ts';
import type { RulePack } from '../../model/rule.ts';
import { textAt } from '../read.ts';
import { digitRule, type Visit } from './check-digits.ts';
import { type NoteView, viewNote } from './note-view.ts';
import { type Rule, rulePack } from './pack.ts';

function receiver(view: NoteView, visit: Visit): void {
  visit(view.tipoDocumento, textAt(view.receptor, 'numDocumento'), () => '/receptor/numDocumento');
}

/** NIT of the issuer; NIT (36) or DUI (13) of the receiver, by the type of its document (catalogue CAT-022). */
const parties: readonly Rule<NoteView>[] = [
  digitRule({
    id: 'SV-EMI-2',
    code: 'sv-remission-note/nit-check-digit',
    name: { en: 'NIT', fr: 'NIT', es: 'NIT' },
    at: ['/emisor/nit', '/receptor/numDocumento'],
    formula: 'weights 14 to 2 under the first scheme, 2, 7, 6, 5, 4, 3 … under the second; modulus 11',
    source: 'python-stdnum sv.nit',
    profiles: ['sv-nr-v3', 'sv-nr-v4'],
    passes: { set: { '/emisor/nit': '06140711071030' } },
    fails: { set: { '/emisor/nit': '06140711071031' } },
    type: '36',
    valid: isNit,
    walk: (view, visit) => {
      visit('36', textAt(view.emisor, 'nit'), () => '/emisor/nit');
      receiver(view, visit);
    },
  }),
  digitRule({
    id: 'SV-REC-2c',
    code: 'sv-remission-note/dui-check-digit',
    name: { en: 'DUI', fr: 'DUI', es: 'DUI' },
    at: ['/receptor/numDocumento'],
    formula: 'weights 9 to 2, modulus 10',
    source: 'public register of identity documents; the rule is known from implementers',
    profiles: ['sv-nr-v3', 'sv-nr-v4'],
    passes: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '00016297-5', '/receptor/nrc': null } },
    fails: { set: { '/receptor/tipoDocumento': '13', '/receptor/numDocumento': '12345678-1', '/receptor/nrc': null } },
    type: '13',
    valid: isDui,
    walk: receiver,
  }),
];

export const svRemissionNoteRules: RulePack = rulePack(viewNote, parties);
