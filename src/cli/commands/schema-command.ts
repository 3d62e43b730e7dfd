/** `schema`: writes JSON Schemas, so that an editor completes keys, fields and the columns of the sample. */
import type { Command } from 'commander';
import { writeSchemas } from '../../authoring/write-schemas.ts';
import type { CommandModule } from '../session/command-module.ts';
import { terminalOf } from '../session/command-session.ts';
import { counted } from '../session/terminal.ts';

export const schemaCommand: CommandModule = { run: writeSchemaFiles };

async function writeSchemaFiles(given: { readonly out?: string }, command: Command): Promise<void> {
  const { options, terminal } = terminalOf(command);
  const written = await writeSchemas(options.dir, given.out);
  if (options.json) return terminal.out(JSON.stringify(written, null, 2));
  for (const { path, file, columns, missing = [] } of written) {
    const known = columns === undefined ? '' : `, ${counted(columns, 'column')} of its sample`;
    terminal.out(`  ${path}${file === undefined ? '' : `   for ${file}${known}`}`);
    if (missing.length > 0) terminal.talk(`    ${file} does not name it yet; put these lines at its top:`);
    for (const line of missing) terminal.talk(`      ${line}`);
  }
}
