/** The answers that the ERP would get for a file; nothing is sent or recorded. Throws OperatorError as a preview does. */

import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PREVIEW_REFUSED } from '../../i18n/messages/pipeline-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { OperatorError } from '../../model/fault.ts';
import { selectMapping } from '../../pipeline/intake/select-mapping.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { type SampleAnswers, sampleAnswers } from './sample-answers.ts';

/** `text` is what the bytes were made of, as far as the encoding has its characters. */
type PreviewedAnswers = SampleAnswers & { readonly text: string };

export async function previewAnswers(
  instance: Instance,
  path: string,
  now: Date,
): Promise<readonly PreviewedAnswers[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('preview/no-such-file', PREVIEW_REFUSED.noFile({ path }));
  const file = { name: basename(path), path: resolve(path), claimedAt: now.toISOString() };
  const chosen = await selectMapping({ instance }, file);
  if ('faults' in chosen) throw refusal(chosen.faults);
  try {
    const made: PreviewedAnswers[] = [];
    for (const mapping of [chosen.mapping, ...chosen.also]) {
      for (const one of await sampleAnswers(instance, mapping, file)) {
        made.push({ ...one, text: one.block.page.text(one.bytes) });
      }
    }
    return made;
  } catch (error) {
    if (error instanceof UnreadableFileError) throw refusal(error.faults);
    throw error;
  }
}

function refusal(faults: OperatorError['faults']): OperatorError {
  return new OperatorError('preview/file-refused', PREVIEW_REFUSED.noDocument(), { faults });
}
