import { createPlatformCache } from '../../core/http/public-cache.ts';

/** The cache of the place where a request arrived; a host of workers.dev has none, and everything is computed. */
export const platformCache = createPlatformCache(Date.now, () => caches.default);
