/** A mapping file as it is on the disk now, also one with errors, which no export is read with. */
import { mappingTexts } from '../../../instance/instance.ts';
import { topValue } from '../../../views/queries/mapping-versions.ts';
import { notFound, type ScreenContext } from '../../server/screen-context.ts';

export type WrittenMapping = {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly version: string;
};

export function findWritten({ instance }: ScreenContext, id: string): WrittenMapping | undefined {
  for (const [file, text] of mappingTexts(instance.folder)) {
    if (topValue(text, 'mapping') === id) return { id, file, text, version: topValue(text, 'version') };
  }
  return undefined;
}

/** Throws ScreenError 404 for an unknown id. */
export function writtenMapping(context: ScreenContext): WrittenMapping {
  const found = findWritten(context, context.params.id ?? '');
  if (!found) throw notFound();
  return found;
}
