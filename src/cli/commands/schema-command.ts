/**
 * `schema`: writes JSON Schemas, so that an editor completes keys, fields and the columns of the sample. Output: the
 * written paths, and the lines that a mapping needs to name its schema.
 */
import type { Command } from 'commander';
import { writeSchemas } from '../../authoring/write-schemas.ts';
import { type Message, verbatimText } from '../../i18n/message.ts';
import { SCHEMA_COMMAND } from '../../i18n/messages/cli-mappings-messages.ts';
import { kindsAt } from '../../instance/instance.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openOutput, overridesOf } from '../session/command-session.ts';

export const schemaCommand: CommandModule = { run: writeSchemaFiles };

/** Schemas are replaced; mapping files are not changed. */
async function writeSchemaFiles(given: { readonly out?: string }, command: Command): Promise<void> {
  const { options, terminal, say } = openOutput(command);
  const written = await writeSchemas(options.dir, given.out, kindsAt(options.dir, overridesOf(options)));
  if (options.json) return terminal.out(JSON.stringify(written, null, 2));
  for (const schema of written) {
    terminal.out(`  ${say(lineOf(schema))}`);
    const { file = '', missing = [] } = schema;
    if (missing.length > 0) terminal.talk(`    ${say(SCHEMA_COMMAND.notNamed({ file }))}`);
    for (const line of missing) terminal.talk(`      ${line}`);
  }
}

function lineOf({ path, file, columns }: Awaited<ReturnType<typeof writeSchemas>>[number]): Message {
  if (file === undefined) return verbatimText(path);
  if (columns === undefined) return SCHEMA_COMMAND.forFile({ path, file });
  return SCHEMA_COMMAND.forFileWithColumns({ path, file, count: columns });
}
