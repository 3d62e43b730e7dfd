/**
 * Options of the engine that Node makes no promise about, so they are not on the command line: an engine without one says so
 * and goes on, with more memory or a slower start. What they do: docs/performance.md, "Memory" and "Converting".
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
setFlagsFromString('--invocation-count-for-turbofan=1000');
