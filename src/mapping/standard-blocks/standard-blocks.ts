/**
 * `standard:` in place of a block or list: the ready-made one of its field, known by the fields that the target has there.
 *
 * The blocks are the very ones a consultant would write; nothing is computed here.
 */
import type { Message } from '../../i18n/message.ts';
import { STANDARD_BLOCKS } from '../../i18n/messages/mapping-messages.ts';
import type { Schema } from '../../model/document.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { isLookup } from '../expressions/value-expression.ts';
import { REGIMES } from '../functions/functions-date.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import { arrayOf, objectOf } from '../runtime/schema-branches.ts';
import { asOperand, isBlock, type KeyedBlock, ReadyMade, refuseUnknown } from './standard-block-values.ts';
import { NOTES_KEYS } from './standard-notes.ts';
import { SUMMARY_KEYS, standardSummary, withAmounts } from './standard-summary.ts';
import { alternateTotals, standardTotals, TOTALS_KEYS } from './standard-totals.ts';

type Writer = {
  /** Fields by which the place is known. */
  readonly fields: readonly string[];
  readonly keys: readonly string[];
  readonly takes: string;
  readonly write: (findings: Diagnostics, given: KeyedBlock, path: YamlPath) => object | undefined;
};

const WRITERS: readonly Writer[] = [
  {
    fields: ['final-amount', 'subtotals'],
    keys: TOTALS_KEYS,
    takes: '{ net: $Column, rate: $Column }',
    write: standardTotals,
  },
  {
    fields: ['montoTotalOperacion', 'totalLetras'],
    keys: SUMMARY_KEYS,
    takes: '{ taxed: $Column, exempt: $Column }',
    write: standardSummary,
  },
  {
    fields: ['start-date', 'end-date'],
    keys: ['regime', 'date'],
    takes: '{ regime: month, date: $Column }',
    write: standardPeriod,
  },
];

/** The keys of the ready-made block that the target has at this place; undefined where it has none. */
export function standardKeys(schema: Schema): readonly string[] | undefined {
  return takesNotes(schema) ? NOTES_KEYS : writerOf(schema)?.keys;
}

/** A list of notes, whose entries have a tag and a content. */
export function takesNotes(schema: Schema): boolean {
  const properties = objectOf(arrayOf(schema)?.items ?? {})?.properties;
  return properties !== undefined && 'tag' in properties && 'content' in properties && !('format' in properties);
}

function writerOf(schema: Schema): Writer | undefined {
  const properties = objectOf(schema)?.properties;
  return properties && WRITERS.find(({ fields }) => fields.every((field) => Object.hasOwn(properties, field)));
}

/** `path` is that of the block that holds `standard`. */
export function standardBlock(
  findings: Diagnostics,
  block: KeyedBlock,
  schema: Schema,
  path: YamlPath,
): ReadyMade | undefined {
  const at = [...path, 'standard'];
  const writer = writerOf(schema);
  const alone = Object.keys(block).length === 1 && isBlock(block.standard);
  if (!writer) {
    const hint = STANDARD_BLOCKS.writeFields();
    findings.add(at, { code: 'map/wrong-value', message: STANDARD_BLOCKS.none(), hint });
    return undefined;
  }
  if (!alone) {
    const message = STANDARD_BLOCKS.alone({ keys: writer.takes });
    findings.add(at, { code: 'map/wrong-value', message, hint: STANDARD_BLOCKS.writeBlocksOut() });
    return undefined;
  }
  const written = writer.write(findings, block.standard as KeyedBlock, at);
  return written && new ReadyMade(written, at);
}

/** The first and last second of the period of a report that a day falls into, in local time. */
function standardPeriod(findings: Diagnostics, given: KeyedBlock, path: YamlPath): object | undefined {
  refuseUnknown(findings, given, ['regime', 'date'], path);
  const date = asOperand(given.date);
  const { regime } = given;
  const known = REGIMES.some((name) => name === regime);
  const add = (key: string, message: Message) =>
    findings.add(key in given ? [...path, key] : path, { code: 'map/wrong-value', message });
  if (!known) add('regime', STANDARD_BLOCKS.regime());
  if (date === undefined) add('date', STANDARD_BLOCKS.day());
  if (!known || date === undefined) return undefined;
  const side = (name: string) => `= REPORT-PERIOD("${regime}", ${date}, "${name}")`;
  return { 'start-date': side('start'), 'end-date': side('end') };
}

const ALTERNATE = 'alternate-totals';
const LINES = 'cuerpoDocumento';

/**
 * The fields of a block with those that a ready-made block among them adds: totals in another currency bring
 * `alternate-totals` and the currency of the taxes, a summary brings the amounts of the lines.
 */
export function keysNextToStandard(
  findings: Diagnostics,
  value: KeyedBlock,
  { properties = {} }: Schema,
  path: YamlPath,
): KeyedBlock {
  const standardOf = (field: string) => {
    const schema = properties[field];
    const block = schema && isBlock(value[field]) ? value[field].standard : undefined;
    return schema && isBlock(block) && writerOf(schema) ? block : undefined;
  };
  const totals = standardOf('totals');
  const summary = standardOf('resumen');
  if (summary && properties[LINES]) {
    const lines = withAmounts(findings, value[LINES], summary, [...path, 'resumen', 'standard']);
    return lines ? { ...value, [LINES]: lines } : value;
  }
  return totals?.alternate === undefined
    ? value
    : withAlternate(findings, value, { standard: totals, properties, path });
}

/** Totals that the program writes out, and the block that they are in. */
type StandardTotalsPlace = {
  readonly standard: KeyedBlock;
  readonly properties: NonNullable<Schema['properties']>;
  readonly path: YamlPath;
};

function withAlternate(
  findings: Diagnostics,
  value: KeyedBlock,
  { standard, properties, path }: StandardTotalsPlace,
): KeyedBlock {
  const at = [...path, 'totals', 'standard'];
  if (!properties[ALTERNATE] || value[ALTERNATE] !== undefined) {
    const isTwice = properties[ALTERNATE] !== undefined;
    const message = isTwice ? STANDARD_BLOCKS.alternateTwice({ key: ALTERNATE }) : STANDARD_BLOCKS.noAlternate();
    findings.add([...at, 'alternate'], { code: 'map/wrong-value', message, hint: STANDARD_BLOCKS.removeOne() });
    return value;
  }
  const totals = alternateTotals(findings, standard, at);
  if (!totals) return value;
  const ready = (part: unknown) => new ReadyMade(part, [...at, 'alternate']);
  const { document } = value;
  const takes = objectOf(properties.document ?? {})?.properties?.['currency-taxes'] !== undefined;
  const { currency } = standard.alternate as KeyedBlock;
  const adds = takes && isBlock(document) && !isLookup(document) && document['currency-taxes'] === undefined;
  const header = adds ? { document: { ...document, 'currency-taxes': ready(currency) } } : {};
  return { ...value, ...header, [ALTERNATE]: ready([totals]) };
}
