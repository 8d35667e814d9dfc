/** Of each public read that PUBLIC_CACHE keeps (src/core/http/public-cache.ts). */
export const mayBeKept =
  'Where the clinic has chosen so (PUBLIC_CACHE), an answer to a request without credentials is up to 5 s old, as its `Age` says.';
