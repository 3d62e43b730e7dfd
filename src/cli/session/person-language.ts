/**
 * The language of the person at the terminal: that of the settings in the folder, else of the environment, else
 * English. Nothing here throws.
 */
import { join } from 'node:path';
import { plainText } from '../../files/read-bounded.ts';
import type { Language } from '../../i18n/message.ts';

type Variables = { readonly [name: string]: string | undefined };

/** Reads nightpost.yaml in `folder` as text, because settings with faults still name their language in most cases. */
export function personLanguage(folder = '.', variables: Variables = process.env): Language {
  return languageInSettings(join(folder, 'nightpost.yaml')) ?? languageOfEnvironment(variables);
}

function languageInSettings(path: string): Language | undefined {
  const pattern = /^rules:(?:.*\n(?:[ \t].*\n)*?)?.*\blanguage["']?:[ \t]*["']?(en|fr|es)\b/m;
  try {
    return pattern.exec(plainText(path))?.[1] as Language | undefined;
  } catch {
    return undefined;
  }
}

/** Windows has no such variables, and keeps the language elsewhere. */
function systemLocale(): string {
  return process.platform === 'win32' ? Intl.DateTimeFormat().resolvedOptions().locale : '';
}

/** The first variable that is set decides, as in POSIX (XBD 8.2). */
function languageOfEnvironment(variables: Variables): Language {
  const locale = variables.LC_ALL || variables.LC_MESSAGES || variables.LANG || systemLocale();
  return (/^(fr|es)(?![a-z])/.exec(locale)?.[1] as Language | undefined) ?? 'en';
}
