/** A condition is true or false, and empty counts as false: in `keep`, `when` and `that` alike, whatever its formula gives. */
import { describe, expect, test } from 'vitest';
import { convert, findingsOf, loaded } from './world.ts';

const mappingWith = (condition: string, place: 'keep' | 'when' | 'that') => `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv }
tables: { t: { yes: true, no: false, word: faux, zero: 0, one: 1 } }
calculated-columns: { ok: { from: code, table: t } }
documents: { one-per: k, class: invoice${place === 'keep' ? `, keep: '${condition}'` : ''} }
output:
  document: { identifier: $k }
  notes: [{ content: $k${place === 'when' ? `, when: '${condition}'` : ''} }]
checks: [{ that: '${place === 'that' ? condition : '1 = 1'}', else: error, say: no }]
`;

/** `kept`, `dropped`, or the codes of the faults. */
function outcome(place: 'keep' | 'when' | 'that', condition: string, code: string): string {
  const results = convert(loaded(mappingWith(condition, place)), `k;code\nA;${code}`);
  const codes = results.flatMap(({ faults }) => faults.map((fault) => fault.code));
  if (codes.length > 0) return codes.includes('map/check-failed') ? 'dropped' : codes.join();
  const [only] = results;
  return only && (place !== 'when' || 'notes' in (only.json as object)) ? 'kept' : 'dropped';
}

const CONDITIONS = ['= $ok', 'COALESCE($ok, "")', 'IF($k = "A", $ok, 1)'];

describe.each(['keep', 'when', 'that'] as const)('%s', (place) => {
  test.each(CONDITIONS)('%s', (condition) => {
    const outcomes = ['yes', 'no', '', 'word', 'zero', 'one'].map((code) => outcome(place, condition, code));
    expect(outcomes).toEqual(['kept', 'dropped', 'dropped', ...Array(3).fill('map/wrong-kind')]);
  });

  test('a formula that never gives true or false is found by check', () => {
    expect(findingsOf(mappingWith('$k', place))).toEqual([expect.stringContaining('map/not-a-condition')]);
  });
});

/** The export writes one sentence for a difference, whatever its size. */
const CHECKS = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv, columns: { net: number } }
documents: { one-per: k, class: invoice }
output: { document: { identifier: $k }, totals: { final-amount: = SUM($net) } }
checks:
`;

test.each([
  ['warning', 'error'],
  ['error', 'warning'],
  ['error', 'error'],
])('two checks with the same words, one a %s and one an %s: the document is refused', (first, second) => {
  const checks = [first, second].map((level) => `  - { that: = SUM($net) < 5, else: ${level}, say: Total differs }\n`);
  const [only] = convert(loaded(CHECKS + checks.join('')), 'k;net\nA;9');
  expect(only?.faults.map(({ code, level }) => `${level} ${code}`)).toEqual(['error map/check-failed']);
});
