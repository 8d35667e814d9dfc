import { open } from '../../shared/api/clients.ts';
import { enterWith, type Wanted } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';

const isBack = location.pathname === '/konsol/sso';

/** What the provider of work accounts put into the address, until it is used; null where nobody comes back from there. */
let response = isBack ? location.search.slice(1) : null;
// The code is good once, and stays in no history.
if (isBack) history.replaceState(null, '', '/konsol/');

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
