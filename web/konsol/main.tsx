import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import './konsol.css';
import { render } from 'preact';
import { startSession } from '../shared/api/session.ts';
import { App } from './App.tsx';
import { startFailure } from './start.ts';

export const start = (): void => {
  startFailure.value = null;
  startSession('konsol').catch((error: Error) => (startFailure.value = error));
};

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App start={start} />, root);
}
start();
