/**
 * The French exports of the finance night as their ERPs write them: bytes in their encodings, with the line ends and
 * number formats that the shipped mappings read. A plan says which documents are wrong, and how.
 */
import iconv from 'iconv-lite';
import { type Cause, type Plan, RIGHT } from './finance-causes.ts';
import type { Random } from './random.ts';

export type ExportFile = { readonly name: string; readonly bytes: Buffer };

type Customer = {
  readonly name: string;
  readonly siren: string;
  readonly vat: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
};

const CUSTOMERS: readonly Customer[] = [
  ['Société Élan & Fils', '999200116', '12 rue de l’Œuvre', '01000', 'Bourg-Fictif'],
  ['Ateliers Brûlé-Cœur SARL', '999200124', '4 quai des Chênes', '69990', 'Lyon-l’Inventée'],
  ['Mécanique du Lac Bleu SA', '999200132', '27 avenue du Môle', '74990', 'Lac-Imaginaire'],
  ['Fromagerie de l’Étoile SAS', '999200140', '8 place du Marché', '05990', 'Gap-Fictif'],
  ['Menuiserie Noël & Cie', '999200157', '3 bis rue Basse', '67990', 'Noëlheim'],
  ['Collectif Théâtre du Pont', '999200165', '1 impasse des Acteurs', '13990', 'Port-Conté'],
  ['Verrerie d’Aubépine SA', '999200173', '40 route du Four', '88990', 'Aubépine-sur-Rien'],
  ['Librairie Çà et Là SARL', '999200181', '16 rue des Écrits', '35990', 'Rennes-la-Fable'],
].map(([name = '', number = '', street = '', postalCode = '', city = '']) => {
  return { name, siren: number, vat: frenchVat(number), street, postalCode, city };
});
/** Their VAT number is left empty: the mapping derives it from the SIREN. */
const NEGOCE = {
  name: 'Comptoir des Arceaux SARL',
  vat: '',
  street: '7 rue des Arceaux',
  postalCode: '34990',
  city: 'Montpellier-le-Conte',
};
/** Where 8.5 % is the normal rate. */
const OVERSEAS = {
  name: 'Quincaillerie du Lagon SARL',
  street: '14 rue du Récif',
  postalCode: '97490',
  city: 'Sainte-Fable',
};
const EXPONENT = {
  name: 'Serrurerie Clé d’Or SAS',
  vat: '',
  street: '22 rue du Loquet',
  postalCode: '80990',
  city: 'Vimeu-Fictif',
};
const MOVED = {
  name: 'Transports Sans Escale SAS',
  vat: '',
  street: '5 quai des Rêves',
  postalCode: '59990',
  city: 'Lille-la-Fable',
};

function frenchVat(number: string): string {
  return `FR${String((12 + 3 * (Number(number) % 97)) % 97).padStart(2, '0')}${number}`;
}

/** The customer as the export shows it. */
function customerOf(random: Random, cause: Cause | undefined): Customer {
  const customer = random.one(CUSTOMERS);
  switch (cause) {
    case 'short-siren':
      return { ...NEGOCE, siren: RIGHT.shortSiren };
    case 'exponent':
      return { ...EXPONENT, siren: '9,99E+08' };
    case 'vat-t85':
      return { ...OVERSEAS, siren: RIGHT.overseasSiren, vat: frenchVat(RIGHT.overseasSiren) };
    case 'code-6':
      return { ...MOVED, siren: RIGHT.unregisteredSiren };
    // Only a number that begins with 0 loses it.
    case 'short-postal-code':
      return { ...CUSTOMERS[0]!, postalCode: '1000' };
    default:
      return customer;
  }
}

/** Prices in thousandths, quantities in tenths: every line is a whole number of cents. */
type Item = {
  readonly article: string;
  readonly text: string;
  readonly unit: string;
  readonly price: number;
  readonly quantities: readonly number[];
  readonly rate: keyof typeof VAT;
};

