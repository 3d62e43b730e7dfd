/**
 * Works on several rows at once, each to its end also after another one has failed: what a work asks after its transaction was undone
 * would be part of the next one. Throws the first failure.
 */
export async function toTheirEnd<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  const ended = await Promise.allSettled(works);
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
