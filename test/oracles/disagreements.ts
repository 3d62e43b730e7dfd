/**
 * Why a comparison may differ, by suite and by the rule, the file or the place it is about. What differs without a reason here
 * is printed as "no reason given", and `npm run oracles` ends with 1.
 */
const EMPTY = 'the address of the case is an empty element: to us that is none';
const CODE_ASKED_FOR =
  'EN 16931 takes either; for exempt sales (E) the French portal asks for both the VATEX code and the words (DGFiP G1.40, G1.41), and so do we';
const VALUATION =
  'its type 877 is a valuation of construction work, which may not be issued as an invoice in France (BR-FR-04)';
const FORINTS = 'amounts in forints are rounded to whole numbers; we calculate to the cent, as French rules ask';
const LINES_IN_LINES =
  'lines in lines have no place in the payload: the document is refused instead of being sent without half of its lines';
const INVENTED =
  'VAT numbers of the examples are invented, with blanks and slashes; EN 16931 looks at the first two letters';

export const REASONS: { readonly [suite: string]: { readonly [about: string]: string } } = {
  'EN 16931, unit cases in UBL': {
    'BR-E-02':
      'EN 16931 also takes the VAT number of a tax representative; in France the seller has to have one (DGFiP G2.33)',
    'BR-E-10': CODE_ASKED_FOR,
    'BR-15':
      'the case states no totals at all, and is refused for that (FR-TOT-14, FR-TOT-6b); we ask for the amount to pay where other totals are stated next to the final amount',
    'BR-54': 'the attribute of the case has neither a name nor a value: to us that is none',
    'BR-55':
      'the reference of the case is an empty element, which is none to us; in a credit note FR-REF-1 refuses the document',
    'BR-CL-07':
      'the case is about the object of a line, which goes into additional-info as a text and has no field for a scheme',
    'BR-CL-10': 'the case gives two creditor identifiers, of the seller and of the payee; BT-90 occurs once',
    'BR-CL-11': 'the case gives two registration identifiers of one party; BT-30 and BT-47 occur once',
    'BR-CL-21': 'the case gives several items in one line; BG-31 occurs once',
    'BR-03': 'the date of the case is 123: the rule asks that there is one, and the mapping that it is one',
    'BR-05': 'the currency of the case is 123: the rule asks that there is one; that it is one is BR-CL-04',
    'BR-08': EMPTY,
    'BR-10': EMPTY,
    'BR-19': EMPTY,
    'BR-CL-03': 'the currencies of single amounts are not carried: the payload has one for all of them',
    'BR-CO-09': 'the rule looks at the first two letters; we look at the whole number, and NL-967611265 has a hyphen',
    'BR-S-02': 'EN 16931 also takes a tax registration that is not a VAT number; in France the seller has to have one',
    'BR-CO-18': 'an empty breakdown is enough for it; we ask for an entry at the rate of each line (FR-TOT-7b)',
    'BR-S-08': 'the case has a category IC, which UNTDID 5305 does not have (it is K): refused as map/not-in-table',
  },
  'EN 16931, examples, totals': {
    'huf_example_cii.xml': FORINTS,
  },
  'EN 16931, examples, valid by our rules of EN 16931': {
    'FR-TOT-3': FORINTS,
    'FR-VAT-4': CODE_ASKED_FOR,
    'FR-PTY-7': INVENTED,
  },
  'XRechnung, one case in UBL and in CII': {
    '/references': 'UBL cannot give a sales order without an order, so the suite writes a dummy there',
    '/issuer/address/street': 'the two files of the suite have other content',
    '/issuer/address/city': 'the two files of the suite have other content',
    '/issuer/address/postal-code': 'the UBL file has city and postal code exchanged',
    '/receiver/address/city': 'the UBL file has city and postal code exchanged',
    '/receiver/address/postal-code': 'the UBL file has city and postal code exchanged',
    '/receiver/trade-name': 'the CII file leaves the trade name out',
    '/issuer/identifiers': 'the CII file has two identifiers more',
    '/issuer/identifiers/*/type': 'the two files have the tax registrations in another order',
    '/issuer/identifiers/*/value': 'the two files have the tax registrations in another order',
    '/additional-parties/*/identifiers': 'the CII file has one identifier more',
    '/agreements/*/references': 'UBL repeats the payment reference with each means of payment, CII has it once',
    '/lines/*/additional-info': 'the CII file states why a line is exempt, and the UBL file does not',
    '/agreements/*/means/*/objects/*/names/*/value': 'the two files of the suite have other content',
    '/agreements/*/means/*/objects/*/identifiers':
      'UBL asks for the network of a card, and the suite writes a dummy there',
    '/totals/additional-info': 'one file states sums of 0 (discounts, charges, rounding) that the other leaves out',
    '/totals/subtotals/*/subtotals/*/reason/description': 'the two files of the suite have other content',
  },
  'XRechnung, business cases, totals': {
    '04.01a-INVOICE_ubl.xml': LINES_IN_LINES,
    '04.02a-INVOICE_ubl.xml': LINES_IN_LINES,
    '04.03a-INVOICE_ubl.xml': VALUATION,
    '04.04a-INVOICE_ubl.xml': VALUATION,
  },
  'XRechnung, business cases, valid by our rules of EN 16931': {
    'FR-TOT-10':
      'an extension of XRechnung adds payments of third parties to the amount to pay, which EN 16931 does not have',
    'FR-VAT-4': CODE_ASKED_FOR,
    'FR-PTY-7': INVENTED,
  },
  'Peppol BIS 3, examples, valid by our rules of EN 16931': { 'FR-VAT-4': CODE_ASKED_FOR },
  'Official schema of type 04, one field damaged': {
    'SV-DIR-1': 'the pattern of the schema has no anchor on its second branch: it takes 069 for a department',
    'SV-REC-4': 'the schema has no list of titles; the catalogue CAT-025 has',
    'SV-ITM-6': 'the schema takes negative prices until version 4',
    ...Object.fromEntries(
      ['SV-SUM-1', 'SV-SUM-2', 'SV-SUM-3', 'SV-SUM-5'].map((id) => [id, 'a schema does not calculate']),
    ),
    'SV-ITM-7': 'a schema does not calculate',
    ...Object.fromEntries(
      ['SV-ITM-7c', 'SV-SUM-1', 'SV-SUM-2', 'SV-SUM-3', 'SV-SUM-5'].map((rule) => [
        rule,
        'a schema does not calculate',
      ]),
    ),
    'sv-remission-note/not-a-local-date-time': 'the pattern of the schema takes seconds of one digit',
  },
};
