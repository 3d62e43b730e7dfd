/** Every case that runs in a Node process, by name; loaded alone, so that no other's libraries count as its memory. */
import type { Case } from './result.ts';

type Load = () => Promise<Case>;

const convert = () => import('./cases/convert.ts');
const variants = () => import('./cases/night-variants.ts');
const start = () => import('./cases/start.ts');
const workers = () => import('./cases/workers.ts');

export const CASES: { readonly [name: string]: Load } = {
  night: async () => (await import('./cases/night.ts')).night,
  'night-listed': async () => (await import('./cases/night.ts')).nightListed,
  floor: async () => (await import('./cases/floor.ts')).floor,
  bare: async () => (await import('./cases/floor.ts')).bare,
  'night-postgres': async () => (await variants()).nightOnPostgres,
  'night-logged': async () => (await variants()).nightWatched(false),
  'night-watched': async () => (await variants()).nightWatched(true),
  'night-answered': async () => (await variants()).nightAnswered,
  'night-poisoned': async () => (await variants()).nightPoisoned,
  'pace-adapting': async () => (await variants()).nightAtPace({ 'adapt-concurrency': true }),
  'pace-fixed-16': async () => (await variants()).nightAtPace({}),
  'pace-fixed-4': async () => (await variants()).nightAtPace({ concurrency: 4 }),
  backlog: async () => (await variants()).backlog,
  crowd: async () => (await variants()).crowd,
  convert: async () => (await convert()).convertExports,
  'convert-strict': async () => {
    await import('./cases/strict-only.ts');
    return (await convert()).convertExports;
  },
  loop: async () => (await convert()).eventLoop,
  memory: async () => (await convert()).memory,
  cost: async () => (await import('./cases/cost.ts')).costOfSteps,
  'claim-ours': async () => (await import('./cases/claim.ts')).claimOurs,
  'claim-raw': async () => (await import('./cases/claim.ts')).claimRaw,
  'start-node': async () => (await start()).starting({}),
  'start-version': async () => (await start()).starting({ program: 'built', words: ['--version'] }),
  'start-help': async () => (await start()).starting({ program: 'built', words: ['--help'] }),
  'start-status': async () => (await start()).starting({ program: 'built', words: ['status'], instance: 'none' }),
  'start-status-all': async () => (await start()).starting({ program: 'built', words: ['status'], instance: 'all' }),
  'start-check-all': async () => (await start()).starting({ program: 'built', words: ['check'], instance: 'all' }),
  'start-clone': async () => (await start()).starting({ program: 'clone', words: ['--version'] }),
  'start-clone-all': async () => (await start()).starting({ program: 'clone', words: ['status'], instance: 'all' }),
  look: async () => (await import('./cases/look.ts')).look,
  'workers-small-1': async () => (await workers()).smallFilesBy(1),
  'workers-small-2': async () => (await workers()).smallFilesBy(2),
  'workers-large-1': async () => (await workers()).largeFilesBy(1),
  'workers-large-2': async () => (await workers()).largeFilesBy(2),
};
