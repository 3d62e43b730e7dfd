/** Starts of the program, looks into a large ledger, and several programs on one ledger. */
import { each, more, peak, quotient, rate, ratio, speed, thousands, times } from '../figures.ts';
import type { Figure, Group, Size } from '../group.ts';

const FOUND = {
  number: 'number',
  part: 'last digits of a number',
  customer: 'customer',
  'begun customer': 'the beginning of a customer',
  tracking: 'tracking id',
  'begun tracking': 'the beginning of a tracking id',
  file: 'file',
  amount: 'amount',
  nothing: 'words that nothing has',
} as const;

export function processGroups(of: Size): readonly Group[] {
  const starts = of(3, 1);
  const documents = of(50_000, 1000);
  const small = of(1000, 20);
  const large = of(6000, 40);
  return [
    {
      name: 'start',
      title: 'The program started and ended, against a bare node -e 0',
      rounds: of(3, 1),
      runs: Object.fromEntries(
        ['node', 'version', 'help', 'status', 'status-all', 'check-all', 'clone', 'clone-all'].map((name) => [
          name,
          { case: `start-${name}`, size: starts },
        ]),
      ),
      figures: [
        { says: 'node -e 0', unit: 'ms', of: ({ node }) => node && node.seconds * 1000 },
        times('nightpost --version', 'version', 'node', { atMost: 3 }),
        times('nightpost --help', 'help', 'node', { atMost: 3 }),
        times('nightpost status, no mapping', 'status', 'node', { atMost: 8 }),
        times('nightpost status, all shipped mappings', 'status-all', 'node', { atMost: 8 }),
        times('nightpost check, all shipped mappings', 'check-all', 'node'),
        times('from the clone: --version', 'clone', 'node'),
        times('from the clone: status, all shipped mappings', 'clone-all', 'node'),
      ],
    },
    {
      name: 'look',
      title: `Looking into a ledger of ${thousands(documents)} documents, against bare prepared SELECTs on it`,
      rounds: 1,
      how: 'One process, the middle of many questions of each kind in it',
      runs: { look: { case: 'look', size: documents } },
      figures: [
        more('the search index filled for the first time', 'look', 'fill', 's'),
        more('size of the search index', 'look', 'index MiB', 'MiB'),
        more('the search index opened, nothing new', 'look', 'open index', 's'),
        more('the ledger opened to look', 'look', 'open ledger', 's'),
        more('bare SELECT of one document by number', 'look', 'bare number', 'ms'),
        more('bare SELECT of a page by key', 'look', 'bare page', 'ms'),
        more('bare counts by state', 'look', 'bare counts', 'ms'),
        more('bare SELECT of the open documents', 'look', 'bare open', 'ms'),
        more('bare counts of warnings', 'look', 'bare warnings', 'ms'),
        ...Object.entries(FOUND).flatMap(([kind, says]) => looked(`find by ${says}`, kind, 'bare number', 50)),
        ...['page 1', 'page 2000', 'page of a state', 'page of a customer'].flatMap((kind) =>
          looked(`list, ${kind}`, kind, 'bare page', 100),
        ),
        ...looked('open work by cause', 'open groups', 'bare open', 100),
        ...looked('counts of status', 'counts', 'bare counts', 100),
        ...looked('warnings of status', 'warnings', 'bare warnings', 100),
        ...looked('counts of the last run', 'run counts', 'bare counts', 100),
        more('control totals of the last run', 'look', 'run sums', 'ms'),
      ],
    },
    {
      name: 'workers',
      title: `${thousands(small)} CSV exports of one invoice each, from the inbox to receipts, with the ledger on PostgreSQL, by nightpost watch`,
      rounds: 1,
      runs: {
        one: { case: 'workers-small-1', size: small, format: 'csv', perFile: 1 },
        two: { case: 'workers-small-2', size: small, format: 'csv', perFile: 1 },
      },
      figures: [
        ...['one', 'two'].flatMap((run) => [
          rate(`${run}: files and documents a second`, run),
          each(`${run}: processor time of the workers, by file`, run, ({ cpuSeconds }) => cpuSeconds),
          each(`${run}: processor time of PostgreSQL, by file`, run, serverSeconds),
          peak(`${run}: largest resident set`, run),
        ]),
        ...ofTwo(),
      ],
    },
    {
      name: 'crew',
      title: `4 exports of ${thousands(large / 4)} invoices each, converted into a ledger on PostgreSQL by nightpost watch; nothing is sent`,
      rounds: 1,
      runs: {
        one: { case: 'workers-large-1', size: large, format: 'csv', perFile: large / 4 },
        two: { case: 'workers-large-2', size: large, format: 'csv', perFile: large / 4 },
      },
      figures: [
        rate('one: documents a second', 'one'),
        each('processor time of the worker, by document', 'one', ({ cpuSeconds }) => cpuSeconds),
        each('processor time of PostgreSQL, by document', 'one', serverSeconds),
        ...ofTwo(),
      ],
    },
  ];
}

const serverSeconds = ({ more: { server } = {} }: { readonly more?: { readonly [name: string]: number } }) => server;

function ofTwo(): readonly Figure[] {
  return [
    speed('speed of two against one', 'two', 'one'),
    // The processors that the machine has, by those that one worker and its database keep busy.
    ratio('the same, as far as the processors allow', ({ one }) => {
      const { seconds = 0, cpuSeconds = 0, more: { server = 0, cores = 0 } = {} } = one ?? {};
      return server && Math.min(2, (cores * seconds) / (cpuSeconds + server));
    }),
    more('share of the files that the busier of the two took', 'two', 'most', 'x'),
  ];
}

/** A question, and its time against that of a bare SELECT in the same process. */
function looked(says: string, kind: string, bare: string, atMost: number): readonly Figure[] {
  return [
    more(says, 'look', kind, 'ms', { atMost }),
    ratio(`${says}, against the bare SELECT`, ({ look }) => quotient(look?.more?.[kind], look?.more?.[bare])),
  ];
}
