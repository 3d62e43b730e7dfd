/** A selector as conditions of SQL over an entry `e` and its present revision `r`. */
import { type Cause, type CellCause, readCause } from '../../model/cause.ts';
import { NOT_PASSED, type Selector } from '../../model/ledger-entry.ts';
import type { DatabaseValue } from '../database/database-driver.ts';

/** A change of the state after the decision ends it. */
const IS_CLOSED = '(e.closed IS NOT NULL AND e.closed_since = e.since)';

export type Condition = { readonly where: string; readonly values: readonly DatabaseValue[] };

/** One condition, or one per id: the result is every entry that any of them finds. */
export function selectorConditions(selector: Selector): readonly Condition[] {
  const common = commonCondition(selector);
  if (!selector.ids) return [common];
  return selector.ids.map((id) => ({
    where: `(e.id = ? OR e.identifier = ? OR e.name = ?) AND ${common.where}`,
    values: [id, id, id, ...common.values],
  }));
}

function commonCondition({ states, service, mapping, run, file, cause, since, warnings, closed }: Selector): Condition {
  const parts: Condition[] = [{ where: `e.state <> 'staged'`, values: [] }];
  const add = (where: string, ...values: DatabaseValue[]) => parts.push({ where, values });
  if (states) add(states.length > 0 ? `e.state IN (${states.map(() => '?').join(', ')})` : '1 = 0', ...states);
  if (service !== undefined) add('e.service = ?', service);
  if (mapping !== undefined) {
    add('EXISTS (SELECT 1 FROM source_file f WHERE f.id = r.file AND f.mapping_id = ?)', mapping);
  }
  if (run !== undefined) {
    const taken = 'EXISTS (SELECT 1 FROM source_file f WHERE f.id = r.file AND f.run = ?)';
    const tried = 'EXISTS (SELECT 1 FROM attempt a WHERE a.entry = e.id AND a.run = ?)';
    add(`(${taken} OR e.begun_run = ? OR ${tried})`, run, run, run);
  }
  if (file !== undefined) add('r.file = ?', file);
  if (cause !== undefined) {
    const { where, values } = causeCondition(readCause(cause));
    add(where, ...values);
  }
  if (since !== undefined) add('e.since >= ?', Date.parse(since));
  if (closed) add(IS_CLOSED);
  if (warnings) {
    const passed = `e.state NOT IN (${NOT_PASSED.map(() => '?').join(', ')})`;
    add(`${passed} AND r.faults LIKE '%"level":"warning"%'`, ...NOT_PASSED);
  }
  return { where: parts.map(({ where }) => where).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** Faults, holds and evidence are JSON text: quotes inside of values are escaped there, so the match is whole. */
function causeCondition(cause: Cause): Condition {
  if (cause.of === 'person') {
    return { where: `((e.state = 'invalid' AND e.evidence LIKE '%"as":"invalid"%') OR ${IS_CLOSED})`, values: [] };
  }
  if (cause.of === 'answer') {
    return { where: '(e.service = ? AND CAST(e.code AS TEXT) = ?)', values: [cause.service, cause.code] };
  }
  const fault = `r.faults LIKE ? ESCAPE '\\'`;
  if (cause.of === 'cell') return cellCondition(cause, fault);
  if (cause.mark) {
    const { file, line } = cause.mark;
    const mark = `%"mark":{"file":${escaped(file)},"line":${line},%`;
    return { where: `(${fault} AND ${fault})`, values: [has('code', cause.code), mark] };
  }
  return {
    where: `(CAST(e.code AS TEXT) = ? OR ${fault} OR e.hold LIKE ? ESCAPE '\\')`,
    values: [cause.code, has('code', cause.code), `{"rule":${escaped(cause.code)}%`],
  };
}

/** Holds for every document of the cause, and for some others: its parts may be in several faults (`hasCellCause`). */
function cellCondition({ code, mapping, column, value }: CellCause, fault: string): Condition {
  const parts = Object.entries({ code, column, given: value }).filter(([, text]) => text !== undefined);
  const where = parts.map(() => fault);
  const values = parts.map(([name, text = '']) => has(name, text));
  if (mapping !== undefined) {
    where.push('EXISTS (SELECT 1 FROM source_file f WHERE f.id = r.file AND f.mapping_id = ?)');
    values.push(mapping);
  }
  return { where: `(${where.join(' AND ')})`, values };
}

function has(name: string, value: string): string {
  return `%"${name}":${escaped(value)}%`;
}

function escaped(value: string): string {
  return JSON.stringify(value).replace(/[\\%_]/g, '\\$&');
}
