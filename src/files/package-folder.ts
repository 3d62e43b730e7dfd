/** The folder of this package, in a clone as well as bundled: all chunks are two levels below it, like this file. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);
