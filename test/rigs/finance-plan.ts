/**
 * The plan of the finance night: 34 documents of yesterday, 660 of tonight in 8 files, 85 of which do not become
 * authorized as they are, and the answers that the services give. The same seed gives the same bytes.
 */
import type { RuleInput } from '../../src/sandbox/scenario-schema.ts';
import { CAUSES, type Cause, type Plan, RIGHT } from './finance-causes.ts';
import {
  creditNoteNumber,
  cutOff,
  type ExportFile,
  exportCreditNotes,
  exportInvoices,
  exportNavision,
  exportPayments,
  exportTickets,
  exportXml,
  invoiceNumber,
  navisionNumber,
  xmlNumber,
} from './finance-exports.ts';
import { exportNotes, noteNumber } from './finance-notes.ts';
import { type Random, randomFrom } from './random.ts';

/** The files of tonight by what they are for. */
export const FILES = {
  invoices: 'FAC_20261121.csv',
  navision: 'NAV_Sales_261121.txt',
  creditNotes: 'AVO_20261121.csv',
  xml: 'DIV_20261121.xml',
  payments: 'ENC_INT_2026-10.csv',
  notes: 'NR_20261121.csv',
  /** Cut off in transfer: refused as a whole. */
  refused: 'DIV_20261121_2.xml',
  /** The bytes of the Navision export once more. */
  duplicate: 'NAV_Sales_261121_bis.txt',
  /** Expected every night, and not there. */
  missing: 'ENC_B2C_2026-10.csv',
} as const;

export type FinanceNight = {
  readonly yesterday: readonly ExportFile[];
  readonly tonight: readonly ExportFile[];
  /** The next morning: the export that was cut off, whole, and the one that was missing. */
  readonly late: readonly ExportFile[];
  /** Rules for `nightpost sandbox --script`. */
  readonly script: readonly RuleInput[];
  /** Numbers of the documents by cause: those of the ERP, and for notes that were sent their official ones. */
  readonly numbers: { readonly [cause in Cause]: readonly string[] };
};

const YESTERDAY = { invoices: 28, notes: 6 };
/** With the 3 e-reports, one per month, these are 660. */
const TONIGHT = { invoices: 340, navision: 120, creditNotes: 24, xml: 50, notes: 123 };

export function makeFinanceNight(seed: number): FinanceNight {
  const random = randomFrom(seed);
  const invoices = planOf(random, TONIGHT.invoices, [
    ...(['short-siren', 'vat-t85', 'short-postal-code', 'exponent', 'letter-o', 'lost-answer'] as const),
    ...(['code-6-replaced', 'code-4', 'code-11'] as const),
  ]);
  const fewer = { 'code-6': 3, 'code-15': 2 } as const;
  for (const [cause, count] of Object.entries(fewer)) spread(random, invoices, TONIGHT.invoices, cause as Cause, count);
  const navision = planOf(random, TONIGHT.navision, ['unit-pal']);
  const creditNotes = planOf(random, TONIGHT.creditNotes, ['plus-sign']);
  const xml = planOf(random, TONIGHT.xml, ['xml-total']);
  const notes = notesPlan(random);
  const numbers = Object.fromEntries(Object.keys(CAUSES).map((cause) => [cause, [] as string[]])) as unknown as {
    [cause in Cause]: string[];
  };
  const note = (plan: Plan, numberOf: (n: number) => string) => {
    for (const [n, cause] of [...plan].sort(([a], [b]) => a - b)) numbers[cause].push(numberOf(n));
  };
  note(invoices, (n) => invoiceNumber(30_001 + n));
  note(navision, navisionNumber);
  note(creditNotes, creditNoteNumber);
  note(xml, (n) => xmlNumber(20_001 + n));
  note(notes, (n) => (ANSWERED.has(notes.get(n)!) ? officialNumber(n) : noteNumber(50_001 + n)));
  const whole = exportXml(random, FILES.refused, 20_101, 4, new Map());
  const navisionFile = exportNavision(random, FILES.navision, TONIGHT.navision, navision);
  return {
    yesterday: [
      exportInvoices(random, 'FAC_20261120.csv', 29_901, YESTERDAY.invoices, new Map(), '20/11/2026'),
      exportNotes(random, 'NR_20261120.csv', 49_901, YESTERDAY.notes, new Map(), '2026-11-20'),
    ],
    tonight: [
      exportInvoices(random, FILES.invoices, 30_001, TONIGHT.invoices, invoices, '21/11/2026'),
      navisionFile,
      exportCreditNotes(random, FILES.creditNotes, TONIGHT.creditNotes, creditNotes),
      exportXml(random, FILES.xml, 20_001, TONIGHT.xml, xml),
      exportPayments(FILES.payments),
      exportNotes(random, FILES.notes, 50_001, TONIGHT.notes, notes, '2026-11-21'),
      cutOff(whole),
      { name: FILES.duplicate, bytes: navisionFile.bytes },
    ],
    late: [whole, exportTickets(FILES.missing)],
    script: scriptOf(numbers),
    numbers,
  };
}

