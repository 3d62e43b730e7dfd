/**
 * The unit cases of EN 16931 (test/Invoice-unit-UBL, test/CreditNote-unit-UBL): each file holds fragments of invoices that
 * keep or break one rule. A fragment is completed with the parts it does not have from a document of ours, goes through
 * the mapping, and our rules that name the same rule as their source must say the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../samples/instance.ts';
import { type Comparison, tally } from './suite.ts';
import { coveredRules, mappingFor, type Passed, through } from './through.ts';
import { at, childrenOf, leaf, parseXml, type Tree, writeXml } from './xml-tree.ts';

const BASES: { readonly [root: string]: string } = {
  Invoice: 'samples/ubl-invoice/input/UBL_UB-2026-0089.xml',
  CreditNote: 'samples/ubl-credit-note/input/UBL_UA-2026-0012.xml',
};

const LINES = ['cac:InvoiceLine', 'cac:CreditNoteLine'];

/** Parts that a rule wants to see missing: they are not completed. */
const LEFT_OUT: { readonly [rule: string]: readonly string[] } = {
  'BR-02': ['cbc:ID'],
  'BR-03': ['cbc:IssueDate'],
  'BR-04': ['cbc:InvoiceTypeCode', 'cbc:CreditNoteTypeCode'],
  'BR-05': ['cbc:DocumentCurrencyCode'],
  'BR-06': ['cac:AccountingSupplierParty'],
  'BR-07': ['cac:AccountingCustomerParty'],
  'BR-08': ['cac:AccountingSupplierParty'],
  'BR-10': ['cac:AccountingCustomerParty'],
  'BR-16': LINES,
  'BR-S-01': ['cac:TaxTotal'],
  'BR-CO-18': ['cac:TaxTotal'],
  'BR-CO-25': ['cbc:DueDate', 'cac:PaymentTerms'],
  'BR-53': ['cac:TaxTotal'],
  'BR-IC-11': ['cac:Delivery', 'cac:InvoicePeriod'],
  'BR-IC-12': ['cac:Delivery'],
};

/** What our rules reckon with and a fragment leaves unsaid, because the rule of the suite does not look at it. */
type Completion = { readonly not: readonly string[]; readonly complete: (root: Tree) => void };

const UNTAXED = ['Z', 'E', 'AE', 'K', 'G'];
const CATEGORIES = ['cac:TaxCategory', 'cac:ClassifiedTaxCategory'];

/** Rules that look at the currencies themselves: those of the fragment stay. */
const OF_CURRENCIES = ['BR-05', 'BR-53', 'BR-CL-03', 'BR-CO-15'];

const COMPLETIONS: readonly Completion[] = [
  {
    // Without its sum the breakdown has no place in the payload.
    not: ['BR-CO-18', 'BR-53'],
    complete: (root) => {
      for (const total of childrenOf(root, 'cac:TaxTotal')) {
        if (at(total, 'cbc:TaxAmount')) continue;
        const parts = childrenOf(total, 'cac:TaxSubtotal').map((part) => Number(at(part, 'cbc:TaxAmount')?.text ?? 0));
        total.children.unshift(leaf('cbc:TaxAmount', String(parts.reduce((sum, part) => sum + part, 0))));
      }
    },
  },
  {
    not: ['BR-24', 'BR-CO-10'],
    complete: (root) => {
      for (const line of everywhere(root, LINES)) {
        fill(line, 'cbc:LineExtensionAmount', '100');
      }
    },
  },
  {
    not: ['BR-21'],
    complete: (root) => {
      for (const line of everywhere(root, LINES)) fill(line, 'cbc:ID', '1');
    },
  },
  {
    not: ['BR-31', 'BR-36', 'BR-41', 'BR-43'],
    complete: (root) => {
      for (const one of everywhere(root, ['cac:AllowanceCharge'])) fill(one, 'cbc:Amount', '1');
    },
  },
  {
    not: [
      'BR-48',
      ...['05', '06', '07'].flatMap((rule) =>
        ['S', 'Z', 'E', 'AE', 'IC', 'G', 'O'].map((kind) => `BR-${kind}-${rule}`),
      ),
    ],
    complete: (root) => {
      for (const one of everywhere(root, CATEGORIES)) {
        const kind = at(one, 'cbc:ID')?.text.trim() ?? '';
        if (UNTAXED.includes(kind)) fill(one, 'cbc:Percent', '0');
        if (kind === 'S') fill(one, 'cbc:Percent', '20');
      }
    },
  },
];

