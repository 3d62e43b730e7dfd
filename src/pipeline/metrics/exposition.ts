/**
 * Writes samples in the text format of Prometheus (version 0.0.4). Samples come in, the text comes out, with the metrics in
 * the order of their list. Throws for a label that the list does not have: a defect of the program.
 */
import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { Distribution } from '../../ledger/search/ledger-sums.ts';
import { METRIC_PREFIX, METRICS, type MetricEntry, type MetricName } from './metric-list.ts';
import type { Sample, Samples } from './read-metrics.ts';

/** The media type of the text. */
export const EXPOSITION_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export async function exposition(samples: Samples): Promise<string> {
  const registry = new Registry();
  for (const [name, entry] of Object.entries(METRICS) as [MetricName, MetricEntry][]) {
    register(registry, `${METRIC_PREFIX}${name}`, entry, samples.get(name) ?? []);
  }
  return await registry.metrics();
}

function register(registry: Registry, name: string, entry: MetricEntry, samples: readonly Sample[]): void {
  // Without labels, prom-client shows 0 for a metric that has no value.
  if (samples.length === 0) return;
  const { kind, help, labels, buckets = [] } = entry;
  if (kind === 'histogram') {
    const values = samples.flatMap((sample) => linesOf(name, buckets, sample));
    const get = async () => ({ name, help, type: kind, aggregator: 'sum', values });
    // prom-client has no way to set what was counted before; the registry only asks for the values.
    registry.registerMetric({ name, help, type: kind, get } as unknown as Metric);
    return;
  }
  const shape = { name, help, labelNames: [...labels], registers: [registry] };
  const metric = kind === 'counter' ? new Counter(shape) : new Gauge(shape);
  for (const { labels: of, value } of samples) metric.inc({ ...of }, value as number);
}

function linesOf(name: string, bounds: readonly number[], { labels, value }: Sample) {
  const { buckets, sum, count } = value as Distribution;
  const line = (ending: string, amount: number, more: object = {}) => ({
    metricName: `${name}_${ending}`,
    labels: { ...labels, ...more },
    value: amount,
  });
  return [
    ...bounds.map((le, n) => line('bucket', buckets[n] ?? 0, { le })),
    line('bucket', count, { le: '+Inf' }),
    line('sum', sum),
    line('count', count),
  ];
}
