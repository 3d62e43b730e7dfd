/** The form of the sign-in: with a name and a password, or with a link, which works without script when it is pasted. */
import { SIGN_IN } from '../../i18n/messages/console/console-server-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import type { PlainView, SignInView } from '../server/console-answers.ts';
import { plainPage } from '../shell/plain-page.ts';

export function signInScreen(view: PlainView, { next, failed, oidc }: SignInView): Markup {
  const { say, base } = view;
  const body = markup`${failed ? markup`<p role="alert" class="notice">${say(failed)}</p>` : undefined}
${oidc ? markup`<p><a class="button" href="${base}/login/oidc?next=${encodeURIComponent(next)}">${say(SIGN_IN.withCompany())}</a></p>` : undefined}
<form method="post" action="${base}/login">
<h2>${say(SIGN_IN.withPassword())}</h2>
<input type="hidden" name="next" value="${next}">
<p><label>${say(SIGN_IN.name())} <input name="name" autocomplete="username" required></label></p>
<p><label>${say(SIGN_IN.password())} <input name="password" type="password" autocomplete="current-password" required></label></p>
<p><button>${say(SIGN_IN.act())}</button></p>
</form>
<form method="post" action="${base}/login" id="link">
<h2>${say(SIGN_IN.withLink())}</h2>
<input type="hidden" name="next" value="${next}">
<p><label>${say(SIGN_IN.token())} <input name="token" autocomplete="off" required></label></p>
<p class="hint">${say(SIGN_IN.tokenHint())}</p>
<p><button>${say(SIGN_IN.act())}</button></p>
</form>`;
  return plainPage(view, say(SIGN_IN.title()), body, 'sign-in.js');
}
