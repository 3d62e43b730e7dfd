/** Every measurement that runs in a Node process, by name. */

import { csvtojsonJsonata, fastXmlParser, stringifyReady } from './convert-others.ts';
import { convertOurs, eventLoop, memory } from './convert-ours.ts';
import { costOfSteps } from './cost.ts';
import { deliverOurs, deliverRaw } from './deliver.ts';
import { claimOurs, claimRaw } from './intake.ts';
import type { Measurement } from './result.ts';
import { sameDocuments } from './same-documents.ts';

export const MEASUREMENTS: { readonly [name: string]: Measurement } = {
  'csv-ours': convertOurs('csv'),
  'xml-ours': convertOurs('xml'),
  'csv-ready': stringifyReady,
  'csv-jsonata': csvtojsonJsonata,
  'xml-fxp': fastXmlParser,
  'same-documents': sameDocuments,
  'csv-cost': costOfSteps,
  'csv-loop': eventLoop('csv'),
  'xml-loop': eventLoop('xml'),
  'deliver-ours-20': deliverOurs(20),
  'deliver-raw-20': deliverRaw(20),
  'deliver-ours-0': deliverOurs(0),
  'deliver-raw-0': deliverRaw(0),
  'claim-ours': claimOurs,
  'claim-raw': claimRaw,
  'csv-memory': memory('csv'),
  'xml-memory': memory('xml'),
};
