/** The place of an attachment in the archive: it can be in any month, that of the first export that had it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from '../../instance/instance.ts';
import type { Attachment } from '../../model/ledger-entry.ts';
import { archivedNames } from '../../receipts/archive-source.ts';

/** The absolute path, or undefined if the archive does not have these bytes under this name. */
export function archivedAttachment(
  { paths }: { readonly paths: Pick<Instance['paths'], 'archive'> },
  attachment: Attachment,
): string | undefined {
  const [short, long] = archivedNames(attachment);
  const months = existsSync(paths.archive) ? readdirSync(paths.archive).filter((one) => /^\d{4}-\d{2}$/.test(one)) : [];
  const places = months.flatMap((month) => [join(paths.archive, month, long), join(paths.archive, month, short)]);
  return places.find((path) => existsSync(path));
}
