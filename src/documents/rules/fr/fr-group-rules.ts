/**
 * Members of a VAT group ("assujetti unique", identifier 0231) as issuers of a French invoice: a note, and the group
 * itself.
 */
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { PartyView } from '../views/party-view.ts';

/** Scheme of the identifier of the group (ISO 6523). */
export const VAT_GROUP = '0231';
const GROUP_NOTE = 'MEMBRE_ASSUJETTI_UNIQUE';
/** See PartyView.role: the contract shows none. */
const REPRESENTATIVE = 'tax-representative';
const PARTIES = '/additional-parties';

/** The note that a member must carry, and the group as representative. */
export const groupRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-8b',
    code: 'fr-invoice/no-vat-group-note',
    severity: 'error',
    at: ['/notes'],
    formula: `issuer with an identifier of type ${VAT_GROUP}: note TXD ${GROUP_NOTE}`,
    source: 'BR-FR-CO-14; the tag is that of the UBL and CII mappings',
    profiles: ['fr-2026'],
    passes: {
      set: {
        '/issuer/identifiers/2': { type: VAT_GROUP, value: '1' },
        '/notes/4': { tag: 'TXD', content: GROUP_NOTE },
      },
    },
    fails: { set: { '/issuer/identifiers/2': { type: VAT_GROUP, value: '1' } } },
    test: (view, broken) => {
      if (inGroup(view.issuer) && !hasGroupNote(view)) broken('/notes');
    },
  },
  {
    id: 'FR-PTY-8c',
    code: 'fr-invoice/no-vat-group',
    severity: 'error',
    at: [PARTIES],
    formula: `issuer with an identifier of type ${VAT_GROUP}: a further party of role ${REPRESENTATIVE} with a VAT number`,
    source: 'BR-FR-CO-15 (BG-11, BT-63); the place is that of the UBL and CII mappings',
    profiles: ['fr-2026'],
    passes: { set: { ...member(), [PARTIES]: [representative([{ type: 'vat', value: 'FR83404833048' }])] } },
    fails: { set: member() },
    test: ({ issuer, parties }, broken) => {
      if (inGroup(issuer) && !parties.some((one) => one.role === REPRESENTATIVE && one.vat !== undefined))
        broken(PARTIES);
    },
  },
];

/** Whether the party names the group that it belongs to. */
export function inGroup({ identifiers }: PartyView): boolean {
  return identifiers.some(({ type }) => type === VAT_GROUP);
}

/** Whether some note states the membership. */
export function hasGroupNote({ notes }: InvoiceView): boolean {
  return notes.some(({ tag, content }) => tag === 'TXD' && content?.trim() === GROUP_NOTE);
}

function member(): { readonly [at: string]: object } {
  return { '/issuer/identifiers/2': { type: VAT_GROUP, value: '404833048' } };
}

function representative(identifiers: readonly object[]): object {
  return { name: 'Groupe Nord', identifiers, 'additional-info': [{ key: 'role', value: REPRESENTATIVE }] };
}
