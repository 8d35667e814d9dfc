import { api, open } from '../../shared/api/clients.ts';
import { enterWith, type Wanted } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';

const isBack = location.pathname === '/konsol/sso';

/** What the provider of work accounts put into the address, until it is used; null where nobody comes back from there. */
let response = isBack ? location.search.slice(1) : null;
// The code is good once, and stays in no history.
if (isBack) history.replaceState(null, '', '/konsol/');

const stateOf = (query: string): string => new URLSearchParams(query).get('state') ?? '';

/** Whether this window was opened to confirm who is there in another one, which takes the response. */
export const isConfirmation = response !== null && stateOf(response).startsWith('confirm.');

const channelName = 'janji-konfirmasi';

/** Gives the response to the window that waits for it, and closes this one where the browser lets us. */
export const handBack = (): void => {
  new BroadcastChannel(channelName).postMessage(takeResponse());
  window.close();
};

/** Takes the response, once. */
export const takeResponse = (): string | null => {
  const taken = response;
  response = null;
  return taken;
};

/** Goes to the provider of work accounts. */
export const goToProvider = async (): Promise<void> => {
  const { data } = await take(open.v1.auth.sso.$post());
  location.assign(data.url);
};

/** Logs in by what the provider answered; returns the challenge if a second factor is needed. */
export const logInBySso = (answer: string): Promise<Wanted | null> =>
  enterWith(take(open.v1.auth.sso.finish.$post({ json: { response: answer } })));

/** A confirmation that has begun. */
export interface Confirming {
  state: string;
  challenge: string;
}

/** Sends a window to the provider of work accounts. */
export const confirmIn = async (opened: Window): Promise<Confirming> => {
  try {
    const { url, challenge } = (await take(api.v1.auth.reauthenticate.sso.$post({}))).data;
    opened.location.href = url;
    return { state: stateOf(new URL(url).search), challenge };
  } catch (error) {
    opened.close();
    throw error;
  }
};

/** Calls back with what the provider answered in another window. Returns what ends it. */
export const awaitResponse = (onResponse: (answer: string, state: string) => void): (() => void) => {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<string>) => onResponse(data, stateOf(data));
  return () => channel.close();
};

export const finishConfirming = async (answer: string, { challenge }: Confirming): Promise<void> => {
  await take(api.v1.auth.reauthenticate.sso.finish.$post({ json: { response: answer, challenge } }));
};
