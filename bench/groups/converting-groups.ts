/** From exports to documents on disk, without ledger and network: by the program, and by scripts that make the same documents. */
import type { FormatName } from '../exports/exports.ts';
import { more, peak, processorTime, processorTimes, quotient, rate, ratio, speed, thousands } from '../figures.ts';
import type { Figure, Group, Run, Size } from '../group.ts';

/** What a format is called in the table, and its documents, so that all take about as long. */
const COMPARED: { readonly [format in FormatName]: { readonly says: string; readonly size: number } } = {
  csv: { says: 'CSV', size: 15_000 },
  xml: { says: 'XML', size: 10_000 },
  'ubl-each': { says: 'UBL, one file each', size: 1500 },
  'ubl-all': { says: 'UBL, all in one file', size: 2500 },
  'cii-each': { says: 'CII, one file each', size: 1500 },
  'cii-all': { says: 'CII, all in one file', size: 2500 },
  fixed: { says: 'fixed width', size: 15_000 },
  workbook: { says: 'workbook', size: 6000 },
  remission: { says: 'remission notes', size: 10_000 },
};

export function convertingGroups(of: Size): readonly Group[] {
  const formats = Object.entries(COMPARED) as [FormatName, (typeof COMPARED)[FormatName]][];
  const csv = of(COMPARED.csv.size, 40);
  return [
    {
      name: 'convert',
      title: 'Exports to documents on disk, one thread, under the rules that every instance has',
      rounds: of(3, 1),
      runs: Object.fromEntries(
        formats.flatMap(([format, { size }]): [string, Run][] => [
          [format, { case: 'convert', size: of(size, 40), format }],
          [`${format} python`, { case: 'python', size: of(size, 40), format }],
        ]),
      ),
      sameDocuments: Object.fromEntries(formats.map(([format]) => [`${format} python`, format])),
      figures: formats.flatMap(([format, { says, size }]): Figure[] => [
        rate(`${says}, ${thousands(of(size, 40))}: documents a second`, format),
        speed('speed against Python', format, `${format} python`),
        processorTime('processor time a document', format),
        peak('largest resident set', format),
      ]),
    },
    {
      name: 'faults',
      title: `CSV, ${thousands(csv)} invoices to documents: with one warning each, with a tenth refused`,
      rounds: of(3, 1),
      runs: {
        spotless: { case: 'convert', size: csv, format: 'csv' },
        warned: { case: 'convert', size: csv, format: 'csv', quality: 'warned' },
        refused: { case: 'convert', size: csv, format: 'csv', quality: 'refused' },
      },
      figures: (['warned', 'refused'] as const).flatMap((quality) => [
        speed(`${quality}: speed against spotless documents`, quality, 'spotless'),
        processorTimes('processor time against them', quality, 'spotless'),
      ]),
    },
    {
      name: 'cost',
      title: `Processor time of each step of converting a CSV invoice, ${thousands(of(6000, 40))} invoices`,
      rounds: 1,
      how: 'One process, the middle of 9 rounds in it',
      runs: { steps: { case: 'cost', size: of(6000, 40), format: 'csv' } },
      figures: [
        ...(['reading', 'grouping', 'mapping'] as const).map((step) => more(step, 'steps', step, 'us')),
        more('checking, with JSON text and hashes', 'steps', 'checking', 'us'),
        more('of it: the JSON text', 'steps', 'json', 'us'),
        more('of it: the shape', 'steps', 'shape', 'us'),
        more('of it: the rules', 'steps', 'rules', 'us'),
        ratio('shape and rules against the whole conversion', ({ steps }) => {
          const { reading = 0, grouping = 0, mapping = 0, checking = 0, shape = 0, rules = 0 } = steps?.more ?? {};
          return quotient(shape + rules, reading + grouping + mapping + checking);
        }),
      ],
    },
    {
      name: 'parsers',
      title: 'Savings of the fast parsers: the same files to documents, with csv-parse and saxes alone',
      rounds: of(3, 1),
      runs: Object.fromEntries(
        (['csv', 'xml'] as const).flatMap((format): [string, Run][] => [
          [format, { case: 'convert', size: of(20_000, 40), format }],
          [`${format} strict`, { case: 'convert-strict', size: of(20_000, 40), format }],
        ]),
      ),
      sameDocuments: { 'csv strict': 'csv', 'xml strict': 'xml' },
      figures: (['csv', 'xml'] as const).map((format) =>
        saved(`${format}-fast-parser.ts saves`, format, `${format} strict`),
      ),
    },
    {
      name: 'loop',
      title: 'How long converting keeps the event loop from anything else (from a timer of 1 ms)',
      rounds: of(3, 1),
      runs: Object.fromEntries(
        (['csv', 'ubl-all'] as const).map((format) => [format, { case: 'loop', size: of(10_000, 40), format }]),
      ),
      figures: (['csv', 'ubl-all'] as const).flatMap((run) => [
        more(`${run}: middle`, run, 'p50', 'ms'),
        more(`${run}: 99 % are below`, run, 'p99', 'ms', { atMost: 20 }),
        more(`${run}: longest`, run, 'max', 'ms', { atMost: 20 }),
      ]),
    },
    {
      name: 'memory',
      title: 'Largest resident set while converting, bytes made while they are read',
      rounds: 1,
      runs: {
        'csv small': { case: 'memory', size: of(10_000, 40), format: 'csv' },
        'csv large': { case: 'memory', size: of(100_000, 200), format: 'csv' },
        'ubl small': { case: 'memory', size: of(1500, 40), format: 'ubl-all' },
        'ubl large': { case: 'memory', size: of(15_000, 200), format: 'ubl-all' },
      },
      figures: [
        peak(`CSV, ${thousands(of(10_000, 40))} invoices`, 'csv small'),
        peak(`CSV, ${thousands(of(100_000, 200))} invoices`, 'csv large', { atMost: 300 }),
        peak(`UBL in one file, ${thousands(of(1500, 40))} invoices`, 'ubl small'),
        peak(`UBL in one file, ${thousands(of(15_000, 200))} invoices`, 'ubl large', { atMost: 300 }),
      ],
    },
  ];
}

/** Share of the processor time of `other` that `run` does without; a fast parser that saves less than the goal goes. */
function saved(says: string, run: string, other: string): Figure {
  return {
    says,
    unit: '% of processor time',
    of: (round) => round[run] && round[other] && 100 * (1 - round[run].cpuSeconds / round[other].cpuSeconds),
    goal: { atLeast: 10 },
  };
}
