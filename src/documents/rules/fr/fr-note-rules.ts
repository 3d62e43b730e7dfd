/** Notes of a French invoice: the legal mentions, each once and with what the law asks of it. */

import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import { type InvoiceView, isTreatment } from '../views/invoice-view.ts';
import { isTreatmentCode, TREATMENT_CODES } from '../views/party-view.ts';

/** Tag of the contract -> code of the norm (AFNOR XP Z12-012); the pairing follows their wording. */
const MENTIONS: readonly (readonly [tag: string, code: string])[] = [
  ['fixed-recovery-fee', 'PMT'],
  ['late-payment-penalty', 'PMD'],
  ['no-early-payment-discount', 'AAB'],
];
const FEE = MENTIONS[0]![0];
const ONCE: ReadonlySet<string> = new Set([...MENTIONS.map(([tag]) => tag), 'TXD']);

const REASON = 'credit-note-reason';

/** 40 EUR, as people write it: 40 €, 40,00 euros, EUR 40. */
const FORTY_EURO = /(?:€|eur(?:os?)?)\s*40(?![0-9])|(?<![0-9,.])40(?:[,.]00?)?\s*(?:€|eur)/iu;
/** How the platforms write a code in front of its note. */
const CODE_IN_TEXT = /#[A-Z]{3}#/;

