/** The name of a list of the source, as formulas and `each: item of` write it. */
import { z } from 'zod';
import { READER_OPTION } from '../i18n/messages/readers-messages.ts';
import { expecting } from '../model/shape-issue.ts';

/** Letters and digits of any script, and `_`: what the formula parser reads as one name. */
export const listName = z.string().regex(/^[\p{L}\p{N}_]+$/u, expecting(READER_OPTION.listName()));
