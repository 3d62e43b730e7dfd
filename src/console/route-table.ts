/** Every page and every act of the console, with the right that it needs: the server, the navigation and the tests read it. */

import { MOST_SAMPLE_BYTES } from '../authoring/studio-samples.ts';
import { API_ROUTES } from './api/api-table.ts';
import {
  downloadAnswers,
  downloadDossier,
  downloadPayload,
  downloadReceipt,
} from './screens/documents/document-downloads.ts';
import { checkFix, fixDocument } from './screens/documents/document-fix.ts';
import { documentScreen } from './screens/documents/document-screen.ts';
import { exportDocumentsCsv, exportDocumentsJson } from './screens/documents/documents-export.ts';
import { documentsScreen } from './screens/documents/documents-screen.ts';
import { findScreen } from './screens/documents/find-screen.ts';
import {
  setFileAsideScreen,
  takeFileAgain,
  undoFileScreen,
  undoWaiverScreen,
  uploadScreen,
  waiveExportScreen,
} from './screens/files/file-acts.ts';
import { fileArchive, fileScreen } from './screens/files/file-screen.ts';
import { filesScreen } from './screens/files/files-screen.ts';
import { doctorScreen, healthScreen, resumeScreen } from './screens/health/health-screen.ts';
import { homeScreen } from './screens/home-screen.ts';
import { mappingListScreen } from './screens/mappings/mapping-list-screen.ts';
import { mappingScreen } from './screens/mappings/mapping-screen.ts';
import { beginMapping, studioAct, studioScreen } from './screens/mappings/studio-screen.ts';
import { accountScreen, endOwnSessions, setOwnPassword } from './screens/people/account-screen.ts';
import {
  addPerson,
  changeRole,
  endPersonSessions,
  makePersonLink,
  makePersonToken,
  revokePerson,
} from './screens/people/people-acts.ts';
import { peopleScreen } from './screens/people/people-screen.ts';
import { personScreen } from './screens/people/person-screen.ts';
import { preferencesScreen } from './screens/preferences-screen.ts';
import { runScreen } from './screens/runs/run-screen.ts';
import { runsScreen } from './screens/runs/runs-screen.ts';
import { actScreen, undoActScreen } from './screens/work/act-screen.ts';
import { approvalsScreen, approveScreen } from './screens/work/approval-screen.ts';
import { lookAtWork, submitWork } from './screens/work/submit-work.ts';
import { workScreen } from './screens/work/work-screen.ts';
import type { ScreenRoute } from './server/screen-context.ts';

/** A picture of a portal, a scanned letter. */
const MOST_EVIDENCE_BYTES = 32 * 1024 ** 2;
/** A sample, and the text of a mapping with it. */
const MOST_SAMPLE_FORM = MOST_SAMPLE_BYTES + 2 * 1024 ** 2;

export const CONSOLE_ROUTES: readonly ScreenRoute[] = [
  { method: 'GET', path: '/', right: 'view', screen: homeScreen },
  { method: 'GET', path: '/files', right: 'view', screen: filesScreen },
  { method: 'GET', path: '/files/:id', right: 'view', screen: fileScreen },
  { method: 'GET', path: '/files/:id/archive', right: 'act', screen: fileArchive },
  { method: 'GET', path: '/health', right: 'view', screen: healthScreen },
  { method: 'POST', path: '/health/doctor', right: 'act', screen: doctorScreen },
  { method: 'POST', path: '/health/resume', right: 'act', screen: resumeScreen },
  { method: 'GET', path: '/runs', right: 'view', screen: runsScreen },
  { method: 'GET', path: '/runs/:id', right: 'view', screen: runScreen },
  { method: 'POST', path: '/files/again', right: 'act', screen: takeFileAgain },
  { method: 'POST', path: '/files/set-aside', right: 'act', screen: setFileAsideScreen },
  { method: 'POST', path: '/files/undo', right: 'act', screen: undoFileScreen },
  { method: 'POST', path: '/files/waive', right: 'act', screen: waiveExportScreen },
  { method: 'POST', path: '/files/unwaive', right: 'act', screen: undoWaiverScreen },
  { method: 'POST', path: '/files/upload', right: 'act', kind: 'upload', screen: uploadScreen },
  { method: 'POST', path: '/preferences', right: 'view', screen: preferencesScreen },
  { method: 'GET', path: '/documents', right: 'view', screen: documentsScreen },
  { method: 'GET', path: '/documents.csv', right: 'view', screen: exportDocumentsCsv },
  { method: 'GET', path: '/documents.json', right: 'view', screen: exportDocumentsJson },
  { method: 'GET', path: '/documents/:id{[0-9a-f-]+\\.zip}', right: 'view', screen: downloadDossier },
  { method: 'GET', path: '/documents/:id', right: 'view', screen: documentScreen },
  { method: 'GET', path: '/documents/:id/payload', right: 'view', screen: downloadPayload },
  { method: 'GET', path: '/documents/:id/answers', right: 'view', screen: downloadAnswers },
  { method: 'GET', path: '/documents/:id/receipt', right: 'view', screen: downloadReceipt },
  { method: 'POST', path: '/documents/:id/check', right: 'act', screen: checkFix },
  { method: 'POST', path: '/documents/:id/fix', right: 'act', screen: fixDocument },
  { method: 'GET', path: '/find', right: 'view', screen: findScreen },
  { method: 'GET', path: '/account', right: 'view', screen: accountScreen },
  { method: 'POST', path: '/account/password', right: 'view', screen: setOwnPassword },
  { method: 'POST', path: '/account/sessions', right: 'view', screen: endOwnSessions },
  { method: 'GET', path: '/people', right: 'admin', screen: peopleScreen },
  { method: 'POST', path: '/people', right: 'admin', screen: addPerson },
  { method: 'GET', path: '/people/:id', right: 'admin', screen: personScreen },
  { method: 'POST', path: '/people/:id/role', right: 'admin', screen: changeRole },
  { method: 'POST', path: '/people/:id/revoke', right: 'admin', screen: revokePerson },
  { method: 'POST', path: '/people/:id/link', right: 'admin', screen: makePersonLink },
  { method: 'POST', path: '/people/:id/token', right: 'admin', screen: makePersonToken },
  { method: 'POST', path: '/people/:id/sessions', right: 'admin', screen: endPersonSessions },
  ...API_ROUTES,
  { method: 'GET', path: '/work', right: 'view', screen: workScreen },
  { method: 'POST', path: '/work', right: 'act', screen: lookAtWork },
  { method: 'POST', path: '/acts', right: 'act', mostProofBytes: MOST_EVIDENCE_BYTES, screen: submitWork },
  { method: 'GET', path: '/acts', right: 'view', screen: approvalsScreen },
  { method: 'POST', path: '/acts/:id/approval', right: 'act', screen: approveScreen },
  { method: 'GET', path: '/acts/:id', right: 'view', screen: actScreen },
  { method: 'POST', path: '/acts/:id/undo', right: 'act', screen: undoActScreen },
  { method: 'GET', path: '/mappings', right: 'view', screen: mappingListScreen },
  { method: 'POST', path: '/mappings', right: 'studio', mostBytes: MOST_SAMPLE_FORM, screen: beginMapping },
  { method: 'GET', path: '/mappings/:id', right: 'view', screen: mappingScreen },
  { method: 'GET', path: '/mappings/:id/studio', right: 'view', screen: studioScreen },
  { method: 'POST', path: '/mappings/:id/studio', right: 'studio', mostBytes: MOST_SAMPLE_FORM, screen: studioAct },
];
