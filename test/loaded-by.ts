/** Which files a start of the program loads: the addresses of its modules, in their order. */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** Says each file on standard error, whatever becomes of the streams. */
const HOOK = `
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (url.startsWith('file:')) process._rawDebug('loads ' + url);
  return next(url, context);
} });`;

export async function loadedBy(main: string, words: readonly string[]): Promise<readonly string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', hook, main, ...words], { encoding: 'utf8' });
  const loaded = [...stderr.matchAll(/^loads (file:\S+)$/gm)].map(([, url]) => url!);
  if (!loaded.includes(pathToFileURL(main).href)) throw new Error(stderr);
  return loaded;
}
