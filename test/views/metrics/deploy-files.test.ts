/** The alert rules and the dashboard of deploy/: they ask for metrics, labels and states that there are, and promtool takes them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { STATE_NAMES, stateInfo } from '../../../src/model/state.ts';
import { exposition } from '../../../src/views/metrics/exposition.ts';
import { METRICS, type MetricEntry, type MetricName } from '../../../src/views/metrics/metric-list.ts';
import type { Sample, Samples } from '../../../src/views/metrics/read-metrics.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly [name: string]: string };
};
type Dashboard = {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};
type Tests = {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }[];
};

const rules = (parse(read('nightpost-alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const panels = (JSON.parse(read('nightpost-dashboard.json')) as Dashboard).panels;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Names with the labels that select their series; a histogram by its parts. */
function selected(expr: string) {
  return [...expr.matchAll(/nightpost_([a-z_]+?)(?:_(bucket|sum|count))?(?=[^a-z_]|$)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', part, labels = '']) => ({
      name: part && !(`${name}_${part}` in METRICS) ? name : [name, part].filter(Boolean).join('_'),
      labels: [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']) => ({ label, value })),
    }),
  );
}

test('rules and dashboard ask for known metrics, labels and states alone', () => {
  const list: { readonly [name: string]: MetricEntry } = METRICS;
  for (const one of expressions.flatMap(selected)) {
    expect(list[one.name], one.name).toBeDefined();
    for (const { label, value } of one.labels) {
      if (label !== 'instance') expect(list[one.name]!.labels).toContain(label);
      if (label === 'state') expect(STATE_NAMES).toEqual(expect.arrayContaining(value.split('|')));
    }
  }
  // The count of what waits is that of the states in which a person acts.
  const waits = panels.find(({ title }) => title === 'Waits for people')!;
  const states = /state=~"([^"]*)"/.exec(waits.targets[0]!.expr)![1]!.split('|');
  const ofPeople = STATE_NAMES.filter((state) => ['finance', 'support', 'admin'].includes(stateInfo(state).actor));
  expect(states.sort()).toEqual([...ofPeople].sort());
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

test('each rule says what to do, names a page that there is, and has a test in which it fires and one in which it does not', () => {
  const tests = (parse(read('nightpost-alerts.test.yml')) as Tests).tests.flatMap((one) => one.alert_rule_test);
  for (const { alert, annotations } of rules) {
    expect(annotations.summary).toBeTruthy();
    for (const [page] of annotations.action!.matchAll(/docs\/[\w/-]+\.md/g))
      expect(() => readFileSync(join(DEPLOY, '..', page))).not.toThrow();
    const outcomes = tests
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length > 0);
    expect([alert, outcomes.includes(true), outcomes.includes(false)]).toEqual([alert, true, true]);
  }
});

/** With TORTURE=1, as .ci/run has it. */
const hasPromtool = process.env.TORTURE === '1' && spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('promtool takes the rules, their tests and a scrape', async () => {
  const promtool = (args: readonly string[], input?: string) =>
    execFileSync('promtool', args, { cwd: DEPLOY, encoding: 'utf8', ...(input === undefined ? {} : { input }) });
  expect(promtool(['check', 'rules', 'nightpost-alerts.yml'])).toContain(`${rules.length} rules found`);
  expect(promtool(['test', 'rules', 'nightpost-alerts.test.yml'])).toContain('SUCCESS');
  const times = { buckets: METRICS.submit_seconds.buckets.map(() => 1), sum: 1, count: 2 };
  const values: Samples = new Map<MetricName, Sample[]>([
    ['documents', [{ labels: { service: 'fr', state: 'ready' }, value: 1 }]],
    ['export_age_seconds', [{ labels: { expect: 'a "b"\n\\' }, value: 0.5 }]],
    ['submit_seconds', [{ labels: { service: 'fr' }, value: times }]],
    ['submissions_total', [{ labels: { service: 'fr', outcome: 'authorized' }, value: 2 }]],
  ]);
  expect(promtool(['check', 'metrics'], exposition(values))).toBe('');
});
