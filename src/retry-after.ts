const hourMs = 3_600_000;

/** The pause that an answer asks for by Retry-After, which counts in seconds alone, and up to one hour. */
export const retryAfterMs = (header: string | null | undefined): number | undefined =>
  /^[1-9]\d{0,8}$/.test(header ?? '') ? Math.min(Number(header) * 1000, hourMs) : undefined;
