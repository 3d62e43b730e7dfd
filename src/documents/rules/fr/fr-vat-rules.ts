/** Rates and treatments of VAT on a French invoice. */
import { Decimal } from '../../../model/decimal.ts';
import { categoryOf, isForeignCategory } from '../../code-lists/vat-categories.ts';
import { isFrenchRate, looksLikeFraction, RATES_TEXT, TAXED } from '../../code-lists/vat-rates.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const HUNDRED = Decimal.from(100);
const AT_PERCENT = ['/lines/*/taxes/*/percent', '/totals/subtotals/*/subtotals/*/percent'];
const AT_SUBTYPE = ['/lines/*/taxes/*/subtype', '/totals/subtotals/*/subtotals/*/subtype'];

export const vatRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-1',
    code: 'fr-invoice/unknown-vat-rate',
    says: {
      en: 'this is no French VAT rate; accepted are {rates}',
      fr: 'ce n’est pas un taux de TVA français ; sont acceptés {rates}',
      es: 'esto no es una tasa de IVA francesa; se aceptan {rates}',
    },
    hint: {
      en: 'correct the cell, or the entry of its code in the table of the mapping',
      fr: 'corrigez la cellule, ou l’entrée de son code dans la table du fichier de correspondance',
      es: 'corrija la celda, o la entrada de su código en la tabla del archivo de correspondencias',
    },
    severity: 'error',
    at: AT_PERCENT,
    source: 'BR-FR-16; DGFiP G1.24',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-2b'] },
    passes: { set: { '/lines/2/taxes/0/percent': 5.5 } },
    fails: { set: { '/lines/2/taxes/0/percent': 19 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        if (tax.percent && !isFrenchRate(tax.percent)) broken(`${tax.at}/percent`, { rates: RATES_TEXT });
      }
    },
  },
  {
    id: 'FR-VAT-2b',
    code: 'fr-invoice/vat-rate-is-fraction',
    says: {
      en: 'this looks like a fraction, {percent} percent?',
      fr: 'cela ressemble à une fraction, {percent} pour cent ?',
      es: 'esto parece una fracción, ¿{percent} por ciento?',
    },
    hint: {
      en: 'a rate is given in percent: write {percent}, or, where the export gives all of them so, = $Column * 100 in the mapping',
      fr: 'un taux se donne en pour cent : écrivez {percent}, ou, si l’export les donne tous ainsi, = $Colonne * 100 dans le fichier de correspondance',
      es: 'una tasa se indica en porcentaje: escriba {percent} o, si la exportación las da todas así, = $Columna * 100 en el archivo de correspondencias',
    },
    severity: 'error',
    at: AT_PERCENT,
    source: 'an inference: no French rate lies between 0 and 0.5 percent',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/percent': 0.055 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { percent } = tax;
        if (percent && looksLikeFraction(percent)) {
          broken(`${tax.at}/percent`, { percent: percent.times(HUNDRED).toText() });
        }
      }
    },
  },
  {
    id: 'FR-VAT-3',
    code: 'fr-invoice/vat-treatment-mismatch',
    says: {
      en: 'treatment and rate contradict each other; standard means more than 0, any other 0',
      fr: 'le traitement et le taux se contredisent ; standard veut dire plus de 0, tout autre 0',
      es: 'el tratamiento y la tasa se contradicen; standard significa más de 0, cualquier otro 0',
    },
    hint: {
      en: 'correct the VAT code of the line, or its entry in the code table of the mapping',
      fr: 'corrigez le code TVA de la ligne, ou son entrée dans la table de codes',
      es: 'corrija el código de IVA de la línea o su entrada en la tabla de códigos',
    },
    severity: 'error',
    at: AT_SUBTYPE,
    formula: 'standard: percent > 0; zero, exempt, reverse-charge and the like: percent = 0',
    source: 'EN 16931 BR-S-05, BR-E-05, BR-AE-05, BR-G-05',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1'] },
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/percent': 0 } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype, percent } = tax;
        if (!percent || subtype === undefined) continue;
        const isWrong = (percent.units <= 0 && TAXED.has(subtype)) || (!percent.isZero() && isUntaxed(subtype));
        if (isWrong) broken(`${tax.at}/subtype`);
      }
    },
  },
  {
    id: 'FR-VAT-3b',
    code: 'fr-invoice/unknown-vat-treatment',
    says: {
      en: 'the contract shows no such treatment, only standard; with a rate above 0 it is read as standard',
      fr: 'le contrat ne montre pas ce traitement, seulement standard ; avec un taux supérieur à 0 il est lu comme standard',
      es: 'el contrato no muestra este tratamiento, solo standard; con una tasa mayor que 0 se lee como standard',
    },
    hint: {
      en: 'reduced rates are standard too; ask the provider for the names of the others',
      fr: 'les taux réduits sont standard aussi ; demandez au prestataire les noms des autres',
      es: 'las tasas reducidas también son standard; pregunte al proveedor por los nombres de las demás',
    },
    severity: 'warning',
    at: AT_SUBTYPE,
    source: 'french-invoicing 2.2: complete lists are not shown',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/subtype': 'reduced' } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype, percent } = tax;
        if (subtype === undefined || subtype === 'standard' || !percent || percent.isZero()) continue;
        if (categoryOf(subtype) === undefined && !isForeignCategory(subtype)) broken(`${tax.at}/subtype`);
      }
    },
  },
  {
    id: 'FR-VAT-3c',
    code: 'fr-invoice/foreign-vat-category',
    says: {
      en: 'a treatment of Spain or Italy, which no French invoice has',
      fr: 'un traitement d’Espagne ou d’Italie, qu’aucune facture française ne porte',
      es: 'un tratamiento de España o Italia, que ninguna factura francesa lleva',
    },
    hint: {
      en: 'correct the VAT code, or its entry in the table of the mapping: standard, zero, exempt, reverse-charge, intra-community, export or outside-scope',
      fr: 'corrigez le code TVA, ou son entrée dans la table du fichier de correspondance : standard, zero, exempt, reverse-charge, intra-community, export ou outside-scope',
      es: 'corrija el código de IVA, o su entrada en la tabla del archivo de correspondencias: standard, zero, exempt, reverse-charge, intra-community, export u outside-scope',
    },
    severity: 'error',
    at: AT_SUBTYPE,
    formula: 'none of L canary-islands, M ceuta-melilla, B split-payment',
    source: 'BR-FR-15; DGFiP G2.31',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/2/taxes/0/subtype': 'canary-islands' } },
    test: ({ taxes }, broken) => {
      for (const tax of taxes) {
        const { subtype } = tax;
        if (subtype !== undefined && subtype !== 'standard' && isForeignCategory(subtype)) broken(`${tax.at}/subtype`);
      }
    },
  },
];

function isUntaxed(treatment: string): boolean {
  const category = categoryOf(treatment);
  return category !== undefined && category !== 'S';
}
