/** The places of the console: plain data that the frame, the list of keys and the routing table share. */

/** Path of each place below the base, and the key after `g` that leads there. */
export const PLACES = {
  home: { path: '/', key: 'h' },
  work: { path: '/work', key: 'w' },
  documents: { path: '/documents', key: 'd' },
  files: { path: '/files', key: 'f' },
  runs: { path: '/runs', key: 'r' },
  mappings: { path: '/mappings', key: 'm' },
  health: { path: '/health', key: 's' },
  people: { path: '/people', key: 'p' },
} as const;
export type PlaceName = keyof typeof PLACES;
