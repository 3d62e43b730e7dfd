/** A page that stands alone: it has no script and fetches nothing. */
import { sha256Hex } from '../text/sha256.ts';
import { html, type Markup } from './markup.ts';

type Page = { readonly language: string; readonly title: string; readonly body: Markup; readonly style?: string };

/** A whole page with its one style, which its policy allows by hash; it opens without a network, and prints on A4. */
export function htmlPage({ language, title, body, style = '' }: Page): string {
  const css = STYLE + style;
  const hash = Buffer.from(sha256Hex(css), 'hex').toString('base64');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${html`<title>${title}</title>`}
<style>${css}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const STYLE = `
:root { --ink: #1d2430; --dim: #5c6675; --line: #d9dee6; --ground: #fff; --soft: #f4f6f9; --good: #0b6b3a; --bad: #a3231f; --mark: #1f4e8c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --dim: #9aa5b4; --line: #343c48; --ground: #14181e; --soft: #1c222b; --good: #62c48f; --bad: #f08a80; --mark: #8bb8f0; }
}
@media print {
  :root { --ink: #000; --dim: #444; --line: #bbb; --ground: #fff; --soft: #f6f6f6; --good: #0b6b3a; --bad: #a3231f; --mark: #1f4e8c; }
  body { padding: 0 !important; font-size: 9.5pt !important; }
  section { break-inside: auto; } h2 { break-after: avoid; } tr, dt { break-inside: avoid; }
}
@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header { border-bottom: 2px solid var(--ink); padding-bottom: 1.1rem; margin-bottom: 1.6rem; }
header p { margin: 0; color: var(--dim); }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .2rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.2rem 0 .7rem; color: var(--mark); }
.state { font-size: 1.1rem; font-weight: 600; }
.verdict { border-left: 4px solid var(--good); background: var(--soft); padding: .7rem 1rem; margin: 1.2rem 0; }
.verdict.bad { border-color: var(--bad); } .verdict b { color: var(--good); } .verdict.bad b { color: var(--bad); }
.verdict ul { margin: .4rem 0 0; padding-left: 1.1rem; }
dl { display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: .3rem 1.2rem; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9em; }
th { text-align: left; font-weight: 600; color: var(--dim); border-bottom: 1px solid var(--ink); padding: .3rem .7rem .3rem 0; vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .3rem .7rem .3rem 0; vertical-align: top; overflow-wrap: anywhere; }
td.n { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font: .86em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
td:first-child { color: var(--dim); } ul { margin: 0; padding-left: 1.1rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .7rem .9rem; margin: .4rem 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.dim { color: var(--dim); } .none { color: var(--dim); margin: 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; color: var(--dim); font-size: .88em; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;
