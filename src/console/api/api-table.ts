/** Every route of the API, and the document that describes them all. */
import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../../files/package-folder.ts';
import type { ScreenRoute } from '../server/screen-context.ts';
import { ACT_ROUTES } from './act-routes.ts';
import { type ApiRoute, apiRoute, screenRouteOf } from './api-route.ts';
import { OPENAPI } from './api-shapes.ts';
import { eventRoute } from './event-route.ts';
import { openApiDocument } from './openapi.ts';
import { previewRoute } from './preview-route.ts';
import { READ_ROUTES } from './read-routes.ts';

const description = apiRoute({
  method: 'GET',
  path: '/openapi.json',
  right: 'view',
  says: 'This document.',
  answers: { 200: OPENAPI },
  answer: async ({ base }) => openApiDocument(API_TABLE, { base, version: programVersion() }),
});

export const API_TABLE: readonly ApiRoute[] = [...READ_ROUTES, ...ACT_ROUTES, previewRoute, eventRoute, description];

export const API_ROUTES: readonly ScreenRoute[] = API_TABLE.map(screenRouteOf);

function programVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')) as { version: string };
  return version;
}
