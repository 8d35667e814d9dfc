interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

const allowed = ['/pasien/sw.js', '/layar/sw.js'];

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

/** The one policy that the page allows: the service workers' addresses, and no markup at all. */
const policy = trustedTypes?.createPolicy('janji', {
  createScriptURL: (url) => {
    if (!allowed.includes(url)) throw new TypeError(url);
    return url;
  },
});

/** Registers an app's service worker; resolves to nothing if the browser supports none or the page is not secure. */
export const registerWorker = async (
  app: 'pasien' | 'layar',
): Promise<ServiceWorkerRegistration | undefined> => {
  if (!('serviceWorker' in navigator)) return undefined;
  const url = `/${app}/sw.js`;
  return navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url, { scope: `/${app}/` });
};
