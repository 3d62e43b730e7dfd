/** Random numbers of the whole process from one seed: ids, tokens, pauses. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type Random, randomFrom } from '../../rigs/random.ts';

const MANY = 4096;
let random: Random = randomFrom(1);

export function restartChance(seed: number): void {
  random = randomFrom(seed);
}

function bytes(size: number): Buffer {
  const found = Buffer.allocUnsafe(size);
  // A file of reserve is as large as it is unread.
  if (size > MANY) return found.fill(random.below(256));
  for (let at = 0; at < size; at++) found[at] = random.below(256);
  return found;
}

function uuid(): string {
  const hex = bytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function takeOverChance(): void {
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes });
  Math.random = () => random.next();
  syncBuiltinESMExports();
}
