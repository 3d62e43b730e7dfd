/** The page of the morning report. */
import { format } from '../i18n/message.ts';
import { NIGHT_PART, NIGHT_REPORT } from '../i18n/messages/report/report-page-messages.ts';
import type { NightReport } from '../pipeline/reporting/report-shape.ts';
import type { Locale } from '../text/local-time.ts';
import { html, htmlPage } from './html.ts';

export function reportPage(report: NightReport, { language }: Locale): string {
  const title = report.verdict.sentence[language];
  const body = html`<header><p>${format(NIGHT_REPORT.kind(), language)}</p><h1>${title}</h1></header><main><h2>${format(NIGHT_PART.complete(), language)}</h2></main>`;
  return htmlPage({ language, title, body });
}
