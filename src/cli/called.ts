/** How this program was started, for commands that a person is to copy: from a clone npm starts it. */
export const CALLED = process.env.npm_lifecycle_event === 'nightpost' ? 'npm run nightpost --' : 'nightpost';
