/**
 * The imitated services in a process of their own: latency comes in, the settings of a client go out as a message. Asked
 * later, it says how many documents it accepted, and how many requests they came with.
 */
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { startSandbox } from '../../src/sandbox/sandbox-server.ts';

const sandbox = await startSandbox({ validate: false, latencyMs: Number(process.argv[2]) });
process.once('disconnect', () => void sandbox.close());
process.on('message', () => {
  const accepted = sandbox.acceptances();
  process.send?.({ documents: accepted.length, requests: accepted.reduce((sum, one) => sum + one.requests, 0) });
});
process.send?.(describeSandbox(sandbox));
