/** Loaded into a program that is measured from outside: whenever its parent asks, it says what it has used so far. */
process.on('message', () => process.send?.(process.resourceUsage()));
// Waiting to be asked does not keep the program alive.
process.channel?.unref();
