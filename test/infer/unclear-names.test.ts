/** What names do not say, or say of somebody else: keys, dates and addresses come from the values and from one block. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
const world = mappingWorld(fileURLToPath(new URL('../../', import.meta.url)));

type Body = { readonly [part: string]: { readonly [part: string]: { readonly [part: string]: unknown } } };

async function draftOf(text: string, target = 'fr-invoice', file = 'EXPORT_01.csv') {
  const result = await inferDraft({ bytes: Buffer.from(text), file, id: 'draft', target, tests });
  if ('problem' in result) throw new Error(result.problem.id);
  expect(loadMapping(result.mapping, 'draft', world).faults.filter(({ level }) => level === 'error')).toEqual([]);
  return { ...result, body: parse(result.mapping) as Body, asked: result.questions.map(({ at }) => at) };
}

/** Twelve documents of one or two lines; `cells` gives further columns of each document. */
function journal(names: readonly string[], cells: (at: number) => readonly string[], number = 'Facture'): string {
  const head = [number, ...names, 'Client', 'SIREN', 'Désignation', 'Qté', 'PU HT', 'Taux TVA'].join(';');
  const rows = Array.from({ length: 12 }, (_, at) => {
    const line = (n: number) =>
      [`VF-${1001 + at}`, ...cells(at), `Élan ${at}`, '999200116', `Câble ${n}`, `${n + 1}`, '10,00', '20'].join(';');
    return at % 3 === 0 ? line(1) : `${line(1)}\n${line(2)}`;
  });
  return `${head}\n${rows.join('\n')}\n`;
}

const day = (at: number, month = '09') => `${String(at + 13).padStart(2, '0')}/${month}/2026`;

