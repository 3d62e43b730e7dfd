/** Amounts in whole units of their last decimal, so that an export has the totals that every program calculates. */

/** 12.5 with three decimals is 12500. */
export function units(text: string, decimals: number): number {
  return Math.round(Number(text.replaceAll(/[\s\u00a0]/g, '').replace(',', '.')) * 10 ** decimals);
}

/** Half up, away from zero, as ROUND of a mapping. */
export function rounded(value: number, by: number): number {
  return Math.sign(value) * Math.floor((Math.abs(value) + by / 2) / by);
}

/** With a decimal point. */
export function decimal(value: number, decimals: number): string {
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Net and gross of lines in cents: tax is calculated once for each rate, in tenths of a percent. */
export function totalsOf(lines: readonly { readonly net: number; readonly rate: number }[]): {
  net: number;
  gross: number;
} {
  const nets = new Map<number, number>();
  for (const { net, rate } of lines) nets.set(rate, (nets.get(rate) ?? 0) + net);
  const net = lines.reduce((sum, line) => sum + line.net, 0);
  const tax = [...nets].reduce((sum, [rate, base]) => sum + rounded(base * rate, 1000), 0);
  return { net, gross: net + tax };
}