type Complete = (root: Tree, own: ReadonlySet<string>, rule: string) => void;

/** The same, for one rule alone. */
const COMPLETED: { readonly [rule: string]: Complete } = {
  // Our rule asks for the day and the country of the delivery in one.
  'BR-IC-11': (root) =>
    fill(deliveryIn(root), 'cac:DeliveryLocation', '', [
      {
        ...leaf('cac:Address', ''),
        children: [{ ...leaf('cac:Country', ''), children: [leaf('cbc:IdentificationCode', 'BE')] }],
      },
    ]),
  'BR-IC-12': (root) => fill(deliveryIn(root), 'cbc:ActualDeliveryDate', '2026-09-21'),
  ...each(
    ['BR-S-02', ...['E', 'Z', 'AE', 'IC', 'G'].flatMap((kind) => ['02', '03', '04'].map((n) => `BR-${kind}-${n}`))],
    withoutVatNumber,
  ),
  // To us an element without a text is none. With another part in it the rule is asked for the part that is missing.
  'BR-17': (root) => {
    for (const one of everywhere(root, ['cac:PayeeParty']))
      fill(one, 'cac:PartyIdentification', '', [leaf('cbc:ID', 'P-1')]);
  },
  'BR-18': (root) => representative(root, ['cac:PostalAddress', 'cac:PartyTaxScheme']),
  'BR-19': (root) => representative(root, ['cac:PartyName', 'cac:PartyTaxScheme']),
  'BR-20': (root) => {
    representative(root, ['cac:PartyName', 'cac:PartyTaxScheme']);
    for (const one of everywhere(root, ['cac:TaxRepresentativeParty']))
      fill(at(one, 'cac:PostalAddress') ?? one, 'cbc:CityName', 'Lille');
  },
  'BR-56': (root) => representative(root, ['cac:PartyName', 'cac:PostalAddress']),
  ...each(['BR-31', 'BR-36', 'BR-41', 'BR-43'], (root) => {
    for (const one of everywhere(root, ['cac:AllowanceCharge'])) fill(one, 'cbc:AllowanceChargeReason', 'Port');
  }),
  ...each(['BR-45', 'BR-46', 'BR-47', 'BR-48'], (root, _own, rule) => {
    for (const one of everywhere(root, ['cac:TaxSubtotal'])) {
      if (rule !== 'BR-45') fill(one, 'cbc:TaxableAmount', '225');
      if (rule !== 'BR-46') fill(one, 'cbc:TaxAmount', '45');
      if (rule !== 'BR-47') fill(one, 'cac:TaxCategory', '', [leaf('cbc:ID', 'S'), leaf('cbc:Percent', '20')]);
    }
  }),
  'BR-55': (root) => {
    for (const one of everywhere(root, ['cac:InvoiceDocumentReference'])) fill(one, 'cbc:IssueDate', '2026-09-01');
  },
  'BR-57': (root) => {
    for (const one of everywhere(root, ['cac:DeliveryLocation']))
      fill(at(one, 'cac:Address') ?? one, 'cbc:CityName', 'Lille');
  },
  ...each(['BR-CL-07', 'BR-CL-10', 'BR-CL-11', 'BR-CL-21', 'BR-CL-25', 'BR-CL-26'], (root) => {
    for (const one of everywhere(root, ['cbc:ID', 'cbc:CompanyID', 'cbc:EndpointID']))
      if (one.text.trim() === '') one.text = 'A-1';
  }),
  // We reckon from the lines' sum to the gross amount in one step.
  'BR-CO-13': (root) => {
    const total = at(root, 'cac:LegalMonetaryTotal');
    const text = (name: string) => at(total, name)?.text.trim() ?? '';
    const discount = text('cbc:AllowanceTotalAmount');
    const charge = text('cbc:ChargeTotalAmount');
    const adjustments = [
      ...(discount === '' ? [] : [adjustment('false', discount)]),
      ...(charge === '' ? [] : [adjustment('true', charge)]),
    ];
    replace(root, 'cac:AllowanceCharge', adjustments);
    if (total)
      replace(total, 'cbc:TaxInclusiveAmount', [leaf('cbc:TaxInclusiveAmount', text('cbc:TaxExclusiveAmount'))]);
    replace(root, 'cac:TaxTotal', [{ ...leaf('cac:TaxTotal', ''), children: [leaf('cbc:TaxAmount', '0')] }]);
  },
  'BR-CO-15': (root) => {
    const total = at(root, 'cac:LegalMonetaryTotal');
    const net = at(total, 'cbc:TaxExclusiveAmount')?.text.trim();
    if (total && net !== undefined) replace(total, 'cbc:LineExtensionAmount', [leaf('cbc:LineExtensionAmount', net)]);
    replace(root, 'cac:AllowanceCharge', []);
  },
};

