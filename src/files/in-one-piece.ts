/** One chunk, for readers and writers that expect a stream. */
export async function* inOnePiece<Bytes extends Uint8Array>(content: Bytes): AsyncGenerator<Bytes> {
  yield content;
}
