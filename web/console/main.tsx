import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import './console.css';
import { render } from 'preact';
import { renew, startSession } from '../shared/api/session.ts';
import { App, Returned } from './App.tsx';
import { handBack, isConfirmation } from './login/sso.ts';
import { startFailure, takeSetupToken } from './start.ts';

let isBegun = false;

/** Reads who is logged in. Only the first call starts the session: the listeners of a page are added once. */
const start = (): void => {
  startFailure.value = null;
  const asked = isBegun ? renew() : startSession('konsol');
  isBegun = true;
  asked.catch((error: Error) => (startFailure.value = error));
};

takeSetupToken();
const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(isConfirmation ? <Returned /> : <App start={start} />, root);
}
if (isConfirmation) handBack();
else start();
// After `startSession`, whose own listener forgets first who was here: the answer it waits for is the same.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) start();
});
addEventListener('online', () => {
  if (startFailure.peek() !== null) start();
});
