/**
 * What is measured against what: cases that take turns within a round, and the figures read off their medians.
 *
 * A ratio is taken round by round, between neighbours in time, and the median of the ratios is shown.
 */

import type { Result } from './result.ts';

export type Run = {
  readonly case: string;
  readonly size: number;
  readonly extra?: string;
  /** Another checkout, whose bench runs. */
  readonly root?: string;
};

export type Figure = {
  readonly says: string;
  readonly unit: string;
  /** From the results of one round, by the name of their run. */
  readonly of: (round: Round) => number | undefined;
  readonly goal?: { readonly atLeast?: number; readonly atMost?: number };
};

export type Round = { readonly [run: string]: Result | undefined };

export type Group = {
  readonly name: string;
  readonly title: string;
  readonly rounds: number;
  /** How the figures come from the rounds, in place of their number. */
  readonly how?: string;
  readonly runs: { readonly [run: string]: Run };
  /** Every other round takes the runs from the last to the first. */
  readonly isSwapped?: boolean;
  /** The figures are of the least times of each run: what else a machine does only adds to them. */
  readonly isLeast?: boolean;
  readonly figures: readonly Figure[];
  /** Runs whose documents have to equal those of the first, compared after the first round. */
  readonly sameDocuments?: readonly string[];
};

export function plan(quick: boolean): readonly Group[] {
  const of = (whole: number, short: number) => (quick ? short : whole);
  const csv = of(100_000, 20_000);
  const xml = of(175_000, 10_000);
  const sends = of(4000, 1000);
  const nights = of(15_000, 5000);
  // Of a small file most of the time goes into compiling.
  const least = quick ? undefined : 10;
  return [
    {
      name: 'convert',
      title: `CSV, ${thousands(csv * 3)} rows of 18 columns, to ${thousands(csv)} validated documents on disk, one thread`,
      rounds: of(5, 3),
      runs: {
        ours: { case: 'csv-ours', size: csv },
        ready: { case: 'csv-ready', size: csv, extra: 'ours' },
        python: { case: 'csv-python', size: csv },
        jsonata: { case: 'csv-jsonata', size: of(20_000, 2000) },
      },
      sameDocuments: ['python', 'jsonata'],
      figures: [
        rate('documents a second', 'ours'),
        speed('speed against csv + decimal + json in Python', 'ours', 'python', 1),
        speed('speed against csvtojson + JSONata', 'ours', 'jsonata', 4),
        speed('speed against writing ready-made documents', 'ours', 'ready', 0.27),
        {
          says: 'processor time a document',
          unit: 'us',
          of: ({ ours }) => ours && (ours.cpuSeconds / ours.documents) * 1e6,
        },
      ],
    },
    {
      name: 'cost',
      title: `Processor time of each step, by document of three lines, ${thousands(of(10_000, 3000))} documents`,
      rounds: 1,
      how: 'One process, the middle of 9 rounds in it',
      runs: { steps: { case: 'csv-cost', size: of(10_000, 3000) } },
      figures: [
        more('reading', 'steps', 'reading', 'us'),
        more('grouping', 'steps', 'grouping', 'us'),
        more('mapping', 'steps', 'mapping', 'us'),
        more('checking, with JSON text and hashes', 'steps', 'checking', 'us'),
        more('of it: the JSON text', 'steps', 'json', 'us'),
        more('of it: the shape', 'steps', 'shape', 'us'),
        more('of it: the rules of fr-2026', 'steps', 'rules', 'us'),
        {
          says: 'shape and rules against the whole conversion',
          unit: 'x',
          of: ({ steps }) => {
            const { reading = 0, grouping = 0, mapping = 0, checking = 0, shape = 0, rules = 0 } = steps?.more ?? {};
            const whole = reading + grouping + mapping + checking;
            return whole === 0 ? undefined : (shape + rules) / whole;
          },
          goal: { atMost: 1 / 3 },
        },
      ],
    },
    {
      name: 'xml',
      title: `XML, ${thousands(xml)} invoices, to validated documents on disk, one thread`,
      rounds: of(3, 2),
      runs: {
        ours: { case: 'xml-ours', size: xml },
        fxp: { case: 'xml-fxp', size: xml },
        'reading ours': { case: 'xml-read-ours', size: xml },
        'reading fxp': { case: 'xml-read-fxp', size: xml },
      },
      sameDocuments: ['fxp'],
      figures: [
        rate('documents a second', 'ours'),
        speed('speed against fast-xml-parser on the whole file, to documents', 'ours', 'fxp', 2.5),
        speed('the same, reading to rows alone', 'reading ours', 'reading fxp', 2.5),
        {
          says: 'peak memory against fast-xml-parser',
          unit: 'x',
          of: ({ ours, fxp }) => ours && fxp && ours.peakMb / fxp.peakMb,
          // A small file says nothing: the program itself has a size.
          ...(quick ? {} : { goal: { atMost: 1 / 8 } }),
        },
      ],
    },
    {
      name: 'parsers',
      title: 'Savings of the fast parsers: the same files to documents, with csv-parse and saxes alone',
      rounds: of(7, 5),
      runs: {
        ours: { case: 'csv-ours', size: of(100_000, 20_000) },
        'csv strict': { case: 'csv-strict', size: of(100_000, 20_000) },
        xml: { case: 'xml-ours', size: of(40_000, 12_000) },
        'xml strict': { case: 'xml-strict', size: of(40_000, 12_000) },
      },
      sameDocuments: ['csv strict'],
      figures: [
        saved('csv-fast-parser.ts saves, against csv-parse alone', 'ours', 'csv strict', least),
        saved('xml-fast-parser.ts saves, against saxes alone', 'xml', 'xml strict', least),
      ],
    },
    {
      name: 'loop',
      title: 'How long converting keeps the event loop from anything else (from a timer of 1 ms)',
      rounds: of(3, 2),
      runs: {
        csv: { case: 'csv-loop', size: of(100_000, 20_000) },
        xml: { case: 'xml-loop', size: of(100_000, 10_000) },
      },
      figures: (['csv', 'xml'] as const).flatMap((run) => [
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
        'csv small': { case: 'csv-memory', size: of(33_333, 10_000) },
        'csv large': { case: 'csv-memory', size: of(333_333, 50_000) },
        'xml small': { case: 'xml-memory', size: of(175_000, 10_000) },
        'xml large': { case: 'xml-memory', size: of(1_950_000, 50_000) },
      },
      figures: [
        peak(`CSV, ${thousands(of(100_000, 30_000))} rows`, 'csv small'),
        peak(`CSV, ${thousands(of(1_000_000, 150_000))} rows`, 'csv large', 300),
        peak(`XML, ${thousands(of(175_000, 10_000))} invoices`, 'xml small'),
        peak(`XML, ${thousands(of(1_950_000, 50_000))} invoices${quick ? '' : ' (2 GB)'}`, 'xml large', 300),
      ],
    },
    {
      name: 'deliver',
      title: `${thousands(sends)} documents sent, 16 at a time; ledger and receipts durable`,
      rounds: of(5, 2),
      runs: {
        'ours 20': { case: 'deliver-ours-20', size: sends },
        'raw 20': { case: 'deliver-raw-20', size: sends },
        'ours 0': { case: 'deliver-ours-0', size: sends },
        'raw 0': { case: 'deliver-raw-0', size: sends },
        'bare 0': { case: 'deliver-bare-0', size: sends },
      },
      figures: [
        rate('documents a second, service of 20 ms', 'ours 20'),
        speed('speed against bare undici, service of 20 ms', 'ours 20', 'raw 20', 0.8),
        rate('documents a second, service of 0 ms', 'ours 0'),
        speed('speed against bare undici, service of 0 ms', 'ours 0', 'raw 0', 0.3),
        speed('the same, bare undici with a bare SQLite row and two bare files', 'bare 0', 'raw 0'),
        {
          says: 'processor time a document, service of 0 ms',
          unit: 'us',
          of: ({ 'ours 0': ours }) => ours && (ours.cpuSeconds / ours.documents) * 1e6,
        },
      ],
    },
    {
      name: 'deliver-postgres',
      title: `The same ${thousands(sends)} documents with the ledger on PostgreSQL, next to SQLite; all of it durable`,
      rounds: of(5, 2),
      runs: {
        'postgres 20': { case: 'deliver-postgres-20', size: sends },
        'raw 20': { case: 'deliver-raw-20', size: sends },
        'sqlite 20': { case: 'deliver-ours-20', size: sends },
        'raw 0': { case: 'deliver-raw-0', size: sends },
        'postgres 0': { case: 'deliver-postgres-0', size: sends },
        'sqlite 0': { case: 'deliver-ours-0', size: sends },
      },
      figures: [20, 0].flatMap((ms) => {
        const [postgres, sqlite, raw] = [`postgres ${ms}`, `sqlite ${ms}`, `raw ${ms}`];
        return [
          rate(`documents a second, service of ${ms} ms`, postgres),
          speed(`speed against bare undici, service of ${ms} ms`, postgres, raw, ms === 0 ? 0.5 : 0.9),
          speed(`speed against the ledger on SQLite, service of ${ms} ms`, postgres, sqlite, 0.5),
          speed(`SQLite against bare undici, service of ${ms} ms`, sqlite, raw),
          more(`statements a document, service of ${ms} ms`, postgres, 'statements', ''),
          more(`round trips a document, service of ${ms} ms`, postgres, 'roundTrips', ''),
          {
            says: `processor time a document of PostgreSQL, service of ${ms} ms`,
            unit: 'us',
            of: ({ [postgres]: ours }) => ours?.more?.server && ours.more.server * 1e6,
          },
          {
            says: `processor time a document of the program, service of ${ms} ms`,
            unit: 'us',
            of: ({ [postgres]: ours }) => ours && (ours.cpuSeconds / ours.documents) * 1e6,
          },
        ];
      }),
    },
    {
      name: 'console',
      title: `${thousands(sends)} documents sent to a service of 20 ms, alone and next to a console with five open pages`,
      rounds: of(5, 3),
      runs: {
        alone: { case: 'deliver-alone', size: sends },
        watched: { case: 'deliver-watched', size: sends },
      },
      figures: [
        rate('documents a second, alone', 'alone'),
        rate('documents a second, with five open pages', 'watched'),
        speed('speed with five open pages against alone', 'watched', 'alone', 0.9),
        more('processor time of the console, by document sent', 'watched', 'console', 'us'),
        more('longest log of the ledger, alone', 'alone', 'log', 'MiB'),
        more('longest log of the ledger, with five open pages', 'watched', 'log', 'MiB', { atMost: 64 }),
      ],
    },
    {
      name: 'pace',
      title: `${thousands(of(1500, 800))} documents to a service that works on 8, 2, 12, 4 at a time (100 ms each, 5 s long each), the others queue`,
      rounds: of(3, 1),
      runs: {
        adapting: { case: 'deliver-adapting', size: of(1500, 800) },
        'fixed 16': { case: 'deliver-fixed-16', size: of(1500, 800) },
        'fixed 4': { case: 'deliver-fixed-4', size: of(1500, 800) },
      },
      figures: (['adapting', 'fixed 16', 'fixed 4'] as const).flatMap((run) => [
        more(
          `${run}: share of what the service could take`,
          run,
          'used',
          'x',
          run === 'adapting' ? { atLeast: 0.8 } : undefined,
        ),
        more(`${run}: 95 % of the documents were under way for at most`, run, 'underWay', 'ms'),
      ]),
    },
    {
      name: 'backlog',
      title: `${thousands(of(10_000, 1000))} documents sent from a queue`,
      rounds: 1,
      runs: {
        short: { case: 'deliver-backlog-2', size: of(10_000, 1000) },
        long: { case: 'deliver-backlog-100', size: of(10_000, 1000) },
      },
      figures: [
        peak(`largest resident set, queue of ${thousands(of(20_000, 2000))}`, 'short'),
        peak(`largest resident set, queue of ${thousands(of(1_000_000, 100_000))}`, 'long', 300),
        speed('speed from the long queue against the short one', 'long', 'short', 0.8),
      ],
    },
    {
      name: 'intake',
      title: `${thousands(of(10_000, 2000))} small files in the inbox at the start`,
      rounds: of(3, 2),
      runs: {
        ours: { case: 'claim-ours', size: of(10_000, 2000) },
        raw: { case: 'claim-raw', size: of(10_000, 2000) },
      },
      figures: [
        rate('files a second', 'ours'),
        {
          says: 'time against bare readdir, stat, rename, fsync',
          unit: 'x',
          of: ({ ours, raw }) => ours && raw && ours.seconds / raw.seconds,
          goal: { atMost: 3 },
        },
      ],
    },
    {
      name: 'files',
      title: `${thousands(of(20_000, 2000))} UBL invoices from the inbox to receipts, one file each and all in one file; a service of 0 ms`,
      rounds: of(3, 1),
      runs: {
        one: { case: 'files-one', size: of(20_000, 2000) },
        many: { case: 'files-many', size: of(20_000, 2000) },
        few: { case: 'files-many', size: of(5000, 500) },
        crowd: { case: 'files-crowd', size: of(200_000, 20_000) },
      },
      figures: [
        rate('documents a second, one file each', 'many'),
        speed('speed against one file', 'many', 'one', 0.5),
        more('sending begins after', 'many', 'first', 's', { atMost: 5 }),
        peak('largest resident set, one file', 'one'),
        peak('largest resident set, one file each', 'many'),
        {
          says: 'the same against a quarter of the files',
          unit: 'x',
          of: ({ few, many }) => few && many && many.peakMb / few.peakMb,
          goal: { atMost: 1.2 },
        },
        {
          says: 'processor time a document, one file each',
          unit: 'us',
          of: ({ many }) => many && (many.cpuSeconds / many.documents) * 1e6,
        },
        more(`${thousands(of(200_000, 20_000))} files in the inbox: sending begins after`, 'crowd', 'first', 's', {
          atMost: 5,
        }),
        more('files taken in a second meanwhile', 'crowd', 'taken', '/s'),
        more('status, without a run', 'crowd', 'before', 's', { atMost: 1 }),
        more('status during the run', 'crowd', 'beside', 's', { atMost: 1 }),
        more('the run ends after it is asked to', 'crowd', 'end', 's', { atMost: 10 }),
        peak('largest resident set', 'crowd'),
      ],
    },
    {
      name: 'start',
      title: 'The program started and ended, against a bare node -e 0',
      rounds: of(7, 3),
      how: `The middle of ${of(7, 3)} rounds, in each the middle of 5 starts`,
      runs: {
        node: { case: 'start-node', size: 5 },
        version: { case: 'start-version', size: 5 },
        help: { case: 'start-help', size: 5 },
        status: { case: 'start-status', size: 5 },
        'status all': { case: 'start-status-all', size: 5 },
        'check all': { case: 'start-check-all', size: 5 },
        'clone version': { case: 'start-clone-version', size: 5 },
        'clone status all': { case: 'start-clone-status-all', size: 5 },
      },
      figures: [
        {
          says: 'node -e 0',
          unit: 'ms',
          of: ({ node }) => node && node.seconds * 1000,
        },
        longer('nightpost --version', 'version', 3),
        longer('nightpost --help', 'help', 3),
        longer('nightpost status, no mapping', 'status', 8),
        longer('nightpost status, all shipped mappings', 'status all', 8),
        longer('nightpost check, all shipped mappings', 'check all'),
        longer('from the clone: --version', 'clone version'),
        longer('from the clone: status, all shipped mappings', 'clone status all'),
      ],
    },
    {
      name: 'poison',
      title: `${thousands(nights / 50)} exports of 50 documents up to ready, with and without one broken file per hundred`,
      rounds: of(7, 2),
      runs: {
        clean: { case: 'night-clean', size: nights },
        poison: { case: 'night-poison', size: nights },
      },
      figures: [
        rate('documents a second', 'poison'),
        {
          says: 'time against the same night without the broken files',
          unit: 'x',
          of: ({ clean, poison }) => clean && poison && poison.seconds / clean.seconds,
          goal: { atMost: 1.05 },
        },
      ],
    },
    {
      name: 'evening',
      title: `A night of ${thousands(of(100_000, 10_000))} documents to a service of 0 ms, with answers to the ERP, morning report and mail, and without`,
      rounds: of(4, 4),
      // A night begins while the system still writes the files of the one before.
      isSwapped: true,
      runs: {
        plain: { case: 'evening-plain', size: of(100_000, 10_000) },
        whole: { case: 'evening-whole', size: of(100_000, 10_000) },
      },
      figures: [
        rate('documents a second, with all of it', 'whole'),
        {
          says: 'time against the night without',
          unit: 'x',
          of: ({ plain, whole }) => plain && whole && whole.seconds / plain.seconds,
          goal: { atMost: 1.05 },
        },
        {
          says: 'processor time against the night without',
          unit: 'x',
          of: ({ plain, whole }) => plain && whole && whole.cpuSeconds / plain.cpuSeconds,
          goal: { atMost: 1.05 },
        },
        {
          says: 'answers, report and mail, of the time of the night that they follow',
          unit: '%',
          of: ({ whole }) => whole?.more && (100 * (whole.more.eveningOnClock ?? 0)) / (whole.more.nightOnClock ?? 1),
          goal: { atMost: 5 },
        },
        more('processor time of the night without, counted in the process', 'plain', 'night', 's'),
        more('processor time of the night itself, counted in the process', 'whole', 'night', 's'),
        more('of answers', 'whole', 'answers', 's'),
        more('of the report', 'whole', 'report', 's'),
        more('of the mail', 'whole', 'notices', 's'),
        peak('largest resident set, without', 'plain'),
        peak('largest resident set, with all of it', 'whole'),
      ],
    },
    {
      name: 'answers',
      title: 'Answers to the ERP for one export, made by a process that does nothing else',
      rounds: 1,
      runs: {
        few: { case: 'evening-answers', size: of(30_000, 3000) },
        many: { case: 'evening-answers', size: of(100_000, 10_000) },
        most: { case: 'evening-answers', size: of(300_000, 30_000) },
      },
      figures: [
        rate('documents a second', 'most'),
        more(`largest resident set, ${thousands(of(30_000, 3000))} documents`, 'few', 'rss', 'MB'),
        more(`largest resident set, ${thousands(of(100_000, 10_000))} documents`, 'many', 'rss', 'MB'),
        more(`largest resident set, ${thousands(of(300_000, 30_000))} documents`, 'most', 'rss', 'MB', { atMost: 300 }),
      ],
    },
    {
      name: 'look',
      title: `Looking into a ledger of ${thousands(of(300_000, 20_000))} documents, against bare prepared SELECTs on it`,
      rounds: 1,
      how: 'One process, the middle of 41 questions of each kind in it',
      runs: { look: { case: 'look', size: of(300_000, 20_000) } },
      figures: [
        more('the search index filled for the first time', 'look', 'fill', 's'),
        more('size of the search index', 'look', 'index MiB', 'MiB'),
        more('the search index opened, nothing new', 'look', 'open index', 's'),
        more('the ledger opened to look', 'look', 'open ledger', 's'),
        more('bare SELECT of one document by number', 'look', 'bare number', 'ms'),
        more(`bare SELECT of a page by key`, 'look', 'bare page', 'ms'),
        more('bare counts by state', 'look', 'bare counts', 'ms'),
        more('bare SELECT of the open documents', 'look', 'bare open', 'ms'),
        more('bare counts of warnings', 'look', 'bare warnings', 'ms'),
        ...(
          [
            ['number', 'number'],
            ['part', 'last digits of a number'],
            ['customer', 'customer'],
            ['begun customer', 'the beginning of a customer'],
            ['tracking', 'tracking id'],
            ['begun tracking', 'the beginning of a tracking id'],
            ['file', 'file'],
            ['amount', 'amount'],
            ['nothing', 'words that nothing has'],
          ] as const
        ).flatMap(([kind, says]) => [
          more(`find by ${says}`, 'look', kind, 'ms', { atMost: 50 }),
          timesOf(`find by ${says}`, kind, 'bare number'),
        ]),
        ...(['page 1', 'page 2000', 'page of a state', 'page of a customer'] as const).flatMap((kind) => [
          more(`list, ${kind}`, 'look', kind, 'ms', { atMost: 100 }),
          timesOf(`list, ${kind}`, kind, 'bare page'),
        ]),
        more('open work, the oldest page', 'look', 'open page', 'ms', { atMost: 100 }),
        timesOf('open work, the oldest page', 'open page', 'bare page'),
        more('open work by cause', 'look', 'open groups', 'ms', { atMost: 100 }),
        timesOf('open work by cause', 'open groups', 'bare open'),
        more('counts of status', 'look', 'counts', 'ms', { atMost: 100 }),
        timesOf('counts of status', 'counts', 'bare counts'),
        more('warnings of status', 'look', 'warnings', 'ms', { atMost: 100 }),
        timesOf('warnings of status', 'warnings', 'bare warnings'),
        more('counts of the last run', 'look', 'run counts', 'ms', { atMost: 100 }),
        timesOf('counts of the last run', 'run counts', 'bare counts'),
        more('control totals of the last run', 'look', 'run sums', 'ms'),
      ],
    },
    {
      name: 'workers',
      title: `${thousands(of(20_000, 2000))} small files of one document each, from the inbox to receipts, with the ledger on PostgreSQL; a service of 0 ms`,
      rounds: of(3, 1),
      runs: {
        one: { case: 'workers-small-1', size: of(20_000, 2000) },
        two: { case: 'workers-small-2', size: of(20_000, 2000) },
      },
      figures: [
        ...(['one', 'two'] as const).flatMap((run) => [
          rate(`${run} nightpost watch: files and documents a second`, run),
          each(`${run}: processor time of the workers, by file`, run, ({ cpuSeconds }) => cpuSeconds),
          each(`${run}: processor time of PostgreSQL, by file`, run, ({ more: { server } = {} }) => server),
          peak(`${run}: largest resident set`, run),
        ]),
        speed('speed of two against one', 'two', 'one'),
        possible('the same, as far as the processors allow', 'one', 2),
        more('share of the files that the busier of the two took', 'two', 'most', 'x'),
      ],
    },
    {
      name: 'crew',
      title: `4 exports, ${thousands(of(40_000, 8000))} documents, converted into a ledger on PostgreSQL by several workers; nothing is sent`,
      rounds: of(3, 1),
      runs: {
        one: { case: 'workers-large-1', size: of(40_000, 8000) },
        two: { case: 'workers-large-2', size: of(40_000, 8000) },
        four: { case: 'workers-large-4', size: of(40_000, 8000) },
      },
      figures: [
        rate('documents a second, one worker', 'one'),
        speed('speed of two against one', 'two', 'one'),
        possible('the same, as far as the processors allow', 'one', 2),
        speed('speed of four against one', 'four', 'one'),
        possible('the same, as far as the processors allow', 'one', 4),
        more('share of the files that the busiest of four took', 'four', 'most', 'x'),
        each('processor time of the workers, by document, one worker', 'one', ({ cpuSeconds }) => cpuSeconds),
        each('the same, four workers', 'four', ({ cpuSeconds }) => cpuSeconds),
        each('processor time of PostgreSQL, by document', 'one', ({ more: { server } = {} }) => server),
        more('processors', 'one', 'cores', ''),
      ],
    },
  ];
}

function rate(says: string, run: string): Figure {
  return { says, unit: '/s', of: (round) => round[run] && round[run].documents / round[run].seconds };
}

/** How much faster `run` is, document by document. */
function speed(says: string, run: string, other: string, atLeast?: number): Figure {
  const each = (round: Round, name: string) => round[name] && round[name].seconds / round[name].documents;
  return {
    says,
    unit: 'x',
    of: (round) => {
      const [ours, theirs] = [each(round, run), each(round, other)];
      return ours && theirs && theirs / ours;
    },
    ...(atLeast === undefined ? {} : { goal: { atLeast } }),
  };
}

/** Share of the processor time of `other` that `run` does without; a fast parser that saves less than the goal goes. */
function saved(says: string, run: string, other: string, atLeast: number | undefined): Figure {
  return {
    says,
    unit: '% of processor time',
    of: (round) => round[run] && round[other] && 100 * (1 - round[run].cpuSeconds / round[other].cpuSeconds),
    ...(atLeast === undefined ? {} : { goal: { atLeast } }),
  };
}

/** Time against that of Node alone. */
function longer(says: string, run: string, atMost?: number): Figure {
  return {
    says,
    unit: 'x',
    of: (round) => round[run] && round.node && round[run].seconds / round.node.seconds,
    ...(atMost === undefined ? {} : { goal: { atMost } }),
  };
}

/** The time of one question against another one of the same run. */
function timesOf(says: string, kind: string, bare: string): Figure {
  return {
    says: `${says}, against the bare SELECT`,
    unit: 'x',
    of: ({ look }) => {
      const [ours, theirs] = [look?.more?.[kind], look?.more?.[bare]];
      return ours && theirs && ours / theirs;
    },
  };
}

function more(says: string, run: string, figure: string, unit: string, goal?: Figure['goal']): Figure {
  return { says, unit, of: (round) => round[run]?.more?.[figure], ...(goal ? { goal } : {}) };
}

/** Of something that a run counts in seconds, the part of each document. */
function each(says: string, run: string, seconds: (result: Result) => number | undefined): Figure {
  return {
    says,
    unit: 'us',
    of: (round) => {
      const whole = round[run] && seconds(round[run]);
      return whole && (whole / round[run]!.documents) * 1e6;
    },
  };
}

/** The processors that the machine has, by those that one worker and its database keep busy; at most the number of workers. */
function possible(says: string, run: string, workers: number): Figure {
  return {
    says,
    unit: 'x',
    of: (round) => {
      const { seconds = 0, cpuSeconds = 0, more: { server = 0, cores = 0 } = {} } = round[run] ?? {};
      return server && Math.min(workers, (cores * seconds) / (cpuSeconds + server));
    },
  };
}

function peak(says: string, run: string, atMost?: number): Figure {
  return { says, unit: 'MB', of: (round) => round[run]?.peakMb, ...(atMost ? { goal: { atMost } } : {}) };
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}
