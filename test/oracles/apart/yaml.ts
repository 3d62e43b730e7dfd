/** A drawn mapping as the file that a consultant would write. */
import { type Random, randomFrom } from '../../rigs/random.ts';
import { columnName, type Expression, written } from './expression.ts';
import type { Drawn, Form, Part } from './model.ts';

const quoted = (text: string) => JSON.stringify(text);

export function yamlOf(drawn: Drawn, seed: number): string {
  const random = randomFrom(seed);
  const formula = (of: Expression) => quoted(`= ${written(of, random)}`);
  const form = (of: Form) => formText(of, random);
  const types = drawn.columns.filter(({ kind }) => kind !== 'text').map(({ name, kind }) => `${quoted(name)}: ${kind}`);
  const tables = drawn.tables.map(({ name, kind, entries }) => {
    const codes = [...entries].map(([key, value]) => `${quoted(key)}: ${kind === 'number' ? value : quoted(value)}`);
    return `  ${name}: { ${codes.join(', ')} }`;
  });
  return [
    'mapping: drawn',
    'version: 1',
    'target: fr-invoice',
    'accepts: { files: "*.csv" }',
    'source:',
    '  format: csv',
    '  numbers: { decimal: ",", thousands: [" "] }',
    '  dates: dd/MM/yyyy',
    `  columns: { ${types.join(', ')} }`,
    'tables:',
    ...tables,
    'calculated-columns:',
    ...drawn.calculated.map((one) => `  ${quoted(one.name)}: ${form(one.form)}`),
    'documents:',
    `  one-per: [${drawn.key.map(quoted).join(', ')}]`,
    `  rows: ${drawn.rows}`,
    '  identical-rows: allowed',
    `  class: ${form(drawn.class)}`,
    ...(drawn.keep ? [`  keep: ${formula(drawn.keep)}`] : []),
    `output: ${partText(drawn.output, random)}`,
    ...(drawn.checks.length > 0 ? ['checks:'] : []),
    ...drawn.checks.map(
      (one) => `  - { that: ${formula(one.that)}, else: ${one.isError ? 'error' : 'warning'}, say: no }`,
    ),
    '',
  ].join('\n');
}

function formText(of: Form, random: Random): string {
  switch (of.is) {
    case 'literal':
      return of.kind === 'number' ? of.value : quoted(of.value);
    case 'column':
      return quoted(columnName(of.name));
    case 'formula':
      return quoted(`= ${written(of.formula, random)}`);
    default:
      return `{ from: ${of.from}, table: ${of.table}${of.otherwise ? `, default: ${formText(of.otherwise, random)}` : ''} }`;
  }
}

function partText(of: Part, random: Random): string {
  switch (of.is) {
    case 'value':
      return formText(of.form, random);
    case 'block': {
      const fields = of.entries.map(([key, part]) => `${key}: ${partText(part, random)}`);
      if (of.when) fields.unshift(`when: ${quoted(`= ${written(of.when, random)}`)}`);
      return `{ ${fields.join(', ')} }`;
    }
    case 'list':
      return `[${of.items.map((item) => partText(item, random)).join(', ')}]`;
    default: {
      const each = of.by === 'row' ? 'row' : `rows by ${of.by.join(', ')}`;
      return `{ each: ${quoted(each)}${of.order ? `, order: ${of.order}` : ''}, make: ${partText(of.make, random)} }`;
    }
  }
}
