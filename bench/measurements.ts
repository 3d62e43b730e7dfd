/** Every measurement that runs in a Node process, by name; loaded alone, so that no other's libraries count as its memory. */
import type { Measurement } from './result.ts';

type Load = () => Promise<Measurement>;

const ours = () => import('./convert-ours.ts');
const strictOnly = async () => {
  await import('./strict-only.ts');
  return await ours();
};
const others = () => import('./convert-others.ts');
const deliver = () => import('./deliver.ts');
const intake = () => import('./intake.ts');
const start = () => import('./start.ts');

export const MEASUREMENTS: { readonly [name: string]: Load } = {
  'csv-ours': async () => (await ours()).convertOurs('csv'),
  'xml-ours': async () => (await ours()).convertOurs('xml'),
  'csv-strict': async () => (await strictOnly()).convertOurs('csv'),
  'xml-strict': async () => (await strictOnly()).convertOurs('xml'),
  'csv-ready': async () => (await others()).stringifyReady,
  'csv-jsonata': async () => (await others()).csvtojsonJsonata,
  'xml-fxp': async () => (await others()).fastXmlParser,
  'xml-read-ours': async () =>
    (await import('./read.ts')).readXml((await import('../src/readers/xml/xml-reader.ts')).xmlReader),
  'xml-read-fxp': async () => (await import('./read.ts')).readXml((await others()).wholeReader),
  'same-documents': async () => (await import('./same-documents.ts')).sameDocuments,
  'csv-cost': async () => (await import('./cost.ts')).costOfSteps,
  'csv-loop': async () => (await ours()).eventLoop('csv'),
  'xml-loop': async () => (await ours()).eventLoop('xml'),
  'deliver-ours-20': async () => (await deliver()).deliverOurs(20),
  'deliver-raw-20': async () => (await deliver()).deliverRaw(20),
  'deliver-ours-0': async () => (await deliver()).deliverOurs(0),
  'deliver-raw-0': async () => (await deliver()).deliverRaw(0),
  'deliver-postgres-20': async () => (await import('./deliver-postgres.ts')).deliverOnPostgres(20),
  'deliver-postgres-0': async () => (await import('./deliver-postgres.ts')).deliverOnPostgres(0),
  'deliver-bare-0': async () => (await import('./floor.ts')).deliverBare,
  'deliver-adapting': async () => (await deliver()).deliverAtPace({ concurrency: 16, 'adapt-concurrency': true }),
  'deliver-fixed-16': async () => (await deliver()).deliverAtPace({ concurrency: 16 }),
  'deliver-fixed-4': async () => (await deliver()).deliverAtPace({ concurrency: 4 }),
  'deliver-backlog-2': async () => (await deliver()).deliverFromBacklog(2),
  'deliver-backlog-100': async () => (await deliver()).deliverFromBacklog(100),
  'deliver-alone': async () => (await import('./watched.ts')).deliverWatched(false),
  'deliver-watched': async () => (await import('./watched.ts')).deliverWatched(true),
  'files-many': async () => (await import('./many-files.ts')).nightOf('many'),
  'files-one': async () => (await import('./many-files.ts')).nightOf('one'),
  'files-crowd': async () => (await import('./many-files.ts')).crowd,
  'evening-plain': async () => (await import('./evening.ts')).evening(false),
  'evening-whole': async () => (await import('./evening.ts')).evening(true),
  'evening-answers': async () => (await import('./evening.ts')).answersAlone,
  'claim-ours': async () => (await intake()).claimOurs,
  'claim-raw': async () => (await intake()).claimRaw,
  'night-clean': async () => (await import('./poison.ts')).takeInNight(false),
  'night-poison': async () => (await import('./poison.ts')).takeInNight(true),
  'start-node': async () => (await start()).starting({}),
  'start-version': async () => (await start()).starting({ program: 'built', words: ['--version'] }),
  'start-help': async () => (await start()).starting({ program: 'built', words: ['--help'] }),
  'start-status': async () => (await start()).starting({ program: 'built', words: ['status'], instance: 'none' }),
  'start-status-all': async () => (await start()).starting({ program: 'built', words: ['status'], instance: 'all' }),
  'start-check-all': async () => (await start()).starting({ program: 'built', words: ['check'], instance: 'all' }),
  'start-clone-version': async () => (await start()).starting({ program: 'clone', words: ['--version'] }),
  'start-clone-status-all': async () =>
    (await start()).starting({ program: 'clone', words: ['status'], instance: 'all' }),
  'workers-small-1': async () => (await import('./workers.ts')).smallFilesBy(1),
  'workers-small-2': async () => (await import('./workers.ts')).smallFilesBy(2),
  'workers-large-1': async () => (await import('./workers.ts')).largeFilesBy(1),
  'workers-large-2': async () => (await import('./workers.ts')).largeFilesBy(2),
  'workers-large-4': async () => (await import('./workers.ts')).largeFilesBy(4),
  look: async () => (await import('./look.ts')).look,
  'csv-memory': async () => (await ours()).memory('csv'),
  'xml-memory': async () => (await ours()).memory('xml'),
};
