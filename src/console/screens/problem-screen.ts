/** What went wrong, in the language of the browser. */
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import type { PlainView } from '../server/console-answers.ts';
import type { ScreenProblem } from '../server/screen-context.ts';
import { plainPage } from '../shell/plain-page.ts';

export function problemScreen(view: PlainView, { status, message, hint }: ScreenProblem): Markup {
  const { say, base } = view;
  const body = markup`<p>${say(message)}</p>
${hint ? markup`<p>${say(hint)}</p>` : undefined}
<p><a href="${base}/">${say(CONSOLE_ERROR.home())}</a></p>`;
  return plainPage(view, say(CONSOLE_ERROR.title({ status: String(status) })), body);
}
