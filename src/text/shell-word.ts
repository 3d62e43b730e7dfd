/** A path or other word as a person types it into a POSIX shell: in quotes where it needs them. Pure. */

export function shellWord(word: string): string {
  return /^[\w/.:@+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same for the shell of a person on this system: PowerShell and cmd keep what double quotes contain. */
export function typedWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return shellWord(word);
  return /^[\w/.:@+=,\\-]+$/.test(word) ? word : `"${word}"`;
}
