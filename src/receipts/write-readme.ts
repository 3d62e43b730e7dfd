/** README.txt of an error folder, or of one for decisions, written once; what somebody noted in it stays. The caller flushes the folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import { README_NAME, type ReadmeOf, readmeText } from './readme-text.ts';

export async function writeReadme(folder: string, of: ReadmeOf, language: Language): Promise<void> {
  const path = join(folder, README_NAME);
  if (!existsSync(path)) await writeDurable(path, readmeText(of, language));
}
