/** The number of a French invoice. */
import { textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

/** Of numbers, also of those referred to (BR-FR-01, BR-FR-02). */
export const LONGEST_NUMBER = 35;
export const NUMBER = /^[A-Za-z0-9+\-_/]+$/;

/**
 * The public portal takes 20 characters until it lifts its limit to 35, announced for December 2026 without a day. The
 * last day of that month stands here: a warning that stays too long costs nothing, one that ends too early hides rejections.
 */
const PORTAL_LONGEST = 20;
const PORTAL_LIMIT_UNTIL = '2026-12-31';

const NUMBER_AT = '/document/identifier';

export const numberRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-NUM-1',
    code: 'fr-invoice/number-too-long',
    says: {
      en: 'the number has {length} characters; 35 are allowed',
      fr: 'le numéro a {length} caractères ; 35 sont admis',
      es: 'el número tiene {length} caracteres; se permiten 35',
    },
    hint: {
      en: 'number the document anew in the ERP; a shortened number would no longer be the one in the books',
      fr: 'renumérotez le document dans l’ERP ; un numéro raccourci ne serait plus celui de la comptabilité',
      es: 'renumere el documento en el ERP; un número acortado ya no sería el de la contabilidad',
    },
    severity: 'error',
    onlyInErp: true,
    at: [NUMBER_AT],
    formula: 'length ≤ 35',
    source: 'BR-FR-01; DGFiP G1.05',
    profiles: ['fr-2026'],
    passes: { set: { [NUMBER_AT]: 'F'.repeat(LONGEST_NUMBER) } },
    fails: { set: { [NUMBER_AT]: 'F'.repeat(LONGEST_NUMBER + 1) } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number !== undefined && !isOpen && number.length > LONGEST_NUMBER) {
        broken(NUMBER_AT, { length: String(number.length) });
      }
    },
  },
  {
    id: 'FR-NUM-1b',
    code: 'fr-invoice/number-too-long',
    says: {
      en: 'the number has {length} characters; the public portal takes 20 until December 2026',
      fr: 'le numéro a {length} caractères ; le portail public en admet 20 jusqu’en décembre 2026',
      es: 'el número tiene {length} caracteres; el portal público admite 20 hasta diciembre de 2026',
    },
    hint: {
      en: 'ask the provider whether longer numbers pass; shorten the numbering of the ERP where they do not',
      fr: 'demandez au prestataire si les numéros plus longs passent ; sinon raccourcissez la numérotation de l’ERP',
      es: 'pregunte al proveedor si pasan números más largos; si no, acorte la numeración del ERP',
    },
    severity: 'warning',
    at: [NUMBER_AT],
    formula: 'length ≤ 20; the limit is announced to go in December 2026, no day is named',
    source: 'DGFiP G1.05 and G1.45, limits of the rule sets of July 2026',
    profiles: ['fr-2026'],
    validTo: PORTAL_LIMIT_UNTIL,
    passes: { set: { [NUMBER_AT]: 'F'.repeat(PORTAL_LONGEST) } },
    fails: { set: { [NUMBER_AT]: 'F'.repeat(PORTAL_LONGEST + 1) } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number === undefined || isOpen) return;
      if (number.length > PORTAL_LONGEST && number.length <= LONGEST_NUMBER) {
        broken(NUMBER_AT, { length: String(number.length) });
      }
    },
  },
  {
    id: 'FR-NUM-2',
    code: 'fr-invoice/number-characters',
    says: {
      en: 'the number holds {found}, which no platform takes',
      fr: 'le numéro contient {found}, qu’aucune plateforme n’admet',
      es: 'el número contiene {found}, que ninguna plataforma admite',
    },
    hint: {
      en: 'letters without accents, digits and + - _ / are allowed, no blank; number the document anew in the ERP and export it again: the number of a tax document is never altered on its way, it would no longer be the one in the books',
      fr: 'lettres sans accent, chiffres et + - _ / sont admis, sans espace ; renumérotez le document dans l’ERP et exportez-le à nouveau : le numéro d’un document fiscal n’est jamais modifié en chemin, il ne serait plus celui de la comptabilité',
      es: 'se permiten letras sin tilde, cifras y + - _ /, sin espacios; renumere el documento en el ERP y expórtelo de nuevo: el número de un documento fiscal nunca se altera en el camino, ya no sería el de la contabilidad',
    },
    severity: 'error',
    onlyInErp: true,
    at: [NUMBER_AT],
    formula: 'A-Z a-z 0-9 + - _ / and no blank',
    source: 'BR-FR-01, BR-FR-02',
    profiles: ['fr-2026'],
    passes: { set: { [NUMBER_AT]: 'F-2026/00412_A+1' } },
    fails: { set: { [NUMBER_AT]: 'FA 2026.001' } },
    test: ({ header: { number, isOpen } }, broken) => {
      if (number !== undefined && !isOpen && !NUMBER.test(number)) broken(NUMBER_AT, { found: strange(number) });
    },
  },
  {
    // Where nothing of the identity is known, the fault about the identity speaks instead.
    id: 'FR-NUM-2b',
    code: 'fr-invoice/missing-field',
    says: { en: 'the invoice has no {field}', fr: 'la facture n’a pas de {field}', es: 'la factura no tiene {field}' },
    hint: {
      en: 'fill in the cell, or give the field in the mapping',
      fr: 'remplissez la cellule, ou donnez le champ dans le fichier de correspondance',
      es: 'rellene la celda, o indique el campo en el archivo de correspondencias',
    },
    severity: 'error',
    at: [NUMBER_AT, '/document/date'],
    source: 'EN 16931 BR-02, BR-03',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { [NUMBER_AT]: null } },
    test: ({ header, payload }, broken) => {
      if (header.number === undefined && !header.isOpen) broken(NUMBER_AT, { field: 'document.identifier' });
      if (textAt(payload, 'document', 'date') === undefined) broken('/document/date', { field: 'document.date' });
    },
  },
  {
    id: 'FR-NUM-3',
    code: 'fr-invoice/series-and-number',
    says: {
      en: 'series and number in one, {joined}, are too long or hold a character that platforms refuse',
      fr: 'série et numéro réunis, {joined}, sont trop longs ou contiennent un caractère refusé par les plateformes',
      es: 'serie y número juntos, {joined}, son demasiado largos o contienen un carácter que las plataformas rechazan',
    },
    hint: {
      en: 'the contract does not say how the service joins them: ask the provider, or put the whole number into document.identifier',
      fr: 'le contrat ne dit pas comment le service les réunit : demandez au prestataire, ou mettez le numéro entier dans document.identifier',
      es: 'el contrato no dice cómo los une el servicio: pregunte al proveedor, o ponga el número entero en document.identifier',
    },
    severity: 'warning',
    at: ['/document/series'],
    formula: 'series followed by identifier: length ≤ 35, A-Z a-z 0-9 + - _ /',
    source: 'GOBL fr.ctc flow 2, which checks both as one; BR-FR-01, BR-FR-02',
    profiles: ['fr-2026'],
    unless: { document: ['FR-NUM-1'] },
    passes: { set: { '/document/series': 'A-' } },
    fails: { set: { '/document/series': 'Série A' } },
    test: ({ header: { series, number = '', isOpen } }, broken) => {
      if (series === undefined) return;
      const joined = isOpen ? series : `${series}${number}`;
      if (joined.length > LONGEST_NUMBER || !NUMBER.test(series)) broken('/document/series', { joined });
    },
  },
];

/** The characters that do not belong there, each once; blanks by name of their own. */
function strange(number: string): string {
  const found = new Set(Array.from(number).filter((one) => !NUMBER.test(one)));
  return [...found].map((one) => (/\s/.test(one) ? '" "' : one)).join(' ');
}
