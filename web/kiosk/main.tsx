import '../shared/tokens.css';
import '../shared/face-swap.css';
import '../shared/base.css';
import './kiosk.css';
import { render } from 'preact';
import { stayAwake } from '../shared/awake.ts';
import { App } from './App.tsx';
import { startDevice } from './device.ts';

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
stayAwake();
void startDevice();
