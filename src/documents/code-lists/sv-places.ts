/**
 * Departments (CAT-012) and municipalities (CAT-013) of El Salvador. A municipality is known by both codes together: 23
 * is one in four departments.
 *
 * The law of municipal restructuring made 44 municipalities of 262 on 1 May 2024, under numbers that go on where those
 * of their department ended. Certified documents carry both generations.
 */
import { must } from '../../model/must.ts';
import { dictionary } from '../../text/dictionary.ts';

export const DEPARTMENTS: ReadonlyMap<string, string> = new Map([
  ['01', 'Ahuachapán'],
  ['02', 'Santa Ana'],
  ['03', 'Sonsonate'],
  ['04', 'Chalatenango'],
  ['05', 'La Libertad'],
  ['06', 'San Salvador'],
  ['07', 'Cuscatlán'],
  ['08', 'La Paz'],
  ['09', 'Cabañas'],
  ['10', 'San Vicente'],
  ['11', 'Usulután'],
  ['12', 'San Miguel'],
  ['13', 'Morazán'],
  ['14', 'La Unión'],
]);

/** First day of the 44 municipalities. */
export const RESTRUCTURED = '2024-05-01';

/** Department -> last code of the former municipalities, which run from 01, and of the current ones, which follow. */
const LAST = dictionary<readonly [former: number, today: number]>({
  '01': [12, 15],
  '02': [13, 17],
  '03': [16, 20],
  '04': [33, 36],
  '05': [22, 28],
  '06': [19, 24],
  '07': [16, 18],
  '08': [22, 25],
  '09': [9, 11],
  '10': [13, 15],
  '11': [23, 26],
  '12': [20, 23],
  '13': [26, 28],
  '14': [18, 20],
});

/** Which generation the municipality belongs to; undefined where the department never had such a one. */
export function generationOf(department: string, municipality: string): 'former' | 'today' | undefined {
  const last = LAST.get(department);
  if (!last || !/^\d\d$/.test(municipality) || municipality === '00') return undefined;
  const code = Number(municipality);
  if (code <= last[0]) return 'former';
  return code <= last[1] ? 'today' : undefined;
}

/** Codes of the municipalities that a department had on that day: "20–24". */
export function municipalitiesOf(department: string, day: string): string {
  const [former, today] = must(LAST.get(department), `department ${department}`);
  return day < RESTRUCTURED ? `01–${twoDigits(former)}` : `${twoDigits(former + 1)}–${today}`;
}

function twoDigits(code: number): string {
  return String(code).padStart(2, '0');
}
