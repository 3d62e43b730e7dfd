/** The imitated services in a process of their own: latency comes in, the settings of a client go out as a message. */
import { describeSandbox } from '../src/sandbox/describe.ts';
import { startSandbox } from '../src/sandbox/sandbox-server.ts';

const sandbox = await startSandbox({ validate: false, latencyMs: Number(process.argv[2]) });
process.once('disconnect', () => void sandbox.close());
process.send?.(describeSandbox(sandbox));
