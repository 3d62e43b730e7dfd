/** Values whose presence the code before has made certain. */

/** The value; throws an Error that names `what` if it is absent, which is a defect of the program and never of the data. */
export function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing`);
  return value;
}
