import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 90_000 * Math.max(1, Number(process.env.LONG ?? 1)),
    hookTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default'],
  },
});
