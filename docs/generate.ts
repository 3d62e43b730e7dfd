/**
 * Writes the parts of the manual that the code knows better than any author: functions, fields, settings, states, exit
 * codes, commands. `node docs/generate.ts` rewrites the text between the markers and no other.
 *
 *     <!-- generated: functions -->  ...  <!-- end of functions -->
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DOCUMENT_KINDS, READERS } from '../src/catalogue.ts';
import { itemHelp } from '../src/cli/command-help.ts';
import { COMMANDS, GLOBAL_OPTIONS } from '../src/cli/command-table.ts';
import { type CommandEntry, isOption, nameOfItem } from '../src/cli/session/command-entry.ts';
import { commandText } from '../src/cli/session/command-texts.ts';
import { EXIT_CODES } from '../src/cli/session/exit-codes.ts';
import { format, wordsOf } from '../src/i18n/message.ts';
import { settingsShape } from '../src/instance/settings-shape.ts';
import { FUNCTIONS } from '../src/mapping/functions/functions.ts';
import { spellingsOf } from '../src/mapping/functions/localized-names.ts';
import type { Schema } from '../src/model/document.ts';
import { STATE_NAMES, stateInfo } from '../src/model/state.ts';
import { METRIC_PREFIX, METRICS, type MetricEntry } from '../src/views/metrics/metric-list.ts';
import { nextAction } from '../src/receipts/next-action.ts';
import { nightReportShape } from '../src/views/reporting/report-shape.ts';
import { receiptShape } from '../src/receipts/receipt-schema.ts';
import { ladderDiagram, stateDiagram } from './diagrams.ts';
import { ruleCodes, rulesOf } from './rules.ts';


/** Generated part -> its page. */
export const PAGES: { readonly [part: string]: string } = {
  functions: 'reference/functions.md',
  'source-csv': 'reference/sources.md',
  'source-xlsx': 'reference/sources.md',
  'source-xml': 'reference/sources.md',
  'source-fixed': 'reference/sources.md',
  'source-file': 'reference/sources.md',
  fields: 'reference/fields.md',
  settings: 'reference/settings.md',
  states: 'reference/states.md',
  'exit-codes': 'reference/exit-codes.md',
  commands: 'reference/commands.md',
  receipt: 'reference/receipts.md',
  'rules-fr-invoice': 'reference/rules-fr.md',
  'rules-fr-report': 'reference/rules-fr.md',
  'rules-sv-remission-note': 'reference/rules-sv.md',
  'rule-codes': 'reference/faults-documents.md',
  'state-diagram': 'diagrams/life-of-a-document.md',
  metrics: 'reference/metrics.md',
  report: 'reference/report.md',
  'import-ladder': 'diagrams/import-ladder.md',
};

/** Command -> what may be typed for each of its options and arguments. */
const TYPED_VALUES = new Map(
  await Promise.all(COMMANDS.map(async ({ name, load }) => [name, (await load()).values ?? {}] as const)),
);

/** The page with its generated parts written again. */
export function regenerate(page: string, text: string): string {
  let renewed = text;
  for (const [part, at] of Object.entries(PAGES)) {
    if (at !== page) continue;
    const [begin, end] = [`<!-- generated: ${part} -->`, `<!-- end of ${part} -->`];
    const [from, to] = [renewed.indexOf(begin), renewed.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`docs/${page} lacks the markers of "${part}"`);
    renewed = `${renewed.slice(0, from + begin.length)}\n\n${textOf(part).trim()}\n\n${renewed.slice(to)}`;
  }
  return renewed;
}

function textOf(part: string): string {
  if (part === 'functions') return functions();
  if (part === 'fields') return DOCUMENT_KINDS.map(fieldsOf).join('\n');
  if (part === 'settings') return table(['Setting', 'Takes', 'Default', 'Meaning'], settingRows());
  if (part === 'states') return states();
  if (part === 'state-diagram') return stateDiagram();
  if (part === 'import-ladder') return ladderDiagram();
  if (part === 'exit-codes')
    return table(
      ['Code', 'Meaning'],
      EXIT_CODES.map((code) => [String(code), commandText('en', `exit-code.${code}`)]),
    );
  if (part === 'commands') return commands();
  if (part === 'metrics') return metrics();
  if (part.startsWith('rules-')) return rulesOf(part.slice('rules-'.length));
  if (part === 'rule-codes') return table(['Code', 'Level', 'Meaning', 'What to do'], ruleCodes());
  if (part === 'report') return table(['Field', 'Takes', 'Meaning'], shapeRows(nightReportShape));
  if (part === 'receipt') return table(['Field', 'Takes', 'Meaning'], shapeRows(receiptShape));
  const reader = READERS.find(({ format }) => part === `source-${format}`);
  if (!reader) throw new Error(`nothing to generate for "${part}"`);
  return table(['Option', 'Takes', 'Default', 'Meaning'], leavesOf(jsonSchema(reader.options), ''));
}

