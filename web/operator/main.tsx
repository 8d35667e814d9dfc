import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import './operator.css';
import { render } from 'preact';
import { App } from './App.tsx';
import { startSession } from './session.ts';

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
startSession();
