/** The judge of a year: what the service counts, what the folders hold, what an equal night costs. */
import { globSync } from 'node:fs';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { SourceFile } from '../../../src/model/ledger-entry.ts';
import { sha256Hex } from '../../../src/text/sha256.ts';
import type { Scene } from '../../night.ts';
import type { Dropped } from '../checker.ts';
import type { Cost } from './costs.ts';

/** Accepted more than once, or requested more often than people decided. */
export function sentTooOften(scene: Scene, decisions: ReadonlyMap<string, number>): readonly string[] {
  return scene.sandbox.acceptances().flatMap(({ number, requests, accepted }) => {
    const most = 1 + (decisions.get(number) ?? 0);
    return [
      ...(accepted > 1 ? [`${number} is accepted ${accepted} times`] : []),
      ...(requests > most ? [`${number} was sent ${requests} times, and people allowed ${most}`] : []),
    ];
  });
}

/** Each row of each export is in one document, or left out with a reason; each document that is not purged has one receipt. */
export async function notInOnePlace(scene: Scene, dropped: readonly Dropped[]): Promise<readonly string[]> {
  const receipts = Map.groupBy(
    globSync('{outbox,pending,error}/{*,*/duplicates}/*.receipt.json', { cwd: scene.root }),
    (path) => (JSON.parse(scene.read(path)) as { readonly id: string }).id,
  );
  const found: string[] = [];
  await scene.look(async (ledger) => {
    for await (const { id, name, purged } of ledger.queries.find({})) {
      const own = receipts.get(id) ?? [];
      receipts.delete(id);
      if (own.length !== (purged?.what.includes('receipts') ? 0 : 1))
        found.push(`${name} has ${own.length} receipts: ${own.join(', ')}`);
    }
    for (const one of dropped) found.push(...(await rowsElsewhere(ledger, one)));
  });
  return [...found, ...[...receipts.values()].flat().map((path) => `${path} is of no document`)];
}

async function rowsElsewhere(ledger: Ledger, { name, content, isTable }: Dropped): Promise<readonly string[]> {
  const sha256 = sha256Hex(content);
  const files = (await ledger.queries.filesCalled(name)).filter(
    (file) => file.sha256 === sha256 && file.rereads === undefined,
  );
  if (files.length !== 1) return [`${name} was taken ${files.length} times`];
  const [file] = files;
  if (file?.state !== 'admitted' || isTable === false) return [];
  const places = await placesOf(ledger, file);
  const rows = content.split('\n').length - 1;
  return Array.from({ length: rows - 1 }, (_, n) => n + 2).flatMap((row) => {
    const count = places.get(row) ?? 0;
    return count === 1 ? [] : [`row ${row} of ${name} is in ${count} places`];
  });
}

async function placesOf(ledger: Ledger, { id, leftOut }: SourceFile): Promise<ReadonlyMap<number, number>> {
  const places = new Map<number, number>();
  const place = (row: number) => void places.set(row, (places.get(row) ?? 0) + 1);
  for (const { row } of leftOut) place(row);
  for await (const { rows } of ledger.queries.revisionsOf(id)) for (const row of rows) place(row);
  return places;
}

/** By the name of the command. */
export type Costs = { readonly [command: string]: Cost };

const FIGURES = ['cpuMs', 'readKib', 'statements'] as const;
/** An equal night reads a little more once indexes are deeper; processor time is measured, and judged by no test. */
const MOST_GROWTH = 1.5;
const FEW: Cost = { cpuMs: Infinity, readKib: 1024, statements: 100 };

/** The least of several nights, early and late in the year. */
export function compareCosts(early: readonly Costs[], late: readonly Costs[]) {
  const least = (of: readonly Costs[], command: string, figure: keyof Cost) =>
    Math.min(...of.map((one) => one[command]?.[figure] ?? Infinity));
  const faults: string[] = [];
  const compared = (command: string, figure: keyof Cost) => {
    const [from, to] = [least(early, command, figure), least(late, command, figure)];
    const text = `${from.toFixed(0)} to ${to.toFixed(0)} (${(to / from).toFixed(2)})`;
    if (to > MOST_GROWTH * from + FEW[figure]) faults.push(`${command} grows with the year: ${figure} ${text}`);
    return [figure, text] as const;
  };
  const ratios = Object.fromEntries(
    Object.keys(early[0] ?? {}).map((command) => [
      command,
      Object.fromEntries(FIGURES.map((figure) => compared(command, figure))),
    ]),
  );
  return { ratios, faults };
}
