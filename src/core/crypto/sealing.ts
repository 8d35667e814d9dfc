import { fromBase64Url, toBase64Url } from './base64url.ts';
import type { ClinicKeys } from './clinic-keys.ts';

/** Keeps secrets that must be read again, such as a webhook's signing key, unreadable in the database. */
export interface SecretBox {
  seal(text: string): Promise<string>;
  /** Null when none of the keys in force sealed it. */
  open(sealed: string): Promise<string | null>;
  /** Whether it was sealed with an older key and should be sealed again. */
  isOld(sealed: string): boolean;
  /** The id of the sealing key: sealed values begin with it and a full stop. */
  keyId: string;
  /** The ids of the older keys in force. */
  oldKeyIds: readonly string[];
}

const deriveSealingKey = async (secret: string) => {
  const bytes = new TextEncoder().encode(secret);
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const derivation = (info: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(info),
  });
  const cipher = { name: 'AES-GCM', length: 256 };
  return {
    id: toBase64Url(await crypto.subtle.deriveBits(derivation('janji sealing key id'), material, 48)),
    key: await crypto.subtle.deriveKey(derivation('janji sealing'), material, cipher, false, [
      'encrypt',
      'decrypt',
    ]),
  };
};

/** AES-256-GCM under a key derived (HKDF, RFC 5869) from the first secret; what the others sealed still opens. */
export const createSecretBox = async ({
  dataSecrets,
}: Pick<ClinicKeys, 'dataSecrets'>): Promise<SecretBox> => {
  const keys = await Promise.all(dataSecrets.map(deriveSealingKey));
  const [current] = keys;
  if (current === undefined) throw new Error('There is no key to seal with.');
  return {
    seal: async (text) => {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const data = new TextEncoder().encode(text);
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, current.key, data);
      return [current.id, toBase64Url(iv), toBase64Url(sealed)].join('.');
    },
    open: async (sealed) => {
      const [id, iv = '', data = ''] = sealed.split('.');
      const found = keys.find((key) => key.id === id);
      if (found === undefined) return null;
      try {
        const algorithm = { name: 'AES-GCM', iv: fromBase64Url(iv) };
        return new TextDecoder().decode(
          await crypto.subtle.decrypt(algorithm, found.key, fromBase64Url(data)),
        );
      } catch {
        return null;
      }
    },
    keyId: current.id,
    oldKeyIds: keys.slice(1).map(({ id }) => id),
    isOld: (sealed) => !sealed.startsWith(`${current.id}.`),
  };
};
