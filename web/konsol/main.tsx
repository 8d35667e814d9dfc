import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import { render } from 'preact';
import { startSession } from '../shared/api/session.ts';
import { words } from './words.ts';

const App = () => (
  <main>
    <h1>{words.value.title}</h1>
  </main>
);

void startSession('konsol').catch(() => {});
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
