import { existsSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Their files leave nothing behind in the process, so that they share one: each process of its own loads all modules. */
const UNIT = ['documents', 'i18n', 'infer', 'mapping', 'model', 'oracles', 'readers', 'receipts', 'sandbox', 'wire'];
/** They replace modules, or leave short secrets behind that are scrubbed from then on: each in a process of its own. */
const rigs = [
  ...['test/security/secrets.test.ts', 'test/{crash,secrets}.test.ts', 'test/rigs/nth-failure.test.ts'],
  'test/inbox/{claim-on-share,moved-meanwhile}.test.ts',
];
/** They share one PostgreSQL server, which is made for them. */
const POSTGRES = ['test/{database,ledger}/postgres/**/*.test.ts'];
/** What both engines have to do: the rest of PostgreSQL takes its time. */
const CONTRACT = ['test/ledger/postgres/postgres.test.ts', 'test/database/postgres/driver.test.ts'];
/** Stops, faults, restored folders, other accounts, foreign corpora, the package, PostgreSQL, and what takes long: `npm run test:long`. */
const LONG = [
  ...filesOf(['bench', 'build', 'corpora', 'faults', 'fuzz', 'rigs', 'security']),
  'test/{copied-folders,crash,kill,package,recovery,samples,secrets}.test.ts',
  'test/{documents/long-documents,readers/xml-bounds,readers/xlsx/xlsx-damage,pages/dossier-parts}.test.ts',
  'test/{authoring/schema,cli/bulk-fix,cli/live-line,cli/report-cut,cli/runs,views/reporting/set-clock}.test.ts',
  'test/ledger/{crash,made-at-once}.test.ts',
  'test/pipeline/{intake/files-that-end-the-program,intake/ingest-small-files,intake/internal-errors}.test.ts',
  'test/pipeline/{admission/number-spelling,intake/open-handles,sources/archive-stop,sources/attachments-stop}.test.ts',
  'test/pipeline/reprocessing/{content-of-revision,corrected-copies,corrections-kinds,corrections-workbook}.test.ts',
  'test/pipeline/reprocessing/{given-back,moved-cells,set-aside-rows}.test.ts',
  'test/pipeline/{service-state/asked-to-wait,service-state/rate-controller}.test.ts',
  'test/pipeline/submission/{consultation-rate,sending-while-reading}.test.ts',
  'test/{decisions/requests/requests,decisions/requests/requests-cut,views/preview/infer}.test.ts',
  'test/maintenance/{purge-histories,purge-stopped,purge-units,restore*}.test.ts',
];
/** They need Chromium, a second program or every page, and their time: `npm run test:browser`. */
const BROWSER = [
  ...['access', 'browser-sign-in', 'document', 'documents', 'every-screen', 'files', 'gallery', 'health', 'home'],
  ...['keyboard', 'people', 'report-page', 'roles', 'runs', 'slow-clients', 'studio', 'work'],
];
/** `WITHOUT="FILE FILE" npm run test:long`: they run in another way. */
const without = process.env.WITHOUT?.split(' ') ?? [];
const browser = BROWSER.map((name) => `test/console/${name}.test.ts`);
const unit = [...filesOf(UNIT), 'test/{ladder,figures,config,mappings,empty-notes,fault-codes,reliability}.test.ts'];

function filesOf(folders: readonly string[]): string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}

function postgres(name: string, include: string[], exclude: string[] = []) {
  const globalSetup = 'test/database/postgres/global-setup.ts';
  return { extends: true as const, test: { name, include, exclude, globalSetup, isolate: false } };
}

/** Starts of the program run what is published. */
const globalSetup = ['test/built-program.ts'];

/**
 * A program that stops loses nothing that it wrote, flushed or not: for what tests write, memory shows the same as a
 * disk, faster. Containers have only a little of it.
 */
function temporaryFolder(): { readonly TMPDIR?: string } {
  const memory = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return {};
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? { TMPDIR: memory } : {};
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: [...unit], exclude: LONG, isolate: false } },
      {
        extends: true,
        test: { name: 'long', include: LONG, exclude: [...rigs, ...without], globalSetup, isolate: false },
      },
      { extends: true, test: { name: 'long-alone', include: rigs, exclude: without, globalSetup } },
      {
        extends: true,
        test: {
          name: 'integration',
          globalSetup,
          include: ['test/**/*.test.ts'],
          exclude: [...unit, ...LONG, ...rigs, ...browser, ...POSTGRES],
          isolate: false,
        },
      },
      postgres('postgres', CONTRACT),
      postgres('long-postgres', POSTGRES, CONTRACT),
      { extends: true, test: { name: 'browser', include: browser, isolate: false, globalSetup } },
    ],
    env: temporaryFolder(),
    setupFiles: ['test/seed.ts'],
    testTimeout: 90_000 * Math.max(1, Number(process.env.LONG ?? 1)),
    hookTimeout: 30_000,
    // A fact that has to come, however busy the machine is: only a failure waits so long.
    expect: { poll: { timeout: 60_000, interval: 25 } },
    // One more than a small machine has cores: many tests wait for a service, a signal or an interval.
    maxWorkers: 3,
    reporters: ['default'],
  },
});
