import { defineConfig } from 'vitest/config';

/** Their files leave nothing behind in the process, so that they share one: each process of its own loads all modules. */
const SHARING = [
  'delivery',
  'documents',
  'inbox',
  'infer',
  'mapping',
  'model',
  'reading',
  'receipts',
  'sandbox',
  'wire',
];
const shared = SHARING.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
    setupFiles: ['test/seed.ts'],
    testTimeout: 90_000 * Math.max(1, Number(process.env.LONG ?? 1)),
    hookTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default'],
  },
});
