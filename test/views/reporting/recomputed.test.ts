/** The sums of a morning report against a second count: of receipts and exports alone, in cents, with no code of the program. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';

const HEADER = 'Num;Date;Client;Lig;Qte;PU;Taux';
const CREDITS = SALES_MAPPING.replace('mapping: sales', 'mapping: credits')
  .replace('ventes*.csv', 'avoirs*.csv')
  .replace('class: invoice', 'class: credit-note');

type Places = { read: number; sent: number; waiting: number; setAside: number; skipped: number };
type Sums = { readonly documents: Places; readonly cents: Places; readonly withoutAmount: Places };
type Report = {
  readonly balance: {
    readonly documents: Places & { readonly difference: number };
    readonly currencies: readonly { readonly [name: string]: string }[];
    readonly withoutAmount: Places;
  };
  readonly causes: readonly { readonly count: number; readonly amounts: { readonly [currency: string]: string } }[];
  readonly files: readonly { readonly file: string; readonly documents: number; readonly rows: number }[];
  readonly proof: { readonly rows: number; readonly unaccounted: number };
};
type Receipt = {
  readonly state: string;
  readonly class: string;
  readonly closed?: object;
  readonly document: { readonly finalAmount: string | null };
  readonly source: { readonly file: string; readonly rows: readonly number[] };
};

let scene: Scene;
let report: Report;

/** Prices and quantities that leave cents to round; document 4 of each ten is rejected, 7 has a quantity that is no number. */
function exported(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const number = `${prefix}${n}${n % 10 === 4 ? '-X6' : ''}`;
    return [1, 2, 3].slice(0, 1 + (n % 3)).map((line) => {
      const quantity = n % 10 === 7 ? '1x' : String(1 + ((n * 7 + line) % 9));
      return `${number};05/09/2026;Client ${n};${line};${quantity};${3 + n},${String((n * 37) % 100).padStart(2, '0')};20`;
    });
  });
  return [HEADER, ...rows.flat(), ''].join('\n');
}

beforeAll(async () => {
  scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING, 'credits.yaml': CREDITS } });
  const first = exported('A', 15);
  scene.drop('ventes-1.csv', first);
  scene.drop(
    'ventes-2.csv',
    `${first.split('\n').slice(0, 4).join('\n')}\n${exported('B', 8).split('\n').slice(1).join('\n')}`,
  );
  scene.drop('avoirs-1.csv', exported('C', 12));
  report = JSON.parse((await commandIn(scene, 'run', '--json')).out) as Report;
});
afterAll(async () => await scene[Symbol.asyncDispose]());

const zeros = (): Places => ({ read: 0, sent: 0, waiting: 0, setAside: 0, skipped: 0 });

/** Cents of a text with two decimals. */
function centsOf(text: string): number {
  const [, sign, whole, cents] = /^(-?)(\d+)\.(\d\d)$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`not an amount with two decimals: ${text}`);
  return Number(`${sign}1`) * (Number(whole) * 100 + Number(cents));
}

function receipts(): readonly Receipt[] {
  return ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => path.endsWith('.receipt.json'))
    .map((path) => JSON.parse(scene.read(path)) as Receipt);
}

function placeOf({ state, closed }: Receipt): Exclude<keyof Places, 'read'> {
  if (closed) return 'setAside';
  if (state === 'duplicate' || state === 'invalidated') return 'skipped';
  return state === 'authorized' ? 'sent' : 'waiting';
}

/** Where the receipts say that the documents are. */
function countReceipts(): Sums {
  const sums = { documents: zeros(), cents: zeros(), withoutAmount: zeros() };
  for (const receipt of receipts()) {
    const { finalAmount } = receipt.document;
    for (const place of ['read', placeOf(receipt)] as const) {
      sums.documents[place]++;
      if (finalAmount === null) sums.withoutAmount[place]++;
      else sums.cents[place] += (receipt.class === 'credit-note' ? -1 : 1) * centsOf(finalAmount);
    }
  }
  return sums;
}

/** What the exports have, whatever became of it: documents, cents with VAT, documents of which a quantity is no number. */
function countExports() {
  const sums = { documents: 0, cents: 0, withoutAmount: 0, rows: 0 };
  for (const path of scene.files('archive').filter((name) => name.endsWith('.csv'))) {
    const nets = new Map<string, number>();
    for (const line of scene.read(path).split('\n').slice(1).filter(Boolean)) {
      const [number = '', , , , quantity = '', price = ''] = line.split(';');
      const net = Number(quantity) * centsOf(price.replace(',', '.'));
      nets.set(number, (nets.get(number) ?? 0) + net);
      sums.rows++;
    }
    for (const net of nets.values()) {
      sums.documents++;
      if (Number.isNaN(net)) sums.withoutAmount++;
      else sums.cents += (path.includes('avoirs') ? -1 : 1) * (net + Math.round((net * 20) / 100));
    }
  }
  return sums;
}

test('the balance is what the receipts add up to, to the cent', () => {
  const { documents, cents, withoutAmount } = countReceipts();
  const { difference, ...counted } = report.balance.documents;
  expect([counted, difference]).toEqual([documents, 0]);
  expect(report.balance.withoutAmount).toEqual(withoutAmount);
  const [euros, ...others] = report.balance.currencies;
  expect(others).toEqual([]);
  for (const place of Object.keys(cents) as (keyof Places)[]) {
    expect([place, centsOf(euros?.[place] ?? '')]).toEqual([place, cents[place]]);
  }
  // Each place is used, or this test would prove less than it says.
  expect([documents.sent, documents.waiting, documents.skipped, withoutAmount.waiting]).toEqual([28, 7, 2, 3]);
});

test('what was read is what the exports have, to the cent', () => {
  const { documents, cents, withoutAmount, rows } = countExports();
  expect(report.balance.documents.read).toBe(documents);
  expect(report.balance.withoutAmount.read).toBe(withoutAmount);
  expect(centsOf(report.balance.currencies[0]?.read ?? '')).toBe(cents);
  expect(report.proof).toMatchObject({ rows, unaccounted: 0 });
  expect(report.files.reduce((sum, file) => sum + file.rows, 0)).toBe(rows);
  const places = receipts().reduce((sum, { source }) => sum + source.rows.length, 0);
  expect(places).toBe(rows);
});

test('errors --group cause has the amounts of the report: credit notes subtract', async () => {
  const { out } = await commandIn(scene, 'errors', '--group', 'cause', '--json');
  const groups = (JSON.parse(out) as { groups: Report['causes'] }).groups;
  const amountsIn = (causes: Report['causes']) => causes.map(({ count, amounts }) => [count, amounts]);
  expect(amountsIn(groups)).toEqual(amountsIn(report.causes));
});

test('causes add up to what waits, credit notes subtracted in both', () => {
  const { waiting } = countReceipts().cents;
  const sums = report.causes.map(({ amounts }) =>
    amounts.EUR === undefined ? 0 : Math.round(Number(amounts.EUR) * 100),
  );
  expect(sums.reduce((sum, one) => sum + one, 0)).toBe(waiting);
  expect(report.causes.reduce((sum, { count }) => sum + count, 0)).toBe(report.balance.documents.waiting);
});
