/** The names of the files of morning reports, below the instance folder. Pure. */

const REPORT_ENDING = '.report.json';
const PAGE_ENDING = '.report.html';

/** Of the report with this id, which is DAY/RUN. */
export function reportPaths(id: string): { readonly json: string; readonly page: string } {
  return { json: `reports/${id}${REPORT_ENDING}`, page: `reports/${id}${PAGE_ENDING}` };
}

/** The id of the report that a file in the folder of this day belongs to; undefined for another file. */
export function reportId(day: string, name: string): string | undefined {
  const ending = [REPORT_ENDING, PAGE_ENDING].find((one) => name.endsWith(one));
  return ending === undefined ? undefined : `${day}/${name.slice(0, -ending.length)}`;
}

/** Whether a file below reports/ is a report or its page by its name. */
export function isReportFile(name: string): boolean {
  return name.endsWith(REPORT_ENDING) || name.endsWith(PAGE_ENDING);
}
