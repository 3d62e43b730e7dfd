/** What the checks of a draft say: operators read it with each document that fails them, so it speaks their language. */
import { sentence } from '../../i18n/message.ts';

export const NET_DIFFERS = sentence({
  en: 'The net total differs from {column}',
  fr: 'Le total HT diffère de {column}',
  es: 'El total neto difiere de {column}',
});
export const GROSS_DIFFERS = sentence({
  en: 'The gross total differs from {column}',
  fr: 'Le total TTC diffère de {column}',
  es: 'El total con IVA difiere de {column}',
});
export const GROSS_DIFFERS_FROM_SUM = sentence({
  en: 'The gross total differs from the sum of {column}',
  fr: 'Le total TTC diffère de la somme de {column}',
  es: 'El total con IVA difiere de la suma de {column}',
});
export const LINES_DIFFER = sentence({
  en: 'The net of the lines differs from {column}',
  fr: 'Le montant HT des lignes diffère de {column}',
  es: 'El neto de las líneas difiere de {column}',
});
export const RECORDS_NET_DIFFERS = sentence({
  en: 'The net of records {name} differs from the lines',
  fr: 'Le total HT des enregistrements {name} diffère des lignes',
  es: 'El neto de los registros {name} difiere de las líneas',
});
export const RECORDS_TAX_DIFFERS = sentence({
  en: 'The VAT of records {name} differs from the document',
  fr: 'La TVA des enregistrements {name} diffère du document',
  es: 'El IVA de los registros {name} difiere del documento',
});
export const RECORDS_GROSS_DIFFERS = sentence({
  en: 'The gross total of records {name} differs from the document',
  fr: 'Le total TTC des enregistrements {name} diffère du document',
  es: 'El total con IVA de los registros {name} difiere del documento',
});
export const RECORDS_RATE_DIFFERS = sentence({
  en: 'The VAT rates of records {name} differ from those of the lines',
  fr: 'Les taux de TVA des enregistrements {name} diffèrent de ceux des lignes',
  es: 'Los tipos de IVA de los registros {name} difieren de los de las líneas',
});
export const DUE_TOO_EARLY = sentence({
  en: 'The due date lies before the date of the document',
  fr: 'La date d’échéance précède la date du document',
  es: 'La fecha de vencimiento es anterior a la fecha del documento',
});
export const PAYMENT_NEGATIVE = sentence({
  en: 'A payment is negative: a refund is not reported as a payment',
  fr: 'Un encaissement est négatif : un remboursement ne se déclare pas comme un encaissement',
  es: 'Un cobro es negativo: un reembolso no se declara como un cobro',
});
export const PAID_BACK = sentence({
  en: 'On one day more was paid back than taken at one rate',
  fr: 'Un jour, à un taux donné, les remboursements dépassent les encaissements',
  es: 'Un día, a un tipo dado, los reembolsos superan los cobros',
});
export const NOTE_DIFFERS = sentence({
  en: 'The lines do not add up to {column}',
  fr: 'La somme des lignes diffère de {column}',
  es: 'La suma de las líneas difiere de {column}',
});
