/** Starts a rig once the program is built as it is published: what starts the program looks for that as it is loaded. */
import buildProgram from '../built-program.ts';

await buildProgram();
await import('./main.ts');
