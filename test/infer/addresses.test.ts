/** An invoice goes to the address of invoices, never to that of the delivery, in whatever order the file has them. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
const LINE =
  '<Ligne><Libelle>Vis</Libelle><Quantite>2</Quantite><PrixUnitaire>3.50</PrixUnitaire><TauxTVA>20</TauxTVA></Ligne>';

type Tag = readonly [open: string, close: string];
const typed = (code: string): Tag => [`Adresse type="${code}"`, 'Adresse'];
const named = (name: string): Tag => [name, name];

/** Each customer has an address in each of these elements, in this order. */
async function draftOf(...tags: readonly Tag[]) {
  const invoices = [1, 2, 3].map((n) => {
    const addresses = tags.map(
      ([open, close], at) =>
        `<${open}><Rue>${n} rue ${'ABC'[at]}</Rue><CodePostal>7500${n}</CodePostal><Ville>Ville ${at}${n}</Ville></${close}>`,
    );
    const client = `<Client><Nom>Dupont ${n}</Nom><Siren>999200116</Siren>${addresses.join('')}</Client>`;
    return `<Facture><Numero>F${n}</Numero><Date>2026-10-0${n}</Date>${client}${LINE}${LINE}</Facture>`;
  });
  const bytes = Buffer.from(`<Factures>${invoices.join('')}</Factures>`);
  const result = await inferDraft({ bytes, file: 'sample.xml', id: 'draft', target: 'fr-invoice', tests });
  if ('problem' in result) throw new Error(result.problem.id);
  const { source, output } = parse(result.mapping);
  const pathOf = (cell: string | undefined) => cell && source.columns[cell.replace(/^\$\[?|\]$/g, '')];
  return { address: output.receiver.address, pathOf, asked: result.questions.map(({ at }) => at) };
}

const BILLING = [typed('FAC'), typed('BT'), named('AdresseFacturation'), named('BillingAddress')];
const OTHER = [typed('LIV'), typed('SHIP'), named('AdresseLivraison'), named('DeliveryAddress')];
const PAIRS = BILLING.flatMap((billing) => OTHER.map((other) => [billing, other] as const));

it.each(PAIRS)('%j is taken next to %j', async (billing, other) => {
  for (const tags of [
    [billing, other],
    [other, billing],
  ]) {
    const { address, pathOf, asked } = await draftOf(...tags);
    const at = billing[0].includes('=') ? /\/Adresse(?:\[@type='(?:FAC|BT)'\])?\// : new RegExp(`/${billing[0]}/`);
    for (const field of ['street', 'city', 'postal-code']) expect(pathOf(address[field])).toMatch(at);
    expect(address).not.toHaveProperty('street-additional');
    expect(asked).not.toContain('output.receiver.address');
  }
});

it('an address without a name is taken next to one for deliveries', async () => {
  const { address, pathOf } = await draftOf(named('AdresseLivraison'), named('Adresse'));
  expect(pathOf(address.street)).toMatch(/\/Adresse\//);
});

it('of two addresses that no name distinguishes none is taken, and the draft asks', async () => {
  const { address, asked } = await draftOf(typed('1'), typed('2'));
  expect(address).toBeUndefined();
  expect(asked).toContain('output.receiver.address');
});

it('a delivery address alone is not that of the invoice', async () => {
  const { asked, address } = await draftOf(named('AdresseLivraison'));
  expect(address).toBeUndefined();
  expect(asked).toContain('output.receiver.address');
});

describe('columns with numbers', () => {
  const flat = async (columns: string, cells: string) => {
    const rows = [1, 2, 3].map((n) => `F${n};0${n}/09/2026;999200116;Dupont;${cells};Vis;2;3,50;20`);
    const text = `Facture;Date;SIREN client;Nom client;${columns};Designation;Qte;PU HT;Taux TVA\n${rows.join('\n')}\n`;
    const given = { bytes: Buffer.from(text), file: 'sample.csv', id: 'draft', target: 'fr-invoice', tests };
    const result = await inferDraft(given);
    if ('problem' in result) throw new Error(result.problem.id);
    return { address: parse(result.mapping).output.receiver.address, asked: result.questions.map(({ at }) => at) };
  };

  it('are two addresses where they have two towns: none is taken, and the draft asks', async () => {
    const cells = '1 quai Sud;13000;Marseille;2 rue Nord;59000;Lille';
    const { address, asked } = await flat('Adresse1;CP1;Ville1;Adresse2;CP2;Ville2', cells);
    expect(address).toBeUndefined();
    expect(asked).toContain('output.receiver.address');
  });

  it('are two lines of one address where they have one town', async () => {
    const { address } = await flat('Adresse1;Adresse2;CP;Ville', '1 rue Nord;Bat. B;59000;Lille');
    expect(address).toMatchObject({ street: '$Adresse1', 'street-additional': '$Adresse2', city: '$Ville' });
  });
});
