/**
 * Whatever the damage, each source row is in one place, and no document is issued that may lack one: random files, with
 * what each row is told by a reading of the test's own.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOCUMENT_KINDS, READERS } from '../../../src/catalogue.ts';
import type { ReappearedKeys } from '../../../src/mapping/compose/group-rows.ts';
import { type Converted, convert, ReappearedKeysError } from '../../../src/pipeline/conversion/convert-file.ts';
import { runs } from '../../seed.ts';
import { mappingOf } from './convert-text.ts';

/** Documents as short as they can be: what their content must be is tested elsewhere. */
const INVOICE = DOCUMENT_KINDS.find(({ name }) => name === 'fr-invoice')!;
const KIND = { ...INVOICE, rules: INVOICE.rules.under({ profile: 'wire', severity: {} }) };

const bytesOf = (text: string) =>
  (async function* () {
    yield Buffer.from(text);
  })();

const mappings = new Map<string, ReturnType<typeof mappingOf>>();

type Files = { readonly yaml: string; readonly text: string; readonly headers?: string };

/** As a night reads it, twice where something was found too late. */
async function converted({ yaml, text, headers }: Files, again?: ReappearedKeys): Promise<readonly Converted[]> {
  const mapping = mappings.get(yaml) ?? mappingOf(yaml);
  mappings.set(yaml, mapping);
  const steps: Converted[] = [];
  try {
    for await (const step of convert({
      bytes: bytesOf(text),
      file: 'LIG_1.csv',
      ...(headers === undefined ? {} : { headers: { file: 'ENT_1.csv', bytes: () => bytesOf(headers) } }),
      mapping,
      reader: READERS.find(({ format }) => format === 'csv')!,
      kind: KIND,
      facts: { today: '2026-11-20', file: { name: 'LIG_1.csv', base64: () => '' } },
      ...(again ? { reappeared: again } : {}),
    })) {
      steps.push(step);
    }
  } catch (error) {
    if (!(error instanceof ReappearedKeysError)) throw error;
    expect(again).toBeUndefined();
    return await converted({ yaml, text, ...(headers === undefined ? {} : { headers }) }, error.reappeared);
  }
  return steps;
}

type Seen = { readonly issued: readonly (readonly number[])[]; readonly all: readonly number[] };

function seen(steps: readonly (Pick<Converted, 'outcomes' | 'leftOut'> | undefined)[]): Seen {
  const outcomes = steps.flatMap((step) => step?.outcomes ?? []);
  const rows = outcomes.map((one) => ('document' in one ? one.document.rows : one.rows));
  const leftOut = steps.flatMap((step) => step?.leftOut.map(({ row }) => row) ?? []);
  return {
    issued: outcomes.flatMap((one) => ('document' in one ? [one.document.rows] : [])),
    all: [...rows.flat(), ...leftOut].sort((a, b) => a - b),
  };
}

const PARTIES = `  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }`;

const TICKETS = (rows: string) => `mapping: tickets
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source:
  format: csv
  delimiter: ";"
  dates: dd/MM/yyyy
  columns: { Jour: date, Montant: number }
  leave-out: [{ column: Soc, equals: TOTAL }]
calculated-columns: { day: '= TEXT($Jour, "yyyyMMdd")', rate: = 20 }
documents: { one-per: [Soc, day], rows: ${rows}, class: invoice, keep: '= $Etat <> "X"', identical-rows: allowed }
output:
  document: { identifier: '= $Soc & "-" & $day', date: $Jour, currency: EUR }
${PARTIES}
  lines: { each: row, make: { quantity: 1, unit-price: $Montant, net-amount: $Montant } }
  totals: { standard: { net: $Montant, rate: $rate, currency: EUR } }
checks: [{ that: '= $Soc <> ""', else: error, say: no company }]
`;

/** undefined: no part of any document. Parts of a key are '' where they are not known. */
type Told = readonly string[] | undefined;

function told(line: string): Told {
  if (line.trim() === '') return undefined;
  const cells = line.split(';').map((cell) => cell.trim());
  if (cells.every((cell) => cell === '')) return undefined;
  const [company = '', day = '', , state] = cells;
  if (company === 'TOTAL') return undefined;
  if (cells.length !== 4) return ['', ''];
  if (state === 'X') return undefined;
  return [company, /^\d\d\/05\/2026$/.test(day) ? day : ''];
}

const line = fc
  .record({
    company: fc.constantFrom('A', 'A', 'N', 'N', ' N', '', 'TOTAL'),
    day: fc.constantFrom('01/05/2026', '01/05/2026', '02/05/2026', '03/05/2026', '46143', '', '31/02/2026'),
    amount: fc.constantFrom('1', '2', 'x'),
    state: fc.constantFrom('', '', '', 'X'),
  })
  .map(({ company, day, amount, state }) => [company, day, amount, state].join(';'));
const damaged = fc.oneof(
  { weight: 12, arbitrary: line },
  { weight: 1, arbitrary: line.map((text) => `${text};`) },
  { weight: 1, arbitrary: line.map((text) => text.slice(text.indexOf(';') + 1)) },
  { weight: 1, arbitrary: fc.constantFrom('', ';;;') },
);
const good = line.filter((text) => (told(text) ?? ['']).every((part) => part !== ''));
/** Mostly sorted, as exports are, and often with one damaged row only. */
const files = fc
  .tuple(fc.array(good, { minLength: 1, maxLength: 12 }), fc.array(damaged, { maxLength: 4 }), fc.boolean(), fc.nat())
  .map(([lines, odd, isSorted, at]) => {
    const rows = isSorted ? lines.toSorted() : [...lines];
    for (const [n, one] of odd.entries()) rows.splice((at + n * 5) % (rows.length + 1), 0, one);
    return rows;
  });

