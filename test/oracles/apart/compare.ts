/** Drawn mappings and rows through the program, fast and traced, and through the other evaluator. */
import { compileMapping } from '../../../src/mapping/compile-mapping.ts';
import { positionsOf } from '../../../src/mapping/expressions/columns.ts';
import { mappingShape } from '../../../src/mapping/file/mapping-shape.ts';
import { loadMapping, type Mapping } from '../../../src/mapping/mapping.ts';
import { startRun } from '../../../src/mapping/runtime/composition.ts';
import { collectDiagnostics } from '../../../src/mapping/runtime/diagnostics.ts';
import { Tracer } from '../../../src/mapping/runtime/tracer.ts';
import { isError } from '../../../src/model/fault.ts';
import type { Row, Table } from '../../../src/model/row.ts';
import { checkShape, readYaml, showMarked } from '../../../src/yaml/yaml-document.ts';
import { boundTo, FACTS, groupsOf, worldOf } from '../../mapping/world.ts';
import { drawMapping } from './draw-mapping.ts';
import { drawRows } from './draw-rows.ts';
import { documentsOf } from './evaluate.ts';
import type { Cells, Drawn, Outcome } from './model.ts';
import { yamlOf } from './yaml.ts';

export type Compared = {
  readonly documents: number;
  /** Of these without an error. */
  readonly made: number;
  readonly differences: readonly string[];
};

export function compareDrawn(seed: number, count: number): Compared {
  const drawn = drawMapping(seed);
  const yaml = yamlOf(drawn, seed);
  const cells = drawRows(drawn, seed, count);
  const { mapping, faults } = loadMapping(yaml, 'mappings/drawn.yaml', worldOf());
  if (!mapping) return { documents: 0, made: 0, differences: [`seed ${seed}: ${faults.map(showMarked).join('\n')}`] };
  const expected = documentsOf(drawn, cells);
  const found = new Map(byProgram(mapping, tracedBy(yaml), drawn, cells).map((one) => [one.rows.join(','), one]));
  const differences = expected.flatMap((one) => {
    const rows = one.rows.join(',');
    const [apart, program] = [JSON.stringify(one), JSON.stringify(found.get(rows))];
    if (apart === program) return [];
    return [`seed ${seed}, rows ${rows}:\n  apart   ${around(apart, program)}\n  program ${around(program, apart)}`];
  });
  if (found.size > expected.length) differences.push(`seed ${seed}: ${found.size} documents, not ${expected.length}`);
  return { documents: expected.length, made: expected.filter(({ json }) => json !== undefined).length, differences };
}

/** The JSON of the output as the second, slow composition makes it. */
type Traced = (table: Table, rows: readonly Row[]) => string;

function tracedBy(yaml: string): Traced {
  const read = readYaml(yaml, 'mappings/drawn.yaml');
  if ('faults' in read) throw new Error('a drawn mapping is no YAML');
  const shaped = checkShape(read.yaml, mappingShape, 'map');
  if ('faults' in shaped) throw new Error('a drawn mapping has another shape');
  const compiled = compileMapping(shaped.value, worldOf(), collectDiagnostics(read.yaml))!;
  return (table, rows) => {
    const run = startRun(table, positionsOf(compiled.columns.slots, table), rows, FACTS, new Tracer());
    const { node } = compiled.recipe.payload!;
    run.place = { parent: undefined, key: '' };
    return JSON.stringify(node.close(run, node.open(run)));
  };
}

function byProgram(mapping: Mapping, traced: Traced, drawn: Drawn, cells: readonly Cells[]): readonly Outcome[] {
  const table = { file: 'a.csv', columns: drawn.columns.map(({ name }) => name) };
  const rows = cells.map((one, n): Row => ({ cells: one, row: n + 2 }));
  const bound = boundTo(mapping, table);
  return groupsOf(bound, { table, rows, leftOut: [] }).map((group): Outcome => {
    const { draft, faults } = bound.compose(group, FACTS);
    const numbers = group.rows.map(({ row }) => row);
    const codes = [...new Set(faults.filter(isError).map(({ code }) => code))].sort();
    if (!draft || codes.length > 0) return { rows: numbers, codes };
    const json = JSON.stringify(draft.payload);
    const slow = traced(table, group.rows);
    return { rows: numbers, class: draft.class, json: slow === json ? json : `fast ${json}, traced ${slow}` };
  });
}

/** The part of a text that differs from another one, and a little of what is around it. */
function around(text = 'nothing', other = 'nothing'): string {
  const from = [...text].findIndex((sign, at) => sign !== other[at]);
  return text.slice(Math.max(0, from - 60), from + 120);
}
