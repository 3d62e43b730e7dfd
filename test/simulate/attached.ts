/** The judge of attachments: a document goes with the file that was there under the name it has for it, while it was read. */
import { attachmentIn } from './exports.ts';
import type { Dropped, History } from './history.ts';
import type { Complaint } from './model.ts';

export function judgeAttached({ service, dropped, attached, runs }: History): readonly Complaint[] {
  /** After the run that took it; of one that was stopped, after the next that was not. */
  const readAt = ({ name, text, at }: Dropped) => {
    const taking = runs.findIndex(
      (run) => run.to > at && run.taken.some((one) => one.name === name && one.text === text),
    );
    return taking < 0 ? Infinity : (runs.slice(taking).find(({ ended }) => ended.code !== undefined)?.to ?? Infinity);
  };
  /** What was sent is in no inbox any more. */
  const sentAt = ({ text }: Dropped) => service.arrivals.find((one) => one.attached === text)?.at ?? Infinity;
  const mayGoWith = (one: Dropped, number: string) => {
    const named = attached.filter(({ name }) => name === attachmentIn(one, number));
    const present = named.filter((file) => file.at <= readAt(one) && sentAt(file) >= one.at);
    // What was missing is what comes later.
    return present.length > 0 ? present : named.filter(({ at }) => at > one.at);
  };
  return service.arrivals.flatMap(({ number, attached: bytes }): readonly Complaint[] => {
    const naming = dropped.filter((one) => attachmentIn(one, number) !== undefined);
    const isTrue = naming.some((one) => mayGoWith(one, number).some(({ text }) => text === bytes));
    if (isTrue || naming.length === 0) return [];
    return [{ about: 'arrivals', says: `${number} was sent with "${bytes}", which no export of it came with` }];
  });
}
