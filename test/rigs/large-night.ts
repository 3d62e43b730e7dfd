/**
 * A night of thousands of documents for several workers: half of them in small files, then files of a thousand, XML and pairs. Workers
 * are killed after equal parts of it, in turn one that sends and writes receipts and one that only converts.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SALES_MAPPING, sales } from '../night.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';
import type { Dropped } from './checker.ts';
import type { Wire } from './wire.ts';

const XML_SOURCE = `source:
  format: xml
  document: /export/facture
  row: ligne
  columns: { Num: ../num, Date: ../date, Client: ../client, Lig: "@no", Qte: qte, PU: prix, Taux: taux }
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  types: { Date: date, Qte: number, PU: number, Taux: number }
calculated-columns:`;

export const LARGE_NIGHT_MAPPINGS = {
  'sales.yaml': SALES_MAPPING,
  'xml.yaml': SALES_MAPPING.replace('mapping: sales', 'mapping: sales-xml')
    .replace('ventes*.csv', 'export*.xml')
    .replace(/source:[\s\S]*?calculated-columns:/, XML_SOURCE),
  'pairs.yaml': PAIR_MAPPING,
};

const [IN_LOT, IN_FEW] = [1000, 10];

/** In the order in which they arrive. Their documents have the numbers L0, L1, L2 and so on. */
export function largeNight(documents: number): readonly Dropped[] {
  const exports: Dropped[] = [];
  let next = 0;
  const part = (share: number, most: number, make: (numbers: readonly string[], n: number) => readonly Dropped[]) => {
    const end = Math.round(documents * share);
    for (let n = 0; next < end; n++) {
      const numbers = Array.from({ length: Math.min(most, end - next) }, () => `L${next++}`);
      exports.push(...make(numbers, n));
    }
  };
  part(1 / 2, 1, (numbers, n) => [{ name: `ventes-${n}.csv`, content: sales(numbers) }]);
  part(3 / 4, IN_LOT, (numbers, n) => [{ name: `ventes-lot-${n}.csv`, content: sales(numbers) }]);
  part(7 / 8, IN_FEW, (numbers, n) => [{ name: `export-${n}.xml`, content: xmlOf(numbers), isTable: false }]);
  part(1, IN_FEW, (numbers, n) => pairOf(`${n}`, numbers));
  return exports;
}

/** Headers and lines. */
export function pairOf(part: string, numbers: readonly string[]): readonly Dropped[] {
  const headers = ['Num;Client', ...numbers.map((one) => `${one};Client ${one}`), ''].join('\n');
  const lines = ['Num;Lig;Net', ...numbers.map((one) => `${one};1;10,00`), ''].join('\n');
  return [
    { name: `ENT_${part}.csv`, content: headers, isTable: false },
    { name: `LIG_${part}.csv`, content: lines },
  ];
}

export function xmlOf(numbers: readonly string[]): string {
  const line = '<ligne no="1"><qte>2</qte><prix>10,50</prix><taux>20</taux></ligne>';
  const invoices = numbers.map(
    (one) => `<facture><num>${one}</num><date>05/09/2026</date><client>Client ${one}</client>\n${line}</facture>\n`,
  );
  return `<export>\n${invoices.join('')}</export>\n`;
}

type Killing = {
  readonly kills: number;
  readonly documents: number;
  readonly wire: Wire;
  /** Kills a worker that has roles, or one that has none. */
  readonly kill: (who: 'with-roles' | 'without') => Promise<void>;
  readonly isOver: () => Promise<boolean>;
};

const LOOK_MS = 250;

/** Resolves after the last kill, or once the night is over. */
export async function killInTurn({ kills, documents, wire, kill, isOver }: Killing): Promise<void> {
  for (let n = 1; n <= kills; n++) {
    while (wire.count() < (n * documents) / (kills + 1)) {
      if (await isOver()) return;
      await wait(LOOK_MS);
    }
    await kill(n % 2 === 1 ? 'with-roles' : 'without');
  }
}
