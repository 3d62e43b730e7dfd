/**
 * Rules of the notes of a French invoice: the legal mentions, each once and with the text that the law requires. Each
 * rule names its source.
 */

import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import { type InvoiceView, isTreatment } from '../views/invoice-view.ts';
import { isTreatmentCode, TREATMENT_CODES } from '../views/party-view.ts';

const FEE = 'fixed-recovery-fee';
/** Tag of the contract -> code of the norm (AFNOR XP Z12-012); the pairing follows their wording. */
const MENTIONS: readonly (readonly [tag: string, code: string])[] = [
  [FEE, 'PMT'],
  ['late-payment-penalty', 'PMD'],
  ['no-early-payment-discount', 'AAB'],
];
/** Tags that one invoice may have only once. */
const ONCE: ReadonlySet<string> = new Set([...MENTIONS.map(([tag]) => tag), 'TXD']);

const REASON = 'credit-note-reason';

/** 40 EUR, as people write it: 40 €, 40,00 euros, EUR 40. */
const FORTY_EURO = /(?:€|eur(?:os?)?)\s*40(?![0-9])|(?<![0-9,.])40(?:[,.]00?)?\s*(?:€|eur)/iu;
/** How the platforms write a code in front of its note. */
const CODE_IN_TEXT = /#[A-Z]{3}#/;

/** A note is found by its tag, as the contract shows it; the code of the norm is only for messages. */
export const noteRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-NOT-1',
    code: 'fr-invoice/no-legal-mention',
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