const mayBelong = (known: readonly string[], key: readonly string[]) =>
  known.every((part, n) => part === '' || part === key[n]);

/** A key that comes back, and a row in doubt at the end: the second reading needs both. */
const BACK_AND_DOUBT = ['A;01/05/2026;1;', 'A;03/05/2026;1;', 'A;01/05/2026;1;', 'A;02/05/2026;1;', ';02/05/2026;1;'];

test.each(['adjacent', 'anywhere'])('rows: %s', async (rows) => {
  const yaml = TICKETS(rows);
  let documents = 0;
  await fc.assert(
    fc.asyncProperty(files, async (lines) => {
      const { issued, all } = seen(await converted({ yaml, text: ['Soc;Jour;Montant;Etat', ...lines, ''].join('\n') }));
      // An empty line of a CSV file is no record.
      expect(all).toEqual(lines.flatMap((text, n) => (text === '' ? [] : [n + 2])));
      const keys = new Map(lines.map((text, n) => [n + 2, told(text)] as const));
      const parts = [...keys].filter((one): one is [number, readonly string[]] => one[1] !== undefined);
      const inIssued = new Set(issued.flat());
      documents += issued.length;
      for (const document of issued) {
        const key = keys.get(document[0]!)!;
        expect(key).not.toContain('');
        // All rows of this key, and no other.
        expect(document).toEqual(parts.filter(([, own]) => own.join() === key.join()).map(([row]) => row));
        for (const [n, [row, known]] of parts.entries()) {
          if (inIssued.has(row) || !known.includes('')) continue;
          const [before, after] = [parts[n - 1]?.[0], parts[n + 1]?.[0]];
          const isBeside = document.includes(before ?? 0) || document.includes(after ?? 0);
          if (rows === 'anywhere' || isBeside) expect([row, mayBelong(known, key)]).toEqual([row, false]);
        }
      }
    }),
    { numRuns: runs(150), examples: [[BACK_AND_DOUBT]] },
  );
  expect(documents).toBeGreaterThan(100);
});

const PAIRS = (rows: string) => `mapping: pairs
version: 1
target: fr-invoice
accepts: { files: "ENT_*.csv" }
source:
  format: csv
  delimiter: ";"
  columns: { Net: number }
  join: { with: "LIG_*.csv", key: Piece }
calculated-columns: { rate: = 20 }
documents: { one-per: Facture, rows: ${rows}, class: invoice, identical-rows: allowed }
output:
  document: { identifier: $Facture, date: "2026-05-01", currency: EUR }
${PARTIES}
  lines: { each: row, make: { quantity: 1, unit-price: $Net, net-amount: $Net } }
  totals: { standard: { net: $Net, rate: $rate, currency: EUR } }
`;

test.each(['adjacent', 'anywhere'])('two files, several headers in one document: rows: %s', async (rows) => {
  const yaml = PAIRS(rows);
  let documents = 0;
  const pieces = ['1', '2', '3'];
  const heads = fc
    .tuple(fc.array(fc.constantFrom('F1', 'F2', 'F2'), { minLength: 3, maxLength: 3 }), fc.nat(9))
    .map(([invoices, odd]) => {
      const rows = pieces.map((number, n) => [number, invoices[n]!]);
      const changed = [
        ['4', 'F1'],
        ['1', 'F2'],
        ['', 'F1'],
        ['5', ''],
      ][odd];
      return changed ? [...rows, changed] : rows;
    });
  const ofLines = fc
    .array(
      fc.tuple(
        fc.constantFrom(...pieces, ...pieces, ...pieces, ...pieces, '4', '6', ''),
        fc.constantFrom('1', '2', '3', '4', 'x'),
      ),
      { minLength: 3, maxLength: 9 },
    )
    .map((lines) => lines.toSorted());
  await fc.assert(
    fc.asyncProperty(heads, ofLines, async (heads, lines) => {
      const steps = await converted({
        yaml,
        headers: ['Piece;Facture', ...heads.map((cells) => cells.join(';')), ''].join('\n'),
        text: ['Piece;Net', ...lines.map((cells) => cells.join(';')), ''].join('\n'),
      });
      const own = seen(steps);
      expect(own.all).toEqual(lines.map((_, n) => n + 2));
      expect(seen(steps.map((step) => step.headers)).all).toEqual(heads.map((_, n) => n + 2));
      const invoiceOf = (number: string) => {
        const found = heads.filter(([one]) => number !== '' && one === number);
        return found.length === 1 ? found[0]![1] : '';
      };
      const keys = lines.map(([number]) => invoiceOf(number));
      documents += own.issued.length;
      for (const document of own.issued) {
        const key = keys[document[0]! - 2]!;
        expect(key).not.toBe('');
        expect(document).toEqual(keys.flatMap((one, n) => (one === key ? [n + 2] : [])));
        // Each header of this invoice has its lines in it.
        for (const [number, invoice] of heads) {
          if (invoice === key && number !== '') expect(lines.map(([one]) => one)).toContain(number);
        }
        if (rows === 'anywhere') expect(keys).not.toContain('');
      }
    }),
    { numRuns: runs(100) },
  );
  expect(documents).toBeGreaterThan(5);
});
