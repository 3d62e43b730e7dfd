/** The status of an instance for pages and programs that ask often. A look comes in, the object of `status --json` comes out. */
import { type InstanceStatus, readStatus } from '../../views/queries/instance-status.ts';
import { keepAnswers } from './kept-answers.ts';
import type { InstanceView } from './screen-context.ts';

const keepStatus = keepAnswers<InstanceStatus>();

/** As of this look at the ledger, which the server takes again every few seconds; of a large one less often. */
export function keptStatus({ instance, ledger, acts }: Omit<InstanceView, 'index'>): Promise<InstanceStatus> {
  return keepStatus({ folder: instance.folder, acts }, { key: '', version: ledger }, () =>
    readStatus(instance, ledger),
  );
}