function metrics(): string {
  const rows = Object.entries(METRICS).map(([name, { kind, labels, help }]: [string, MetricEntry]) => [
    code(`${METRIC_PREFIX}${name}`),
    kind,
    labels.map(code).join(', '),
    help,
  ]);
  return table(['Metric', 'Type', 'Labels', 'Meaning'], rows);
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function functions(): string {
  const rows = [...FUNCTIONS.values()].map(({ name, syntax, sentence, examples }) => [
    code(syntax),
    [sentence, alsoCalled(name)].join(' ').trim(),
    examples.map(exampleText).join('<br>'),
  ]);
  return table(['Function', 'Gives', 'Examples'], rows);
}

function alsoCalled(name: string): string {
  const others = spellingsOf(name);
  return others.length === 0 ? '' : `Also ${others.map(code).join(', ')}.`;
}

type Example = { readonly formula: string; readonly gives: string; readonly row?: number } & {
  readonly columns?: { readonly [name: string]: readonly (string | number)[] };
};

function exampleText({ formula, gives, columns = {}, row }: Example): string {
  const cells = Object.entries(columns).map(([name, values]) => `$${name}: ${values.map(shown).join(', ')}`);
  const place = row === undefined ? [] : [`on row ${row}`];
  const given = [...cells, ...place].join('; ');
  return `${code(formula)} = ${shown(gives)}${given === '' ? '' : ` (${given})`}`;
}

function shown(value: string | number): string {
  return value === '' ? 'nothing' : String(value);
}

function fieldsOf({ name, service, classes, schema, acceptsFile }: (typeof DOCUMENT_KINDS)[number]): string {
  const file = acceptsFile ? ' May also travel as a `file`.' : '';
  const head = `## ${name}\n\nService ${code(service)}; classes ${classes.map(code).join(', ')}.${file}\n`;
  return `${head}\n${table(['Field', 'Takes', 'Meaning'], fieldRows(schema, ''))}\n`;
}

function fieldRows(schema: Schema, at: string): string[][] {
  const branch = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  return Object.entries(branch.properties ?? {}).flatMap(([key, field]) => {
    const item = field.type === 'array' ? (field.items ?? {}) : field;
    const path = `${at === '' ? '' : `${at}.`}${key}${field.type === 'array' ? '[]' : ''}`;
    // A subtotal holds subtotals: told once.
    const again = at.split('.').includes(`${key}[]`);
    const row = [code(path), again ? 'as the level above' : typeOf(field), field.description ?? ''];
    return [row, ...(again ? [] : fieldRows(item, path))];
  });
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  const { type = 'any', format } = schema;
  return format === 'date' ? 'date' : format === 'date-time' ? 'date-time' : WORDS[type];
}

const WORDS = {
  object: 'block',
  array: 'list',
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true, false',
  any: 'any',
};

type Json = { readonly [keyword: string]: unknown };

function jsonSchema(shape: z.ZodType): Json {
  return z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json;
}

/** Dotted paths of every setting, as a person writes them. */
export function settingRows(): readonly string[][] {
  return leavesOf(jsonSchema(settingsShape), '');
}

function leavesOf(schema: Json, at: string): string[][] {
  const properties = (schema.properties ?? {}) as { readonly [key: string]: Json };
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([key, setting]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const inner = leavesOf(setting, path);
    const hasDefault = setting.default !== undefined && inner.length === 0;
    const otherwise = hasDefault ? code(JSON.stringify(setting.default)) : required.includes(key) ? 'required' : '';
    const row = [code(path), takes(setting), otherwise, String(setting.description ?? '')];
    return [row, ...inner];
  });
}