/** One rule of ours stands for several of the suite, which part the places between them. */
const PLACES: { readonly [rule: string]: RegExp } = {
  'BR-06': /issuer\/name$/,
  'BR-07': /receiver\/name$/,
  'BR-08': /issuer\/address$/,
  'BR-09': /issuer\/address(?:\/country)?$/,
  'BR-10': /receiver\/address$/,
  'BR-11': /receiver\/address(?:\/country)?$/,
  'BR-18': /\/name$/,
  'BR-19': /\/address$/,
  'BR-20': /\/address(?:\/country)?$/,
  'BR-21': /number$/,
  'BR-22': /quantity$/,
  'BR-23': /unit$/,
  'BR-24': /net-amount$/,
  'BR-25': /description$/,
  'BR-26': /unit-price$/,
  'BR-41': /discounts/,
  'BR-42': /discounts/,
  'BR-43': /charges/,
  'BR-44': /charges/,
  'BR-45': /taxable-amount$/,
  'BR-46': /\/amount$/,
  'BR-55': /\/identifier$/,
  'BR-56': /\/identifiers$/,
  'BR-CO-04': /taxes/,
};

function everywhere(tree: Tree, names: readonly string[]): readonly Tree[] {
  return [...(names.includes(tree.name) ? [tree] : []), ...tree.children.flatMap((child) => everywhere(child, names))];
}

function fill(tree: Tree, name: string, text: string, children: readonly Tree[] = []): void {
  if (!at(tree, name)) tree.children.push({ ...leaf(name, text), children: [...children] });
}

function deliveryIn(root: Tree): Tree {
  fill(root, 'cac:Delivery', '');
  return at(root, 'cac:Delivery')!;
}

/** The seller of our sample has one, and the fragment may be about there being none. */
function withoutVatNumber(root: Tree, own: ReadonlySet<string>): void {
  if (own.has('cac:AccountingSupplierParty')) return;
  const seller = at(root, 'cac:AccountingSupplierParty', 'cac:Party');
  if (seller) replace(seller, 'cac:PartyTaxScheme', []);
}

/** The tax representatives of the fragment get these parts. */
function representative(root: Tree, parts: readonly string[]): void {
  const whole: { readonly [part: string]: Tree } = {
    'cac:PartyName': { ...leaf('cac:PartyName', ''), children: [leaf('cbc:Name', 'Agent')] },
    'cac:PostalAddress': {
      ...leaf('cac:PostalAddress', ''),
      children: [{ ...leaf('cac:Country', ''), children: [leaf('cbc:IdentificationCode', 'FR')] }],
    },
    'cac:PartyTaxScheme': {
      ...leaf('cac:PartyTaxScheme', ''),
      children: [
        leaf('cbc:CompanyID', 'FR48999200116'),
        { ...leaf('cac:TaxScheme', ''), children: [leaf('cbc:ID', 'VAT')] },
      ],
    },
  };
  for (const one of everywhere(root, ['cac:TaxRepresentativeParty'])) {
    for (const part of parts) if (!at(one, part)) one.children.push(whole[part]!);
  }
}

function each(rules: readonly string[], complete: Complete): { readonly [rule: string]: Complete } {
  return Object.fromEntries(rules.map((rule) => [rule, complete]));
}

function adjustment(charge: string, amount: string): Tree {
  const children = [leaf('cbc:ChargeIndicator', charge), leaf('cbc:Amount', amount)];
  return { ...leaf('cac:AllowanceCharge', ''), children };
}

function replace(tree: Tree, name: string, by: readonly Tree[]): void {
  const kept = tree.children.filter((child) => child.name !== name);
  tree.children.splice(0, tree.children.length, ...kept, ...by);
}

export async function compareUnitCases(folder: string): Promise<Comparison> {
  const covered = coveredRules('fr-2026');
  const count = tally('EN 16931, unit cases in UBL');
  for (const name of ['Invoice-unit-UBL', 'CreditNote-unit-UBL']) {
    for (const file of readdirSync(join(folder, 'test', name)).sort()) {
      await compareFile(readFileSync(join(folder, 'test', name, file), 'utf8'), `${name}/${file}`, covered, count);
    }
  }
  return count.done();
}

