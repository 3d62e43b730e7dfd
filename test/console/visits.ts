/** Pages of the console of a scene, as people with a role see them in the browser. */
import type { ConsoleRole } from '../../src/console/people/person.ts';
import type { Scene } from '../night.ts';
import { closeBrowser, type OpenPage, openPage, type View } from './browser.ts';
import { signInAs, type TestConsole } from './console.ts';

/** What a file of tests opens once. */
export type Visited = { readonly scene: Scene; readonly open: TestConsole };

/** `path` begins after the address of the instance. */
export async function visitAs(
  { scene, open }: Visited,
  role: ConsoleRole,
  path: string,
  view: View = {},
): Promise<OpenPage> {
  const { cookie } = await signInAs(scene, open, role);
  const [name = '', value = ''] = cookie.split('=');
  const url = `http://127.0.0.1:${open.port}${open.base}`;
  return await openPage(url + path, { ...view, cookies: [{ name, value, url }] });
}

export async function closeVisits({ scene, open }: Visited): Promise<void> {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
}
