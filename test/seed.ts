/**
 * Every property starts from one seed, so that a run can be repeated: SEED=123 npm test tries other cases, LONG=50
 * fifty times as many of them.
 */
import fc from 'fast-check';

/** Of this run. */
export const seed = Number(process.env.SEED ?? 20261121);
if (!Number.isSafeInteger(seed)) throw new Error(`SEED has to be a whole number, not ${process.env.SEED}`);
const long = Number(process.env.LONG ?? 1);
if (!(long > 0)) throw new Error(`LONG has to be a number above 0, not ${process.env.LONG}`);

fc.configureGlobal({ seed });

/** How often a property is tried. */
export function runs(times: number): number {
  return Math.ceil(times * long);
}
