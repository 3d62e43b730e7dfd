/**
 * Output values that need each other, found when the mapping is loaded.
 */
import { FORMULA_NAMES } from '../../i18n/messages/mapping-messages.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import type { Plan } from './output-plan.ts';

/** Adds `map/cycle` for each circle. `needs`: value or condition -> the values that have to be known before it. */
export function findCycles(needs: ReadonlyMap<Plan, readonly Plan[]>, findings: Diagnostics): void {
  const done = new Set<Plan>();
  const reported = new Set<Plan>();
  for (const start of needs.keys()) visit(start, []);

  function visit(plan: Plan, path: readonly Plan[]): void {
    const at = path.indexOf(plan);
    if (at >= 0) report(plan, path.slice(at));
    if (at >= 0 || done.has(plan)) return;
    for (const next of needs.get(plan) ?? []) visit(next, [...path, plan]);
    done.add(plan);
  }

  function report(first: Plan, circle: readonly Plan[]): void {
    if (circle.some((plan) => reported.has(plan))) return;
    for (const plan of circle) reported.add(plan);
    const names = [...circle, first].map(({ location }) => `@${location.name}`).join(' -> ');
    findings.add(first.location.path, {
      code: 'map/cycle',
      message: FORMULA_NAMES.outputCycle({ names }),
      hint: FORMULA_NAMES.calculateFromColumns(),
    });
  }
}
