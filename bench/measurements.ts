/** Every measurement that runs in a Node process, by name. */

import { csvtojsonJsonata, fastXmlParser, stringifyReady } from './convert-others.ts';
import { convertOurs, eventLoop, memory } from './convert-ours.ts';
import { costOfSteps } from './cost.ts';
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
  'csv-memory': memory('csv'),
  'xml-memory': memory('xml'),
};
