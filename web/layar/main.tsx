import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import { render } from 'preact';
import { words } from './words.ts';

const App = () => (
  <main>
    <h1>{words.value.title}</h1>
  </main>
);

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
