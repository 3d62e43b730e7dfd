/**
 * The program as src/cli/main.ts starts it, loaded ahead of its turn: it does nothing until a message brings its
 * arguments, and says its process id. So a rig that kills it hundreds of times waits for work, not for modules.
 */
import { flushCompileCache } from 'node:module';
import { createProgram, runCommandLine } from '../../src/cli/command-line.ts';

await createProgram();
process.once('message', (args: string[]) => {
  // It lives no longer than its rig, nor for the rig alone.
  process.once('disconnect', () => process.exit());
  process.channel?.unref();
  void runCommandLine(['node', 'nightpost', ...args]);
});
// A process that is killed never writes its cache.
flushCompileCache();
process.send?.(process.pid);
