/** Who may import whom in src/: the table that the ladder test holds the sources against, and that docs/diagrams/ draws. */

/** What everything may stand on; each may import those before it. */
export const FOUNDATIONS = ['i18n', 'text', 'model', 'yaml', 'files'];
export const STAGES = ['inbox', 'readers', 'mapping', 'documents', 'ledger', 'delivery', 'receipts'];
const BELOW_PIPELINE = [...FOUNDATIONS, ...STAGES, 'infer', 'countries', 'catalogue.ts', 'instance'];

/** Folder (or top-level file) -> what it may import besides itself: a folder, or a room in it. Types count. */
export const MAY_IMPORT: { readonly [from: string]: readonly string[] } = {
  ...Object.fromEntries(FOUNDATIONS.map((name, n) => [name, FOUNDATIONS.slice(0, n)])),
  ...Object.fromEntries(STAGES.map((stage) => [stage, FOUNDATIONS])),
  infer: [...FOUNDATIONS, 'readers', 'mapping'],
  countries: [...FOUNDATIONS, 'documents', 'delivery'],
  'catalogue.ts': [...FOUNDATIONS, ...STAGES, 'countries'],
  instance: [...FOUNDATIONS, ...STAGES, 'catalogue.ts'],
  pipeline: BELOW_PIPELINE,
  pages: [...FOUNDATIONS, 'pipeline'],
  notices: [
    ...FOUNDATIONS,
    ...['pipeline', 'pages', 'instance', 'ledger/contract', 'search/ledger-changes.ts'],
    'delivery/connection-words.ts',
  ],
  authoring: [...BELOW_PIPELINE, 'pipeline'],
  doctor: [...BELOW_PIPELINE, 'pipeline', 'authoring', 'notices'],
  reference: [...BELOW_PIPELINE, 'pipeline'],
  sandbox: [...FOUNDATIONS, 'documents'],
  console: [
    ...FOUNDATIONS,
    ...['pipeline', 'pages', 'notices', 'instance', 'catalogue.ts', 'authoring', 'doctor', 'reference'],
    ...['ledger/contract', 'search', 'receipts/receipt-schema.ts'],
  ],
  cli: [
    ...FOUNDATIONS,
    ...[
      'pipeline',
      'pages',
      'notices',
      'console',
      'instance',
      'catalogue.ts',
      'authoring',
      'doctor',
      'reference',
      'sandbox',
      'ledger/contract',
    ],
  ],
};
