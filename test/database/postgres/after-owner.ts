/** Started by a process that has PostgreSQL servers: when that process ends, so does its input here, and the servers that it left. */
import { endOrphans } from './server.ts';

const [owner] = process.argv.slice(2);
process.stdin.resume().once('end', () => void endOrphans(Number(owner)));
