/**
 * Rules of each line of a remission note: number, kind, unit, quantity, texts. Each rule names its source; `passes` and
 * `fails` are examples that a test runs and the manual shows.
 */
import { Decimal } from '../../../model/decimal.ts';
import { ITEM_KINDS, SV_UNITS } from '../../code-lists/sv-catalogues.ts';
import { codeRule, lengthRule, requiredRule, type VisitField } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import { ITEM_AMOUNTS, type NoteView } from '../views/note-view.ts';
import { eachItem } from './sv-item-amount-rules.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

const MOST_ITEMS = 2000;
/** Fields that the schema requires in every line, zeros included. */
const REQUIRED = ['numItem', 'tipoItem', 'cantidad', 'uniMedida', ...ITEM_AMOUNTS] as const;

function at(name: string): readonly string[] {
  return [`/cuerpoDocumento/*/${name}`];
}

/** Visits a numeric field as the text of a code. */
function codes(name: 'tipoItem' | 'uniMedida'): (view: NoteView, visit: VisitField<string>) => void {
  return ({ items }, visit) => {
    for (const item of items) visit(item[name]?.toText(), () => `${item.at}/${name}`);
  };
}

function isBetween(value: Decimal, least: number, most: number): boolean {
  return value.compare(Decimal.from(least)) >= 0 && value.compare(Decimal.from(most)) <= 0;
}

/** The list itself: its length and the numbers of its lines. */
const list: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-1',
    code: 'sv-remission-note/item-count',
    severity: 'error',
    at: ['/cuerpoDocumento'],
    source: 'NR v3, cuerpoDocumento',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento': [] } },
    test: ({ items }, broken) => {
      if (items.length === 0 || items.length > MOST_ITEMS) broken('/cuerpoDocumento', { has: String(items.length) });
    },
  },
  {
    id: 'SV-ITM-1b',
    code: 'sv-remission-note/item-number',
    severity: 'error',
    at: at('numItem'),
    source: 'NR v3, numItem',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/numItem': 0 } },
    test: eachItem(({ numItem, at }, broken) => {
      if (numItem && !isBetween(numItem, 1, MOST_ITEMS)) broken(`${at}/numItem`);
    }),
  },
  {
    // A warning: the authority calls the number correlative, and no public text shows a refusal.
    id: 'SV-ITM-1c',
    code: 'sv-remission-note/item-order',
    severity: 'warning',
    at: at('numItem'),
    source: 'NR v3 calls numItem correlative; that it runs from 1 without gaps is an inference',
    profiles: BOTH,
    unless: { field: ['SV-ITM-1b'] },
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/1/numItem': 1 } },
    test: ({ items }, broken) => {
      const i = items.findIndex(({ numItem }, i) => numItem && !numItem.equals(Decimal.from(i + 1)));
      const item = items[i];
      if (item) broken(`${item.at}/numItem`, { expected: String(i + 1) });
    },
  },
  requiredRule({
    id: 'SV-ITM-0',
    code: 'sv-remission-note/missing-field',
    at: [...REQUIRED, 'descripcion'].flatMap(at),
    source: 'NR v3, required of cuerpoDocumento; a field that it lets be null may be absent',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/codigo': null } },
    fails: { set: { '/cuerpoDocumento/0/uniMedida': null } },
    fields: ({ items }, visit) => {
      for (const item of items) {
        for (const name of REQUIRED) visit(item[name], () => `${item.at}/${name}`);
        visit(item.texts.descripcion, () => `${item.at}/descripcion`);
      }
    },
  }),
];

/** What each line describes. */
const described: readonly Rule<NoteView>[] = [
  codeRule({
    id: 'SV-ITM-2',
    code: 'sv-remission-note/unknown-code',
    at: at('tipoItem'),
    source: 'NR v3, tipoItem; CAT-011',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/tipoItem': 3 } },
    fails: { set: { '/cuerpoDocumento/0/tipoItem': 5 } },
    list: ITEM_KINDS,
    fields: codes('tipoItem'),
  }),
  {
    id: 'SV-ITM-2b',
    code: 'sv-remission-note/service-line',
    severity: 'warning',
    at: at('tipoItem'),
    source: 'an inference from the purpose of the note (remission-note 1); NR v3 takes it',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/tipoItem': 2 } },
    test: eachItem(({ tipoItem, at }, broken) => {
      if (tipoItem?.toText() === '2') broken(`${at}/tipoItem`);
    }),
  },
  {
    id: 'SV-ITM-2c',
    code: 'sv-remission-note/tax-line',
    severity: 'error',
    at: at('tipoItem'),
    source: 'NR v3, condition on tipoItem 4: codTributo; the contract has no such field',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/tipoItem': 4 } },
    test: eachItem(({ tipoItem, at }, broken) => {
      if (tipoItem?.toText() === '4') broken(`${at}/tipoItem`);
    }),
  },
  {
    id: 'SV-ITM-4',
    code: 'sv-remission-note/unit-range',
    severity: 'error',
    at: at('uniMedida'),
    source: 'NR v3, uniMedida',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/uniMedida': 99 } },
    fails: { set: { '/cuerpoDocumento/0/uniMedida': 100 } },
    test: eachItem(({ uniMedida, at }, broken) => {
      if (uniMedida && !isBetween(uniMedida, 1, 99)) broken(`${at}/uniMedida`);
    }),
  },
  codeRule({
    id: 'SV-ITM-4b',
    code: 'sv-remission-note/unknown-code',
    severity: 'warning',
    at: at('uniMedida'),
    source: 'CAT-014; NR v3 takes any number from 1 to 99',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/uniMedida': 34 } },
    fails: { set: { '/cuerpoDocumento/0/uniMedida': 35 } },
    list: SV_UNITS,
    fields: ({ items }, visit) => {
      for (const { uniMedida, at } of items) {
        if (uniMedida && isBetween(uniMedida, 1, 99)) visit(uniMedida.toText(), () => `${at}/uniMedida`);
      }
    },
  }),
  ...(
    [
      ['SV-ITM-5', V3, 1000, 'NR v3'],
      ['SV-ITM-5-v4', V4, 1500, 'NR v4'],
    ] as const
  ).map(([id, profiles, most, source]) =>
    lengthRule<NoteView>({
      id,
      code: 'sv-remission-note/text-length',
      at: ['codigo', 'descripcion'].flatMap(at),
      formula: `codigo 1 to 25, descripcion 1 to ${most}`,
      source,
      profiles,
      passes: { set: { '/cuerpoDocumento/0/codigo': 'x'.repeat(25) } },
      fails: { set: { '/cuerpoDocumento/0/codigo': 'x'.repeat(26) } },
      fields: ({ items }, visit) => {
        for (const { texts, at } of items) {
          visit(texts.codigo, 1, 25, () => `${at}/codigo`);
          visit(texts.descripcion, 1, most, () => `${at}/descripcion`);
        }
      },
    }),
  ),
];

/** The list, then its lines. */
export const itemRules: readonly Rule<NoteView>[] = [...list, ...described];
