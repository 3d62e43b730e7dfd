/**
 * Input: a statement as the ledger has it for every engine. Output: the same for PostgreSQL. Few words differ: `?` is `$1`,
 * `instr` of SQLite is `strpos`, and two hints for its planner are no words of PostgreSQL: `CROSS JOIN` for the order of a
 * join that has a condition, and a plus before a column that no index is to be used for.
 */
const PARTS = /'(?:[^']|'')*'|\?|\binstr\(|\bCROSS JOIN\b|(?<=[\s(])\+(?=[a-z])/g;

export function postgresText(sql: string): string {
  let places = 0;
  return sql.replace(PARTS, (part) => {
    if (part === '?') return `$${++places}`;
    if (part === 'instr(') return 'strpos(';
    if (part === 'CROSS JOIN') return 'JOIN';
    return part === '+' ? '' : part;
  });
}
