/** Reads an export into a new instance and ends: folder and number of documents come in, the environment goes out. */
import { describeSandbox } from '../src/sandbox/describe.ts';
import { startSandbox } from '../src/sandbox/sandbox-server.ts';
import { admitted } from './evening.ts';

const [folder = '', size = '0'] = process.argv.slice(2);
const sandbox = await startSandbox({ validate: false });
const described = describeSandbox(sandbox);
await admitted(folder, Number(size), described);
await sandbox.close();
process.send?.(described.environment, () => process.disconnect());