/** Tenths of a percent. */
const VAT = { T20: 200, T20S: 200, T10: 100, T55: 55, T85: 85 } as const;
const ITEMS: readonly Item[] = [
  { article: 'C-10', text: 'Câble acier – 6 mm', unit: 'M', price: 8400, quantities: [125, 200, 75], rate: 'T20' },
  { article: 'P-77', text: 'Poulie', unit: 'PCE', price: 19_990, quantities: [30, 10, 60], rate: 'T20S' },
  { article: 'E-07', text: 'Étai télescopique', unit: 'PCE', price: 29_905, quantities: [40, 80], rate: 'T20' },
  { article: 'R-50', text: 'Corde polyamide Ø 12', unit: 'ML', price: 333, quantities: [800, 200], rate: 'T20' },
  { article: 'J-01', text: 'Mise en service', unit: 'H', price: 68_000, quantities: [15, 20], rate: 'T10' },
  { article: 'L-02', text: 'Livret d’usage', unit: 'PCE', price: 3250, quantities: [40, 80], rate: 'T55' },
  {
    article: 'G-120',
    text: 'Gant de manutention, paire',
    unit: 'PCE',
    price: 4150,
    quantities: [100, 20],
    rate: 'T20',
  },
];
/** The item of which the export writes the price with the letter O. */
const MISREAD: Item = {
  article: 'B-20',
  text: 'Bobine 200 m',
  unit: 'U',
  price: 12_500,
  quantities: [40],
  rate: 'T20',
};

type Line = Item & { readonly quantity: number; readonly cents: number };

function lineOf(item: Item, quantity: number): Line {
  const cents = (quantity * item.price) / 100;
  if (!Number.isInteger(cents)) throw new Error(`${item.article} x ${quantity} is not a whole number of cents`);
  return { ...item, quantity, cents };
}

function linesOf(random: Random, cause: Cause | undefined): readonly Line[] {
  if (cause === 'letter-o') return [lineOf(MISREAD, 40)];
  const count = 1 + random.below(3);
  const chosen = new Set<Item>();
  while (chosen.size < count) chosen.add(random.one(ITEMS));
  return [...chosen].map((item) =>
    lineOf({ ...item, ...(cause === 'vat-t85' ? { rate: 'T85' } : {}) }, random.one(item.quantities)),
  );
}

/** Cents, the VAT rounded half up per rate, as the mappings calculate it. */
function totalsOf(lines: readonly Line[]): { readonly net: number; readonly gross: number } {
  const net = lines.reduce((sum, { cents }) => sum + cents, 0);
  const vat = [...Map.groupBy(lines, ({ rate }) => VAT[rate])].map(([rate, same]) => {
    const base = same.reduce((sum, { cents }) => sum + cents, 0);
    return Math.floor((base * rate + 500) / 1000);
  });
  return { net, gross: net + vat.reduce((sum, one) => sum + one, 0) };
}

