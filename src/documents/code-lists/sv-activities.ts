/**
 * Economic activities (CAT-019) follow the international classification ISIC, revision 4: the first two digits are its
 * division. The codes below the divisions are not listed here, because the public transcriptions of the catalogue
 * differ and each lacks some.
 */
const DIVISIONS: readonly (readonly [from: number, to: number])[] = [
  ...[
    [1, 3],
    [5, 9],
    [10, 33],
    [35, 39],
    [41, 43],
    [45, 47],
    [49, 53],
  ],
  ...[
    [55, 56],
    [58, 66],
    [68, 75],
    [77, 82],
    [84, 88],
    [90, 99],
  ],
] as [number, number][];

/** Whether the code of an activity, of any length, begins with a division. */
export function isDivision(activity: string): boolean {
  const division = Number(activity.slice(0, 2));
  return DIVISIONS.some(([from, to]) => division >= from && division <= to);
}
