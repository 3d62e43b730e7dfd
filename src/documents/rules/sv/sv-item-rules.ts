/** Rules of the lines of a remission note, each by itself. */
import { Decimal } from '../../../model/decimal.ts';
import { ITEM_KINDS, UNITS } from '../../code-lists/sv-catalogues.ts';
import { codeRule, lengthRule, requiredRule, type VisitField } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import { ITEM_AMOUNTS, type NoteView } from '../views/note-view.ts';
import { eachItem } from './sv-item-amount-rules.ts';
import { BOTH, V3, V4 } from './sv-profiles.ts';

const MOST_ITEMS = 2000;
const REQUIRED = ['numItem', 'tipoItem', 'cantidad', 'uniMedida', ...ITEM_AMOUNTS] as const;

function at(name: string): readonly string[] {
  return [`/cuerpoDocumento/*/${name}`];
}

/** A number as the code that a catalogue lists. */
function codes(name: 'tipoItem' | 'uniMedida'): (view: NoteView, visit: VisitField<string>) => void {
  return ({ items }, visit) => {
    for (const item of items) visit(item[name]?.toText(), () => `${item.at}/${name}`);
  };
}

function isBetween(value: Decimal, least: number, most: number): boolean {
  return value.compare(Decimal.from(least)) >= 0 && value.compare(Decimal.from(most)) <= 0;
}

const list: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-1',
    code: 'sv-remission-note/item-count',
    says: {
      en: 'a note has 1 to 2000 lines, and this one has {has}',
      fr: 'une note a de 1 à 2000 lignes, et celle-ci en a {has}',
      es: 'una nota tiene de 1 a 2000 líneas, y esta tiene {has}',
    },
    hint: {
      en: 'look at the rows of the note in the export; a longer one has to be split into several notes',
      fr: 'regardez les lignes de la note dans l’export ; une note plus longue doit être divisée',
      es: 'revise las filas de la nota en la exportación; una más larga debe dividirse en varias notas',
    },
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
    says: {
      en: 'lines are numbered 1 to 2000',
      fr: 'les lignes sont numérotées de 1 à 2000',
      es: 'las líneas se numeran de 1 a 2000',
    },
    hint: {
      en: 'number the lines of each note in the export, from 1 on',
      fr: 'numérotez les lignes de chaque note dans l’export, à partir de 1',
      es: 'numere las líneas de cada nota en la exportación, desde 1',
    },
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
    says: {
      en: 'the lines are not numbered one after the other, here {expected} was expected',
      fr: 'les lignes ne se suivent pas, ici {expected} était attendu',
      es: 'las líneas no llevan números consecutivos, aquí se esperaba {expected}',
    },
    hint: {
      en: 'number the lines of each note in the export, from 1 on',
      fr: 'numérotez les lignes de chaque note dans l’export, à partir de 1',
      es: 'numere las líneas de cada nota en la exportación, desde 1',
    },
    severity: 'warning',
    at: at('numItem'),
    source: 'NR v3 calls numItem correlative; that it runs from 1 without gaps is an inference',
    profiles: BOTH,
    unless: { field: ['SV-ITM-1b'] },
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/1/numItem': 1 } },
    test: ({ items }, broken) => {
      const i = items.findIndex(({ numItem }, i) => numItem && !numItem.equals(Decimal.from(i + 1)));
      if (i >= 0) broken(`${items[i]!.at}/numItem`, { expected: String(i + 1) });
    },
  },
  requiredRule({
    id: 'SV-ITM-0',
    code: 'sv-remission-note/missing-field',
    at: [...REQUIRED, 'descripcion'].flatMap(at),
    source: 'NR v3, required of cuerpoDocumento; what it lets be null may be absent',
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
    says: {
      en: 'this line is a service (tipoItem 2), and services do not travel',
      fr: 'cette ligne est un service (tipoItem 2), et les services ne voyagent pas',
      es: 'esta línea es un servicio (tipoItem 2), y los servicios no se trasladan',
    },
    hint: {
      en: 'goods are 1; 3 is for goods with a service that belongs to them',
      fr: 'les biens sont 1 ; 3 est pour des biens avec le service qui leur appartient',
      es: 'los bienes son 1; 3 es para bienes con el servicio inherente',
    },
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
    says: {
      en: 'a line of other taxes (tipoItem 4) needs a tax code of its own, for which the service has no field',
      fr: 'une ligne d’autres taxes (tipoItem 4) demande un code propre, pour lequel le service n’a pas de champ',
      es: 'una línea de otros tributos (tipoItem 4) exige un código propio, para el que el servicio no tiene campo',
    },
    hint: {
      en: 'leave such lines out of the note: when: in the mapping',
      fr: 'omettez ces lignes de la note : when: dans le fichier de correspondance',
      es: 'omita esas líneas de la nota: when: en el archivo de correspondencias',
    },
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
    says: {
      en: 'the code of a unit is a number from 1 to 99',
      fr: 'le code d’une unité est un nombre de 1 à 99',
      es: 'el código de una unidad es un número de 1 a 99',
    },
    hint: {
      en: 'take the code from catalogue CAT-014: 59 unidad, 34 kilogramo, 23 litro, 1 metro, 99 otra',
      fr: 'prenez le code du catalogue CAT-014 : 59 unidad, 34 kilogramo, 23 litro, 1 metro, 99 otra',
      es: 'tome el código del catálogo CAT-014: 59 unidad, 34 kilogramo, 23 litro, 1 metro, 99 otra',
    },
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
    list: UNITS,
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

export const itemRules: readonly Rule<NoteView>[] = [...list, ...described];
