#!/usr/bin/env -S node --max-semi-space-size=16 --max-old-space-size=2000 --disable-proto=throw --disallow-code-generation-from-strings --disable-sigusr1
/**
 * Start of the program: says clearly which Node it needs before anything that an older one cannot load. The options
 * above are those that Node itself promises to take; with one that it does not know it would not start at all.
 */

const NEEDED = [24, 15] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `nightpost needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'In a clone on Linux x64, "npm run nightpost -- ..." uses the Node that came with "npm ci".\n',
  );
  process.exitCode = 2;
} else {
  // Receipts, logs and the ledger hold names and amounts: no other user reads them, with any mask of the caller.
  process.umask(0o077);
  // A diagnostic report would carry the environment, hence secrets.
  process.report.excludeEnv = true;
  // Flushes that are under way at the same time share one write of the file system's journal: with the usual four
  // threads, receipts are slower. Read when the first file is opened, so it can still be set here.
  process.env.UV_THREADPOOL_SIZE ??= '40';
  await import('./v8-flags.ts');
  const { main } = await import('./command-line.ts');
  await main(process.argv);
}
