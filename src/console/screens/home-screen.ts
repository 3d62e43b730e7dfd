/** The home page: whether the last night went well, in one sentence. */
import { CONSOLE_HOME, CONSOLE_ROLE, SIGN_IN } from '../../i18n/messages/console/console-server-messages.ts';
import { readStatus } from '../../pipeline/queries/instance-status.ts';
import { checkStatus } from '../../pipeline/queries/status-check.ts';
import { localTime } from '../../text/local-time.ts';
import type { Screen } from '../server/screen-context.ts';
import { markup } from '../shell/markup.ts';
import { plainPage } from '../shell/plain-page.ts';

export const homeScreen: Screen = async (context) => {
  const { instance, ledger, say, locale, person, base, csrf } = context;
  const status = await readStatus(instance, ledger);
  const time = (at: string) => localTime(at, locale);
  const { says } = checkStatus(status, new Date(), { maxAgeMs: undefined, time });
  const body = markup`<ul>${says.map((one) => markup`<li>${say(one)}</li>`)}</ul>
<form method="post" action="${base}/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
<p>${say(CONSOLE_HOME.signedInAs({ name: person.name, role: CONSOLE_ROLE[person.role]() }))} <button>${say(SIGN_IN.out())}</button></p>
</form>`;
  return await plainPage(context, say(CONSOLE_HOME.title()), body);
};
