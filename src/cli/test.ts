/** `test`: runs the tests that mapping files carry and shows every difference. */
import type { Command } from 'commander';
import { rehearseMappings } from '../pipeline.ts';
import { openSession } from './session.ts';
import { green, red } from './terminal.ts';

export function addTest(program: Command): void {
  program
    .command('test')
    .description('run the tests written in the mapping files against their sample files')
    .argument('[mappings...]', 'ids of mappings (default: all)')
    .action(async (ids: string[], _given: unknown, command: Command) => {
      const { options, terminal, instance } = openSession(command);
      const results = await rehearseMappings(instance, ids);
      const failed = results.filter(({ differences }) => differences.length > 0);
      if (options.json) terminal.out(JSON.stringify(results, null, 2));
      else {
        for (const { mapping, name, differences } of results) {
          terminal.out(`  ${differences.length === 0 ? green('ok') : red('FAILED')}  ${mapping}: ${name}`);
          for (const difference of differences) terminal.out(`        ${difference}`);
        }
        terminal.talk(`${results.length - failed.length} passed, ${failed.length} failed`);
      }
      process.exitCode = failed.length > 0 ? 2 : 0;
    });
}
