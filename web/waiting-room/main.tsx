import './start.ts';
import '../shared/face-swap.css';
import './styles/base.css';
import './styles/latest.css';
import './styles/rows.css';
import './styles/foot.css';
import './styles/shapes.css';
import './styles/setup.css';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { fillScreen, stayAwake } from '../shared/awake.ts';
import { buildAddress, isScreen, parseSettings, type Settings } from './address.ts';
import { clock, runScreen, type ScreenModel } from './screen.ts';
import { createPlayer } from './sound/player.ts';
import { createVoice } from './sound/voice.ts';
import { Screen } from './ui/Screen.tsx';
import { Setup } from './ui/Setup.tsx';
import { watchVersion } from './version.ts';

const settings = parseSettings(location.search);
const player = createPlayer(clock, settings.volume);
const version = watchVersion();
const running = signal<ScreenModel | null>(null);
const voice = signal(settings.voice);

const run = (chosen: Settings): void => {
  player.setVolume(chosen.volume);
  voice.value = chosen.voice;
  if (chosen.voice === 'id') void player.load();
  stayAwake();
  running.value = runScreen({ settings: chosen, player, version });
};

/** "Mulai" is the user gesture that a browser requires before it plays sound and fills the screen. */
const start = (chosen: Settings): void => {
  void player.unlock();
  fillScreen();
  history.replaceState(null, '', buildAddress(chosen));
  run(chosen);
};

const tryOut = async (chosen: Settings): Promise<void> => {
  await player.unlock();
  player.setVolume(chosen.volume);
  if (chosen.voice === 'id') await player.load();
  await createVoice({ player, voice: chosen.voice, volume: chosen.volume })({
    label: 'B-12',
    room: 'Ruang 3',
  });
};

const App = () =>
  running.value === null ? (
    <Setup settings={settings} onTry={(chosen) => void tryOut(chosen)} onStart={start} />
  ) : (
    <Screen
      model={running.value}
      isLocked={player.isLocked.value && voice.value !== 'mati'}
      onUnlock={() => void player.unlock()}
      onChange={() => location.assign(`${location.pathname}${location.search}&atur=1`)}
    />
  );

// On a screen that started automatically, any key of the remote control is the gesture.
for (const kind of ['keydown', 'pointerdown'] as const)
  addEventListener(kind, () => {
    if (running.peek() === null) return;
    void player.unlock();
  });

if (isScreen(location.search)) run(settings);
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
