/** `preview FILE`: the documents a file would become, every output field with the cells it came from. */
import type { Command } from 'commander';
import { showFault } from '../model/fault.ts';
import type { Origin } from '../model/origin.ts';
import { printable } from '../model/printable.ts';
import { type Preview, preview } from '../pipeline.ts';
import { openSession } from './session.ts';
import { bold, table } from './terminal.ts';

const SHOWN_VALUE = 48;
const SHOWN_CELLS = 4;

export function addPreview(program: Command): void {
  program
    .command('preview')
    .description('show what a file would become; nothing is sent or recorded')
    .argument('<file>', 'an export, in the inbox or elsewhere')
    .option('--doc <number>', 'only the document with this number')
    .action(async (path: string, given: { readonly doc?: string }, command: Command) => {
      const { options, terminal, instance } = openSession(command);
      let count = 0;
      let wrong = 0;
      for await (const document of preview(instance, path, new Date(), given.doc)) {
        count++;
        if (!document.valid) wrong++;
        // One JSON value that is written as it grows: a file may hold 300,000 documents.
        terminal.out(options.json ? `${count === 1 ? '[' : ','}${JSON.stringify(document)}` : shown(document));
      }
      if (options.json) terminal.out(count === 0 ? '[]' : ']');
      if (count === 0 && given.doc !== undefined)
        terminal.talk(`No document of this file has the number ${given.doc}.`);
      else terminal.talk(`${count} documents, ${wrong} with faults; nothing was sent.`);
      process.exitCode = wrong > 0 ? 3 : 0;
    });
}

function shown(document: Preview): string {
  const rows = document.fields.map(({ at, value, from }) => [at, cut(value), cells(from)]);
  return [
    bold(
      `  ${printable(document.identifier) || '(no number)'}   ${document.class}   rows ${document.rows.join(', ')}   ${document.mapping}`,
    ),
    ...(rows.length > 0 ? [table([{ title: 'field' }, { title: 'value' }, { title: 'from' }], rows)] : []),
    ...document.faults.map((fault) => `  ${showFault(fault)}`),
    '',
  ].join('\n');
}

function cut(text: string): string {
  return text.length <= SHOWN_VALUE ? text : `${text.slice(0, SHOWN_VALUE - 1)}…`;
}

function cells(from: readonly Origin[]): string {
  const names = from.slice(0, SHOWN_CELLS).map(({ row, line, column }) => `${line ?? row}:${column ?? ''}`);
  return names.join(' ') + (from.length > SHOWN_CELLS ? ` and ${from.length - SHOWN_CELLS} more` : '');
}
