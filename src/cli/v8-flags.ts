/**
 * Options of the engine before the program is loaded: an option that Node makes no promise about, so it is not on the
 * command line (an engine without it says so and goes on, with more memory; docs/explanation/performance.md, "Memory"),
 * and where it keeps compiled code from one start to the next.
 */
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { cacheFolder } from './session/compile-cache-folder.ts';

setFlagsFromString('--no-allocation-site-pretenuring');

const folder = cacheFolder(process.env);
if (folder !== undefined) enableCompileCache(folder);
