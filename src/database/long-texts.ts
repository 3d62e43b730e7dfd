/**
 * Columns with an index whose texts are what a cell had, however long. PostgreSQL has an index of their beginnings, because it
 * refuses rows of an index above 2.7 KB; a statement that looks for one of them has both conditions. Pure.
 */

/** In characters, of four bytes at most. */
const LENGTH = 600;

const start = (text: string) => `substr(${text}, 1, ${LENGTH})`;

/** What an index on PostgreSQL has in place of the column. */
export const STARTS = { identifier: start('identifier'), receiver: start('receiver') } as const;

/** The condition of a statement next to that of the whole text, which it takes as a value of its own. */
export const START = {
  identifier: `${STARTS.identifier} = ${start('?')}`,
  receiver: `${STARTS.receiver} = ${start('?')}`,
} as const;
