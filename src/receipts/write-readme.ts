/**
 * Writes README.txt into an error folder or a decision folder, once: notes that a person adds to it stay. The caller
 * flushes the folder. A refusal of the disk throws its OperatorError.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import { README_NAME, type ReadmeOf, readmeText } from './readme-text.ts';

/** Does nothing if the file exists, even if its text is from an earlier version. */
export async function writeReadme(folder: string, of: ReadmeOf, language: Language): Promise<void> {
  const path = join(folder, README_NAME);
  if (!existsSync(path)) await writeDurable(path, readmeText(of, language));
}
