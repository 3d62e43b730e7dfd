/** Who may import whom in src/: the tables that the ladder test holds the sources against, and that docs/diagrams/ draws. */

/** What everything may stand on; each may import those before it. */
export const FOUNDATIONS = ['i18n', 'text', 'model', 'yaml', 'files'];
export const STAGES = ['inbox', 'readers', 'mapping', 'documents', 'ledger', 'delivery', 'receipts'];
const BELOW_PIPELINE = [...FOUNDATIONS, ...STAGES, 'catalogue.ts', 'instance'];
/** What shows a night, from its documents to its figures. */
const SHOWING = ['search', 'verify', 'views'];
const AROUND_PIPELINE = ['pipeline', ...SHOWING, 'decisions', 'runs'];

/** Folder (or top-level file) -> what it may import besides itself: a folder, or a room in it. Types count. */
export const MAY_IMPORT: { readonly [from: string]: readonly string[] } = {
  ...Object.fromEntries(FOUNDATIONS.map((name, n) => [name, FOUNDATIONS.slice(0, n)])),
  database: FOUNDATIONS,
  ...Object.fromEntries(STAGES.map((stage) => [stage, FOUNDATIONS])),
  ledger: [...FOUNDATIONS, 'database'],
  search: [...FOUNDATIONS, 'database', 'ledger'],
  infer: [...FOUNDATIONS, 'readers', 'mapping'],
  countries: [...FOUNDATIONS, 'documents', 'delivery'],
  'catalogue.ts': [...FOUNDATIONS, ...STAGES, 'countries'],
  instance: [...FOUNDATIONS, ...STAGES, 'catalogue.ts'],
  pipeline: [...BELOW_PIPELINE, 'database/folded-key.ts'],
  verify: [...BELOW_PIPELINE, 'pipeline'],
  views: [...BELOW_PIPELINE, 'pipeline', 'verify', 'search', 'infer'],
  decisions: [...BELOW_PIPELINE, 'pipeline', 'views/queries'],
  runs: [...BELOW_PIPELINE, ...AROUND_PIPELINE],
  maintenance: [...BELOW_PIPELINE, ...AROUND_PIPELINE, 'database'],
  pages: [...FOUNDATIONS, 'views'],
  notices: [
    ...FOUNDATIONS,
    ...['pipeline', 'views', 'runs', 'pages', 'instance', 'ledger/contract', 'search/ledger-changes.ts'],
    'delivery/connection-words.ts',
  ],
  authoring: [...BELOW_PIPELINE, 'countries', 'pipeline', 'views'],
  doctor: [...BELOW_PIPELINE, 'database', ...AROUND_PIPELINE, 'authoring', 'notices'],
  reference: BELOW_PIPELINE,
  sandbox: [...FOUNDATIONS, 'documents'],
  console: [
    ...[...FOUNDATIONS, ...AROUND_PIPELINE],
    ...['pages', 'notices', 'instance', 'catalogue.ts', 'authoring', 'doctor', 'reference'],
    ...['ledger/contract', 'receipts/receipt-schema.ts'],
  ],
  cli: [
    ...[...FOUNDATIONS, ...AROUND_PIPELINE, 'maintenance'],
    ...['pages', 'notices', 'console', 'instance', 'catalogue.ts', 'authoring', 'doctor', 'reference', 'sandbox'],
    'ledger/contract',
  ],
};

/** What a folder may not import of all that: views never write, decisions never send. */
export const NEVER_IMPORTS: { readonly [from: string]: readonly string[] } = {
  views: [
    ...[
      'files/write-durable.ts',
      'files/fsync-directory.ts',
      'delivery',
      'pipeline/submission',
      'pipeline/service-state',
    ],
    ...['pipeline/answers', 'ledger/intake', 'ledger/submission', 'ledger/records', 'ledger/engine'],
    ...['ledger/open-ledger.ts', 'ledger/replace-ledger.ts'],
  ],
  decisions: ['delivery', 'pipeline/submission/send-due.ts', 'pipeline/publishing'],
};
