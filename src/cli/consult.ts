/** `consult`: asks the services what became of documents, those that are due or those named. */
import type { Command } from 'commander';
import { SetupError } from '../model/fault.ts';
import { stateInfo } from '../model/state.ts';
import { consultDue, type Due, openLedgerOf, openWork } from '../pipeline.ts';
import { followProgress } from './progress.ts';
import { isEmpty, type SelectorOptions, selectorOf, withSelectors } from './selecting.ts';
import { openLog, openSession, stopOnSignals } from './session.ts';

export function addConsult(program: Command): void {
  withSelectors(
    program
      .command('consult')
      .description('ask the services for the outcome of documents in contingency or to verify; nothing is sent again')
      .argument('[documents...]', 'ids, document numbers or receipt names (default: those that are due)')
      .option('--dry-run', 'only say which documents would be asked for'),
  ).action(async (names: string[], given: SelectorOptions & { readonly dryRun?: boolean }, command: Command) => {
    const { options, terminal, instance } = openSession(command);
    const able = instance.destinations.filter(({ consult }) => consult !== undefined);
    if (able.length === 0) {
      throw new SetupError(
        'consult/not-configured',
        'no service has a consultation configured: the contracts do not show one',
        {
          hint: 'set services.<name>.consultation once the provider has told how (docs/contracts.md)',
        },
      );
    }
    await using ledger = await openLedgerOf(instance);
    const stopping = stopOnSignals(terminal);
    const progress = followProgress(terminal);
    await using work = await openWork(instance, ledger, {
      stop: stopping.signal,
      tell: progress.tellWith(openLog(instance)),
    });
    const selector = selectorOf(names, given);
    const perMinute = instance.settings.run['consult-per-minute'];
    const asked: { service: string; documents: readonly string[] }[] = [];
    for (const line of work.lines.values()) {
      if (!line.destination.consult) continue;
      const { name } = line.destination;
      const due: Due[] = isEmpty(selector) ? [...(await ledger.consultDue(name, Date.now(), 1000))] : [];
      if (!isEmpty(selector)) {
        for await (const entry of ledger.find({ ...selector, service: name })) {
          if (!(stateInfo(entry.state).acts as readonly string[]).includes('consult')) continue;
          const { id, revision, kind, service, class: documentClass, facts } = entry;
          due.push({ id, revision, kind, service, class: documentClass, identifier: facts.identifier, tries: 0 });
        }
      }
      const documents = due.map(({ identifier }) => identifier);
      asked.push({ service: name, documents });
      if (!given.dryRun) await consultDue(work, line, { perMinute, atMost: due.length }, due);
    }
    progress.end();
    stopping.release();
    if (options.json) return terminal.out(JSON.stringify({ dryRun: given.dryRun === true, asked }, null, 2));
    for (const { service, documents } of asked) {
      terminal.out(
        `  ${service}: ${documents.length === 0 ? 'nothing to ask' : `${given.dryRun ? 'would ask' : 'asked'} for ${documents.join(', ')}`}`,
      );
    }
  });
}