/** One file of cases; `covered` says which of our rules stand for one of the suite. */
export async function compareFile(
  text: string,
  file: string,
  covered: ReadonlyMap<string, readonly string[]>,
  count: ReturnType<typeof tally>,
): Promise<void> {
  for (const [n, test] of childrenOf(parseXml(text), 'test').entries()) {
    const [rule, keeps] = wantedOf(test);
    const ours = covered.get(rule);
    const fragment = test.children.find(({ name }) => name in BASES);
    if (!fragment || !ours) {
      count.leave('no rule of ours names the rule');
      continue;
    }
    const xml = writeXml(completed(fragment, rule));
    const found = told(await through(xml, mappingFor(xml)!), rule, ours, keeps);
    if (found === undefined) count.agree();
    else count.differ({ about: rule, case: `${file} case ${n + 1}`, found });
  }
}

function wantedOf(test: Tree): readonly [rule: string, keeps: boolean] {
  const assert = at(test, 'assert');
  const success = at(assert, 'success');
  return [(success ?? at(assert, 'error') ?? at(assert, 'warning'))?.text.trim() ?? '', success !== undefined];
}

function completed(fragment: Tree, rule: string): Tree {
  const base = parseXml(readFileSync(join(REPOSITORY, BASES[fragment.name]!), 'utf8'));
  const out = LEFT_OUT[rule] ?? [];
  const own = new Set(fragment.children.map(({ name }) => name));
  const root: Tree = {
    ...fragment,
    attributes: { ...base.attributes, ...fragment.attributes },
    children: [...fragment.children, ...base.children.filter(({ name }) => !own.has(name) && !out.includes(name))],
  };
  const [subtotal] = everywhere(fragment, ['cac:TaxSubtotal']);
  if (subtotal && everywhere(fragment, LINES).length === 0) {
    // Our line is taxed as the breakdown says, or it would break what holds the two against each other.
    const category = at(subtotal, 'cac:TaxCategory', 'cbc:ID') && at(subtotal, 'cac:TaxCategory');
    for (const item of everywhere(root, ['cac:Item'])) {
      if (category) replace(item, 'cac:ClassifiedTaxCategory', [{ ...category, name: 'cac:ClassifiedTaxCategory' }]);
    }
  }
  const currency = currencyIn(fragment);
  if (currency !== undefined && !own.has('cbc:DocumentCurrencyCode') && !out.includes('cbc:DocumentCurrencyCode')) {
    replace(root, 'cbc:DocumentCurrencyCode', [leaf('cbc:DocumentCurrencyCode', currency)]);
  }
  for (const { not, complete } of COMPLETIONS) if (!not.includes(rule)) complete(root);
  COMPLETED[rule]?.(root, own, rule);
  inOneCurrency(root, OF_CURRENCIES.includes(rule) ? fragment.children : []);
  return root;
}

/** NOK next to EUR is refused before any rule is asked, and the fragments mix both; `kept` stays as it is. */
function inOneCurrency(root: Tree, kept: readonly Tree[]): void {
  const code = at(root, 'cbc:DocumentCurrencyCode')?.text.trim();
  if (code === undefined) return;
  for (const child of root.children) if (!kept.includes(child)) state(child, code);
}

function state(tree: Tree, currency: string): void {
  if (tree.attributes.currencyID !== undefined) tree.attributes.currencyID = currency;
  for (const child of tree.children) state(child, currency);
}

function currencyIn({ attributes, children }: Tree): string | undefined {
  return attributes.currencyID ?? children.map(currencyIn).find((found) => found !== undefined);
}

/** What we say instead; undefined where it is the same. */
function told(
  { broken, refused, payload }: Passed,
  about: string,
  ours: readonly string[],
  keeps: boolean,
): string | undefined {
  const named = broken.filter(({ rule, at: place }) => ours.includes(rule.id) && (PLACES[about]?.test(place) ?? true));
  if (keeps) {
    const wrong = named.filter(({ severity }) => severity === 'error').map(({ rule }) => rule.id);
    if (wrong.length > 0) return `we refuse it by ${[...new Set(wrong)].join(', ')}`;
    return payload ? undefined : `we refuse it before the rules: ${refused.join(', ')}`;
  }
  // A document that lacks what the rule asks for may be refused before: it is not sent either.
  if (named.length > 0 || refused.length > 0) return undefined;
  return `we do not notice it (${ours.join(', ')})`;
}
