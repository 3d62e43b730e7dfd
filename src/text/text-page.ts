/** The characters that an encoding has, for text that is written in it. Types only. */

/** One encoding, as text sees it before it becomes bytes. */
export type TextPage = {
  /** True where the encoding has every character of the text. */
  readonly holds: (text: string) => boolean;
  /** The text with near characters in place of those that the encoding lacks ("EUR" for the euro sign), else `other`. */
  readonly fit: (text: string, other: string) => string;
  readonly bytes: (text: string) => Buffer;
  readonly text: (bytes: Buffer) => string;
};