describe('the date of the documents', () => {
  it('is never a column that most documents leave empty', async () => {
    const { body, asked } = await draftOf(
      journal(['Date Zq', 'Arrêté au'], (at) => [at === 5 ? day(at, '08') : '', day(at)]),
    );
    expect(body.output!.document!.date).toBe('$[Arrêté au]');
    expect(asked).toContain('output.document.date');
  });

  it.each([
    ['one of them half known', ['Date Zq', 'Arrêté au'], '$[Date Zq]'],
    ['neither known: the earlier one', ['Zzq', 'Arrêté au'], '$[Arrêté au]'],
  ])('is asked about where two columns could be it: %s', async (_, names, chosen) => {
    const { body, questions } = await draftOf(journal(names, (at) => [day(at, '10'), day(at)]));
    expect(body.output!.document!.date).toBe(chosen);
    const says = questions.find(({ at }) => at === 'output.document.date')?.says;
    for (const name of names) expect(says).toContain(`"${name}"`);
  });

  it('is a time stamp, before the day of the run, whatever its name means elsewhere', async () => {
    const { body, asked } = await draftOf(journal(['HORODATE'], (at) => [`${day(at)} 10:${10 + at}:00`]));
    expect(body.output!.document!.date).toBe('= TEXT($HORODATE, "yyyy-MM-dd")');
    expect(asked).toContain('output.document.date');
    const report = await draftOf(journal(['Date de paiement'], (at) => [day(at)]));
    expect(report.body.output!.document!.date).toBe('FILL IN - date');
  });

  it('is not asked about where its name is clear', async () => {
    const { body, asked } = await draftOf(journal(['Date facture', 'Arrêté au'], (at) => [day(at), day(at, '10')]));
    expect(body.output!.document!.date).toBe('$[Date facture]');
    expect(asked).not.toContain('output.document.date');
  });

  it('says in how many documents it is missing', async () => {
    const { questions } = await draftOf(journal(['Date facture'], (at) => [at === 3 ? '' : day(at)]));
    expect(questions.find(({ at }) => at === 'output.document.date')?.says).toContain('1 of 12 documents');
  });

  it('is found by its values in a report, a damaged cell or not', async () => {
    const times = Array.from({ length: 30 }, (_, at) => `${day(at % 15)} 10:${10 + at}`);
    times[7] = '46143';
    const text = `Ticket;Borne;Montant TTC;Taux\n${times.map((time, at) => `T${at};${time};12,50;20\n`).join('')}`;
    const { body, asked, mapping } = await draftOf(text, 'fr-report');
    expect(JSON.stringify(body['calculated-columns'])).toContain('$Borne');
    expect(mapping.replaceAll(/ *#.*/g, '')).not.toContain('MIN(TODAY())');
    expect(asked).toContain('output.document.date');
  });

  it('is found by its values in a remission note', async () => {
    const rows = [1, 2, 3].map((at) => `NR-${100 + at};1${at}/09/2026;Cable;2;1,50`);
    const { body } = await draftOf(`Nota;Zqq;Descripcion;Cantidad;Precio\n${rows.join('\n')}\n`, 'sv-remission-note');
    expect(JSON.stringify(body['calculated-columns'])).toContain('$Zqq');
  });
});

describe('the number of the documents', () => {
  it('is found by its values where its name is not known', async () => {
    const { body, mapping, asked } = await draftOf(journal(['Date'], (at) => [day(at)], 'Zqx'));
    expect(mapping).toContain('20 rows, 12 documents');
    expect(body.documents!['one-per']).toEqual(['Zqx']);
    expect(body.output!.document!.identifier).toBe('$Zqx');
    expect(asked).toContain('documents.one-per');
  });

  it('is found where every document has one row', async () => {
    const rows = [1, 2, 3, 4].map((at) => `VF-100${at};1${at}/09/2026;Élan;999200116;Câble;${900 + at};10,00;20`);
    const { body } = await draftOf(`Zqx;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA\n${rows.join('\n')}\n`);
    expect(body.output!.document!.identifier).toBe('$Zqx');
  });

  it('is not an amount that happens to differ on each row', async () => {
    const rows = [1, 2, 3, 4].map((at) => `${at % 2 ? 1200 : 900 - at};1${at}/09/2026;Élan;Câble;1;10,00;20`);
    const { mapping } = await draftOf(`Zqx;Date;Client;Désignation;Qté;PU HT;Taux TVA\n${rows.join('\n')}\n`);
    expect(mapping).toContain('identifier: FILL IN - number of the document');
  });
});

describe('the parts of a party', () => {
  const partner = (kind: string, name: string, street: string, town: string, siren = '') =>
    `<E1EDKA1 SEGMENT="1"><PARVW>${kind}</PARVW><NAME1>${name}</NAME1>${street === '' ? '' : `<STRAS>${street}</STRAS>`}` +
    `<ORT01>${town}</ORT01>${siren === '' ? '' : `<ILNNR>${siren}</ILNNR>`}</E1EDKA1>`;
  const idoc = (at: number, partners: string) =>
    `<IDOC BEGIN="1"><E1EDK01 SEGMENT="1"><CURCY>EUR</CURCY></E1EDK01>${partners}` +
    `<E1EDK02 SEGMENT="1"><QUALF>009</QUALF><BELNR>90000${at}</BELNR><DATUM>2026091${at}</DATUM></E1EDK02>` +
    [1, 2]
      .map(
        (n) =>
          `<E1EDP01 SEGMENT="1"><POSEX>0000${n}0</POSEX><MENGE>${n}.000</MENGE><MENEE>PCE</MENEE><VPREI>12.50</VPREI>` +
          `<E1EDP19 SEGMENT="1"><QUALF>002</QUALF><KTEXT>Câble ${n}</KTEXT></E1EDP19></E1EDP01>`,
      )
      .join('') +
    '</IDOC>';
  const file = (partners: (at: number) => string) =>
    `<?xml version="1.0"?><INVOIC02>${[1, 2, 3].map((at) => idoc(at, partners(at))).join('')}</INVOIC02>`;

  it.each(['', '9 quai'])('come from one partner of an IDoc, whatever another one fills: %j', async (street) => {
    const { mapping, body } = await draftOf(
      file(
        (at) =>
          partner('AG', `Donneur ${at}`, `${at} rue du Siège`, 'Lille') +
          partner('RE', `Payeur ${at}`, street, 'Lyon', '999200116'),
      ),
      'fr-invoice',
      'INVOIC_1.xml',
    );
    expect(body.output!.receiver).toMatchObject({ name: '$E1EDKA1_RE_NAME1', address: { city: '$E1EDKA1_RE_ORT01' } });
    expect(mapping.replaceAll(/ *#.*/g, '')).not.toContain("PARVW='AG'");
  });

  it('come from the sold-to party where no one is billed', async () => {
    const { body, mapping } = await draftOf(
      file(
        (at) =>
          partner('WE', `Dépôt ${at}`, `${at} quai`, 'Brest') + partner('AG', `Donneur ${at}`, `${at} rue`, 'Lille'),
      ),
      'fr-invoice',
      'INVOIC_1.xml',
    );
    expect(body.output!.receiver!.name).toBe('$E1EDKA1_AG_NAME1');
    expect(mapping.replaceAll(/ *#.*/g, '')).not.toContain("PARVW='WE'");
  });

  it('are not those of a place of delivery next to the customer', async () => {
    const one = (at: number) =>
      `<Facture numero="F${at}" date="2026-09-1${at}"><Client><Nom>Élan</Nom><Ville>Lyon</Ville></Client>` +
      `<Livraison><Rue>${at} quai Nord</Rue><CodePostal>2920${at}</CodePostal><Ville>Brest</Ville></Livraison>` +
      `<Ligne><Libelle>Vis</Libelle><Quantite>${at}</Quantite><Prix>2.50</Prix></Ligne><Ligne><Libelle>Clou</Libelle><Quantite>2</Quantite><Prix>1.50</Prix></Ligne></Facture>`;
    const { mapping } = await draftOf(`<Lot>${[1, 2, 3].map(one).join('')}</Lot>`, 'fr-invoice', 'LOT_1.xml');
    expect(mapping.replaceAll(/ *#.*/g, '')).not.toMatch(/Livraison|29201/);
  });

  it('may be in an element of the address next to the name', async () => {
    const one = (at: number) =>
      `<Facture numero="F${at}" date="2026-09-1${at}"><Client><Nom>Élan</Nom></Client>` +
      `<Adresse><Rue>${at} rue Haute</Rue><CodePostal>6900${at}</CodePostal><Ville>Lyon</Ville></Adresse>` +
      `<Ligne><Libelle>Vis</Libelle><Quantite>${at}</Quantite><Prix>2.50</Prix></Ligne><Ligne><Libelle>Clou</Libelle><Quantite>2</Quantite><Prix>1.50</Prix></Ligne></Facture>`;
    const { body } = await draftOf(`<Lot>${[1, 2, 3].map(one).join('')}</Lot>`, 'fr-invoice', 'LOT_1.xml');
    expect(body.output!.receiver!.address).toMatchObject({
      street: '$Rue',
      city: '$Ville',
      'postal-code': '$CodePostal',
    });
  });
});

describe('columns of Odoo', async () => {
  const head =
    'Number,Invoice/Bill Date,Partner,Partner/Company ID,Partner/Zip,Partner/City,Company,Reversal of,Untaxed Amount,Total,Invoice lines/Label,Invoice lines/Quantity,Invoice lines/Unit Price,Invoice lines/Discount (%),Invoice lines/Taxes,Invoice lines/Subtotal\n';
  const SIRENS = ['999200116', '999200124', '999200157', '999200132', '999200165', '999200173'];
  const documents = SIRENS.map((siren, at) => {
    const zip = at === 2 ? '' : `6900${at}`;
    const first = `INV/2026/0010${at},2026-09-1${at},Client ${at},${siren},${zip},Lyon,Vallon,${at === 4 ? 'INV/2026/00088' : ''},19.00,22.80,`;
    return `${first}Vis ${at},2.0,5.0,10.0,20% G,9.0\n,,,,,,,,,,Clou ${at},5.0,2.0,0.0,20% G,10.0\n`;
  });
  const { body, mapping } = await draftOf(head + documents.join(''), 'fr-invoice', 'Journal Entry (account.move).csv');

  it('give the customer what differs from document to document, and the issuer what does not', () => {
    expect(JSON.stringify(body.output!.receiver)).toContain('Partner/Company ID');
    expect(body.output!.issuer).toEqual({ from: 'Company', table: 'companies' });
    expect(Object.keys(body.tables!.companies!)).toEqual(['Vallon']);
  });

  it('are filled down where some documents leave them empty, and only their own', () => {
    expect(body.source!['fill-down']).toEqual([
      'Number',
      'Invoice/Bill Date',
      'Partner',
      'Partner/Company ID',
      'Partner/City',
      'Company',
      'Untaxed Amount',
      'Total',
      'Partner/Zip',
      'Reversal of',
    ]);
    expect(body.output!.receiver!.address).toMatchObject({ 'postal-code': '$[Partner/Zip]' });
  });

  it('name discounts, taxes and the invoice that a credit note reverses', () => {
    expect(body.tables!.vat).toEqual({ '20% G': 20 });
    expect(JSON.stringify(body['calculated-columns'])).toContain('Discount (%)');
    expect(JSON.stringify(body.output!.references)).toContain('$[Reversal of]');
    expect(mapping).toContain('agrees with "Invoice lines/Subtotal" on 12 of 12');
  });
});

it('does not take a code for the issuer that differs in every document', async () => {
  const { body } = await draftOf(journal(['Date', 'Entité'], (at) => [day(at), `E${at}`]));
  expect(body.output!.issuer).not.toHaveProperty('from');
});

it.each([
  ['SIREN and SIRET in one column', (at: number) => (at % 2 ? '99920012400017' : '999200116'), 'Code INSEE'],
  ['a VAT number alone', () => 'FR48999200116', 'TVA intracom'],
  ['a SIRET alone', () => '99920012400017', 'SIRET'],
])('takes SIREN and VAT number out of %s', async (_, value, name) => {
  const rows = Array.from({ length: 8 }, (_, at) => `F${at};1${at}/09/2026;Élan;${value(at)};Vis;1;10,00;20\n`).join(
    '',
  );
  const known = name === 'Code INSEE' ? 'N° SIREN' : name;
  const { body } = await draftOf(`Facture;Date;Client;${known};Désignation;Qté;PU HT;Taux TVA\n${rows}`);
  const text = JSON.stringify(body.output!.receiver);
  expect(text).toContain('"type":"siren","value":"= SIREN-OF(');
  expect(text).toContain('"type":"vat"');
  expect(text).toContain('routing-address');
});

describe('a mapping that is shipped', () => {
  const sample = (path: string) => readFileSync(new URL(`../../samples/${path}`, import.meta.url), 'utf8');

  it.each([
    ['ubl-invoice/input/UBL_UB-2026-0088.xml', 'mappings/ubl-invoice.yaml'],
    ['ubl-credit-note/input/UBL_UA-2026-0012.xml', 'mappings/ubl-credit-note.yaml'],
    ['cii/input/CII_CA-2026-0012.xml', 'mappings/cii.yaml'],
    ['odoo-invoices/input/Journal Entry (account.move).csv', 'mappings/odoo-invoices.yaml'],
  ])('is named before anything else: %s', async (path, mapping) => {
    const { questions } = await draftOf(sample(path), 'fr-invoice', path.split('/').at(-1)!);
    expect(questions[0]).toMatchObject({ at: 'mapping', says: expect.stringContaining(mapping) });
    expect(existsSync(new URL(`../../${mapping}`, import.meta.url))).toBe(true);
  });

  it('is not named for other files', async () => {
    const { asked } = await draftOf(sample('divalto-xml/input/DIV_20260908.xml'), 'fr-invoice', 'DIV_1.xml');
    expect(asked).not.toContain('mapping');
  });
});

describe('the billing frame', () => {
  const of = (units: readonly string[]) =>
    journal(['Date facture', 'Unité'], (at) => [day(at), units[at % units.length]!]);

  it.each([
    ['services, where all units are of time', ['h', 'jour'], 'S1'],
    ['both, where some are', ['h', 'pièce'], 'M1'],
    ['goods, where none is', ['kg', 'pièce'], 'B1'],
  ])('is proposed and asked about: %s', async (_, units, frame) => {
    const { body, asked, questions } = await draftOf(of(units));
    expect(body.output!.document!['additional-info']).toEqual([{ key: 'business-process', value: frame }]);
    expect(asked).toContain('output.document.additional-info');
    const says = questions.find(({ at }) => at === 'output.document.additional-info')?.says ?? '';
    for (const one of ['B1', 'S1', 'M1']) expect(says).toContain(one);
  });

  it('is goods where the file has no units', async () => {
    const { body } = await draftOf(journal(['Date facture'], (at) => [day(at)]));
    expect(body.output!.document!['additional-info']).toEqual([{ key: 'business-process', value: 'B1' }]);
  });
});
