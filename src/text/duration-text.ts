/** How long something takes, as people read it: the symbols are the same in every language. A number comes in, a short text comes out. */

const [MINUTE, HOUR] = [60, 3600];
/** It keeps a number with its unit in one line. */
const NO_BREAK = '\u00a0';

/** Seconds as 12 s, 3 min 07 s or 2 h 05 min, rounded; at least 1 s. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < MINUTE) return parts([whole, 's']);
  if (whole < HOUR) return parts([Math.floor(whole / MINUTE), 'min'], [whole % MINUTE, 's']);
  const minutes = Math.round(whole / MINUTE);
  return parts([Math.floor(minutes / MINUTE), 'h'], [minutes % MINUTE, 'min']);
}

/** Between two instants (ISO 8601); empty without an end. */
export function durationBetween(from: string, to: string | undefined): string {
  return to === undefined ? '' : durationText((Date.parse(to) - Date.parse(from)) / 1000);
}

function parts(...all: readonly (readonly [count: number, unit: string])[]): string {
  return all
    .map(([count, unit], n) => [String(count).padStart(n === 0 ? 1 : 2, '0'), unit].join(NO_BREAK))
    .join(NO_BREAK);
}
