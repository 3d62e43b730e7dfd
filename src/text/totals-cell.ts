/** Cells of a row in; the one that says that the row holds a total out. */

const TOTAL =
  /^(?:(?:sous|grand|sub|general)[\s-]*)?(?:tota(?:l|ux|les)|somme|suma|sum|cumul)(?:[\s:.]|general|generaux|ht|ttc|tva|net|eur|\d|factures?|documents?|invoices?)*$/;

/** Index of the cell with "Total" or its like; undefined for any other row. */
export function totalsCell({ cells }: { readonly cells: readonly string[] }): number | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '').length;
  if (filled === 0 || filled * 2 > cells.length) return undefined;
  const at = cells.findIndex((cell) => cell.length <= 40 && TOTAL.test(plain(cell)));
  return at < 0 ? undefined : at;
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