/** 188.32 from cents; French with a comma. */
function amount(cents: number, decimal = ','): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`;
}

/** 29,905 from thousandths, with two decimals at least. */
function price(thousandths: number, decimal = ','): string {
  const digits = String(thousandths).padStart(4, '0');
  return `${digits.slice(0, -3)}${decimal}${digits.slice(-3)}`.replace(/0$/, '');
}

/** 12,5 from tenths. */
function quantity(tenths: number, decimal = ','): string {
  return `${Math.floor(tenths / 10)}${tenths % 10 === 0 ? '' : `${decimal}${tenths % 10}`}`;
}

export function invoiceNumber(n: number): string {
  return `F2026-${n}`;
}

export function creditNoteNumber(n: number): string {
  return `A2026-${String(101 + n).padStart(4, '0')}`;
}

const INVOICE_COLUMNS =
  'Societe;Type;NumFac;DateFac;Echeance;NomClient;SIREN;TVAIntra;Adresse;CP;Ville;RefClient;NumLig;Article;' +
  'Designation;Qte;Unite;PUHT;CodeTVA;TotalHT;TotalTTC';

export function exportInvoices(
  random: Random,
  name: string,
  first: number,
  count: number,
  plan: Plan,
  day: string,
): ExportFile {
  const rows = Array.from({ length: count }, (_, n) => {
    const cause = plan.get(n);
    const { name: customer, siren: number, vat, street, postalCode, city } = customerOf(random, cause);
    const lines = linesOf(random, cause);
    const { net, gross } = totalsOf(lines);
    const head = [
      '01',
      'FA',
      invoiceNumber(first + n),
      day,
      '21/12/2026',
      customer,
      number,
      vat,
      street,
      postalCode,
      city,
    ];
    return lines.map((line, at) => {
      const written = cause === 'letter-o' ? '12,5O' : price(line.price);
      const cells = [at + 1, line.article, line.text, quantity(line.quantity), line.unit, written, line.rate];
      return [...head, '', ...cells, amount(net), amount(gross)].join(';');
    });
  });
  return windowsFile(name, [INVOICE_COLUMNS, ...rows.flat()]);
}

function windowsFile(name: string, lines: readonly string[]): ExportFile {
  return { name, bytes: iconv.encode(`${lines.join('\r\n')}\r\n`, 'win1252') };
}

const CREDIT_NOTE_COLUMNS =
  'Societe;NumAvoir;DateAvoir;NumFacOrigine;DateFacOrigine;Motif;NomClient;SIREN;TVAIntra;Adresse;CP;Ville;NumLig;' +
  'Article;Designation;Qte;Unite;PUHT;CodeTVA;TotalHT;TotalTTC';

export function exportCreditNotes(random: Random, name: string, count: number, plan: Plan): ExportFile {
  const rows = Array.from({ length: count }, (_, n) => {
    const { name: customer, siren: number, vat, street, postalCode, city } = random.one(CUSTOMERS);
    // The ERP writes what it gives back with a minus; a user of it has typed the amounts without.
    const sign = plan.get(n) === 'plus-sign' ? 1 : -1;
    const line = lineOf(ITEMS[n % ITEMS.length]!, ITEMS[n % ITEMS.length]!.quantities[0]!);
    const { net, gross } = totalsOf([line]);
    const head = ['01', creditNoteNumber(n), '21/11/2026', invoiceNumber(28_001 + n), '02/10/2026'];
    const party = ['Marchandise abîmée au transport', customer, number, vat, street, postalCode, city];
    const written = `${sign < 0 ? '-' : ''}${quantity(line.quantity)}`;
    const cells = [1, line.article, line.text, written, line.unit, price(line.price), line.rate];
    return [...head, ...party, ...cells, amount(sign * net), amount(sign * gross)].join(';');
  });
  return windowsFile(name, [CREDIT_NOTE_COLUMNS, ...rows]);
}

const NAVISION_COLUMNS = [
  ...['Company', 'Document Type', 'No.', 'Posting Date', 'Due Date', 'Currency Code', 'Bill-to Name'],
  ...['Bill-to Address', 'Bill-to Address 2', 'Bill-to City', 'Post Code', 'Registration No.'],
  ...['VAT Registration No.', 'Your Reference', 'Applies-to Doc. No.', 'Applies-to Doc. Date'],
  ...['Posting Description', 'Shipment Date', 'Line No.', 'Item No.', 'Description', 'Quantity'],
  ...['Unit of Measure', 'Unit Price', 'Line Discount Amount', 'VAT %', 'Amount Including VAT'],
];

export function navisionNumber(n: number): string {
  return `VF26-${String(2001 + n).padStart(5, '0')}`;
}

/** Each twelfth document that the plan leaves alone is a credit memo; UTF-16 with byte order mark. */
export function exportNavision(random: Random, name: string, count: number, plan: Plan): ExportFile {
  const rows = Array.from({ length: count }, (_, n) => {
    const cause = plan.get(n);
    const { name: customer, siren: number, vat, street, postalCode, city } = random.one(CUSTOMERS);
    const isMemo = cause === undefined && n % 12 === 11;
    const head = [
      '01',
      isMemo ? 'Credit Memo' : 'Invoice',
      isMemo ? `VA26-${String(101 + n).padStart(5, '0')}` : navisionNumber(n),
    ];
    const days = ['2026-11-21', isMemo ? '' : '2026-12-21', ''];
    const applied = isMemo ? ['VF26-01003', '2026-10-12', 'Retour'] : ['', '', ''];
    const item = random.one(ITEMS.filter(({ rate }) => rate === 'T20'));
    const line = lineOf(item, random.one(item.quantities));
    const { gross } = totalsOf([line]);
    const unit = cause === 'unit-pal' ? 'PAL' : line.unit;
    const cells = ['10000', line.article, line.text, quantity(line.quantity, '.'), unit, price(line.price, '.')];
    const party = [customer, street, '', city, postalCode, number, vat, ''];
    return [...head, ...days, ...party, ...applied, '', ...cells, '', '20', amount(gross, '.')].join('\t');
  });
  const text = `${[NAVISION_COLUMNS.join('\t'), ...rows].join('\r\n')}\r\n`;
  return { name, bytes: iconv.encode(text, 'utf16le', { addBOM: true }) };
}

export function xmlNumber(n: number): string {
  return `VX-${n}`;
}

/** Several invoices in one file of two namespaces. */
export function exportXml(random: Random, name: string, first: number, count: number, plan: Plan): ExportFile {
  const invoices = Array.from({ length: count }, (_, n) => {
    const customer = random.one(CUSTOMERS);
    const item = random.one(ITEMS.filter(({ rate }) => rate === 'T20'));
    const line = lineOf(item, random.one(item.quantities));
    const { net, gross } = totalsOf([line]);
    // The ERP has rounded each line up.
    const total = plan.get(n) === 'xml-total' ? gross + 1 : gross;
    return [
      `  <g:Facture numero="${xmlNumber(first + n)}" date="2026-11-21" echeance="2026-12-21" devise="EUR">`,
      `    <tiers:Client siren="${customer.siren}" tva="${customer.vat}">`,
      `      <tiers:Nom>${escapeXml(customer.name)}</tiers:Nom>`,
      `      <tiers:Adresse cp="${customer.postalCode}" ville="${escapeXml(customer.city)}">`,
      `        <tiers:Rue>${escapeXml(customer.street)}</tiers:Rue>`,
      '      </tiers:Adresse>',
      '    </tiers:Client>',
      `    <g:Totaux ht="${amount(net, '.')}" ttc="${amount(total, '.')}"/>`,
      '    <g:Commentaire>Livraison le matin</g:Commentaire>',
      '    <g:Lignes>',
      `      <g:Ligne no="1" article="${line.article}">`,
      `        <g:Libelle>${escapeXml(line.text)}</g:Libelle>`,
      `        <g:Quantite unite="${line.unit}">${quantity(line.quantity, '.')}</g:Quantite>`,
      `        <g:Prix>${price(line.price, '.')}</g:Prix>`,
      '        <g:Taxe taux="20.0"/>',
      '      </g:Ligne>',
      '    </g:Lignes>',
      '  </g:Facture>',
    ];
  });
  const open =
    '<g:Export xmlns:g="urn:gestion-fictive:export:2" xmlns:tiers="urn:gestion-fictive:tiers:1" societe="01" genere="2026-11-21T22:10:05">';
  const lines = ['<?xml version="1.0" encoding="windows-1252"?>', open, ...invoices.flat(), '</g:Export>'];
  return windowsFile(name, lines);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The file as a transfer leaves it that ends too early. */
export function cutOff({ name, bytes }: ExportFile): ExportFile {
  return { name, bytes: bytes.subarray(0, bytes.length - 700) };
}

/** Payments from abroad: an e-report for each of three months. */
export function exportPayments(name: string): ExportFile {
  const rows = [
    '01;11/08/2026;X2026-0019;30/07/2026;Tåkvik Mekaniske AS (fiktiv);NO;1 204,50;EUR;0',
    '01;18/08/2026;X2026-0021;02/08/2026;Łódzkie Liny Sp. z o.o. (fikcyjna);PL;860,00;EUR;20',
    '01;02/09/2026;X2026-0024;15/08/2026;Tåkvik Mekaniske AS (fiktiv);NO;95,25;EUR;0',
    '01;24/10/2026;X2026-0027;30/09/2026;Ejemplo Náutico S.L.;ES;2 310,00;EUR;20',
  ];
  const columns = 'Societe;DateEncaissement;Facture;DateFacture;Client;Pays;Montant;Devise;Taux';
  return { name, bytes: Buffer.from([columns, ...rows, ''].join('\n')) };
}

/** Till receipts of one month: one e-report. */
export function exportTickets(name: string): ExportFile {
  const rows = [
    '01;BOURG;1;000701;02/10/2026 10:07;OK;Guide « nœuds »;C;6,40',
    '01;BOURG;1;000702;03/10/2026 11:14;OK;Café de l’atelier;B;3,30',
    '01;GARE;2;000703;04/10/2026 12:21;OK;Lampe frontale;A;24,90',
  ];
  return windowsFile(name, ['Societe;Magasin;Caisse;Ticket;Horodatage;Etat;Libelle;CodeTVA;MontantTTC', ...rows]);
}
