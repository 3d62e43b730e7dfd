/** Every property starts from one seed, so that a run can be repeated: SEED=123 npm test tries other cases. */
import fc from 'fast-check';

const seed = Number(process.env.SEED ?? 20261121);
if (!Number.isSafeInteger(seed)) throw new Error(`SEED has to be a whole number, not ${process.env.SEED}`);

fc.configureGlobal({ seed });
