/** Values that only this instance can make and read, for a cookie: AES-256-GCM under a key of the file of people. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

export type Sealing = {
  readonly seal: (value: object) => string;
  /** Undefined for what another key or purpose sealed, or somebody changed. */
  readonly open: (sealed: string) => unknown;
};

/** `purpose` keeps the values of one use apart from those of another. */
export function createSealing(key: string, purpose: string): Sealing {
  const own = Buffer.from(hkdfSync('sha256', key, '', `nightpost ${purpose}`, 32));
  return {
    seal: (value) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, own, nonce);
      const sealed = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
    },
    open: (sealed) => {
      try {
        const bytes = Buffer.from(sealed, 'base64url');
        const decipher = createDecipheriv(CIPHER, own, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return JSON.parse(Buffer.concat(text).toString('utf8'));
      } catch {
        return undefined;
      }
    },
  };
}
