/**
 * Shows commands to copy in the form in which this program was started: in a clone npm starts it. Sentences always name
 * them as `nightpost errors`; only this file decides how they are shown.
 */

/** Every command, so that the word "nightpost" in other places stays as it is. */
const COMMANDS =
  'acknowledge|answers|approve|backup|check|completion|consult|demo|diff|doctor|dossier|errors|explain|find|fix|infer|init|ledger|list|notices|notify|people|preview|purge|reject|release|report|reprocess|requests|resolve|resume|retry|runs?|sandbox|schedule|schema|secret|serve|set-aside|show|status|test|undo|verify|waive|warnings|watch';
const COMMAND = new RegExp(String.raw`(?<![\w/.-])nightpost(?= (?:-C \S+ )?(?:${COMMANDS})\b)`, 'g');

/** Replaces the commands in a text if the npm script `nightpost` runs; `by` is the name of the running script. */
export function asInvoked(text: string, by = process.env.npm_lifecycle_event): string {
  return by === 'nightpost' ? text.replace(COMMAND, 'npm run nightpost --') : text;
}
