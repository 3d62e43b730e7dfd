/** How long something takes, as people read it in every language. A number comes in, a short text comes out. */

/** Seconds as 12s, 3m07s or 2h05m; at least 1s. */
export function durationText(seconds: number): string {
  if (seconds < 1) return '1s';
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${String(Math.round(seconds % 60)).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
