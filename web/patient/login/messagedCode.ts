/**
 * The code of a text message that names this site in its last line (`@klinik.example #123456`), where the browser reads
 * such messages and the person agrees to it. Nothing where it does not, or where they decline: then the code is typed.
 */
export const readMessagedCode = async (signal: AbortSignal): Promise<string | null> => {
  if (!('OTPCredential' in window)) return null;
  try {
    const wanted = { otp: { transport: ['sms'] }, signal } as CredentialRequestOptions;
    const found = (await navigator.credentials.get(wanted)) as { code?: string } | null;
    return found?.code ?? null;
  } catch {
    return null;
  }
};
