/** Proposed lines of mappings for people: proposals come in, lines come out. */
import { PROPOSAL } from '../../i18n/messages/cli-views-messages.ts';
import { escapeControls } from '../../text/printable.ts';
import type { MappingProposal } from '../../views/queries/mapping-proposals.ts';
import type { Session } from '../session/command-session.ts';

/** Proposals that are printed; --json has all. */
const SHOWN = 3;

/** One sentence for each, with the line to copy, and how many more there are. */
export function proposalLines(proposals: readonly MappingProposal[], say: Session['say']): readonly string[] {
  const lines = proposals.slice(0, SHOWN).map(({ column, from, to, files, file, under, line }) => {
    return escapeControls(`  ${say(PROPOSAL.replace({ column, from, to, count: files, file, under, line }))}`);
  });
  const more = proposals.length - lines.length;
  return more > 0 ? [...lines, `  ${say(PROPOSAL.more({ count: more }))}`] : lines;
}
