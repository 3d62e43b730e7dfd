/**
 * An instance folder in, JSON Schemas for editors and other programs out: settings, receipt, morning report, mappings in general, and
 * each mapping file with the columns of its sample. Also makes the comments that lead editors to them. Throws where the
 * folder cannot be written.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { DOCUMENT_KINDS } from '../catalogue.ts';
import { mappingTexts, SETTINGS_FILE } from '../instance/instance.ts';
import { settingsShape } from '../instance/settings-shape.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { DocumentKind } from '../model/document.ts';
import { receiptShape } from '../receipts/receipt-schema.ts';
import { nightReportShape } from '../views/reporting/report-shape.ts';
import { mappingJsonSchema, mappingSchema } from './mapping-json-schema.ts';
import type { JsonSchema } from './output-json-schema.ts';
import { blockOf, type LooseMapping, sampleColumns } from './sample-columns.ts';

/** Below the instance folder. */
const SCHEMA_FOLDER = '.nightpost';

/** `path` is absolute; `columns` counts the columns of the sample of a mapping file. */
export type WrittenSchema = {
  readonly path: string;
  /** The file it is for, below the instance folder; absent: for all of its kind. */
  readonly file?: string;
  readonly columns?: number;
  /** The comment lines that are not in the file yet. */
  readonly missing?: readonly string[];
};

/**
 * Writes below `.nightpost` of the instance, or into `out`; existing schemas are replaced. The files of the instance
 * are not changed. `kinds`: with the further fields of the settings.
 */
export async function writeSchemas(
  folder: string,
  out?: string,
  kinds: readonly DocumentKind[] = DOCUMENT_KINDS,
): Promise<readonly WrittenSchema[]> {
  const root = resolve(folder);
  const target = out === undefined ? join(root, SCHEMA_FOLDER) : resolve(out);
  const write = (name: string, schema: JsonSchema, file?: string, columns?: number): WrittenSchema => {
    const path = join(target, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(schema)}\n`);
    if (file === undefined) return definedOnly({ path, columns });
    return definedOnly({ path, columns, file, missing: missingIn(root, file, path) });
  };
  const written = [
    write('settings.schema.json', mappingJsonSchema(settingsShape, 'Nightpost settings'), SETTINGS_FILE),
    write('receipt.schema.json', mappingJsonSchema(receiptShape, 'Nightpost receipt')),
    write('report.schema.json', mappingJsonSchema(nightReportShape, 'Nightpost morning report')),
    write('mapping.schema.json', mappingSchema()),
  ];
  for (const [file, text] of mappingTexts(root)) {
    const mapping = looseMapping(text);
    const columns = await sampleColumns(root, mapping);
    written.push(write(schemaNameOf(file), mappingSchema(mapping, columns, kinds), file, columns.size));
  }
  return written;
}

/** As far as the text can be read: a mapping that is being written is rarely complete. */
function looseMapping(text: string): LooseMapping {
  try {
    return blockOf(parseDocument(text, { version: '1.2', schema: 'core' }).toJS({ maxAliasCount: 100 }));
  } catch {
    return {};
  }
}

/** Below the folder of the schemas; one file per mapping file, named after it. */
function schemaNameOf(file: string): string {
  return file === SETTINGS_FILE
    ? 'settings.schema.json'
    : `mappings/${basename(file).replace(/\.ya?ml$/, '')}.schema.json`;
}

/**
 * One comment for editors with the YAML language server, one for those of JetBrains; the path is relative to the file.
 */
function modelines(file: string, schema: string): readonly string[] {
  const way = relative(dirname(file), schema).replaceAll(sep, '/');
  const shown = way.startsWith('../') ? way : `./${way}`;
  return [`# yaml-language-server: $schema=${shown}`, `# $schema: ${shown}`];
}

/** The comment lines that the file does not contain yet. */
function missingIn(root: string, file: string, schema: string): readonly string[] {
  const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  return modelines(join(root, file), schema).filter((line) => !text.includes(line));
}

/** The text of a new file with the comments at its top; `file` is its path below the instance folder. */
export function withModelines(file: string, text: string): string {
  return `${modelines(file, join(SCHEMA_FOLDER, schemaNameOf(file))).join('\n')}\n${text}`;
}
