/** Nights whose ledger is on the PostgreSQL server of the project, each in a schema of its own. */
import { onTestFinished } from 'vitest';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { removedAfterTest } from '../../database/postgres/schema.ts';
import { openScene, type Scene, type SceneOptions } from '../../night.ts';

/** The settings `ledger.postgres` for an empty schema, which the instance makes. */
export function postgresSettings(): { readonly [key: string]: unknown } & Pick<PostgresPlace, 'schema' | 'tls'> {
  const { leaseMs: _, password, ...place } = removedAfterTest();
  return { ...place, ...(password !== undefined && { password: { command: ['echo', password] } }) };
}

/** As openScene, with a ledger on PostgreSQL. */
export async function openPostgresScene(options: SceneOptions = {}, postgres = postgresSettings()): Promise<Scene> {
  const scene = await openScene({ ...options, settings: { ...options.settings, ledger: { postgres } } });
  onTestFinished(() => scene[Symbol.asyncDispose]());
  return scene;
}