export const noteRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-NOT-1',
    code: 'fr-invoice/no-legal-mention',
    says: {
      en: 'legal mentions are missing: {missing}',
      fr: 'des mentions légales sont absentes : {missing}',
      es: 'faltan menciones legales: {missing}',
    },
    hint: {
      en: 'add a note with each tag and the text of the company: fee of 40 EUR, penalties, discount',
      fr: 'ajoutez une note avec chaque tag et le texte de la société : indemnité de 40 EUR, pénalités, escompte',
      es: 'agregue una nota con cada tag y el texto de la empresa: indemnización de 40 EUR, intereses, descuento',
    },
    severity: 'error',
    at: ['/notes'],
    formula: MENTIONS.map(([tag, code]) => `${tag} = ${code}`).join(', '),
    source: 'BR-FR-05; the pairing of tags and codes is an inference from their wording',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/notes/0': null } },
    test: ({ notes, buyer }, broken) => {
      // Towards consumers the mentions between businesses have no place.
      if (buyer === 'consumer') return;
      const missing = MENTIONS.filter(([tag]) => !notes.some((note) => note.tag === tag && note.content !== undefined));
      if (missing.length > 0)
        broken('/notes', { missing: missing.map(([tag, code]) => `${tag} (${code})`).join(', ') });
    },
  },
  {
    id: 'FR-NOT-2',
    code: 'fr-invoice/mention-twice',
    says: {
      en: 'the mention {tag} stands there twice',
      fr: 'la mention {tag} figure deux fois',
      es: 'la mención {tag} figura dos veces',
    },
    hint: {
      en: 'leave one: a footer of the ERP often repeats what the mapping says already',
      fr: 'n’en laissez qu’une : un pied de page de l’ERP répète souvent ce que dit déjà le fichier de correspondance',
      es: 'deje una sola: un pie de página del ERP suele repetir lo que ya dice el archivo de correspondencias',
    },
    severity: 'error',
    at: ['/notes/*/tag'],
    formula: `each of ${[...ONCE].join(', ')} at most once`,
    source: 'BR-FR-06',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/4': { tag: 'other', content: 'a' }, '/notes/5': { tag: 'other', content: 'b' } } },
    fails: { set: { '/notes/4': { tag: 'late-payment-penalty', content: 'Pénalités' } } },
    test: ({ notes }, broken) => {
      const seen = new Set<string>();
      notes.forEach(({ tag }, i) => {
        if (tag === undefined || !ONCE.has(tag)) return;
        if (seen.has(tag)) broken(`/notes/${i}/tag`, { tag });
        seen.add(tag);
      });
    },
  },
  {
    id: 'FR-NOT-3',
    code: 'fr-invoice/fee-without-amount',
    says: {
      en: 'the recovery fee does not name its amount, 40 EUR',
      fr: 'l’indemnité de recouvrement n’indique pas son montant, 40 EUR',
      es: 'la indemnización por cobro no indica su importe, 40 EUR',
    },
    hint: {
      en: 'write the amount into the note; naming the article of the law is not enough',
      fr: 'écrivez le montant dans la note ; citer l’article de loi ne suffit pas',
      es: 'escriba el importe en la nota; citar el artículo de la ley no basta',
    },
    severity: 'warning',
    at: ['/notes/*/content'],
    source: 'Code de commerce, articles L441-9 and D441-5',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/0/content': 'Indemnité de 40,00 € pour frais de recouvrement' } },
    fails: { set: { '/notes/0/content': 'Indemnité selon l’article D441-5' } },
    test: ({ notes, buyer }, broken) => {
      if (buyer === 'consumer') return;
      notes.forEach(({ tag, content }, i) => {
        if (tag === FEE && content !== undefined && !FORTY_EURO.test(content)) broken(`/notes/${i}/content`);
      });
    },
  },
  {
    id: 'FR-NOT-4',
    code: 'fr-invoice/no-credit-note-reason',
    says: {
      en: 'the credit note does not say why',
      fr: 'l’avoir n’indique pas son motif',
      es: 'la nota de crédito no indica su motivo',
    },
    hint: {
      en: `add a note with tag ${REASON}`,
      fr: `ajoutez une note de tag ${REASON}`,
      es: `agregue una nota con tag ${REASON}`,
    },
    severity: 'warning',
    at: ['/notes'],
    source: 'french-invoicing 2.2 shows the tag',
    profiles: ['fr-2026'],
    passes: { class: 'credit-note', set: {} },
    fails: { class: 'credit-note', set: { '/notes/3': null } },
    test: ({ notes, class: documentClass }, broken) => {
      if (documentClass !== 'credit-note') return;
      if (!notes.some(({ tag, content }) => tag === REASON && content !== undefined)) broken('/notes');
    },
  },
  {
    id: 'FR-NOT-5',
    code: 'fr-invoice/code-in-note',
    says: {
      en: 'the text holds {code}, which platforms read as the code of another note',
      fr: 'le texte contient {code}, que les plateformes lisent comme le code d’une autre note',
      es: 'el texto contiene {code}, que las plataformas leen como el código de otra nota',
    },
    hint: {
      en: 'take it out of the text: the tag says what the note is',
      fr: 'retirez-le du texte : le tag dit ce qu’est la note',
      es: 'quítelo del texto: el tag dice qué es la nota',
    },
    severity: 'warning',
    at: ['/notes/*/content'],
    source: 'examples of AFNOR XP Z12-012 (a note is written #PMT#text); an inference',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/1/content': 'Pénalités, dossier #12' } },
    fails: { set: { '/notes/1/content': '#PMD#Pénalités' } },
    test: ({ notes }, broken) => {
      notes.forEach(({ content = '' }, i) => {
        const found = CODE_IN_TEXT.exec(content);
        if (found) broken(`/notes/${i}/content`, { code: found[0] });
      });
    },
  },
  {
    id: 'FR-NOT-6',
    code: 'fr-invoice/unknown-treatment',
    says: {
      en: 'the note BAR names none of the flows {codes}',
      fr: 'la note BAR n’indique aucun des flux {codes}',
      es: 'la nota BAR no indica ninguno de los flujos {codes}',
    },
    hint: {
      en: 'write the code alone, in capitals, or leave the note out',
      fr: 'écrivez le code seul, en majuscules, ou omettez la note',
      es: 'escriba solo el código, en mayúsculas, u omita la nota',
    },
    severity: 'error',
    at: ['/notes/*/content'],
    source: 'BR-FR-20',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/4': { tag: 'BAR', content: 'B2B' } } },
    fails: { set: { '/notes/4': { tag: 'BAR', content: 'b2b' } } },
    test: ({ notes }, broken) => {
      notes.forEach((note, i) => {
        if (!isTreatment(note) || note.content === undefined || isTreatmentCode(note.content.trim())) return;
        const meant = note.content.trim().toUpperCase();
        const codes = TREATMENT_CODES.join(', ');
        broken(`/notes/${i}/content`, { codes, ...offering(isTreatmentCode(meant) ? meant : undefined) });
      });
    },
  },
  {
    id: 'FR-NOT-6b',
    code: 'fr-invoice/two-treatments',
    says: {
      en: 'a second note BAR, and an invoice is of one flow',
      fr: 'une deuxième note BAR, alors qu’une facture relève d’un seul flux',
      es: 'una segunda nota BAR, y una factura es de un solo flujo',
    },
    hint: {
      en: 'leave the note that is right',
      fr: 'laissez la note qui est exacte',
      es: 'deje la nota que es correcta',
    },
    severity: 'error',
    at: ['/notes/*/tag'],
    source: 'BR-FR-31',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/4': { tag: 'BAR', content: 'B2B' } } },
    fails: { set: { '/notes/4': { tag: 'BAR', content: 'B2B' }, '/notes/5': { tag: 'BAR', content: 'B2C' } } },
    test: ({ notes }, broken) => {
      let isFirst = true;
      notes.forEach((note, i) => {
        if (!isTreatment(note) || note.content === undefined) return;
        if (!isFirst) broken(`/notes/${i}/tag`);
        isFirst = false;
      });
    },
  },
];
