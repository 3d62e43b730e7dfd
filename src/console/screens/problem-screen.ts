/** What went wrong, in the language of the browser. */
import { html } from 'hono/html';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import type { PlainView } from '../server/console-answers.ts';
import type { PageHtml, ScreenProblem } from '../server/screen-context.ts';
import { plainPage } from '../shell/plain-page.ts';

export function problemScreen(view: PlainView, { status, message, hint }: ScreenProblem): PageHtml {
  const { say, base } = view;
  const body = html`<p>${say(message)}</p>
${hint ? html`<p>${say(hint)}</p>` : ''}
<p><a href="${base}/">${say(CONSOLE_ERROR.home())}</a></p>`;
  return plainPage(view, say(CONSOLE_ERROR.title({ status: String(status) })), body);
}
