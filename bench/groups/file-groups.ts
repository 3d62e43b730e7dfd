/** Many files, long queues, and services that change their pace. */
import { more, peak, processorTime, quotient, rate, ratio, speed, thousands, times } from '../figures.ts';
import type { Group, Size } from '../group.ts';

export function fileGroups(of: Size): readonly Group[] {
  const size = of(3000, 40);
  const small = of(4000, 100);
  // Enough that a run is still at work after a status next to it, on a busy machine too.
  const crowd = of(20_000, 250);
  return [
    {
      name: 'files',
      title: `A night of ${thousands(size)} UBL invoices, one file each and all in one file`,
      rounds: of(3, 1),
      runs: {
        one: { case: 'night', size, format: 'ubl-all' },
        many: { case: 'night', size, format: 'ubl-each' },
        few: { case: 'night', size: size / 4, format: 'ubl-each' },
      },
      figures: [
        rate('documents a second, one file each', 'many'),
        speed('speed against one file', 'many', 'one', { atLeast: 0.5 }),
        processorTime('processor time a document, one file each', 'many'),
        processorTime('processor time a document, one file', 'one'),
        peak('largest resident set, one file', 'one'),
        peak('largest resident set, one file each', 'many'),
        ratio('the same against a quarter of the files', ({ few, many }) => quotient(many?.peakMb, few?.peakMb), {
          atMost: 1.2,
        }),
      ],
    },
    {
      name: 'crowd',
      title: `An inbox of ${thousands(crowd)} UBL files, which a run does not empty before it is asked to end`,
      rounds: 1,
      runs: { crowd: { case: 'crowd', size: crowd, format: 'ubl-each' } },
      figures: [
        more('the first document is accepted after', 'crowd', 'first', 's', {
          atMost: 5,
        }),
        more('status during the run', 'crowd', 'status', 's', { atMost: 1 }),
        more('the run ends after it is asked to', 'crowd', 'end', 's', { atMost: 10 }),
        peak('largest resident set', 'crowd'),
      ],
    },
    {
      name: 'claim',
      title: `${thousands(small)} small files in the inbox at the start, claimed as a run claims them`,
      rounds: of(3, 1),
      runs: { ours: { case: 'claim-ours', size: small }, raw: { case: 'claim-raw', size: small } },
      figures: [
        rate('files a second', 'ours'),
        times('time against bare readdir, stat, rename, fsync', 'ours', 'raw', { atMost: 3 }),
      ],
    },
    {
      name: 'backlog',
      title: `${thousands(of(3000, 20))} invoices sent from a queue, which is then asked to end`,
      rounds: 1,
      runs: {
        short: { case: 'backlog', size: of(3000, 20), format: 'csv', queue: of(6000, 40) },
        long: { case: 'backlog', size: of(3000, 20), format: 'csv', queue: of(60_000, 200) },
      },
      figures: [
        peak(`largest resident set, queue of ${thousands(of(6000, 40))}`, 'short'),
        peak(`largest resident set, queue of ${thousands(of(60_000, 200))}`, 'long', { atMost: 300 }),
        speed('speed of sending from the long queue against the short one', 'long', 'short', { atLeast: 0.8 }),
      ],
    },
    {
      name: 'pace',
      title: `${thousands(of(400, 30))} invoices to a service that works on 8, 2, 12, 4 at a time (100 ms each), the others queue`,
      rounds: 1,
      runs: {
        adapting: { case: 'pace-adapting', size: of(400, 30), format: 'csv' },
        'fixed 16': { case: 'pace-fixed-16', size: of(400, 30), format: 'csv' },
        'fixed 4': { case: 'pace-fixed-4', size: of(400, 30), format: 'csv' },
      },
      figures: (['adapting', 'fixed 16', 'fixed 4'] as const).flatMap((run) => [
        more(
          `${run}: share of what the service could take`,
          run,
          'used',
          'x',
          run === 'adapting' ? { atLeast: 0.8 } : undefined,
        ),
        more(`${run}: 95 % of the documents were with the service for at most`, run, 'underWay', 'ms'),
      ]),
    },
  ];
}
