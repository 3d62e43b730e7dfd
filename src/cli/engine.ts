/**
 * An option of the engine that Node makes no promise about, so it is not on the command line: an engine without it says so
 * and goes on, with more memory. What it does: docs/performance.md, "Memory".
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