function takes(schema: Json): string {
  const branches = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  if (branches) return [...new Set(branches.map(takes))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return (schema.enum as unknown[]).map((one) => code(String(one))).join(' or ');
  if (schema.type === 'array') return `list of ${takes((schema.items ?? {}) as Json)}`;
  if (schema.type === 'object') {
    const keys = Object.keys((schema.properties ?? {}) as object);
    return keys.length > 0 && keys.length < 5
      ? code(`{ ${keys.join(', ')} }`)
      : keys.length > 0
        ? 'block'
        : 'block of name: value';
  }
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const from = minimum !== undefined && minimum > -1e9 ? ` from ${minimum}` : '';
  const to = maximum !== undefined && maximum < 1e9 ? ` to ${maximum}` : '';
  if (schema.type === 'integer') return `whole number${from}${to}`;
  return { string: 'text', number: `number${from}${to}`, boolean: '`true` or `false`' }[String(schema.type)] ?? 'any';
}

/** A table of a shape without defaults: where a value may be null, it says so. */
function shapeRows(shape: z.ZodType): string[][] {
  const walk = (schema: Json, at: string): string[][] => {
    const properties = (schema.properties ?? {}) as { readonly [key: string]: Json };
    return Object.entries(properties).flatMap(([key, given]) => {
      const branches = (given.anyOf ?? [given]) as readonly Json[];
      const field = branches.find(({ type }) => type !== 'null') ?? given;
      const item = field.type === 'array' ? ((field.items ?? {}) as Json) : field;
      const path = `${at === '' ? '' : `${at}.`}${key}${field.type === 'array' ? '[]' : ''}`;
      const nullable = branches.some(({ type }) => type === 'null') ? ', or null' : '';
      const words = String(given.description ?? field.description ?? '');
      return [[code(path), `${fieldWord(field)}${nullable}`, words], ...walk(item, path)];
    });
  };
  return walk(jsonSchema(shape), '');
}

function fieldWord(field: Json): string {
  if (field.enum && (field.enum as unknown[]).length > 4) return 'text';
  const word = takes(field);
  return word.startsWith('`{') ? 'block' : word.replace(/list of `\{.*\}`/, 'list of blocks');
}

function states(): string {
  const rows = STATE_NAMES.map((state) => {
    const { words, says, folder, actor } = stateInfo(state);
    const names = [...new Set(Object.values(wordsOf(words)))].join(' / ');
    return [code(state), names, folder === undefined ? '-' : code(`${folder}/`), actor === 'nobody' ? 'no one' : actor, format(says, 'en'), format(nextAction(state), 'en')];
  });
  return table(['State', 'In words', 'Folder', 'Actor', 'Meaning', 'What to do'], rows);
}

function commands(): string {
  const global = table(['Option', 'Meaning'], ['-V, --version', ...GLOBAL_OPTIONS].flatMap((item) => itemRows('', item)));
  return `For every command:\n\n${global}\n\n${COMMANDS.map(commandSection).join('\n')}`;
}

function commandSection({ name, takes }: CommandEntry): string {
  const usage = ['nightpost', name, ...takes.filter((item) => !isOption(item))].join(' ');
  const rows = takes.flatMap((item) => itemRows(name, item));
  const details = rows.length > 0 ? `\n\n${table(['Argument or option', 'Meaning'], rows)}` : '';
  return `## ${name}\n\n${code(usage)}: ${commandText('en', `command.${name}.does`)}.${details}\n`;
}

/** The row of an option or argument, then one for each of its choices that has a text. */
function itemRows(command: string, item: string): string[][] {
  const { text, choices } = itemHelp('en', command, nameOfItem(item), TYPED_VALUES.get(command)?.[nameOfItem(item)]);
  const prefix = isOption(item) ? `--${nameOfItem(item)} ` : '';
  return [[code(item), text], ...choices.map((choice) => [code(`${prefix}${choice.name}`), choice.text])];
}

if (import.meta.main) {
  for (const page of new Set(Object.values(PAGES))) {
    const path = join(import.meta.dirname, page);
    const text = readFileSync(path, 'utf8');
    const renewed = regenerate(page, text);
    if (renewed === text) continue;
    writeFileSync(path, renewed);
    process.stdout.write(`docs/${page} rewritten\n`);
  }
}
