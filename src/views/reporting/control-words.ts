/** How an export differs from what control files of the ERP state about it: controls of a report come in, words come out. */
import { type Message, verbatimText } from '../../i18n/message.ts';
import { NIGHT_TEXT } from '../../i18n/messages/report/report-page-messages.ts';
import type { NightReport } from './report-shape.ts';

type Shown = { readonly count: (n: number) => string; readonly amount: (text: string) => string };

/** Empty where they agree, or none is expected. */
export function controlWords(
  controls: NightReport['expected'][number]['controls'],
  { count, amount }: Shown,
): readonly Message[] {
  if (!controls) return [];
  const { files, problem, documents, amount: sum } = controls;
  if (files.length === 0) return [NIGHT_TEXT.noControl()];
  if (problem !== undefined) return [verbatimText(`${files.join(', ')} ${problem}`)];
  const differs: Message[] = [];
  if (documents && documents.difference !== 0) {
    differs.push(NIGHT_TEXT.controlDocuments({ stated: count(documents.stated), read: count(documents.read) }));
  }
  if (sum && Number(sum.difference) !== 0) {
    differs.push(NIGHT_TEXT.controlAmount({ stated: amount(sum.stated), read: amount(sum.read) }));
  }
  return differs;
}
