/** More than any answer of another system that is read whole: a longer one is cut. */
export const maxAnswerBytes = 1_048_576;

/**
 * The text of another system's answer, up to so many bytes; the rest is not read. With a limit of time it is what came
 * until then, or until the connection broke.
 */
export const readStart = async (
  { body }: Response,
  maxBytes = maxAnswerBytes,
  limit?: AbortSignal,
): Promise<string> => {
  if (body === null) return '';
  const reader = body.getReader();
  // Not awaited, because the other side decides how long it takes.
  const end = () => void reader.cancel().catch(() => {});
  limit?.addEventListener('abort', end);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let left = maxBytes; left > 0; ) {
      const { value, done } = await reader.read();
      if (done) break;
      const part = value.subarray(0, left);
      left -= part.length;
      text += decoder.decode(part, { stream: true });
    }
  } catch (error) {
    if (limit === undefined) throw error;
  } finally {
    limit?.removeEventListener('abort', end);
    end();
  }
  return text;
};