/** These are found by the service: the note has its official number by then. */
const ANSWERED: ReadonlySet<Cause> = new Set<Cause>(['code-6', 'code-15', 'lost-for-good']);

/** The ledger counts the notes that pass the checks: those that are answered come before all that do not pass. */
function notesPlan(random: Random): Map<number, Cause> {
  const plan = new Map<number, Cause>([
    [4, 'code-6'],
    [9, 'code-15'],
    [14, 'lost-for-good'],
  ]);
  for (const cause of ['unit-bulto', 'dui-without-hyphen'] as const) {
    spread(random, plan, TONIGHT.notes, cause, CAUSES[cause], 20);
  }
  return plan;
}

function officialNumber(n: number): string {
  return String(YESTERDAY.notes + n + 1);
}

function planOf(random: Random, documents: number, causes: readonly Cause[]): Map<number, Cause> {
  const plan = new Map<number, Cause>();
  for (const cause of causes) spread(random, plan, documents, cause, CAUSES[cause]);
  return plan;
}

function spread(random: Random, plan: Map<number, Cause>, documents: number, cause: Cause, count: number, from = 3) {
  for (let left = count; left > 0; left--) {
    let n = from + random.below(documents - from);
    while (plan.has(n)) n = n + 1 < documents ? n + 1 : from;
    plan.set(n, cause);
  }
}

/** The first rule that matches decides; the sandbox authorizes what no rule names. */
function scriptOf(numbers: FinanceNight['numbers']): readonly RuleInput[] {
  const [note6, note15, noteLost] = ['code-6', 'code-15', 'lost-for-good'].map((cause) =>
    numbers[cause as Cause].find((number) => /^\d+$/.test(number)),
  );
  const french = (cause: Cause) => numbers[cause].filter((number) => !/^\d+$/.test(number));
  const each = (cause: Cause, answer: RuleInput['answer'], rest: Partial<RuleInput> = {}): readonly RuleInput[] =>
    french(cause).map((number) => ({ match: { service: 'fr', number }, answer, ...rest }));
  const unregistered = `The receiver ${RIGHT.unregisteredSiren} is not in the directory. Registered: ${RIGHT.registeredSiren}`;
  const known = { code: 2, message: 'Known under this number' };
  return [
    ...each('code-6', { code: 6, message: unregistered }, { timesEach: 1 }),
    ...each('code-6-replaced', { code: 6, message: 'The purchase order of the receiver is closed' }, { timesEach: 1 }),
    ...each('code-15', { code: 15, message: 'A document with this number was received from another sender' }),
    ...each('code-4', { code: 4, message: 'Internal error, processed nothing' }, { timesEach: 1 }),
    ...each('code-11', { code: 11, message: 'Invalidated by the tax entity' }),
    ...each('lost-answer', { drop: 'after' }),
    { match: { service: 'sv', number: note6! }, answer: { code: 6, message: 'Municipio no válido' }, timesEach: 1 },
    { match: { service: 'sv', number: note15! }, answer: { code: 15, message: 'Documento ya recibido' } },
    { match: { service: 'sv', number: noteLost! }, answer: { drop: 'after' } },
    // A consultation reports on the number: it finds what the other sender has issued.
    ...french('code-15').map(
      (number): RuleInput => ({ match: { service: 'fr', act: 'consult', number }, answer: known }),
    ),
    { match: { service: 'sv', act: 'consult', number: note15! }, answer: { code: 2, message: 'Autorizado' } },
    // Taken in, and its consultation never knows it: only the pages of the service show it.
    { match: { service: 'sv', act: 'consult', number: noteLost! }, answer: { code: 18, message: 'No existe' } },
  ];
}
