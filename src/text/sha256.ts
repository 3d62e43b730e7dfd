/**
 * SHA-256, named in one place: of what is in memory, or begun here and fed piece by piece. Always as lower-case hex.
 */
import { createHash, type Hash, hash } from 'node:crypto';

export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** For content that is never in memory as a whole: `update` with each piece, then `digest('hex')`. */
export function beginSha256(): Hash {
  return createHash('sha256');
}
