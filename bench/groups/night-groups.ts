/** Whole nights, from the export to receipts, by the commands of the program. */
import { more, peak, processorTime, processorTimes, rate, speed, thousands, times } from '../figures.ts';
import type { Group, Run, Size } from '../group.ts';

const QUALITIES = {
  spotless: 'spotless documents',
  warned: 'each document with one warning',
  refused: 'a tenth of the documents refused',
} as const;

export function nightGroups(of: Size): readonly Group[] {
  const size = of(3000, 40);
  const csv = { case: 'night', size, format: 'csv' } as const;
  const latencies = of([0, 20], [0]);
  return [
    {
      name: 'night',
      title: `A night of ${thousands(size)} invoices from a CSV export to receipts (nightpost run, 16 requests at a time), against documents that are ready-made`,
      rounds: of(3, 1),
      runs: {
        spotless: { ...csv, quality: 'spotless' },
        floor: { ...csv, case: 'floor' },
        bare: { ...csv, case: 'bare' },
        warned: { ...csv, quality: 'warned' },
        refused: { ...csv, quality: 'refused' },
        'spotless 20': { ...csv, latencyMs: 20 },
        'bare 20': { ...csv, case: 'bare', latencyMs: 20 },
      },
      figures: [
        rate('documents a second, spotless, service of 0 ms', 'spotless'),
        speed('speed against the floor: bare undici, rows of a ledger, two files', 'spotless', 'floor'),
        speed('speed against bare undici, which keeps nothing', 'spotless', 'bare'),
        speed('speed of the floor against bare undici', 'floor', 'bare'),
        processorTime('processor time a document, spotless', 'spotless'),
        processorTime('processor time a document of the floor', 'floor'),
        ...(['warned', 'refused'] as const).flatMap((quality) => [
          rate(`documents a second, ${QUALITIES[quality]}`, quality),
          speed('speed against the spotless night', quality, 'spotless'),
          processorTime('processor time a document', quality),
        ]),
        rate('documents a second, spotless, service of 20 ms', 'spotless 20'),
        speed('speed against bare undici, service of 20 ms', 'spotless 20', 'bare 20'),
        peak('largest resident set, spotless', 'spotless'),
      ],
    },
    {
      name: 'postgres',
      title: `The same night of ${thousands(of(2000, 40))} invoices with the ledger on PostgreSQL, next to SQLite`,
      rounds: of(3, 1),
      runs: Object.fromEntries(
        latencies.flatMap((latencyMs): [string, Run][] => [
          [`postgres ${latencyMs}`, { ...csv, case: 'night-postgres', size: of(2000, 40), latencyMs }],
          [`sqlite ${latencyMs}`, { ...csv, size: of(2000, 40), latencyMs }],
        ]),
      ),
      figures: latencies.flatMap((ms) => {
        const [postgres, sqlite] = [`postgres ${ms}`, `sqlite ${ms}`];
        return [
          rate(`documents a second, service of ${ms} ms`, postgres),
          speed('speed against the ledger on SQLite', postgres, sqlite, { atLeast: 0.5 }),
          more('statements a document', postgres, 'statements', ''),
          more('round trips a document', postgres, 'roundTrips', ''),
          processorTime('processor time a document of the program', postgres),
          more('processor time a document of PostgreSQL', postgres, 'server', 'us'),
        ];
      }),
    },
    {
      name: 'console',
      title: `A night of ${thousands(of(2000, 40))} invoices to a service of 20 ms, alone and next to a console with five open pages`,
      rounds: of(3, 1),
      runs: {
        alone: { ...csv, case: 'night-logged', size: of(2000, 40), latencyMs: 20 },
        watched: { ...csv, case: 'night-watched', size: of(2000, 40), latencyMs: 20 },
      },
      figures: [
        speed('speed with five open pages against alone', 'watched', 'alone', { atLeast: 0.9 }),
        more('processor time of the console, by document', 'watched', 'console', 'us'),
        more('longest log of the ledger, alone', 'alone', 'log', 'MiB'),
        more('longest log of the ledger, with five open pages', 'watched', 'log', 'MiB', { atMost: 64 }),
      ],
    },
    {
      name: 'evening',
      title: `A night of ${thousands(of(5000, 40))} invoices with answers to the ERP and a mail, and without`,
      rounds: of(3, 1),
      // A night begins while the system still writes the files of the one before.
      isSwapped: true,
      runs: {
        plain: { ...csv, size: of(5000, 40) },
        whole: { ...csv, case: 'night-answered', size: of(5000, 40) },
      },
      figures: [
        rate('documents a second, with all of it', 'whole'),
        times('time against the night without', 'whole', 'plain', { atMost: 1.05 }),
        processorTimes('processor time against the night without', 'whole', 'plain', { atMost: 1.05 }),
        peak('largest resident set, without', 'plain'),
        peak('largest resident set, with all of it', 'whole'),
      ],
    },
    {
      name: 'poison',
      title: `A night of ${thousands(of(100, 2))} exports of 50 invoices, with and without broken files, one per hundred`,
      rounds: of(3, 1),
      runs: {
        clean: { ...csv, size: of(5000, 100), perFile: 50 },
        poison: { ...csv, case: 'night-poisoned', size: of(5000, 100), perFile: 50 },
      },
      figures: [
        rate('documents a second', 'poison'),
        times('time against the same night without the broken files', 'poison', 'clean', { atMost: 1.05 }),
        processorTimes('processor time against it', 'poison', 'clean', { atMost: 1.05 }),
      ],
    },
  ];
}
