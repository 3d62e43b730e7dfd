/** Secrets by reference: settings name where a secret lies, never the secret itself. */
import { z } from 'zod';

/** Begins what is said about a secret that is not given by reference. */
export const SECRET_BY_REFERENCE = 'a secret is given by reference';

/** `{ env: NAME }`, `{ file: name }` or `{ command: [program, argument...] }`. A literal text is refused. */
export const secretReference = z.union(
  [
    z.strictObject({ env: z.string().min(1) }),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
  ],
  { error: `${SECRET_BY_REFERENCE}: { env: NAME }, { file: name } or { command: [program, argument] }` },
);

export type SecretReference = z.infer<typeof secretReference>;

/** Reads the secret anew at each call, so that a rotated one is picked up. */
export type Reveal = (reference: SecretReference) => Promise<string>;
