/** The page around a sign-in or a problem: no navigation, no person. Pure. */

import { type Markup, markup } from '../../pages/markup.ts';
import type { PlainView } from '../server/console-answers.ts';

/** `script`: the name of one file of src/console/static. */
export function plainPage(view: PlainView, title: string, body: Markup, script?: string): Markup {
  return markup`<!doctype html>
<html lang="${view.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Nightpost</title>
<link rel="stylesheet" href="${view.asset('console.css')}">
${script === undefined ? undefined : markup`<script src="${view.asset(script)}" defer></script>`}
</head>
<body class="plain">
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}
