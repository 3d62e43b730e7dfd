/**
 * Commands that a person is to copy, as this program was started: from a clone npm starts it. Sentences name them in one
 * form only (`nightpost errors`), wherever they are written; here alone it is decided how they are shown.
 */

const COMMANDS =
  'backup|check|consult|demo|diff|doctor|errors|explain|fix|infer|init|ledger|preview|purge|reject|release|reprocess|resolve|resume|retry|run|sandbox|schedule|schema|show|status|test|verify|watch';
const COMMAND = new RegExp(String.raw`(?<![\w/.-])nightpost(?= (?:-C \S+ )?(?:${COMMANDS})\b)`, 'g');

/** `by`: the name of the npm script that runs, where one does. */
export function asInvoked(text: string, by = process.env.npm_lifecycle_event): string {
  return by === 'nightpost' ? text.replace(COMMAND, 'npm run nightpost --') : text;
}
