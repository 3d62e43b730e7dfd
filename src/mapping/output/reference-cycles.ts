/**
 * Output values that need each other, found when the mapping is loaded.
 */
import type { Diagnostics } from '../runtime/diagnostics.ts';
import type { Plan } from './output-plan.ts';

/** `needs`: value or condition -> what it needs first. */
export function findCycles(needs: ReadonlyMap<Plan, readonly Plan[]>, findings: Diagnostics): void {
  const done = new Set<Plan>();
  const told = new Set<Plan>();
  for (const start of needs.keys()) visit(start, []);

  function visit(plan: Plan, way: readonly Plan[]): void {
    const at = way.indexOf(plan);
    if (at >= 0) tell(way.slice(at));
    if (at >= 0 || done.has(plan)) return;
    for (const next of needs.get(plan) ?? []) visit(next, [...way, plan]);
    done.add(plan);
  }

  function tell(circle: readonly Plan[]): void {
    if (circle.some((plan) => told.has(plan))) return;
    for (const plan of circle) told.add(plan);
    const names = [...circle, circle[0]!].map((plan) => `@${plan.spot.name}`).join(' -> ');
    findings.add(circle[0]!.spot.path, {
      code: 'map/cycle',
      message: `values need each other: ${names}`,
      hint: 'compute one of them from columns',
    });
  }
}
