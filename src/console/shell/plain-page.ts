/** The page around a sign-in or a problem: no navigation, no person. Pure. */
import { html } from 'hono/html';
import type { PlainView } from '../server/console-answers.ts';
import type { PageHtml } from '../server/screen-context.ts';

/** `script`: the name of one file of src/console/static. */
export function plainPage(view: PlainView, title: string, body: PageHtml, script?: string): PageHtml {
  return html`<!doctype html>
<html lang="${view.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Nightpost</title>
<link rel="stylesheet" href="${view.asset('console.css')}">
${script === undefined ? '' : html`<script src="${view.asset(script)}" defer></script>`}
</head>
<body class="plain">
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}
