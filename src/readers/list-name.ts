/** The name of a list of the source, as formulas and `each: item of` write it. */
import { z } from 'zod';

/** Letters and digits of any script, and `_`: what the formula parser reads as one name. */
export const listName = z.string().regex(/^[\p{L}\p{N}_]+$/u, 'the name of a list has letters, digits and _');
