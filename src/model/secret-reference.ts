/** Secrets by reference: settings name the place of a secret, never the secret itself. */
import { z } from 'zod';

/** `{ env: NAME }`, `{ file: name }` or `{ command: [program, argument...] }`. A literal text is refused. */
export const secretReference = z.union(
  [
    z.strictObject({ env: z.string().min(1) }),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({ command: z.array(z.string()).min(1) }),
  ],
  { error: 'a secret is given by reference: { env: NAME }, { file: name } or { command: [program, argument] }' },
);

export type SecretReference = z.infer<typeof secretReference>;

/** Reads the secret at each call, so that a rotated one takes effect. */
export type Reveal = (reference: SecretReference) => Promise<string>;
