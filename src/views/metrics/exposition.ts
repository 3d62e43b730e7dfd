/**
 * Writes samples in the text format of Prometheus (version 0.0.4,
 * https://prometheus.io/docs/instrumenting/exposition_formats/). Samples come in, the text comes out, with the metrics in the
 * order of their list. Throws for a label that the list does not have: a defect of the program.
 */
import type { Distribution } from '../../search/ledger-sums.ts';
import { METRIC_PREFIX, METRICS, type MetricEntry, type MetricName } from './metric-list.ts';
import type { Sample, Samples } from './read-metrics.ts';

/** The media type of the text. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function exposition(samples: Samples): string {
  const entries = Object.entries(METRICS) as [MetricName, MetricEntry][];
  const families = entries.map(([name, entry]) => familyOf(`${METRIC_PREFIX}${name}`, entry, samples.get(name) ?? []));
  return `${families
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** No line for a metric without samples: it has no value. */
function familyOf(name: string, { kind, help, labels, buckets = [] }: MetricEntry, samples: readonly Sample[]) {
  if (samples.length === 0) return [];
  const known = new Set<string>(labels);
  const other = samples.flatMap((sample) => Object.keys(sample.labels)).find((label) => !known.has(label));
  if (other !== undefined) throw new Error(`the metric ${name} has no label ${other}`);
  const series = samples.flatMap(({ labels: own, value }) =>
    typeof value === 'number' ? [lineOf(name, own, value)] : distributionLines(name, own, { bounds: buckets, value }),
  );
  return [`# HELP ${name} ${escapedText(help)}`, `# TYPE ${name} ${kind}`, ...series];
}

type Labels = Sample['labels'];

function distributionLines(name: string, labels: Labels, of: { bounds: readonly number[]; value: Distribution }) {
  const { buckets, sum, count } = of.value;
  return [
    ...of.bounds.map((le, n) => lineOf(`${name}_bucket`, { ...labels, le: String(le) }, buckets[n] ?? 0)),
    lineOf(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    lineOf(`${name}_sum`, labels, sum),
    lineOf(`${name}_count`, labels, count),
  ];
}

function lineOf(name: string, labels: Labels, value: number): string {
  const parts = Object.entries(labels).map(([label, text]) => `${label}="${escapedText(text).replaceAll('"', '\\"')}"`);
  const braces = parts.length > 0 ? `{${parts.join(',')}}` : '';
  return `${name}${braces} ${numberText(value)}`;
}

function escapedText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** As Go reads numbers. */
function numberText(value: number): string {
  return String(value).replace(/^(-?)Infinity$/, (_, sign: string) => `${sign || '+'}Inf`);
}
